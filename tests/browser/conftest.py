"""Pages in a real Chromium."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
# It shall ask nobody for anything, the page's own requests apart.
FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
)


@dataclass
class Opened:
    """A page, and all that it did unasked."""

    page: Any
    console: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    dialogs: list[str] = field(default_factory=list)

    @property
    def violations(self) -> list[str]:
        """What the page's content security policy has refused."""
        return self.page.evaluate("window.violations")


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium without a window."""
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        pytest.skip(f"no Chromium: none of {', '.join(PROGRAMS)} is installed")
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as started:
        launched = started.chromium.launch(executable_path=program, args=FLAGS)
        yield launched
        launched.close()


@contextmanager
def _opened(browser: Any, file: Path, **options: Any) -> Iterator[Opened]:
    context = browser.new_context(**{"viewport": {"width": 1200, "height": 800}} | options)
    context.add_init_script(
        "window.violations = [];"
        "document.addEventListener('securitypolicyviolation',"
        " (event) => window.violations.push(event.violatedDirective));"
    )
    opened = Opened(context.new_page())
    opened.page.on("console", lambda message: opened.console.append(message.text))
    opened.page.on("pageerror", lambda error: opened.errors.append(str(error)))
    opened.page.on("request", lambda request: opened.requests.append(request.url))
    opened.page.on("dialog", lambda shown: (opened.dialogs.append(shown.message), shown.dismiss()))
    opened.page.goto(file.as_uri())
    yield opened
    context.close()


@pytest.fixture
def open_page(browser: Any) -> Callable[..., Any]:
    """Open a file in a context of its own, with the options of Playwright's `new_context`."""
    return partial(_opened, browser)
