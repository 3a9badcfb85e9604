"""Squads are printed and handed on in a real browser, with script and without."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.web.browser import PHONE, begin, flawless, page, sound

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("script", [True, False])
def test_a_squad_is_printed_and_a_friend_copies_it(
    chromium: Browser, address: str, script: bool
) -> None:
    with page(chromium, PHONE, script) as opened:
        squad = begin(opened, address, "lanterns")
        opened.locator(".tile button.add").first.click()
        expect(opened.locator(".points").first).not_to_have_text(re.compile("^0"))
        opened.goto(f"{squad}/print")
        opened.get_by_role("button", name="Create PDF").click()
        ready = opened.get_by_role("link", name="Open the PDF")
        expect(ready).to_be_visible(timeout=60_000)  # the page renews itself
        file = opened.request.get(address + str(ready.get_attribute("href")))
        assert file.body().startswith(b"%PDF-")
        opened.goto(f"{squad}/share")
        opened.locator("button[value='make copy']").click()
        link = opened.locator(".copied input").first
        expect(link).to_have_value(re.compile("/shared/"))
        shared = link.input_value()
        if script:
            opened.get_by_role("button", name="Copy", exact=True).first.click()
            expect(opened.get_by_role("button", name="Copied")).to_be_visible()
        else:
            expect(opened.get_by_role("button", name="Copy", exact=True)).to_have_count(
                0
            )
    with page(chromium, PHONE, script) as friend:
        friend.goto(shared)
        friend.get_by_role("button", name="Copy to my squads").click()
        friend.wait_for_url("**/squads/*")
        assert friend.url != squad
        expect(friend.locator(".lines li")).to_have_count(1)


@pytest.mark.parametrize("where", ["print", "share", "seals"])
def test_nothing_serious_bars_anyone_from_a_squads_pages(
    chromium: Browser, address: str, where: str
) -> None:
    with page(chromium, PHONE) as opened:
        squad = begin(opened, address, "brigade")
        opened.goto(f"{squad}/{where}")
        if where == "share":
            opened.locator("button[value='make view']").click()
            expect(opened.locator(".copied input").first).to_have_value(
                re.compile("/shared/")
            )
            link = opened.locator(".copied input").first.input_value()
            flawless(opened)
            opened.context.clear_cookies()
            opened.goto(link)
        flawless(opened)


@pytest.mark.parametrize("where", ["import", "prove"])
def test_nothing_serious_bars_anyone_from_pages_of_forms(
    chromium: Browser, address: str, where: str
) -> None:
    with page(chromium, PHONE) as opened:
        opened.goto(f"{address}/{where}")
        flawless(opened)


@pytest.mark.parametrize("script", [True, False])
def test_squads_are_brought_to_another_device_which_is_removed_again(
    chromium: Browser, address: str, script: bool
) -> None:
    with page(chromium, PHONE, script) as desk, page(chromium, PHONE, script) as phone:
        squad = begin(desk, address, "lanterns")
        begin(phone, address, "brigade")
        desk.goto(f"{address}/own")
        desk.get_by_role("button", name="Create a link").click()
        phone.goto(desk.locator(".copied input").input_value())
        sound(phone)
        expect(phone.get_by_role("heading", name="Others get access")).to_be_visible()
        phone.get_by_role("button", name="Continue").click()
        expect(
            phone.get_by_role("heading", name="Move to this device")
        ).to_be_visible()  # nobody was sure
        phone.locator("input[name=sure]").check()
        phone.get_by_role("button", name="Continue").click()
        expect(phone.locator(".squads > li")).to_have_count(2)
        desk.goto(f"{address}/own")
        expect(desk.locator(".devices > li")).to_have_count(2)
        desk.locator(".devices summary").click()
        sound(desk)
        desk.locator(".devices input[name=sure]").check()
        desk.locator(".devices button").click()
        expect(desk.locator(".devices > li")).to_have_count(1)
        phone.goto(f"{address}/")
        expect(phone.locator(".squads > li")).to_have_count(0)
        assert desk.goto(squad).status == 200  # type: ignore[union-attr]
