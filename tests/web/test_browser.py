"""Squads are built in a real browser, on a phone and on a desk, with script and without."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.web.browser import DESK, PHONE, begin, flawless, page

pytestmark = pytest.mark.slow


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
        expect(
            opened.get_by_role("heading", name="Available equipment")
        ).to_be_visible()
        opened.locator(".panel button.add").first.click()
        expect(
            opened.get_by_role("heading", name="Equipment", exact=True)
        ).to_be_visible()
        opened.locator("button[value=undo]").click()
        expect(
            opened.get_by_role("heading", name="Equipment", exact=True)
        ).to_have_count(0)
        opened.locator("button[value=redo]").click()
        expect(
            opened.get_by_role("heading", name="Equipment", exact=True)
        ).to_be_visible()


def test_nothing_moves_under_the_thumb_when_a_card_is_added(
    chromium: Browser, address: str
) -> None:
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
            pressed = opened.evaluate(
                "document.activeElement.closest('[data-at]')?.dataset.at"
            )
            assert pressed == card, "the focus stays where it was"
            expect(opened.locator("#said")).to_contain_text(
                opened.locator(".points").inner_text().split()[0]
            )


def test_a_game_without_points_has_its_deck(chromium: Browser, address: str) -> None:
    with page(chromium, DESK) as opened:
        begin(opened, address, "brigade")
        opened.locator("select[name=kind]").select_option("plat")
        opened.wait_for_url("**kind=plat**")
        opened.locator(".tile button.add").first.click()
        expect(opened.get_by_role("heading", name="Cards of the squad")).to_be_visible()


def test_a_game_goes_on_without_a_network_and_is_reported_to_the_server_after_it(
    chromium: Browser, address: str
) -> None:
    with page(chromium, PHONE) as opened:
        squad = begin(opened, address, "lanterns")
        opened.locator(".tile button.add").first.click()
        expect(opened.locator(".copies")).to_have_count(1)
        opened.goto(f"{squad}/play")
        opened.wait_for_selector("#play[data-offline=ready]")
        flawless(opened)
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
