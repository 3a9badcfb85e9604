"""Two phones: link permissions, a sealed squad proved, a page that needs no server."""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path

import pytest
import segno
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from tests.web.browser import PHONE, begin, page, sound

pytestmark = pytest.mark.slow


def link(opened: Page, squad: str, kind: str) -> str:
    """Return a link that the owner makes."""
    opened.goto(f"{squad}/share")
    opened.locator(f"button[value='make {kind}']").click()
    box = opened.locator(
        f"section.box:has(button[value='withdraw {kind}']) .copied input"
    )
    expect(box).to_have_value(re.compile("/shared/"))
    return box.input_value()


def with_models(opened: Page, address: str) -> str:
    """Return a legal squad whose model carries something; its address."""
    squad = begin(opened, address, "lanterns")
    opened.goto(f"{squad}/cards/old-wick")
    opened.locator("button[value^='add old-wick']").first.click()
    expect(opened.locator(".points").first).not_to_have_text(re.compile("^0"))
    opened.goto(f"{squad}/complete?ask=1")
    opened.locator("button[name=take]").first.click()
    opened.wait_for_url(squad)
    expect(opened.locator(".bar .verdict.good")).to_be_visible()
    return squad


def test_a_stranger_looks_and_a_friend_edits_until_the_link_is_withdrawn(
    chromium: Browser, address: str
) -> None:
    with page(chromium, PHONE) as owner, page(chromium, PHONE) as friend:
        squad = with_models(owner, address)
        friend.goto(link(owner, squad, "view"))
        expect(friend.locator(".shown li").first).to_be_visible()
        expect(friend.locator("main button")).to_have_count(0)
        sound(friend)
        friend.goto(link(owner, squad, "edit"))
        friend.get_by_role("button", name="Edit", exact=True).click()
        friend.wait_for_url(squad)
        before = friend.locator(".points").first.inner_text()
        friend.locator(".lines a").first.click()
        friend.get_by_role("button", name="Remove", exact=True).click()
        expect(friend.locator(".points").first).not_to_have_text(before)
        owner.goto(squad)
        expect(owner.locator(".points").first).not_to_have_text(before)
        owner.locator("button[value=undo]").click()
        expect(owner.locator(".points").first).to_have_text(before)
        owner.goto(f"{squad}/share")
        owner.locator("button[value='withdraw edit']").click()
        expect(owner.locator("button[value='make edit']")).to_be_visible()
        assert friend.request.get(squad).status == 404


def test_an_opponent_sees_what_is_revealed_and_holds_the_proof_against_the_copy(
    chromium: Browser, address: str, tmp_path: Path
) -> None:
    with page(chromium, PHONE) as owner, page(chromium, PHONE) as opponent:
        squad = with_models(owner, address)
        owner.goto(f"{squad}/seals")
        owner.get_by_role("button", name="Seal the current squad").click()
        mark = owner.locator(".mark.large").inner_text()
        opponent.goto(owner.locator(".copied input").first.input_value())
        sound(opponent)
        shown = " ".join(opponent.locator(".mark").first.inner_text().split())
        assert shown == " ".join(mark.split())
        expect(opponent.locator(".proof")).to_have_count(0)
        card = owner.locator(".secrets li span").first.inner_text()
        assert card not in opponent.locator("main").inner_text()
        owner.locator("button[value^='open ']").first.click()
        expect(owner.locator(".secrets small").first).to_contain_text("Revealed")
        opponent.reload()
        expect(opponent.locator(".proof").first).to_be_visible()
        expect(opponent.locator("main")).to_contain_text(card)
        sound(opponent)
        sealed = opponent.url
        opponent.goto(f"{address}/prove")
        for name in ("copy", "proof"):
            file = tmp_path / f"{name}.json"
            file.write_bytes(opponent.request.get(f"{sealed}/{name}.json").body())
            opponent.locator(f"input[name={name}-file]").set_input_files(file)
        opponent.locator("form button.primary").click()
        expect(opponent.locator("main")).to_contain_text(card)
        sound(opponent)


def test_a_saved_page_is_played_without_any_server(
    chromium: Browser, address: str, tmp_path: Path
) -> None:
    with page(chromium, PHONE) as opened:
        squad = with_models(opened, address)
        saved = tmp_path / "game.html"
        saved.write_bytes(opened.request.get(f"{squad}/play/file").body())
        opened.context.set_offline(True)
        opened.goto(saved.as_uri())
        opened.locator("[data-step='round 1']").click()
        opened.locator(".acted input").first.check(force=True)
        opened.locator("summary.head").first.click()
        expect(opened.locator(".card-text").first).to_be_visible()
        again = opened.context.new_page()
        opened.close()
        again.goto(saved.as_uri())
        expect(again.locator("[data-counter=round]")).to_have_text("2")
        expect(again.locator(".acted input").first).to_be_checked()
        kept = again.evaluate(
            "performance.getEntriesByType('resource').filter(one => "
            "!one.name.startsWith('data:')).length"
        )
        assert kept == 0


def test_keys_alone_build_a_squad(chromium: Browser, address: str) -> None:
    with page(chromium, PHONE) as opened:
        begin(opened, address, "lanterns")
        menu = opened.locator("details.menu > summary").first
        if menu.count():
            menu.focus()
            opened.keyboard.press("Enter")
            expect(opened.locator("details.menu[open]")).to_have_count(1)
            opened.keyboard.press("Escape")
            expect(opened.locator("details.menu[open]")).to_have_count(0)
        add = opened.locator(".tile button.add").first
        add.focus()
        opened.keyboard.press("Enter")
        expect(opened.locator(".points").first).not_to_have_text(re.compile("^0"))
        assert opened.evaluate(
            "document.activeElement.closest('[data-at]') !== null"
        ), "the focus stays at the card"


def test_a_large_photo_of_a_code_is_made_small_and_read(
    chromium: Browser, address: str, tmp_path: Path
) -> None:
    with page(chromium, PHONE) as opened:
        squad = with_models(opened, address)
        code, noise = BytesIO(), Image.effect_noise((3000, 2400), 60)
        segno.make(opened.request.get(f"{squad}/as/token").text().strip()).save(
            code, kind="png", scale=12, border=6
        )
        noise.paste(Image.open(code).convert("L"), (500, 400))
        noise.save(tmp_path / "photo.png")
        assert (tmp_path / "photo.png").stat().st_size > 4_000_000
        opened.context.clear_cookies()
        opened.goto(f"{address}/import")
        opened.locator("input[type=file]").set_input_files(tmp_path / "photo.png")
        expect(opened.get_by_role("button", name="Import", exact=True)).to_be_enabled()
        opened.get_by_role("button", name="Import", exact=True).click()
        opened.wait_for_url("**/squads/*")
        expect(opened.locator(".lines li").first).to_be_visible()
