"""`grapher-jax answer`: one question, answered by a language model."""

from pathlib import Path
from typing import Annotated

import typer

from grapher_jax.command_line.given import (
    choose_ranking,
    given_finding,
    given_ranking,
    metadata_filter,
    open_llm,
    ranking_name,
)
from grapher_jax.command_line.options import (
    Alpha,
    Base,
    Candidates,
    Confidence,
    CrossEncoder,
    Endpoint,
    Expand,
    ExpandBy,
    Filter,
    Json,
    LexicalNorm,
    LexicalWeight,
    MaxDf,
    Model,
    Proximity,
    Ranker,
    Replies,
    SystemName,
    Temperature,
    Timeout,
    TitleWeight,
    Weight,
)
from grapher_jax.graph import MAX_DF


def answer(
    index: Annotated[Path, typer.Argument(help="An index folder.")],
    question: Annotated[str, typer.Argument(help="The question to answer.")],
    model: Model,
    endpoint: Endpoint = None,
    k: Annotated[int, typer.Option("-k", "--k", help="How many passages the model is given.")] = 10,
    confidence: Confidence = None,
    system: SystemName = None,
    cross_encoder: CrossEncoder = None,
    ranker: Ranker = None,
    alpha: Alpha = None,
    temperature: Temperature = None,
    proximity: Proximity = None,
    weight: Weight = None,
    filter: Filter = None,  # noqa: A002
    candidates: Candidates = None,
    lexical_weight: LexicalWeight = None,
    lexical_norm: LexicalNorm = None,
    title_weight: TitleWeight = None,
    expand: Expand = None,
    expand_by: ExpandBy = None,
    max_df: MaxDf = MAX_DF,
    base: Base = None,
    timeout: Timeout = 60.0,
    cache: Replies = None,
    json: Json = False,
) -> None:
    """Answer one question with a language model, only from the best passages."""
    from grapher_jax.answers import grounding as answers
    from grapher_jax.command_line import console
    from grapher_jax.search import Index

    ranks = given_ranking(alpha, temperature, proximity, weight, max_df, base=base, index=index)
    finds = given_finding(candidates, lexical_weight, lexical_norm, title_weight, expand, expand_by)
    chosen = choose_ranking(system, k, ranker, ranks, finds, cross_encoder)
    least = answers.CONFIDENCE if confidence is None else confidence
    with open_llm(model, endpoint, timeout, None, cache) as llm:
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
    ranking = ranking_name(chosen, system, opened) | chosen.parameters(opened)
    console.print_json({**summary, "parameters": parameters | ranking})
