"""A squad by the keyboard alone.

Every stop of the tab key is seen, and leads from the first page to the table.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.browser import DESK, PHONE, page

pytestmark = pytest.mark.slow
FAR = 150
SEEN = """() => {
  const on = document.activeElement, box = on.getBoundingClientRect();
  const ring = [on, on.nextElementSibling, on.closest("label")].filter(Boolean).map((one) => getComputedStyle(one));
  const inside = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
  return inside && ring.some((style) => style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2);
}"""


def to(opened: Page, part: str, key: str = "Enter") -> None:
    """Press tab up to a part of the page, check the visible focus, and press a key there."""
    expect(opened.locator(part).first).to_be_attached()
    for _stop in range(FAR):
        opened.keyboard.press("Tab")
        where = opened.evaluate("document.activeElement.outerHTML.slice(0, 160)")
        assert opened.evaluate(
            "document.activeElement === document.body"
        ) or opened.evaluate(SEEN), where
        if opened.evaluate("part => document.activeElement.matches(part)", part):
            opened.keyboard.press(key)
            return
    raise AssertionError(f"the tab key does not reach {part}")


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_keys_alone_build_print_share_and_play(
    chromium: Browser, address: str, size: dict[str, int]
) -> None:
    with page(chromium, size) as opened:
        opened.goto(f"{address}/")
        to(opened, ".games a[href='/games/lanterns']")
        opened.wait_for_url("**/games/lanterns")
        expect(opened.get_by_role("button", name="Create squad")).to_be_visible()
        to(opened, "form[action='/squads'] .primary")
        opened.wait_for_url("**/squads/*")
        squad = opened.url.partition("?")[0]
        to(opened, ".tile button.add")
        expect(opened.locator(".points").first).not_to_have_text(re.compile("^0"))
        assert opened.evaluate(
            "document.activeElement.closest('[data-at]') !== null"
        ), "the focus stays at the card"
        opened.goto(squad)
        to(opened, ".lines > li a")
        opened.wait_for_url("**/models/1")
        to(opened, ".panel button[value^='give ']")
        expect(opened.locator("button[value=undo]")).to_be_enabled()
        opened.goto(squad)
        to(opened, f"a[href='{squad.removeprefix(address)}/share']")
        opened.wait_for_url("**/share")
        to(opened, "button[value='make view']")
        expect(opened.locator(".copied input").first).to_have_value(
            re.compile("/shared/")
        )
        opened.goto(squad)
        to(opened, f"a[href='{squad.removeprefix(address)}/print']")
        opened.wait_for_url("**/print")
        to(opened, "button.primary")
        opened.wait_for_url("**/prints/*")
        opened.goto(squad)
        to(opened, f"a[href='{squad.removeprefix(address)}/play']")
        opened.wait_for_url("**/play")
        to(opened, ".acted input", "Space")
        expect(opened.locator(".acted input").first).to_be_checked()
        to(opened, "[data-step='round 1']")
        expect(opened.locator("[data-counter=round]")).to_have_text("2")
