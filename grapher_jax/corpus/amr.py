"""AMR graphs in Penman notation, as G-RAG compares them between documents."""

import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from grapher_jax.errors import InputError, require

_MOST_CHARACTERS = 1_000_000
_MOST_TRIPLES = 10_000
_CURE = "write it like (w / want-01 :ARG0 (b / boy))"
# As penman reads them: a parenthesis in a comment or a string is none.
_PARTS = re.compile(r'#[^\n]*|"[^"\\]*(?:\\.[^"\\]*)*"|[()]|[^\s()"]+|"', re.DOTALL)


@dataclass(frozen=True)
class AmrGraph:
    """Concepts and the relations between them (G-RAG, section 3.1: edges `(s, r, d)`).

    Attributes:
        root: the variable at the top; of several graphs, that of the first.
        concepts: each variable's concept.
        triples: (variable, role, variable or constant), in the order they are written; inverse
            roles (`:ARG0-of`) are turned around.
    """

    root: str
    concepts: Mapping[str, str]
    triples: tuple[tuple[str, str, str], ...]

    @cached_property
    def nodes(self) -> frozenset[str]:
        """Concepts and constants, by name; documents are compared by how many they share.

        A constant is a node too: the paper's paths end at names such as Spain.
        """
        return frozenset(self.concepts.values()) | {
            self._named(target) for _, _, target in self.triples
        }

    @cached_property
    def edges(self) -> frozenset[tuple[str, str, str]]:
        """(concept, role, concept or constant); documents are compared by how many they share."""
        return frozenset(
            (self.concepts[source], role, self._named(target))
            for source, role, target in self.triples
        )

    def _named(self, target: str) -> str:
        return self.concepts.get(target, target.strip('"'))


def parse_amr(text: str, place: str) -> AmrGraph:
    """Read Penman notation.

    A passage of several sentences may have several graphs; they are joined into one, and the
    variables of all but the first begin with their graph's number (`2.b`). Cycles are kept: a
    parser may write them, and only sets of nodes and edges are compared. Comments and alignments
    are passed over.

    Args:
        text: one graph or several.
        place: what an error names, such as `corpus.jsonl:7`.

    Raises:
        InputError: where the text is empty, malformed or nested too deep, or has more than a
            million characters or 10,000 triples.
        MissingExtraError: where penman is not installed.
    """
    if len(text) > _MOST_CHARACTERS:
        raise InputError(
            f"{place}: the AMR graph has {len(text):,} characters, and {_MOST_CHARACTERS:,} are "
            "read; give one graph a passage"
        )
    _check_parentheses(text, place)
    penman = require("penman")
    model = require("penman.models.amr").model
    logging.getLogger("penman").setLevel(logging.CRITICAL)  # what it warns of is an error here
    try:
        graphs = penman.loads(text, model=model)
    except penman.PenmanError as error:
        reason = str(error).strip().splitlines()[-1].removeprefix("DecodeError: ")
        raise _malformed(place, f"{reason[:1].lower()}{reason[1:]}") from error
    except RecursionError as error:
        raise InputError(
            f"{place}: the AMR graph is nested too deep; give one graph a sentence"
        ) from error
    count = sum(len(graph.triples) for graph in graphs)
    if count > _MOST_TRIPLES:
        raise InputError(
            f"{place}: the AMR graph has {count:,} triples, and {_MOST_TRIPLES:,} are read; "
            "give one graph a passage"
        )
    concepts: dict[str, str] = {}
    triples: list[tuple[str, str, str]] = []
    for number, graph in enumerate(graphs, start=1):
        prefix = f"{number}." if number > 1 else ""
        variables = graph.variables()
        for source, role, target in graph.triples:
            if source is None or target is None:
                what = "concept" if role == ":instance" else f"target for {role}"
                raise _malformed(place, f"{source or 'a node'} has no {what}")
            if role != ":instance":
                triples.append((prefix + source, role, (target in variables) * prefix + target))
            elif concepts.setdefault(prefix + source, target) != target:
                raise _malformed(place, f"{source} has two concepts")
    return AmrGraph(graphs[0].top, concepts, tuple(triples))


def _check_parentheses(text: str, place: str) -> None:
    """Refuse what penman passes over in silence: text outside of graphs."""
    deep = graphs = 0
    for part in _PARTS.findall(text):
        if part.startswith("#"):
            continue
        graphs += part == "(" and not deep
        deep += (part == "(") - (part == ")")
        if deep < 0 or (not deep and part != ")"):
            raise _malformed(place, f"{part[:40]!r} stands outside of a graph")
    if not graphs:
        raise _malformed(place, "it holds no graph")


def _malformed(place: str, reason: str) -> InputError:
    return InputError(f"{place}: malformed AMR ({reason}); {_CURE}")
