"""Lines that pages share: the menus and footers of a site, the running heads of a document."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

# Fewer pages share nothing that can be told from their content.
FEWEST = 5
# The part of a site's, and of a document's, pages that have such a line.
_NEARLY_ALL, _HALF = 0.9, 0.5
# The longest running head.
_LONGEST = 200
# Page numbers; of more digits, Python would take long.
_NUMBER = re.compile(r"(?<!\d)[0-9]{1,9}(?!\d)")


def shared_lines(pages: Iterable[str]) -> frozenset[str]:
    """The lines that nearly all pages have.

    Args:
        pages: the texts of some pages of a site.
    """
    read = [{line.strip() for line in page.split("\n")} - {""} for page in pages]
    counts = Counter(line for lines in read for line in lines)
    least = max(FEWEST, _NEARLY_ALL * len(read))
    return frozenset(line for line, pages_with_it in counts.items() if pages_with_it >= least)


def content(text: str, shared: Collection[str]) -> tuple[int, int]:
    """The span of a page without the shared lines at its beginning and at its end.

    A page that has nothing else is its own content.
    """
    lines = text.split("\n")
    own = [place for place, line in enumerate(lines) if line.strip() and line.strip() not in shared]
    if not own:
        return 0, len(text)
    start = sum(len(line) + 1 for line in lines[: own[0]])
    return start, len(text) - sum(len(line) + 1 for line in lines[own[-1] + 1 :])


def without_running_heads(pages: Sequence[str]) -> list[str]:
    """The pages of a document without first and last lines that half of them have.

    These may hold the number of the page, counted from anywhere, and other words in each chapter if
    they begin or end with the number, unless most have words of their own, as numbered titles of
    pages do. The first page that has such a line keeps it.
    """
    lines = [page.strip().split("\n") for page in pages]
    least = max(FEWEST, _HALF * len(pages))
    for end in (0, -1):
        found = [dict(_forms_of_head(own[end].strip(), n)) for n, own in enumerate(lines)]
        counts = Counter(key for keys in found for key in keys)
        words = Counter(key for key, _ in {pair for keys in found for pair in keys.items()})
        shared = {key for key, n in counts.items() if n >= least and 2 * words[key] <= n}
        heads = [not shared.isdisjoint(keys) for keys in found]
        first = heads.index(True) if any(heads) else None
        for place, own in enumerate(lines):
            if heads[place] and place != first and len(own) > 1:
                own.pop(end)
    return ["\n".join(own) for own in lines]


def _forms_of_head(line: str, place: int) -> Iterator[tuple[str, str]]:
    """The forms in which a line may recur as the running head of pages, each with its other words.

    These are the whole line; the line with its first or last number replaced by the distance from
    the page's place; and such a number alone, at the beginning or the end, with the rest beside it.
    """
    if not 0 < len(line) <= _LONGEST:
        return
    yield line, ""
    numbers = [*_NUMBER.finditer(line)]
    for number in (*numbers[:1], *numbers[-1:]):
        own = f"{int(number[0]) - place:+}"
        before, after = line[: number.start()], line[number.end() :]
        yield f"{before}{own}{after}", ""
        for side, rest, words in (("^", before, after), ("$", after, before)):
            if not rest:
                yield f"\n{side}{own}", words
