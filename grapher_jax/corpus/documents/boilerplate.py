"""Lines that the pages of a site share: the menus above their content, and the footers below it."""

from collections import Counter
from collections.abc import Collection, Iterable

# A line on at least this part of the pages, and on so many, is the site's.
_SHARED, FEWEST = 0.9, 5


def shared_lines(pages: Iterable[str]) -> frozenset[str]:
    """The lines that nearly all pages have.

    Args:
        pages: the texts of some pages of a site.
    """
    read = [{line.strip() for line in page.split("\n")} - {""} for page in pages]
    counts = Counter(line for lines in read for line in lines)
    least = max(FEWEST, _SHARED * len(read))
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
