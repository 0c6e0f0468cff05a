"""Folders of documents and PDFs, written for a test and read."""

import zlib
from collections.abc import Sequence
from pathlib import Path

from grapher_jax.corpus import Object, read_documents


def write(folder: Path, files: dict[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def texts(folder: Path) -> dict[str, str]:
    return {item.id: item.text for item in read_documents(folder)}


def chunks(folder: Path, files: dict[str, bytes]) -> dict[str, Object]:
    """What is read of a folder with these files, by the ids."""
    return {item.id: item for item in read_documents(write(folder, files))}


def links(folder: Path) -> dict[str, list[str]]:
    return {item.id: item.metadata["links"] for item in read_documents(folder)}


def pdf(*texts: str, page: str = "", title: str = "", outline: Sequence[str] = ()) -> bytes:
    """A real PDF, from its objects up: pages with a line of text, or one with these operators.

    The titles of the outline lead to the first page.
    """
    pages = [page] if page else [f"BT /F 12 Tf 72 720 Td ({text}) Tj ET" for text in texts]
    fonts = b"<< /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>"
    kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(len(pages)))
    objects = [
        f"<< /Type /Catalog /Pages 2 0 R /Outlines {4 + 2 * len(pages)} 0 R >>".encode(),
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
        f"<< /Title ({title}) >>".encode(),
    ]
    for n, written in enumerate(pages):
        stream = zlib.compress(written.encode())
        objects += [
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources %b /Contents %d 0 R >>"
            % (fonts, 5 + 2 * n),
            b"<< /Length %d /Filter /FlateDecode >>\nstream\n%b\nendstream" % (len(stream), stream),
        ]
    own = len(objects) + 1
    last = own + len(outline)
    objects.append(f"<< /First {own + 1} 0 R /Last {last} 0 R /Count {len(outline)} >>".encode())
    for n, entry in enumerate(outline, start=own + 1):
        following = f"/Next {n + 1} 0 R" if n < last else ""
        told = f"<< /Title ({entry}) /Parent {own} 0 R /Dest [4 0 R /Fit] {following} >>"
        objects.append(told.encode())
    file = b"%PDF-1.4\n"
    places = []
    for number, content in enumerate(objects, start=1):
        places.append(len(file))
        file += b"%d 0 obj\n%b\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(objects) + 1
    return file + (
        b"xref\n0 %d\n0000000000 65535 f \n%btrailer\n<< /Size %d /Root 1 0 R /Info 3 0 R >>\n"
        b"startxref\n%d\n%%%%EOF" % (size, table, size, len(file))
    )


SENTENCES = " ".join(
    f"Sentence number {n} is about the {'harbour' if n % 2 else 'station'}." for n in range(200)
)
