"""A club in a real browser.

Shelves are counted, lists handed in for an event, squads moved after errata.
"""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.usecases.release.new import ReleaseRequest, make_release
from tests.usecases.toy import bump, edit, toy_project
from tests.web.browser import DESK, PHONE, begin, page, served, sound

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("script", [True, False])
def test_a_shelf_is_counted_and_a_squad_built_of_it(
    chromium: Browser, address: str, script: bool
) -> None:
    with page(chromium, PHONE, script) as opened:
        opened.goto(f"{address}/collection")
        sound(opened)
        opened.locator("a[href='/collection/lanterns']").click()
        row = opened.locator(".stock > li").first
        card = row.get_attribute("data-at")
        for count in (1, 2):
            opened.locator(f"button[value='more {card}']").click()
            expect(row.locator(".stepper b").first).to_have_text(str(count))
        opened.locator(f"button[value='paint {card}']").click()
        expect(row.locator(".stepper b").last).to_have_text("1")
        sound(opened)
        squad = begin(opened, address, "lanterns")
        opened.goto(f"{squad}?view=cards&faction=all&own=own")
        offered = opened.locator(".tile").evaluate_all(
            "all => all.map(one => one.dataset.at)"
        )
        assert card in offered
        opened.goto(f"{squad}/cards/{card}")
        opened.locator(f"button[value='add {card}']").first.click()
        expect(opened.locator(".points").first).not_to_have_text(re.compile("^0"))
        opened.goto(f"{squad}/models/1")
        for count in (2, 3):
            opened.get_by_role("button", name="Add a copy").click()
            expect(opened.locator(".tools").first).to_contain_text(f"× {count}")
        opened.goto(squad)
        expect(opened.locator("a.short")).to_contain_text("more than you own")
        sound(opened)
        opened.goto(f"{address}/collection/lanterns/squads")
        expect(opened.locator(".claims li")).to_have_count(1)
        sound(opened)


def made(opened: Page, address: str, sealed: str) -> str:
    """Return an event's link for players, as the page tells it to its organiser."""
    opened.goto(f"{address}/events/new/lanterns")
    sound(opened)
    opened.locator("input[name=name]").fill("Spring cup")
    opened.locator("input[name=deadline]").fill("2099-05-30T18:00")
    opened.locator(f"input[name=sealed][value='{sealed}']").check()
    opened.locator("button.primary").click()
    opened.wait_for_url(re.compile(r"/events/[0-9a-f]{8}-"))
    return opened.locator(".copied input").input_value()


@pytest.mark.parametrize("script", [True, False])
def test_lists_are_handed_in_locked_and_revealed(
    chromium: Browser, address: str, script: bool
) -> None:
    with (
        page(chromium, PHONE, script) as organiser,
        page(chromium, PHONE, script) as player,
    ):
        link = made(organiser, address, "1")
        begin(player, address, "lanterns")
        player.goto(link)
        sound(player)
        player.locator("input[name=player]").fill("Ann")
        player.get_by_role("button", name="Hand in").click()
        expect(player.get_by_role("heading", name="Receipt")).to_be_visible()
        sound(player)
        player.locator(".path a").click()
        expect(player.get_by_role("heading", name="Your list")).to_be_visible()
        sound(player)
        organiser.reload()
        expect(organiser.locator(".handed b")).to_have_text(["Ann"])
        expect(organiser.locator(".handed b a")).to_have_count(0)  # it is sealed
        sound(organiser)
        organiser.locator("button[value=lock]").click()
        organiser.locator("button[value=reveal]").click()
        expect(
            organiser.get_by_role("heading", name="Reveal all lists?")
        ).to_be_visible()
        sound(organiser)
        organiser.locator("button[value=reveal]").click()
        expect(organiser.locator(".handed b a")).to_have_count(1)
        sound(organiser)
        player.reload()
        player.locator(".handed b a").click()
        expect(player.get_by_role("heading", name="Ann")).to_be_visible()
        sound(player)
        for place in ("/events", organiser.url.removeprefix(address)):
            organiser.goto(address + place)
            sound(organiser)


@pytest.mark.parametrize("script", [True, False])
def test_a_round_is_paired_reported_and_ranked(
    chromium: Browser, address: str, script: bool
) -> None:
    with (
        page(chromium, PHONE, script) as organiser,
        page(chromium, PHONE, script) as player,
    ):
        link = made(organiser, address, "0")
        own = organiser.url
        begin(player, address, "lanterns")
        player.goto(link)
        player.locator("input[name=player]").fill("Ann")
        player.get_by_role("button", name="Hand in").click()
        player.wait_for_url("**/receipts/*")
        organiser.reload()
        organiser.locator("button[value=lock]").click()
        organiser.goto(f"{own}/rounds")
        sound(organiser)
        organiser.get_by_text("Points and reports").click()
        organiser.locator("input[name=reports]").check()
        organiser.locator("button[value=points]").click()
        organiser.locator("textarea[name=names]").fill("Bob\nCid")
        organiser.locator("button[value=pair]").click()
        expect(organiser.locator(".pairings li")).to_have_count(2)
        sound(organiser)
        player.goto(link)
        if player.get_by_text("You have no opponent").count():
            assert player.locator(".own-match .place b").inner_text() == "Bye"
        else:
            player.get_by_role("button", name="I won").click()
            player.wait_for_url("**/rounds/1")
            expect(player.locator(".own-match")).to_contain_text("Ann wins")
            expect(player.locator("button[value=take-back]")).to_have_count(1)
            sound(player)
            organiser.goto(f"{own}/rounds/1")
            expect(organiser.locator(".pairings")).to_contain_text("Report of Ann")
            sound(organiser)
            organiser.locator(".pairings select").select_option(label="Ann wins")
            organiser.locator("button[value=save]").click()
        sound(player)
        player.goto(f"{link}/standings")
        expect(player.locator(".standings .own-row")).to_contain_text("3")
        sound(player)
        organiser.goto(f"{own}/messages")
        organiser.locator("textarea[name=text]").fill("Lunch at one.")
        organiser.get_by_role("button", name="Send").click()
        expect(organiser.locator(".messages .box")).to_have_count(1)
        sound(organiser)
        player.goto(link)
        expect(player.locator(".messages")).to_contain_text("Lunch at one.")
        sound(player)


def test_the_sheets_of_all_lists_are_one_file(chromium: Browser, address: str) -> None:
    with page(chromium, DESK) as opened:
        link = made(opened, address, "0")
        own = opened.url
        begin(opened, address, "lanterns")
        for _card in range(2):
            opened.locator(".tile button.add").first.click()
            opened.wait_for_timeout(300)
        opened.goto(link)
        opened.locator("input[name=player]").fill("Ann")
        opened.get_by_role("button", name="Hand in").click()
        opened.goto(own)
        sound(opened)
        opened.locator("button[name=paper][value=letter]").click()
        ready = opened.get_by_role("link", name="Open the PDF")
        expect(ready).to_be_visible(timeout=90_000)
        sound(opened)
        file = opened.request.get(address + str(ready.get_attribute("href")))
        assert file.body().startswith(b"%PDF-")
        assert "Spring-cup" in file.headers["content-disposition"]


def release(folder: Path, version: str, day: date) -> None:
    done = make_release(
        PackFiles(Project(folder)), "lanterns", ReleaseRequest(version, day, day)
    )
    assert done.frozen, done.findings


def test_a_squad_stays_when_its_game_is_released_anew_and_moves_with_one_tap(
    chromium: Browser, tmp_path: Path
) -> None:
    toy_project(tmp_path)
    release(tmp_path, "1.0.0", date(2026, 4, 1))
    with page(chromium, PHONE) as opened:
        with served(tmp_path) as address:
            squad = begin(opened, address, "lanterns")
            opened.goto(f"{squad}/cards/reed-mother")
            opened.locator("button[value^='add reed-mother']").first.click()
            expect(opened.locator(".points").first).to_contain_text("4")
        edit(tmp_path / "cards/lanterns/spirit/reed-mother.yaml", "cost: 4", "cost: 6")
        bump(
            Project(tmp_path),
            "reed-mother",
            {"en": "Costs 6, not 4.", "de": "Kostet 6."},
            date(2026, 6, 1),
        )
        release(tmp_path, "2.0.0", date(2026, 6, 1))
        with served(tmp_path) as address:
            opened.goto(squad.replace(squad[: squad.index("/squads")], address))
            expect(opened.locator(".points").first).to_contain_text("4")
            expect(opened.locator(".released")).to_contain_text("4 → 6")
            sound(opened)
            opened.get_by_role("link", name="Show the changes").click()
            expect(opened.locator(".change")).to_contain_text("Costs 6, not 4.")
            sound(opened)
            opened.locator(".errata button[value=move]").click()
            expect(opened.locator(".points").first).to_contain_text("6")
            expect(opened.locator(".released")).to_have_count(0)
            opened.locator("button[value=undo]").click()
            expect(opened.locator(".points").first).to_contain_text("4")
