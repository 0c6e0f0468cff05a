"""Folders of documents, written for a test and read."""

from pathlib import Path

from grapher_jax.corpus import read_documents


def write(folder: Path, files: dict[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def texts(folder: Path) -> dict[str, str]:
    return {item.id: item.text for item in read_documents(folder)}


def links(folder: Path) -> dict[str, list[str]]:
    return {item.id: item.metadata["links"] for item in read_documents(folder)}


SENTENCES = " ".join(
    f"Sentence number {n} is about the {'harbour' if n % 2 else 'station'}." for n in range(200)
)
