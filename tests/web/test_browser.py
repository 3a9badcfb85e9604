"""Squads are built in a real browser, on a phone and on a desk, with script and without."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.house.source import ROOT

pytestmark = pytest.mark.slow
CHROMIUM = shutil.which("chromium")
PHONE, DESK = {"width": 390, "height": 844}, {"width": 1440, "height": 900}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server as anyone starts it, with two games that share no word."""
    folder = tmp_path_factory.mktemp("site")
    for pack in ("lanterns", "brigade"):
        for part in ("cards", "schemas", "templates"):
            shutil.copytree(ROOT / "tests/packs" / pack / part, folder / part, dirs_exist_ok=True)
    command = [sys.executable, "-m", "builder", "serve", "--port", "0", "--data", str(folder / "data")]
    server = subprocess.Popen([*command, "--project", str(folder)], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    try:
        told = re.search(r"http://\S+:\d+/", server.stdout.readline())
        assert told is not None
        yield told[0].rstrip("/")
    finally:
        server.terminate()
        server.wait()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("chromium is not installed: tools/setup.sh does that")
    with sync_playwright() as tools:
        browser = tools.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@contextmanager
def page(browser: Browser, size: dict[str, int], script: bool = True) -> Iterator[Page]:
    """A new visitor's page, which must say nothing in the console."""
    context = browser.new_context(viewport=size, java_script_enabled=script, locale="en")  # type: ignore[arg-type]
    context.set_default_timeout(10_000)
    opened, said = context.new_page(), []
    opened.on("console", lambda message: said.append(message.text))
    opened.on("pageerror", lambda error: said.append(str(error)))
    yield opened
    context.close()
    assert said == []


def begin(opened: Page, address: str, pack: str) -> str:
    """A new squad; its address."""
    opened.goto(f"{address}/games/{pack}")
    if opened.locator("input[name=faction]").count():
        opened.locator("input[name=faction]").first.check()
    opened.get_by_role("button", name="Begin").click()
    opened.wait_for_url("**/squads/*")
    return opened.url.partition("?")[0]


@pytest.mark.parametrize("script", [True, False])
@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_a_squad_is_built_and_an_edit_is_taken_back(
    chromium: Browser, address: str, size: dict[str, int], script: bool
) -> None:
    with page(chromium, size, script) as opened:
        squad = begin(opened, address, "lanterns")
        points = opened.locator(".points")
        expect(points).to_contain_text("0")
        opened.locator(".tile button.add").first.click()
        expect(points).not_to_have_text(re.compile("^0"))
        opened.goto(squad)
        expect(opened.locator(".lines li")).to_have_count(1)
        opened.locator(".lines a").first.click()
        expect(opened.get_by_role("heading", name="May be given")).to_be_visible()
        opened.locator(".panel button.add").first.click()
        expect(opened.get_by_role("heading", name="Carries")).to_be_visible()
        opened.locator("button[value=undo]").click()
        expect(opened.get_by_role("heading", name="Carries")).to_have_count(0)
        opened.locator("button[value=redo]").click()
        expect(opened.get_by_role("heading", name="Carries")).to_be_visible()


def test_nothing_moves_under_the_thumb_when_a_card_is_added(chromium: Browser, address: str) -> None:
    with page(chromium, PHONE) as opened:
        begin(opened, address, "lanterns")
        for number in range(3):
            tile = opened.locator(".tile:has(> .foot > button.add)").nth(number)
            card = tile.get_attribute("data-at")
            tile.scroll_into_view_if_needed()
            before = tile.bounding_box()
            points = opened.locator(".points").inner_text()
            tile.locator("button.add").click()
            expect(opened.locator(".points")).not_to_have_text(points)
            assert opened.locator(f"[data-at={card}]").bounding_box() == before
            pressed = opened.evaluate("document.activeElement.closest('[data-at]')?.dataset.at")
            assert pressed == card, "the focus stays where it was"
            expect(opened.locator("#said")).to_contain_text(opened.locator(".points").inner_text().split()[0])


def test_a_game_without_points_has_its_deck(chromium: Browser, address: str) -> None:
    with page(chromium, DESK) as opened:
        begin(opened, address, "brigade")
        opened.locator("select[name=kind]").select_option("plat")
        opened.wait_for_url("**kind=plat**")
        opened.locator(".tile button.add").first.click()
        expect(opened.get_by_role("heading", name="Cards of the squad")).to_be_visible()


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_everyone_can_read_and_press_every_page(chromium: Browser, address: str, size: dict[str, int]) -> None:
    with page(chromium, size) as opened:
        squad = begin(opened, address, "lanterns")
        opened.locator(".tile button.add").first.click()
        expect(opened.locator(".copies")).to_have_count(1)
        look = opened.locator(".see").first.get_attribute("href")
        inside = ("", "?view=cards&refused=1", "/models/1", "/complete?ask=1", "/rules", "/about")
        for place in (
            f"{address}/",
            f"{address}/own",
            f"{address}/games/lanterns",
            f"{address}{look}",
            *(squad + one for one in inside),
        ):
            opened.goto(place)
            found = Axe().run(opened).response["violations"]
            serious = [item for item in found if item["impact"] in ("serious", "critical")]
            assert [(item["id"], item["nodes"][0]["html"][:120]) for item in serious] == [], place
            assert opened.evaluate("document.documentElement.scrollWidth") <= size["width"], place


def test_a_game_goes_on_without_a_network_and_is_told_to_the_server_after_it(chromium: Browser, address: str) -> None:
    with page(chromium, PHONE) as opened:
        squad = begin(opened, address, "lanterns")
        opened.locator(".tile button.add").first.click()
        expect(opened.locator(".copies")).to_have_count(1)
        opened.goto(f"{squad}/play")
        opened.wait_for_selector("#play[data-offline=ready]")
        violations = Axe().run(opened).response["violations"]
        assert [item["id"] for item in violations if item["impact"] in ("serious", "critical")] == []
        opened.context.set_offline(True)
        opened.locator("[data-step='round 1']").click()
        opened.locator(".acted input").first.check(force=True)
        again = opened.context.new_page()
        opened.close()
        again.goto(f"{squad}/play")
        expect(again.locator("[data-counter=round]")).to_have_text("2")
        expect(again.locator(".acted input").first).to_be_checked()
        again.context.set_offline(False)
        again.reload()
        expect(again.locator("[data-kept]")).to_contain_text("other devices")
        other = again.context.new_page()
        other.goto(f"{squad}/play")
        assert '"round":2' in other.locator("#held").inner_html()
