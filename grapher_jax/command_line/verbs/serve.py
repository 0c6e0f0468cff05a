"""`grapher-jax serve`: serve reranking and search over HTTP."""

from typing import TYPE_CHECKING, Annotated

import typer

from grapher_jax.command_line.given import given_tokens
from grapher_jax.command_line.groups import RankingGroup, grouped
from grapher_jax.command_line.options import NamingTokenFile, Proximity, Ranker, Scores
from grapher_jax.errors import require
from grapher_jax.rankers.options import AUTO_SCALE, DEFAULT_RANKER

if TYPE_CHECKING:
    from grapher_jax.serve.served import Served


@grouped
def serve(
    ranks: RankingGroup,
    indexes: Annotated[
        list[str] | None,
        typer.Argument(
            help="Index folders. If there are several, a request names one by its folder's name, "
            "or by NAME in NAME=FOLDER.",
            metavar="FOLDER...",
        ),
    ] = None,
    index: Annotated[
        list[str] | None,
        typer.Option(
            help="A further index, in the same form; may be given several times.",
            metavar="NAME=FOLDER",
        ),
    ] = None,
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 for any free port.")] = 8000,
    processes: Annotated[
        int,
        typer.Option(min=1, help="How many processes share the port, on Linux; each needs 1.7 GB."),
    ] = 1,
    ranker: Ranker = None,
    proximity: Proximity = None,
    scores: Scores = AUTO_SCALE,
    token_file: NamingTokenFile = None,
    max_body: Annotated[int, typer.Option(help="Maximum size of a request in bytes.")] = 4 << 20,
    max_documents: Annotated[int, typer.Option(help="Maximum documents of a request.")] = 1000,
    max_queue: Annotated[int, typer.Option(help="Requests that may wait; more get 503.")] = 256,
    max_wait_ms: Annotated[
        float, typer.Option(help="How long to wait for more requests to fill a batch.")
    ] = 0.0,
    read_seconds: Annotated[float, typer.Option(help="Time limit to read a request.")] = 10.0,
    answer_seconds: Annotated[float, typer.Option(help="Time limit to answer; then 503.")] = 30.0,
    warm_up: Annotated[
        bool, typer.Option(help="Compile what most requests need before reporting ready.")
    ] = True,
    compile_only: Annotated[
        bool,
        typer.Option(
            "--compile-only",
            help="Compile the same into the compilation cache, then exit: for container images.",
        ),
    ] = False,
    watch: Annotated[
        bool, typer.Option(help="Reload an index when its folder changes; if not, only on SIGHUP.")
    ] = True,
) -> None:
    """Serve `POST /v1/rerank` and `POST /v1/search` until a signal ends the process."""
    for module in ("fastapi", "uvicorn"):
        require(module)
    from grapher_jax.serve.processes import Member, oversee

    # Before the import of `prometheus_client`, which looks there, too.
    member = Member.from_environment()
    require("prometheus_client")
    if processes > 1 and member is None and not compile_only:
        raise typer.Exit(oversee(processes, host, port))
    from grapher_jax.rerank import Reranker
    from grapher_jax.serve import Settings, create_app
    from grapher_jax.serve.opened import named_folders
    from grapher_jax.serve.programs import uncollected
    from grapher_jax.serve.served_folder import ServedFolder
    from grapher_jax.serve.server import address, listen, log_with_times, run
    from grapher_jax.serve.warming import all_steps

    settings = Settings(
        token=given_tokens(token_file),
        max_body=max_body,
        max_documents=max_documents,
        max_queue=max_queue,
        max_wait=max_wait_ms,
        read_seconds=read_seconds,
        answer_seconds=answer_seconds,
    )
    folders = named_folders([*(indexes or ()), *(index or ())])
    rerankers = {
        name: Reranker(
            ranker=ranker or DEFAULT_RANKER,
            **ranks.ranking(folder, proximity=proximity, scores=scores),
        )
        for name, folder in folders.items()
    }
    served = {name: ServedFolder(folder) for name, folder in folders.items()}
    if not (member or compile_only or port == 0):
        # A port that is taken is told now, instead of after all indexes are open.
        listen(host, port).close()
    with uncollected():
        app = create_app(served, rerankers, settings, warm_up=warm_up, watch=watch)
    if compile_only:
        import jax

        for one in app.state.served.values():
            for step in all_steps(one.engine):
                step()
            jax.clear_caches()  # programs take memory maps, whose number per process is limited
        return
    log_with_times()
    listening = member.open(host) if member else listen(host, port)
    if member:
        member.join(app)
    access = "with a token" if settings.token else "for everyone who reaches it"
    told = f"{', '.join(map(str, folders.values()))}: {address(host, listening)}, {access}"
    if member is None or member.first:
        _tell(told, {name: _ranks(one) for name, one in app.state.served.items()}, str(ranker))
    run(app, listening, read_seconds=read_seconds, hung_up=app.state.ask_reload)


def _tell(where: str, ranks: dict[str, str], ranker: str) -> None:
    """Print the address and the ranker: one line for one index, one per index for several."""
    # The console module would import tables and reports, which a service may lack.
    lone = [told for told in ranks.values() if told and len(ranks) == 1]
    typer.echo("; ".join([where, *lone]), err=True)
    for name, told in ranks.items() if len(ranks) > 1 else ():
        typer.echo(f"{name}: {told or f'ranks by {ranker}'}", err=True)


def _ranks(served: "Served") -> str:
    """The ranker that `auto` takes for an index, and why; empty if a ranker was named."""
    choice = served.reranker.choice(served.engine.index)
    if choice is None:
        return ""
    others = served.engine.reranker.name
    named = f"; {others} for documents of requests" if others != choice.ranker else ""
    return f"ranks by {choice.ranker}, because {choice.because}{named}"
