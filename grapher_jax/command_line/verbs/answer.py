"""`grapher-jax answer`: one question, answered by a language model."""

from pathlib import Path
from typing import Annotated

import typer

from grapher_jax.command_line.given import metadata_filter, ranking_name
from grapher_jax.command_line.groups import LlmGroup, SystemGroup, grouped
from grapher_jax.command_line.options import Confidence, Filter, Json, Model


@grouped
def answer(
    index: Annotated[Path, typer.Argument(help="An index folder.")],
    question: Annotated[str, typer.Argument(help="The question to answer.")],
    model: Model,
    chosen_by: SystemGroup,
    asks: LlmGroup,
    k: Annotated[int, typer.Option("-k", "--k", help="How many passages the model is given.")] = 10,
    confidence: Confidence = None,
    filter: Filter = None,  # noqa: A002
    json: Json = False,
) -> None:
    """Answer one question with a language model, only from the best passages."""
    from grapher_jax.answers import grounding as answers
    from grapher_jax.command_line import console
    from grapher_jax.search import Index

    chosen = chosen_by.open(index, k=k)
    least = answers.CONFIDENCE if confidence is None else confidence
    with asks.open(model) as llm:
        opened = Index.load(index)
        (grounds,) = answers.find_grounds(
            opened,
            [question],
            system=chosen,
            k=k,
            filters=[metadata_filter(filter)],
            confidence=least,
        )
        if not json:
            text = console.print_pieces(answers.stream(grounds, llm))
            console.print_sources(
                answers.Answer.from_reply(grounds, text), asked=bool(grounds.passages)
            )
            return
        given = answers.ask(grounds, llm)
    summary = {
        "question": question,
        "answer": given.text,
        "sources": [vars(source) for source in given.sources],
        "unknown_citations": list(given.unknown),
        "confidence": given.confidence,
        "refused": given.refused,
    }
    own = dict(llm.parameters)
    # Diffusion has a temperature too.
    own["model_temperature"] = own.pop("temperature")
    parameters = {"model": model, **own, "k": k, "confidence": least}
    ranking = ranking_name(chosen, chosen_by.system, opened) | chosen.parameters(opened)
    console.print_json({**summary, "parameters": parameters | ranking})
