"""Help in panels: common options first, then the others, grouped by purpose."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from typer.core import MarkupMode, TyperCommand, TyperGroup, TyperOption

if TYPE_CHECKING:
    from typer._click import Context, HelpFormatter
    from typer._click.core import Parameter

_OTHERS = "Options"
# The less common options by panel, under their Python names; `verb.option` if only one verb's
# option is meant. Options that are not listed here are the common ones.
PANELS = {
    "What is read from a database": ("schema", "include", "exclude", "no_views", "copies"),
    "Undeclared keys and edges": ("infer_keys", "queries_from", "dbt_manifest", "keys", "edges"),
    "Documents": ("chunk_tokens", "overlap_tokens", "reader"),
    "How results are ranked": (
        *("system", "cross_encoder", "alpha", "temperature", "proximity", "weight", "max_df"),
        *("base", "scores", "min_score"),
    ),
    "How candidates are found": (
        *("candidates", "lexical_weight", "lexical_norm", "title_weight", "expand", "expand_by"),
        *("lexical", "lexical_variant", "language", "text", "store", "embedder", "query_adapter"),
        "reuse",
    ),
    "How it learns": (
        *("epochs", "steps", "batch_size", "learning_rate", "loss", "evaluate_every"),
        *("patience", "seed", "start", "choose", "cloze", "train.paths", "train.cache"),
        *("train.embedder", "train.expand"),
    ),
    "Many machines": ("shard", "distributed", "engine"),
    "Language models": (
        *("llm", "llm_candidates", "answers", "model", "judge_model", "limit"),
        *("answer.confidence", "evaluate.confidence"),
        *("endpoint", "workers", "timeout", "cache", "price_in", "price_out", "yes"),
    ),
    "Limits": (
        *("max_body", "max_documents", "max_queue", "max_wait_ms", "read_seconds"),
        *("answer_seconds", "warm_up", "serve.watch"),
    ),
}
_PANEL_OF = {name: panel for panel, names in PANELS.items() for name in names}
_PLACES = {name: place for place, name in enumerate(_PANEL_OF)}


def _panels(parameters: "Sequence[Parameter]") -> "dict[str, list[Parameter]]":
    """The visible parameters by panel: arguments first, then common options, then the others."""
    found: dict[str, list[Parameter]] = {"Arguments": [], _OTHERS: []}
    for one in parameters:
        if not getattr(one, "hidden", False):
            own = "Arguments" if one.param_type_name == "argument" else _OTHERS
            found.setdefault(getattr(one, "rich_help_panel", None) or own, []).append(one)
    return found


class _Plain:
    """Help in the same panels, without colours and frames when the output is not a terminal."""

    rich_markup_mode: MarkupMode

    def format_help(self, ctx: "Context", formatter: "HelpFormatter") -> None:
        """Write plain help, or print rich help on a terminal."""
        self.rich_markup_mode = "rich" if sys.stdout.isatty() else None
        super().format_help(ctx, formatter)  # type: ignore[misc]

    def format_options(self, ctx: "Context", formatter: "HelpFormatter") -> None:
        """Write one section per panel."""
        for title, parameters in _panels(self.get_params(ctx)).items():  # type: ignore[attr-defined]
            records = [one.get_help_record(ctx) for one in parameters]
            if shown := [record for record in records if record]:
                with formatter.section(title):
                    formatter.write_dl(shown)


class Verb(_Plain, TyperCommand):
    """A command (verb) whose options are assigned to panels."""

    def get_params(self, ctx: "Context") -> "list[Parameter]":
        """The verb's arguments and options, including `--help`, in the order of the panels."""
        places = {}
        for one in super().get_params(ctx):
            own = f"{self.name}.{one.name}"
            name = own if own in _PANEL_OF else str(one.name)
            places[one] = -1
            if name in _PANEL_OF and not one.required and isinstance(one, TyperOption):
                one.rich_help_panel, places[one] = _PANEL_OF[name], _PLACES[name]
        return sorted(places, key=places.__getitem__)


class Verbs(_Plain, TyperGroup):
    """All verbs, grouped by panel."""

    def format_options(self, ctx: "Context", formatter: "HelpFormatter") -> None:
        """Write the options, and one section per panel of verbs."""
        super().format_options(ctx, formatter)
        panels: dict[str, list[tuple[str, str]]] = {}
        for name, verb in self.commands.items():
            panel = str(getattr(verb, "rich_help_panel", None) or "Commands")
            panels.setdefault(panel, []).append((name, verb.short_help or ""))
        for title, rows in panels.items():
            with formatter.section(title):
                formatter.write_dl(rows)
