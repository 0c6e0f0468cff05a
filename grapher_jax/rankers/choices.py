"""What `auto` takes with given options, over a collection and for each question's candidates."""

from collections.abc import Sequence
from dataclasses import fields, replace

from grapher_jax.graph import EMPTY, of_keys
from grapher_jax.rankers.auto import Choice, choose, networks_missing
from grapher_jax.rankers.coverage import joins_many
from grapher_jax.rankers.listed import Listed
from grapher_jax.rankers.options import RankingOptions
from grapher_jax.rankers.running import MOST_CANDIDATES
from grapher_jax.retrieve.collection import Candidates, Collection

# Options that a network does not accept, because it uses the values of its training.
_OF_FIXED_POINTS = ("alpha", "weights", "tol", "max_steps", "max_df")
_DEFAULTS = {own.name: own.default for own in fields(RankingOptions)}
# Networks compare a candidate with the others of its list. With fewer than these, diffusion was
# better on the two applications for choosing.
FEWEST = 6
_TOO_FEW = f"it compares candidates, and there are fewer than {FEWEST}"


def of_fixed_points(options: RankingOptions) -> list[str]:
    """The options that no network accepts, as far as they differ from their defaults."""
    return [name for name in _OF_FIXED_POINTS if getattr(options, name) != _DEFAULTS[name]]


def grows(options: RankingOptions, ranker: str) -> bool:
    """Whether the ranking of the ranker that `auto` takes grows along keys."""
    return ranker == "gat" if options.along_keys is None else options.along_keys


def too_many(candidates: int) -> str:
    """Why no network can read so many candidates, in words; empty if one can."""
    reads = f"it reads {MOST_CANDIDATES} candidates at most"
    return reads if candidates > MOST_CANDIDATES else ""


def choice_for(
    options: RankingOptions,
    collection: Collection,
    joined_by: Sequence[str],
    *,
    without_networks: str = "",
) -> Choice:
    """What `auto` takes for candidates that these proximities join.

    Args:
        options: what the user has chosen.
        collection: the collection of the candidates.
        joined_by: names of proximities.
        without_networks: why no network may be taken, in words; empty if one may.
    """
    if own := of_fixed_points(options):
        without_networks = f"{own[0]} is no option of it"
    missing = without_networks or networks_missing()
    choice = choose(joined_by, without_networks=missing, rows=collection.graph.rows)
    covers = choice.covers and collection.counts_words
    covers = covers and joins_many(collection, joined_by, max_df=options.max_df)
    covers = covers if options.cover_words is None else options.cover_words
    because = choice.because
    if grows(options, choice.ranker) and of_keys(joined_by):
        because += ", along which the ranking grows"
    if covers:
        because += "; what has words of the question that the first result lacks rises"
    return replace(choice, because=because, covers=covers)


def choices_for(
    options: RankingOptions, collection: Collection, joining: Sequence[str], candidates: Candidates
) -> list[Choice]:
    """For every question, what `auto` takes for its candidates.

    Args:
        options: what the user has chosen.
        collection: the collection of the candidates.
        joining: the proximities that graphs are built from.
        candidates: those of each question.
    """
    joined_by = map(tuple, collection.joined_by(candidates.rows))
    counts = (candidates.rows != EMPTY).sum(axis=1).tolist()
    few = _TOO_FEW if isinstance(collection, Listed) else ""
    without = [few if count < FEWEST else too_many(count) for count in counts]
    kinds = [*zip(joined_by, without, strict=True)]
    taken = {
        kind: choice_for(
            options,
            collection,
            [name for name in joining if name in kind[0]],
            without_networks=kind[1],
        )
        for kind in set(kinds)
    }
    return [taken[kind] for kind in kinds]
