"""Draw `docs/images/demo.png`: the demo's page, from its question to its graph, in Chromium."""

import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from grapher_jax.demo import run_demo
from grapher_jax.explain import render_page
from grapher_jax.files import atomic_file

PICTURE = Path(__file__).parents[1] / "images" / "demo.png"
PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
WIDTH, MARGIN = 1100, 20


def main() -> int:
    """Draw it."""
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        print(f"no Chromium: none of {', '.join(PROGRAMS)} is installed", file=sys.stderr)  # noqa: T201
        return 1
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        file = Path(folder) / "demo.html"
        file.write_text(render_page(run_demo()), encoding="utf-8")
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH, "height": 800}, color_scheme="light")
        page.goto(file.as_uri())
        top = page.locator("blockquote").locator("xpath=..").bounding_box()
        bottom = page.locator("#stage").bounding_box()
        clip = {
            "x": 0,
            "y": top["y"] - MARGIN,
            "width": WIDTH,
            "height": bottom["y"] + bottom["height"] - top["y"] + MARGIN + 8,
        }
        with atomic_file(PICTURE) as temporary:
            temporary.write_bytes(page.screenshot(full_page=True, clip=clip))
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
