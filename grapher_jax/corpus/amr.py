"""AMR graphs in Penman notation, in the form in which G-RAG compares documents."""

import logging
import re
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from grapher_jax.errors import InputError, require

_MOST_CHARACTERS = 1_000_000
_MOST_TRIPLES = 10_000
_CURE = "write it like (w / want-01 :ARG0 (b / boy))"
# Tokens as penman reads them: parentheses in comments and strings do not count.
_PARTS = re.compile(r'#[^\n]*|"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)|[()]|[^\s()"]+', re.DOTALL)
# The node that stands for a question.
QUESTION = "question"
# The node between a thing and the words of its name; it has no meaning of its own.
_NAME = "name"
# Constants for polarity and mode.
_SIGNS = {"-", "+"}
# The sense of a concept, as in `want-01`.
SENSE = re.compile(r"-\d\d+$")


@dataclass(frozen=True)
class AmrGraph:
    """Concepts and the relations between them (G-RAG, section 3.1: edges `(s, r, d)`).

    Attributes:
        root: the variable at the top; for several graphs, that of the first.
        concepts: the concept of each variable.
        triples: (variable, role, variable or constant), in the order they are written; inverse
            roles (`:ARG0-of`) are reversed.
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

    def _word(self, node: str) -> str:
        return SENSE.sub("", self.concepts[node]) if node in self.concepts else self._named(node)

    def _leads_on(self, node: str) -> bool:
        """Whether a path may continue at a node: at a name, but not at a number or a sign."""
        return node in self.concepts or node[:1] == '"'

    def _from_question(self) -> Iterator[str]:
        """The nodes reachable from the question's node, one shortest path after the other.

        In the tree of shortest paths, a path that ends before a leaf is the beginning of another
        path. So traversing the tree follows all paths that count, without repeating common
        beginnings.
        """
        start = _question_node(self)
        if start is None:
            return
        beside = defaultdict(list)
        for source, _, target in self.triples:
            beside[source].append(target)
            beside[target].append(source)
        below: dict[str, list[str]] = {start: []}
        waiting = deque([start])
        while waiting:
            node = waiting.popleft()
            for other in beside[node] if self._leads_on(node) else ():
                if other not in below:
                    below[other] = []
                    below[node].append(other)
                    waiting.append(other)
        ahead = [start]
        while ahead:
            node = ahead.pop()
            if self.concepts.get(node) != _NAME and node not in _SIGNS:
                yield node
            ahead.extend(reversed(below[node]))


def parse_amr(text: str, place: str) -> AmrGraph:
    """Read Penman notation.

    A passage of several sentences may have several graphs; they are joined into one, and the
    variables of all but the first begin with their graph's number (`2.b`). Cycles are kept: a
    parser may write them, and only sets of nodes and edges are compared. Comments and alignments
    are ignored.

    Args:
        text: one graph or several.
        place: the place that an error names, such as `corpus.jsonl:7`.

    Raises:
        InputError: if the text is empty, malformed or nested too deep, or has more than a million
            characters or 10,000 triples.
        MissingExtraError: if penman is not installed.
    """
    if len(text) > _MOST_CHARACTERS:
        raise InputError(
            f"{place}: the AMR graph has {len(text):,} characters, and {_MOST_CHARACTERS:,} are "
            "read; give one graph a passage"
        )
    _check_parentheses(text, place)
    penman = require("penman")
    model = require("penman.models.amr").model
    logging.getLogger("penman").setLevel(logging.CRITICAL)  # its warnings are errors here
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


def join_amr(question: AmrGraph, document: AmrGraph) -> AmrGraph:
    """Joins the graphs of a question and a document that were parsed separately (G-RAG, 3.1).

    The paper parses `question:<question><document>` at once. Here a node `question` is added above
    the question's root, unless the question's graph already has such a node. Every node of the
    document is merged with the question's first node of the same concept, if there is one. Nodes
    `name` are not merged: that would connect all names.

    Returns:
        The graph, with the question's node as root and renamed variables.
    """
    # Variables never contain a space, and constants only within quotes, so new names are unique.
    asked = {variable: f"question {variable}" for variable in question.concepts}
    own = _question_node(question)
    root = "the question" if own is None else asked[own]
    first = {QUESTION: root}
    for variable, concept in question.concepts.items():
        if concept != _NAME:
            first.setdefault(concept, asked[variable])
    told = {
        variable: first.get(concept, f"document {variable}")
        for variable, concept in document.concepts.items()
    }
    concepts = {root: QUESTION if own is None else question.concepts[own]}
    triples = [] if own == question.root else [(root, ":topic", asked[question.root])]
    for graph, renamed in ((question, asked), (document, told)):
        for variable, concept in graph.concepts.items():
            concepts.setdefault(renamed[variable], concept)
        triples += [(renamed[s], role, renamed.get(t, t)) for s, role, t in graph.triples]
    return AmrGraph(root, concepts, tuple(triples))


def concept_sequence(graph: AmrGraph) -> tuple[str, ...]:
    """The words on the paths from a question to its document (G-RAG, section 3.2.1).

    They are the distinct names along the shortest paths from the node `question` to all reachable
    nodes, with relations as undirected, without paths that are the beginning of another path. The
    paper leaves open which of several shortest paths counts, and their order: here both follow the
    order in which the graph is written. As in the paper's example ("… country Spain religion …"),
    concepts lose their sense (`cross-02` becomes cross), and the name of a thing follows it without
    a `name` in between.

    Args:
        graph: the joint graph of a question and a document, parsed at once or by `join_amr`.

    Returns:
        The words, starting with that of the question; empty if no node is `question`, in any sense.
    """
    return tuple(dict.fromkeys(map(graph._word, graph._from_question())))


def reaches(graph: AmrGraph, document: AmrGraph) -> bool:
    """Whether any path leads from the node `question` to a node of the document.

    Args:
        graph: the graph of question and document, as for `concept_sequence`.
        document: the document's own graph.
    """
    return any(
        graph._named(node) in document.nodes
        for node in graph._from_question()
        if graph._leads_on(node)
    )


def _question_node(graph: AmrGraph) -> str | None:
    named = (v for v, concept in graph.concepts.items() if SENSE.sub("", concept) == QUESTION)
    return next(named, None)


def _check_parentheses(text: str, place: str) -> None:
    """Refuse text outside of graphs, which penman silently ignores."""
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
