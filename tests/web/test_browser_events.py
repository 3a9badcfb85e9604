"""Events in a real browser: long names and long messages on a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.browser import PHONE, page

pytestmark = pytest.mark.slow
LONG_NAME = "Bartholomäus" * 6


def pair_long_names(opened: Page, address: str) -> None:
    """Pair a round of players with long names, and write two messages."""
    opened.goto(f"{address}/events/new/lanterns")
    opened.locator("[name=name]").fill("Spring cup")
    opened.locator("[name=deadline]").fill("2030-01-01T10:00")
    opened.get_by_role("button", name="Create the event").click()
    opened.locator("[value=lock]").click()
    event = opened.url
    opened.goto(f"{event}/messages")
    for text in ("Bring dice.", "Read this.\n" * 150):
        opened.locator("textarea").fill(text)
        opened.get_by_role("button", name="Send", exact=True).click()
        expect(opened.locator("li .written").first).to_contain_text(text[:9])
    opened.goto(f"{event}/rounds")
    opened.locator("[name=names]").fill(f"{LONG_NAME}\nAnna Maria Müller\nBob")
    opened.locator("[value=pair]").click()
    opened.wait_for_url("**/rounds/1")


def check_width(opened: Page) -> None:
    """Check that neither a page nor a table is wider than the screen."""
    width = opened.evaluate("document.documentElement.scrollWidth")
    assert width <= PHONE["width"], opened.url
    for box in opened.locator(".table-box").all():
        assert box.evaluate("box => box.scrollWidth - box.clientWidth") == 0


def test_long_names_and_messages_fit_a_phone(chromium: Browser, address: str) -> None:
    with page(chromium, PHONE) as opened:
        pair_long_names(opened, address)
        own_pages = [opened.url, opened.url.removesuffix("/1")]
        opened.get_by_role("link", name="Page for players").click()
        standings = opened.url.replace("rounds/1", "standings")
        for place in (*own_pages, opened.url, standings):
            opened.goto(place)
            check_width(opened)
            for written in opened.locator(".written:visible").all():
                assert written.evaluate("box => box.clientHeight") < PHONE["height"]
        for language in ("de", "ru"):
            opened.locator(f"button[name=language][value={language}]").click()
            expect(opened.locator("html")).to_have_attribute("lang", language)
            check_width(opened)
