"""Questions of a manual's FAQ, each for the parts of the manual to which its answer links.

    apt-get download python-scrapy-doc && dpkg-deb -x python-scrapy-doc_*.deb scrapy
    python bench/faq_questions.py scrapy

The FAQ itself is no part of what is searched. An answer may link to several parts: a link to an
anchor stands for the chunks of that section, another one for any chunk of the page. So R@K is the
share of a question's links of which a chunk is among the first K, and PR@K the share of questions
(with several links) for which this holds of all. Such targets are parts that manuals often link to,
which favours rankers that follow links.
"""

import argparse
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from html import escape
from itertools import takewhile
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import unquote, urlsplit

import bs4
import numpy as np

from grapher_jax.corpus import read_documents
from grapher_jax.search import Index

RANKERS = ("base", "gcs", "ppr", "diffusion", "auto")
# How deep the heading of a question is; terms of lists are below all others.
_DEPTHS = {**{f"h{depth}": depth for depth in range(1, 7)}, "dt": 7}
_ASKS = re.compile(r"(?i)(how|what|why|when|where|can|is|are|does|do|i|my|which|should|who)\b")
_NUMBER = re.compile(r"^[\d.Q:()\s]+|[¶#]+$")
_AROUND = (
    "nav, aside, script, style, footer, #toc, .toc, .navigation, .related, .sphinxsidebar, "
    ".headerlink"
)
_NO_PART = re.compile(r"(gen|^)index(-.*)?\.html$|^search\.html$")
# The folder of pages that are made to learn to which chunks links lead.
_PROBES = "zz-links"


def is_faq(path: Path) -> bool:
    """Whether a page is one of a FAQ, by its path."""
    return "faq" in str(path).lower()


def is_searched(path: Path) -> bool:
    """Whether a page is part of the manual: none of its FAQ, and no index."""
    return not is_faq(path) and not _NO_PART.search(path.name)


def pages_of(folder: Path) -> list[Path]:
    """The pages in a folder, at any depth, by their paths there."""
    found = sorted(page for page in folder.rglob("*.html") if not page.is_symlink())
    return [page.relative_to(folder) for page in found]


def linked(page: Path) -> Iterator[tuple[str, list[str]]]:
    """The questions of a page, each with the links in its answer."""
    soup = bs4.BeautifulSoup(page.read_bytes(), "lxml")
    for around in soup.select(_AROUND):
        around.decompose()
    found: list[tuple[int, str, list[str]]] = []
    for tag in soup.find_all(["a", *_DEPTHS]):
        if tag.name in _DEPTHS:
            words = _NUMBER.sub("", " ".join(tag.get_text(" ").split())).strip()
            below = found and _DEPTHS[tag.name] > found[-1][0]
            if not below or words.endswith("?"):
                found.append((_DEPTHS[tag.name], words, []))
        elif found and tag.get("href") and not tag.find_parent([*_DEPTHS]):
            found[-1][2].append(str(tag["href"]))
    for _, words, links in found:
        asks = words.endswith("?") or _ASKS.match(words)
        if asks and len(words.split()) > 3 and len(words) <= 250:
            yield words, links


def questions(folder: Path) -> dict[str, list[str]]:
    """Each question with the pages outside the FAQ, and their parts, that its answer links to."""
    found: dict[str, list[str]] = {}
    folder = folder.resolve()
    for page in (folder / name for name in pages_of(folder) if is_faq(name)):
        for words, links in linked(page):
            own = found.setdefault(words, [])
            for written in links:
                parts = urlsplit(written)
                target = (page.parent / unquote(parts.path)).resolve()
                if parts.scheme or parts.netloc or not parts.path or not target.is_file():
                    continue
                if not target.is_relative_to(folder):
                    continue
                name = target.relative_to(folder)
                if is_searched(name):
                    own.append(name.as_posix() + f"#{parts.fragment}" * bool(parts.fragment))
    return {words: [*dict.fromkeys(links)] for words, links in found.items() if links}


def read(folder: Path, asked: dict[str, list[str]]) -> tuple[Index, dict[str, list[set[str]]]]:
    """The index of a manual without its FAQ, and for each question the chunks of each link."""
    with TemporaryDirectory() as temporary:
        copy = Path(temporary)
        for name in filter(is_searched, pages_of(folder)):
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(folder / name, copy / name)
        (copy / _PROBES).mkdir()
        for number, link in enumerate(sorted({link for links in asked.values() for link in links})):
            text = f"<p>What stands before {number}, <a href='../{escape(link)}'>{number}</a>.</p>"
            (copy / _PROBES / f"{number}.html").write_text(f"{text}<!--{link}-->")
        objects = [*read_documents(copy)]
        probes = {one.id: one for one in objects if one.id.startswith(_PROBES)}
        first = {
            (copy / one.metadata["document_id"]).read_text().rpartition("<!--")[2][:-3]: targets[0]
            for one in probes.values()
            if (targets := one.metadata["links"])
        }
    objects = [one for one in objects if one.id not in probes]
    pages: dict[str, list[str]] = {}
    for one in objects:
        pages.setdefault(one.metadata["document_id"], []).append(one.id)
    headings = {one.id: one.metadata.get("headings") for one in objects}

    def chunks(link: str) -> set[str]:
        page = pages[first[link].rpartition("#")[0]]
        if "#" not in link:
            return {*page}
        place = page.index(first[link])
        own = headings[first[link]]
        return (
            {*takewhile(lambda one: headings[one] == own, page[place:])} if own else {first[link]}
        )

    known = {words: [link for link in links if link in first] for words, links in asked.items()}
    wanted = {words: [chunks(one) for one in links] for words, links in known.items() if links}
    return Index.build(objects), wanted


def measured(index: Index, wanted: dict[str, list[set[str]]], ranker: str) -> dict[str, float]:
    """The measures of a ranker over the questions, in %."""
    rows = []
    for hits, targets in zip(
        index.search_batch([*wanted], k=10, ranker=ranker), wanted.values(), strict=True
    ):
        ids = [hit.id for hit in hits]
        places = [min((ids.index(one) for one in own if one in ids), default=99) for own in targets]
        gains = sum(1 / np.log2(2 + place) for place in {*places} - {99})
        best = sum(1 / np.log2(2 + place) for place in range(min(10, len(places))))
        several = max(places) < 10 if len(places) > 1 else np.nan
        recall = np.mean([place < 10 for place in places])
        rows.append((several, recall, gains / best, 1 / (1 + min(places)) * (min(places) < 99)))
    means = 100 * np.nanmean(np.array(rows, float), axis=0)
    return dict(zip(("PR@10", "R@10", "nDCG@10", "RR"), means.tolist(), strict=True))


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the measures of every ranker."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, help="a manual in HTML, with a FAQ")
    parser.add_argument("--ranker", nargs="*", default=RANKERS)
    options = parser.parse_args(arguments)
    asked = questions(options.folder)
    index, wanted = read(options.folder, asked)
    if not wanted:
        parser.error(f"{options.folder}: no FAQ in it has an answer that links to another part")
    several = sum(len(targets) > 1 for targets in wanted.values())
    print(f"{len(index)} chunks, {len(wanted)} questions, {several} with several links")  # noqa: T201
    for ranker in options.ranker:
        told = (f"{name} {value:.1f}" for name, value in measured(index, wanted, ranker).items())
        print(f"{ranker:10} {'  '.join(told)}", flush=True)  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
