"""A folder of documents as a corpus: chunks, their positions, and the links between them."""

from bisect import bisect_left, bisect_right
from collections import ChainMap, deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, groupby
from operator import itemgetter
from pathlib import Path

from grapher_jax.checks import check_count, check_path
from grapher_jax.corpus.documents.boilerplate import FEWEST, content, shared_lines
from grapher_jax.corpus.documents.chunks import (
    GRAMMARS,
    before_headings,
    chunk_spans,
    heads_of_tables,
    with_what_they_begin,
    without_fences,
)
from grapher_jax.corpus.documents.citations import (
    ByTable,
    Names,
    cited,
    filed,
    is_said,
    names_by_table,
    names_of_files,
    names_of_headings,
    names_of_records,
    once,
    referenced,
    table_of,
    words_of_table,
)
from grapher_jax.corpus.documents.extract import Extract, UnreadableError
from grapher_jax.corpus.documents.folder_files import (
    BESIDE,
    RECORDS,
    are_documents,
    counted,
    find_files,
    is_document_file,
    report,
    way_on,
    what_is_read,
)
from grapher_jax.corpus.documents.formats import (
    BUILT_IN,
    check_reader,
    extract,
    writings,
)
from grapher_jax.corpus.documents.links import Targets, named_parts, parts_of
from grapher_jax.corpus.keys import LINKS, MENTIONS
from grapher_jax.corpus.objects import Object
from grapher_jax.errors import InputError, warn

CHUNK_TOKENS = 200
OVERLAP_TOKENS = 40

_FEWEST_OF_CONTENTS, _LONGEST_LINKS = 4, 200
# Pages may lead on to each other without an end.
_MOST_MOVES = 4
_PAGES = (".html", ".htm")
# Of so many pages, the lines are counted.
_MOST_PAGES = 32
# Documents that links lead to are kept until their turn, if they have no more characters together.
_MOST_KEPT = 32_000_000
# What is between the rows of a sheet that is split like a text.
_ROW_GAP = "\n\n"


@dataclass(frozen=True)
class DocumentChoice:
    """How documents are read and cut; see `read_documents`.

    Raises:
        InputError: for an unknown reader, or a number out of its range.
        MissingExtraError: if the reader is not installed.
    """

    chunk_tokens: int = CHUNK_TOKENS
    overlap_tokens: int = OVERLAP_TOKENS
    reader: str = BUILT_IN

    def __post_init__(self) -> None:
        check_count("chunk_tokens", self.chunk_tokens)
        if not check_count("overlap_tokens", self.overlap_tokens, least=0) < self.chunk_tokens:
            raise InputError(
                f"overlap_tokens: {self.overlap_tokens} must be at least 0 and below chunk_tokens, "
                f"{self.chunk_tokens}"
            )
        check_reader(self.reader)


def read_documents(
    folder: str | Path,
    *,
    chunk_tokens: int = CHUNK_TOKENS,
    overlap_tokens: int = OVERLAP_TOKENS,
    reader: str = BUILT_IN,
) -> Iterator[Object]:
    """Stream the chunks of a folder's documents: text, Markdown, HTML, PDF, office files and more.

    It reads .txt, .md, .markdown, .mdx, .rst, .adoc, .asciidoc, .ipynb, .html, .htm, .pdf, .docx,
    .pptx, .eml, .mbox and, beside one of these, also `RECORDS` and source code; and a folder of
    nothing but workbooks and JSON. Records become lines of `name: value`; code is cut at
    definitions. Each row of a table or sheet, message of a mailbox, and object of JSON Lines, of a
    list that is a whole JSON file or of the only list in one, is a document `<path>#<record>`:
    named by its column `id` or `_id`, else by a code, if each record has another one, else by its
    number, and titled by its first column title, name, label, subject or headline. Where most of
    the first hundred hold no words, they are one document. What cites a record, or a numbered
    heading of its own document, is linked to it, see `citations`.

    Files are read one at a time, in the order of their paths. Hidden files, indexes and symbolic
    links are skipped, so that nothing outside the folder is read. A chunk's id is
    `<path>#<number>`; its metadata has `document_id` (the path, with `/`), `chunk_id` (0, 1, …),
    `span` (`[start, end)` in characters of the extracted text), `links` to other chunks, for
    formats with headings `headings`, those above the beginning of the chunk without the title, and
    for a record `called`, codes and numbers by which questions call it. A chunk that is mostly a
    list of links has no `links`, and empty `title_mentions`, so that no titles are looked for in
    it. Of 5 HTML pages or more below a folder of the source, what 90 % of them share at their
    beginning and end is read once.

    A hyperlink to another document becomes the id of a chunk of it, in every chunk that contains
    the beginning of the link's text: of the chunk with the anchor or the heading that the link
    names, else of the first. Query strings are ignored, `/` at the start means the folder, and a
    link to a folder means its page `index`, `_index` or `README`. A document may be named without
    its ending, or by the `.html` file that is made from it, as in Sphinx's `doc` role and tables of
    contents. These are read in reStructuredText and MyST, as are `ref` roles, which name a label in
    any document, like AsciiDoc's anchors: they become the id of the chunk with the text below it.
    `[[Page]]` in Markdown names a document by its path without ending, or by the last part of it;
    of several documents, the one nearest to the top folder is meant.

    Unreadable files are left out, and one warning counts them by reason, unless all are hidden.

    Args:
        folder: the folder of the documents, at any depth; or a single document or file of records.
        chunk_tokens: the maximum number of tokens per chunk, as `count_tokens` counts them, without
            headings from the end of the chunk before and the head of a table of which it has more
            rows. The offline embedder reads 256 word pieces, about 230 tokens, with the title.
        overlap_tokens: the maximum number of tokens that a chunk shares with the one before it.
        reader: `built-in`; or `markitdown`, by which PDF, HTML and office files become Markdown,
            and .epub files are read too.

    Raises:
        InputError: if there is no document, none can be read, or an option is out of range.
        MissingExtraError: if the reader is not installed.
    """
    choice = DocumentChoice(chunk_tokens, overlap_tokens, reader)
    folder = check_path("folder", folder)
    if is_document_file(folder, reader):
        return _chunks(_Documents(folder.parent, [folder.name], {}, choice))
    names, left_out = find_files(folder, reader)
    if not are_documents(folder, names, reader):
        left_out |= dict.fromkeys(names, BESIDE)
        passed = f" (left out: {counted(left_out)})" if left_out else ""
        raise InputError(
            f"{folder}: not a BEIR folder (it has no corpus.jsonl), and no document is in it"
            f"{passed}; {what_is_read(reader)}{way_on(left_out)}"
        )
    return _chunks(_Documents(folder, names, left_out, choice))


def _chunks(documents: "_Documents") -> Iterator[Object]:
    for name in documents.names:
        document = documents.load(name)
        if document and document.records:
            for own, record in document.records:
                yield from _chunks_of(documents, f"{name}#{own}", record)
        elif document:
            yield from _chunks_of(documents, name, document)
    report(documents.folder, documents.left_out, documents.choice.reader, read=len(documents.known))
    if told := [f"{name}: {note}" for name, notes in documents.notes.items() for note in notes]:
        more = f"; and so {len(told) - 1} more" if len(told) > 1 else ""
        warn(f"{documents.folder}: {told[0]}{more}")


def _chunks_of(documents: "_Documents", name: str, document: Extract) -> Iterator[Object]:
    spans = [*documents.spans(document, name)]
    links = documents.links(document, name, spans)
    heads = [*documents.heads(document)]
    for number, (start, end, headings) in enumerate(_under_headings(document, spans)):
        inside = links[bisect_left(links, (start, "")) : bisect_left(links, (end, ""))]
        own = f"{name}#{number}"
        leading = [target for target in dict.fromkeys(to for _, to in inside) if target != own]
        yield Object(
            id=own,
            text=_head(heads, start) + document.text[start:end],
            title=document.title,
            metadata={
                "document_id": name,
                "chunk_id": number,
                "span": [start, end],
            }
            | (
                {LINKS.name: [], MENTIONS.name: []}
                if _is_contents(document, start, end, leading)
                else {LINKS.name: leading}
            )
            | ({"headings": headings} if headings else {})
            | ({"called": called} if not number and (called := documents.called(name)) else {}),
        )


def _head(heads: Sequence[tuple[int, int, str]], start: int) -> str:
    """The head of the table among whose rows a chunk starts; empty if it starts elsewhere."""
    place = bisect_right(heads, start, key=itemgetter(0)) - 1
    return heads[place][2] if place >= 0 and start < heads[place][1] else ""


class _Documents:
    """The documents of a folder, and the chunks that links lead to.

    Attributes:
        folder: the folder.
        names: the paths of its documents.
        left_out: the paths that are not read, with the reasons.
        choice: how they are read and cut.
        known: the paths of those that may be read; whether their turn has come.
    """

    def __init__(
        self,
        folder: Path,
        names: Sequence[str],
        left_out: dict[str, str],
        choice: DocumentChoice,
    ) -> None:
        """Read nothing yet."""
        self.folder, self.names, self.left_out = folder, names, left_out
        self.choice = choice
        self.known: dict[str, bool] = dict.fromkeys(names, False)
        # The addresses of the pages that others lead to at once.
        self._moved: dict[str, str] = {}
        self._paths = dict.fromkeys(self.known)
        self._targets = Targets(folder, self._paths, writings(choice.reader))
        self._parts: dict[str, dict[str, int]] = {}
        self._kept: dict[str, Extract] = {}
        self._room = _MOST_KEPT
        self._of_records: set[str] = set()
        self._sites: dict[str, list[str]] = {}
        for page in (name for name in names if name.lower().endswith(_PAGES)):
            self._sites.setdefault(_site(page), []).append(page)
        # By site: the page that keeps what all share, and that.
        self._shared: dict[str, tuple[str, Collection[str]]] = {}
        self.notes: dict[str, Sequence[str]] = {}
        self._sheets: dict[str, tuple[Names, ByTable]] = {}

    @cached_property
    def _records(self) -> dict[str, dict[str, str]]:
        """For each table of records, the documents that they are, by the names that cite them."""
        named = {}
        for name in [one for one in self.known if one.lower().endswith(RECORDS)]:
            if found := self._ahead(name):
                records = ((f"{name}#{own}", record) for own, record in found.records)
                for table, its in groupby(records, lambda one: table_of(one[0])):
                    own = [*its]
                    # A sheet that is split like a text has the names of others, and none itself.
                    if table == name or _ROW_GAP not in own[0][1].text:
                        named[table] = names_of_records(own)
        return named

    def called(self, record: str) -> list[str]:
        """The codes and numbers by which texts call a record, but for its id."""
        return self._codes.get(record, [])

    @cached_property
    def _codes(self) -> dict[str, list[str]]:
        codes: dict[str, list[str]] = {}
        for named in self._records.values():
            for name, record in named.items():
                own = record.rpartition("#")[2].rpartition("/")[2]
                if is_said(name) and name.removeprefix("#") != own:
                    codes.setdefault(record, []).append(name)
        return codes

    @cached_property
    def _names_everywhere(self) -> dict[str, str]:
        return once(self._records.values())

    @cached_property
    def _filed(self) -> dict[str, str]:
        return names_of_files(self.known)

    @cached_property
    def _names_by_table(self) -> ByTable:
        return names_by_table(self._records)

    def _names_beside(self, file: str) -> tuple[Names, ByTable]:
        """The names in all sheets of a workbook, and by table, where its own come first."""
        if file not in self._sheets:
            own = {one: names for one, names in self._records.items() if one.startswith(f"{file}/")}
            self._sheets[file] = once(own.values()), self._names_by_table | names_by_table(own)
        return self._sheets[file]

    def _cited(
        self, document: Extract, name: str, spans: Sequence[tuple[int, int]]
    ) -> Iterator[tuple[int, str]]:
        """The positions at which a document cites records or its own headings, and their chunks."""
        starts = [start for start, _ in spans]
        for place, heading in cited(document.text, names_of_headings(document)):
            yield place, f"{name}#{max(bisect_right(starts, heading) - 1, 0)}"
        for place, document_name in filed(document.text, self._filed):
            self._numbers(document_name)
            if document_name in self.known and document_name != name:
                yield place, f"{document_name}#0"
        table = table_of(name)
        near = self._records.get(table, {})
        beside, by_table = self._names_beside(name.partition("#")[0])
        found = cited(document.text, ChainMap(near, beside, self._names_everywhere))
        if name not in self.known:  # a record
            found = chain(found, referenced(document.text, words_of_table(table), near, by_table))
        for place, record in found:
            if record != name:
                yield place, f"{record}#0"

    def load(self, name: str) -> Extract | None:
        """A document whose turn has come; None if it cannot be read."""
        if found := self._kept.pop(name, None):
            self._room += _size(found)
        elif (found := self._extract(name)) is None:
            return None
        self.known[name] = True
        self.notes[name] = found.notes
        return found

    def _ahead(self, name: str) -> Extract | None:
        """A document before its turn; None if it cannot be read."""
        if (found := self._kept.get(name) or self._extract(name)) is None:
            return None
        if name not in self._kept and not self.known[name] and _size(found) <= self._room:
            self._kept[name] = found
            self._room -= _size(found)
        return found

    def _extract(self, name: str) -> Extract | None:
        if name not in self.known:
            return None
        try:
            found = extract(self.folder / name, self.choice.reader)
        except UnreadableError as error:
            del self.known[name]
            self.left_out[name] = str(error)
            if error.leads_to:
                self._moved[name] = error.leads_to
            else:
                del self._paths[name]
            return None
        if found.records:
            self._of_records.add(name)
        return found

    def spans(self, document: Extract, name: str) -> Iterator[tuple[int, int]]:
        """The chunks of a document, without links alone before all others."""
        most = self.choice.chunk_tokens
        begins, ends = self._content(document, name)
        own = chunk_spans(
            document.text[begins:ends],
            chunk_tokens=most,
            overlap_tokens=self.choice.overlap_tokens,
            syntax=document.syntax,
            whole=(
                (start - begins, end - begins)
                for start, end in document.whole
                if begins <= start and end <= ends
            ),
        )
        spans = ((begins + start, begins + end) for start, end in own)
        places = [place for place, _, _ in document.headings]
        whole = before_headings(document.text, spans, places, chunk_tokens=most)
        kept = without_fences(document.text, whole) if document.syntax == "markdown" else whole
        if document.syntax in GRAMMARS:
            kept = with_what_they_begin(document.text, whole, chunk_tokens=most)
        first, second = next(kept, None), next(kept, None)
        alone = first and second and _is_links_alone(document, *first, following=second[0])
        return chain((span for span in (None if alone else first, second) if span), kept)

    def heads(self, document: Extract) -> Iterator[tuple[int, int, str]]:
        """The heads of tables that a chunk with further rows begins with."""
        if document.syntax == "markdown":
            yield from heads_of_tables(document.text, chunk_tokens=self.choice.chunk_tokens)

    def _content(self, document: Extract, name: str) -> tuple[int, int]:
        """The span of a document without what it shares with the other pages of its site.

        The first page that can be read keeps it, so that it is found.
        """
        site = _site(name)
        pages = self._sites.get(site, [])
        if not name.lower().endswith(_PAGES) or len(pages) < FEWEST:
            return 0, len(document.text)
        if site not in self._shared:
            some = pages[:: -(-len(pages) // _MOST_PAGES)]
            read = {one: found.text for one in some if (found := self._ahead(one))}
            self._shared[site] = next(iter(read), ""), shared_lines(read.values())
        first, shared = self._shared[site]
        return (0, len(document.text)) if name == first else content(document.text, shared)

    def links(
        self, document: Extract, name: str, spans: Sequence[tuple[int, int]]
    ) -> list[tuple[int, str]]:
        """The positions of a document's links, with the chunks to which they lead."""
        targets = {written: self._target(written, name) for _, written in document.links}
        if name in self.known:
            self._parts.setdefault(name, _parts(document, spans))
        linked = [
            (place, self._chunk(written, targets[written]))
            for place, written in document.links
            if self._leads(written, targets[written], name)
        ]
        return sorted([*linked, *self._cited(document, name, spans)])

    def _target(self, written: str, name: str) -> str:
        """The document that a link in another one leads to, past pages that lead on at once."""
        target = self._targets.of(written, name)
        for _ in range(_MOST_MOVES):
            if target != name:
                self._numbers(target)
            if target not in self._moved:
                break
            target = self._targets.of(self._moved[target], target)
        return target

    def _leads(self, written: str, target: str, name: str) -> bool:
        """Whether a link in a document leads to another one, or to a part of it that is there."""
        if target == name:
            return any(part in self._numbers(name) for part in parts_of(written))
        # A link may lead to a later document that turns out to be unreadable, or to be records,
        # none of which it means.
        self._numbers(target)
        return target in self.known and target not in self._of_records

    def _chunk(self, written: str, name: str) -> str:
        """The chunk of a document to which a link leads."""
        found = (self._numbers(name).get(part) for part in parts_of(written))
        return f"{name}#{next((number for number in found if number is not None), 0)}"

    def _numbers(self, name: str) -> dict[str, int]:
        """The number of the chunk that each named part of a document is in."""
        unread = name not in self._parts and name not in self._of_records
        if unread and (document := self._ahead(name)) and not document.records:
            self._parts[name] = _parts(document, self.spans(document, name))
        return self._parts.get(name, {})


def _size(document: Extract) -> int:
    """About how many characters a document takes, of which each record takes some hundred."""
    return len(document.text) + sum(500 + len(record.text) for _, record in document.records)


def _site(name: str) -> str:
    """The folder directly below the top that a path leads through; empty for the top itself."""
    return name.partition("/")[0] if "/" in name else ""


def _parts(document: Extract, spans: Iterable[tuple[int, int]]) -> dict[str, int]:
    starts = [start for start, _ in spans]
    named = named_parts(document)
    return {part: max(bisect_right(starts, at) - 1, 0) for part, at in named}


def _is_links_alone(document: Extract, start: int, end: int, *, following: int) -> bool:
    """Whether a chunk is a paragraph of a few linked words, such as those above a page."""
    if end - start > _LONGEST_LINKS or "\n\n" not in document.text[end:following]:
        return False
    rest, place = "", start
    for first, last, _ in document.linked[bisect_left(document.linked, (start, start, 0)) :]:
        if first >= end:
            break
        rest, place = rest + document.text[place:first], last
    return place > start and not any(map(str.isalnum, rest + document.text[place:end]))


def _is_contents(document: Extract, start: int, end: int, links: Sequence[str]) -> bool:
    """Whether a chunk is a list of links, such as a table of contents, and tells nothing itself."""
    if len(links) < _FEWEST_OF_CONTENTS:
        return False
    linked = document.linked
    inside = linked[bisect_left(linked, (start, start, 0)) : bisect_left(linked, (end, end, 0))]
    words = sum(own for _, _, own in inside)
    addresses = sum(last - first - own for first, last, own in inside)
    return 2 * words > end - start - addresses


def _under_headings(
    document: Extract, spans: Iterable[tuple[int, int]]
) -> Iterator[tuple[int, int, list[str]]]:
    """The chunks with the headings above the beginning of each, the highest level first."""
    above: dict[int, str] = {}
    below = deque(document.headings)
    for start, end in spans:
        while below and below[0][0] <= start:
            _, level, words = below.popleft()
            above = {own: said for own, said in above.items() if own < level} | {level: words}
        yield start, end, [said for said in above.values() if said not in ("", document.title)]
