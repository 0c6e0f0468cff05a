"""The options of a ranking are declared once, and every door has the same."""

import inspect
from dataclasses import fields
from importlib import import_module

import pytest

from grapher_jax import Reranker
from grapher_jax.command_line.commands import app
from grapher_jax.graph import PROXIMITIES
from grapher_jax.rankers.auto import AUTO
from grapher_jax.rankers.fixed_point import FIXED_POINTS
from grapher_jax.rankers.options import RankingOptions
from grapher_jax.systems.networks import SHIPPED

OPTIONS = {option.name: option for option in fields(RankingOptions)}
VERBS = {command.callback.__name__: command.callback for command in app.registered_commands}
# Where Python says None for all entities, the command line says 0; and names are a list there.
SPELLED = {
    "ranker": "ranker",
    "temperature": "temperature",
    "alpha": "alpha",
    "proximity": "proximities",
    "max_df": "max_df",
    "base": "base",
}
# What only verbs have that read scores of others.
OF_OTHERS = ("rerank", "serve", "evaluate")


def test_a_reranker_has_these_options_and_no_others():
    # A partial run is continued where these were the same, in this order.
    names = ["ranker", "temperature", "alpha", "proximities", "weights"]
    names += ["max_df", "tol", "max_steps", "scores", "edges", "base", "along_keys"]
    names += ["cover_words"]
    assert list(OPTIONS) == [option.name for option in fields(Reranker)] == names
    assert vars(RankingOptions()) == vars(Reranker())


@pytest.mark.parametrize("name", ["search", "explain", "answer", "rerank", "serve", "evaluate"])
def test_a_verb_has_the_defaults_and_the_help_of_the_options(name):
    parameters = inspect.signature(VERBS[name]).parameters
    spelt = SPELLED | ({"scores": "scores"} if name in OF_OTHERS else {})
    for spelled, option in spelt.items():
        given, own = parameters[spelled], OPTIONS[option]
        assert given.default == (None if option == "ranker" else own.default)
        (shown,) = (part.help for part in given.annotation.__metadata__)
        assert own.metadata["help"] in shown


def test_the_help_names_every_ranker_and_proximity():
    for name in (AUTO, *FIXED_POINTS, *SHIPPED):
        assert name in OPTIONS["ranker"].metadata["help"].replace(" or ", " ").split(", ")
    assert OPTIONS["proximities"].metadata["help"].endswith(f": {', '.join(PROXIMITIES)}.")


def test_the_integrations_have_the_defaults_of_the_options():
    pytest.importorskip("pydantic")
    from grapher_jax.integrations.candidates import GraphOptions

    given = {name: field.default for name, field in GraphOptions.model_fields.items()}
    shared = [name for name in given if name in OPTIONS]
    assert shared == [
        "ranker",
        "alpha",
        "proximities",
        "weights",
        "edges",
        "max_df",
        "scores",
        "base",
    ]
    assert [given[name] for name in shared] == [OPTIONS[name].default for name in shared]


def test_a_constructor_has_the_defaults_of_the_integrations():
    pytest.importorskip("haystack")
    options = import_module("grapher_jax.integrations.candidates").GraphOptions.model_fields
    constructor = import_module("grapher_jax.integrations.haystack").GraphRanker.__init__
    parameters = list(inspect.signature(constructor).parameters.values())[1:]
    assert [(one.name, one.default) for one in parameters] == [
        (name, field.default) for name, field in options.items()
    ]
