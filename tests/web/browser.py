"""What tests in a real browser share.

A server as anyone starts it, visitors, and what every page has to be.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from tests.house.source import ROOT

CHROMIUM = shutil.which("chromium")
PHONE, DESK = {"width": 390, "height": 844}, {"width": 1440, "height": 900}


def two_games(folder: Path) -> Path:
    """Return a project with two games that share no word."""
    for pack in ("lanterns", "brigade"):
        for part in ("cards", "schemas", "templates"):
            shutil.copytree(
                ROOT / "tests/toys" / pack / part, folder / part, dirs_exist_ok=True
            )
    return folder


@contextmanager
def served(folder: Path, data: Path | None = None) -> Iterator[str]:
    """Provide the address of a server for a project; its data is there or as given."""
    command = [
        sys.executable,
        "-m",
        "builder",
        "serve",
        "--port",
        "0",
        "--data",
        str(data or folder / "data"),
    ]
    server = subprocess.Popen(
        [*command, "--project", str(folder)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    try:
        told = re.search(r"http://\S+:\d+/", server.stdout.readline())
        assert told is not None
        yield told[0].rstrip("/")
    finally:
        server.terminate()
        server.wait()


@contextmanager
def page(browser: Browser, size: dict[str, int], script: bool = True) -> Iterator[Page]:
    """Provide a new visitor's page, which must say nothing in the console."""
    context = browser.new_context(
        viewport=size, java_script_enabled=script, locale="en"
    )  # type: ignore[arg-type]
    context.set_default_timeout(10_000)
    opened, said = context.new_page(), []
    opened.on("console", lambda message: said.append(message.text))
    opened.on("pageerror", lambda error: said.append(str(error)))
    yield opened
    context.close()
    assert said == []


def begin(opened: Page, address: str, pack: str) -> str:
    """Return a new squad; its address."""
    opened.goto(f"{address}/games/{pack}")
    if opened.locator("input[name=faction]").count():
        opened.locator("input[name=faction]").first.check()
    opened.get_by_role("button", name="Create squad").click()
    opened.wait_for_url("**/squads/*")
    return opened.url.partition("?")[0]


def flawless(opened: Page, *only: str) -> None:
    """Nothing serious bars anyone from reading the page; of all rules, or of these."""
    chosen = {"runOnly": list(only)} if only else {}
    found = (
        Axe()
        .run(opened, options={"resultTypes": ["violations"], **chosen})
        .response["violations"]
    )
    serious = [flaw for flaw in found if flaw["impact"] in ("serious", "critical")]
    assert [(flaw["id"], flaw["nodes"][0]["html"][:120]) for flaw in serious] == [], (
        opened.url
    )


def sound(opened: Page) -> None:
    """It is flawless where script runs, and not wider than the screen."""
    if opened.locator("html.script").count():
        flawless(opened)
        width = opened.viewport_size["width"] if opened.viewport_size else 0
        assert opened.evaluate("document.documentElement.scrollWidth") <= width, (
            opened.url
        )
