"""The pages without a network: what was shown can be read, and changes wait to be sent."""

from __future__ import annotations

import re
from urllib.parse import parse_qs

import pytest
from playwright.sync_api import Browser, Dialog, Page, Route, expect

from tests.web.browser import PHONE, begin, flawless

pytestmark = pytest.mark.slow


def open_with_worker(chromium: Browser, address: str) -> Page:
    """Return a page whose next requests pass through the service worker."""
    context = chromium.new_context(viewport=PHONE, locale="en")  # type: ignore[arg-type]
    context.set_default_timeout(10_000)
    expect.set_options(timeout=15_000)
    opened = context.new_page()
    opened.goto(address)
    opened.evaluate("navigator.serviceWorker.ready.then(() => true)")
    opened.reload()
    opened.wait_for_function("navigator.serviceWorker.controller !== null")
    return opened


def test_pages_that_were_shown_open_without_a_network(
    chromium: Browser, address: str
) -> None:
    opened = open_with_worker(chromium, address)
    squad = begin(opened, address, "lanterns")
    opened.goto(squad)
    name = opened.locator(".title b").inner_text()
    opened.context.set_offline(True)
    opened.goto(squad)
    expect(opened.locator(".title b")).to_have_text(name)
    expect(opened.locator("#outbox [data-offline]")).to_be_visible()
    opened.goto(f"{address}/collection")  # never shown in this browser
    expect(opened.locator("h1")).to_have_text("No network")
    opened.context.set_offline(False)
    opened.goto(f"{address}/collection")
    expect(opened.locator("h1")).not_to_have_text("No network")
    opened.context.close()


def test_a_change_without_a_network_is_sent_when_there_is_one(
    chromium: Browser, address: str
) -> None:
    opened = open_with_worker(chromium, address)
    squad = begin(opened, address, "lanterns")
    opened.goto(f"{squad}/cards/old-wick")
    opened.context.set_offline(True)
    opened.locator("button[value^='add old-wick']").first.click()
    expect(opened.locator("#outbox [data-waiting]")).to_have_text(
        "Waiting to be sent: 1"
    )
    opened.goto(squad)
    expect(opened.locator("[data-outbox] [data-label]")).to_have_text("Add Old Wick")
    opened.context.set_offline(False)
    expect(opened.locator("#outbox")).to_be_hidden()
    opened.goto(squad)
    expect(opened.locator(".lines")).to_contain_text("Old Wick")
    opened.context.close()


def test_a_change_that_the_server_refuses_is_shown_and_can_be_discarded(
    chromium: Browser, address: str
) -> None:
    opened = open_with_worker(chromium, address)
    squad = begin(opened, address, "lanterns")
    path = squad.removeprefix(address)
    change = {
        "id": "1",
        "address": f"{path}/edit",
        "body": "do=take+1+old-wick+0+nothing",
    }
    opened.evaluate(
        "change => localStorage.setItem('squadpress.outbox', JSON.stringify([change]))",
        change,
    )
    opened.goto(squad)
    expect(opened.locator("#outbox [data-refused]")).to_be_visible()
    expect(opened.locator("[data-outbox] [data-reason]")).to_be_visible()
    opened.locator("[data-outbox] [data-retry]").click()
    expect(
        opened.locator("[data-outbox] [data-reason]")
    ).to_be_visible()  # refused again
    opened.locator("[data-outbox] [data-discard]").click()
    expect(opened.locator("#outbox")).to_be_hidden()
    opened.context.close()


def open_stored_game(chromium: Browser, address: str, pack: str = "lanterns") -> Page:
    """Return the page of a game that this browser has stored, without a network."""
    opened = open_with_worker(chromium, address)
    opened.goto(f"{address}/games/{pack}")
    expect(opened.locator("[data-stored]")).to_be_visible(timeout=60_000)
    opened.context.set_offline(True)
    return opened


def create_offline(opened: Page, name: str) -> str:
    """Create a squad without a network. Return its id."""
    opened.locator("input[name=name]").fill(name)
    opened.get_by_role("button", name="Create squad").click()
    opened.wait_for_url("**/squads/offline#*")
    expect(opened.locator("[data-name]")).to_have_text(name)
    return opened.url.partition("#")[2]


def add_offline(opened: Page, name: str) -> None:
    """Add a card in the editor, on its tab of a phone."""
    opened.get_by_role("button", name="Cards", exact=True).click()
    opened.get_by_role("button", name=f"Add {name}", exact=True).click()
    opened.get_by_role("button", name="Squad", exact=True).click()


def list_offline_lines(opened: Page) -> list[str]:
    """Return the titles of the models in the editor."""
    titles = opened.locator("[data-lines] > li > details > summary [data-title]")
    return titles.all_inner_texts()


def test_a_squad_is_created_edited_and_played_before_it_is_sent(
    chromium: Browser, address: str
) -> None:
    opened = open_stored_game(chromium, address)
    key = create_offline(opened, "Night train")
    add_offline(opened, "Old Wick")
    add_offline(opened, "Old Wick")
    line = opened.locator("[data-lines] > li").first
    line.locator("summary").click()
    line.get_by_role("button", name="Add a copy").click()
    assert list_offline_lines(opened) == ["Old Wick × 2", "Old Wick"]
    line.locator("[data-give]").select_option(index=1)
    given = line.locator("[data-carried] span").inner_text()
    line.locator("form input").fill("Grandmother")
    line.get_by_role("button", name="Save").click()
    opened.locator("[data-lines] > li").nth(1).locator("summary").click()
    second = opened.locator("[data-lines] > li").nth(1)
    second.get_by_role("button", name="Remove", exact=True).click()
    assert list_offline_lines(opened) == ["Grandmother × 2"]
    opened.locator("form[data-rename] input").fill("Day train")
    opened.locator("form[data-rename] button").click()
    expect(opened.locator("[data-name]")).to_have_text("Day train")
    opened.reload()  # nothing of it lives in the page alone
    assert list_offline_lines(opened) == ["Grandmother × 2"]
    opened.locator("[data-play]").click()
    opened.wait_for_url("**/squads/offline/play#*")
    expect(opened.locator(".fighter .head h2")).to_have_text("Grandmother × 2")
    expect(opened.locator(".fighter .items")).to_contain_text(given)
    opened.get_by_role("button", name="Next turn").click()
    opened.locator("[data-mark='1.old-wick.1.a']").check()
    opened.reload()
    expect(opened.locator("output[data-counter=round]")).to_have_text("2")
    opened.locator("[data-back]").click()
    opened.context.set_offline(False)
    opened.wait_for_url(f"{address}/squads/{key}")
    expect(opened.locator(".title b")).to_have_text("Day train")
    expect(opened.locator(".lines")).to_contain_text("Grandmother × 2")
    expect(opened.locator(".lines")).to_contain_text(given)
    opened.goto(f"{address}/squads/{key}/play")  # the game goes on where it was
    expect(opened.locator("output[data-counter=round]")).to_have_text("2")
    expect(opened.locator("[data-mark='1.old-wick.1.a']")).to_be_checked()
    opened.context.close()


def test_a_squad_of_the_server_is_edited_from_its_stored_page(
    chromium: Browser, address: str
) -> None:
    opened = open_stored_game(chromium, address)
    opened.context.set_offline(False)
    squad = begin(opened, address, "lanterns")
    opened.goto(f"{squad}/cards/old-wick")
    opened.locator("button[value^='add old-wick']").first.click()
    expect(opened.locator(".lines")).to_contain_text("Old Wick")
    opened.goto(squad)
    opened.locator(".lines a").first.click()
    opened.wait_for_url("**/models/1")
    opened.get_by_role("button", name="Remove", exact=True).click()
    expect(opened.locator(".own .empty").first).to_be_visible()
    opened.context.set_offline(True)
    opened.goto(squad)  # stored as it was after the removal
    expect(opened.locator(".own .empty").first).to_be_visible()
    opened.get_by_role("link", name="Edit without a network").click()
    add_offline(opened, "Old Wick")
    assert list_offline_lines(opened) == ["Old Wick"]
    opened.context.set_offline(False)
    opened.wait_for_url(squad)
    expect(opened.locator(".lines > li")).to_have_count(1)
    opened.context.close()


def test_a_created_squad_whose_answer_and_cookie_are_lost_gets_another_id(
    chromium: Browser, address: str
) -> None:
    opened = open_stored_game(chromium, address)
    key = create_offline(opened, "Lost answer")
    add_offline(opened, "Old Wick")
    body = opened.evaluate("JSON.parse(localStorage['squadpress.outbox'])[0].body")
    stranger = chromium.new_context()
    page = stranger.new_page()
    page.goto(f"{address}/games/lanterns")
    token = page.locator("[name=csrfmiddlewaretoken]").first.get_attribute("value")
    fields = {name: values[0] for name, values in parse_qs(body).items()}
    page.request.post(
        f"{address}/squads", form={**fields, "csrfmiddlewaretoken": token or ""}
    )
    opened.context.set_offline(False)
    opened.wait_for_url(re.compile(r"/squads/[0-9a-f]{8}-"), timeout=30_000)
    assert key not in opened.url
    expect(opened.locator(".lines")).to_contain_text("Old Wick")
    stranger.close()
    opened.context.close()


def test_the_last_change_without_a_network_can_be_undone(
    chromium: Browser, address: str
) -> None:
    opened = open_stored_game(chromium, address)
    create_offline(opened, "Undone")
    add_offline(opened, "Old Wick")
    opened.get_by_role("button", name="Undo the last change").click()
    assert list_offline_lines(opened) == []
    undo = opened.get_by_role("button", name="Undo the last change")
    expect(undo).to_be_disabled()
    opened.context.close()


def test_the_editor_without_a_network_is_used_with_the_keyboard_alone(
    chromium: Browser, address: str
) -> None:
    opened = open_stored_game(chromium, address)
    create_offline(opened, "Keys")
    press = opened.keyboard.press
    opened.get_by_role("button", name="Cards", exact=True).focus()
    press("Enter")
    opened.get_by_role("button", name="Add Old Wick").focus()
    press("Enter")
    expect(opened.get_by_role("button", name="Add Old Wick")).to_be_focused()
    expect(opened.locator("#said")).to_have_text("Added Old Wick")
    opened.get_by_role("button", name="Squad", exact=True).focus()
    press(" ")
    opened.locator("[data-lines] summary").focus()
    press("Enter")
    press("Tab")
    for copies in (2, 3):
        press("Enter")
        assert list_offline_lines(opened) == [f"Old Wick × {copies}"]
        add = opened.get_by_role("button", name="Add a copy")
        expect(add).to_be_focused()
        flawless(opened)
    opened.context.close()


def test_print_and_share_are_refused_with_a_reason_without_a_network(
    chromium: Browser, address: str
) -> None:
    opened = open_stored_game(chromium, address)
    create_offline(opened, "Alone")
    opened.get_by_role("button", name="Print").click()
    expect(opened.locator("[data-refusal=print]")).to_contain_text(
        "Printing needs the network"
    )
    opened.get_by_role("button", name="Share").click()
    expect(opened.locator("[data-refusal=share]")).to_contain_text(
        "Sharing needs the network"
    )
    expect(opened.locator("[data-refusal=print]")).to_be_hidden()
    opened.context.set_offline(False)
    opened.wait_for_url(re.compile(r"/squads/[0-9a-f]{8}-"))
    squad = opened.url
    opened.context.set_offline(True)
    opened.goto(f"{squad}/print")
    expect(opened.locator("[data-for=print]")).to_be_visible()
    opened.goto(f"{squad}/share")
    expect(opened.locator("[data-for=share]")).to_be_visible()
    opened.context.close()


def test_a_form_that_needs_the_network_is_refused_with_a_reason(
    chromium: Browser, address: str
) -> None:
    opened = open_with_worker(chromium, address)
    squad = begin(opened, address, "lanterns")
    opened.goto(f"{squad}/share")
    opened.context.set_offline(True)
    opened.locator("button[value='make view']").click()
    expect(opened.get_by_text("This needs the network")).to_be_visible()
    opened.context.close()


def test_a_network_that_fails_in_the_middle_loses_and_repeats_nothing(
    chromium: Browser, address: str
) -> None:
    opened = open_stored_game(chromium, address)
    key = create_offline(opened, "Cut off")
    for _copy in range(3):
        add_offline(opened, "Old Wick")
    answered = []

    def cut(route: Route) -> None:
        """Let the server have the second change, but lose its answer."""
        answered.append(route.request.post_data)
        if len(answered) == 2:
            route.fetch()
            route.abort()
        else:
            route.continue_()

    opened.route(f"**/squads/{key}/edit", cut)
    opened.context.set_offline(False)
    opened.wait_for_url(f"{address}/squads/{key}", timeout=30_000)  # it tries again
    expect(opened.locator(".lines > li")).to_have_count(3)
    assert answered[1] == answered[2]
    opened.context.close()


def test_a_conflict_is_shown_and_stops_what_depends_on_it(
    chromium: Browser, address: str
) -> None:
    opened = open_stored_game(chromium, address)
    key = create_offline(opened, "Conflict")
    add_offline(opened, "Old Wick")
    opened.context.set_offline(False)
    opened.wait_for_url(f"{address}/squads/{key}")
    opened.locator(".lines a").first.click()
    opened.wait_for_url("**/models/1")
    opened.context.set_offline(True)
    opened.get_by_role("button", name="Add a copy").click()
    opened.locator("input[name=value]").last.fill("Too late")
    opened.get_by_role("button", name="Save").last.click()
    expect(opened.locator("#outbox [data-waiting]")).to_have_text(
        "Waiting to be sent: 2"
    )
    token = opened.locator("[name=csrfmiddlewaretoken]").first.get_attribute("value")
    form = {"do": "remove 1 old-wick", "csrfmiddlewaretoken": token or ""}
    opened.request.post(f"{address}/squads/{key}/edit", form=form)  # another device
    opened.context.set_offline(False)
    opened.goto(f"{address}/squads/{key}")
    expect(opened.locator("[data-outbox] [data-reason]").first).to_contain_text(
        "Old Wick was changed elsewhere after this browser stored the squad"
    )
    expect(opened.locator("[data-outbox] ul li")).to_have_count(2)
    for _change in range(2):
        opened.locator("[data-outbox] [data-discard]").first.click()
    expect(opened.locator("#outbox")).to_be_hidden()
    opened.context.close()


def post_edit(opened: Page, squad: str, do: str, **form: str) -> None:
    """Change a squad as another device would do it."""
    page = opened.request.get(f"{squad}/rules").text()
    token = re.search(r'csrfmiddlewaretoken" value="(\w+)"', page)
    assert token is not None
    fields = {"do": do, "csrfmiddlewaretoken": token[1], **form}
    assert opened.request.post(f"{squad}/edit", form=fields).ok


def begin_wicks(opened: Page, address: str, *names: str) -> str:
    """Begin a squad of models with these names, open its page. Return its address."""
    squad = begin(opened, address, "lanterns")
    for number, name in enumerate(names, 1):
        post_edit(opened, squad, "add old-wick")
        post_edit(opened, squad, f"rename {number} old-wick", value=name)
    opened.goto(squad)
    return squad


def press_offline(opened: Page, number: int, button: str) -> None:
    """Open a line of the editor without a network and press a button of it."""
    line = opened.locator("[data-lines] > li").nth(number - 1)
    if line.locator("details[open]").count() == 0:
        line.locator("summary").click()
    line.get_by_role("button", name=button, exact=True).click()


def read_line_names(opened: Page) -> list[str]:
    """Return the models that the page of a squad lists."""
    return opened.locator(".lines > li .what > b").all_inner_texts()


def test_changes_without_a_network_follow_models_that_another_device_moved(
    chromium: Browser, address: str
) -> None:
    opened = open_stored_game(chromium, address)
    opened.context.set_offline(False)
    squad = begin_wicks(opened, address, "One", "Two", "Three")
    opened.context.set_offline(True)
    opened.reload()
    opened.get_by_role("link", name="Edit without a network").click()
    press_offline(opened, 3, "Remove")
    press_offline(opened, 2, "Add a copy")
    opened.locator("form[data-rename] input").fill("Offline")
    opened.locator("form[data-rename] button").click()
    opened.wait_for_timeout(500)
    expect(opened.get_by_text("This needs the network")).to_be_hidden()
    other = chromium.new_context()
    other.add_cookies(opened.context.cookies())  # type: ignore[arg-type]
    page = other.new_page()
    post_edit(page, squad, "remove 1 old-wick")
    post_edit(page, squad, "add old-wick")
    post_edit(page, squad, "rename 3 old-wick", value="New")
    post_edit(page, squad, "rename", value="Online")
    opened.context.set_offline(False)
    reason = opened.locator("[data-outbox] [data-reason]:visible")
    expect(reason).to_contain_text("The name Online was changed elsewhere")
    page.goto(squad)
    assert read_line_names(page) == ["Two × 2", "New"]
    expect(page.locator(".title b")).to_have_text("Online")
    other.close()
    opened.context.close()


def test_two_changes_of_a_stored_page_hit_the_models_that_it_shows(
    chromium: Browser, address: str
) -> None:
    opened = open_stored_game(chromium, address)
    opened.context.set_offline(False)
    squad = begin_wicks(opened, address, "One", "Two", "Three")
    for number in (1, 2):
        opened.goto(f"{squad}/models/{number}")
    opened.context.set_offline(True)
    for number in (1, 2):
        opened.goto(f"{squad}/models/{number}")
        opened.get_by_role("button", name="Remove", exact=True).click()
    opened.get_by_role("button", name="Remove", exact=True).click()  # a second time
    opened.context.set_offline(False)
    expect(opened.locator("#outbox [data-refused]")).to_be_visible()
    opened.goto(squad)
    assert read_line_names(opened) == ["Three"]
    opened.context.close()


def test_what_follows_a_discarded_change_hits_no_other_model(
    chromium: Browser, address: str
) -> None:
    opened = open_stored_game(chromium, address)
    opened.context.set_offline(False)
    squad = begin_wicks(opened, address, "One", "Two", "Three")
    opened.context.set_offline(True)
    opened.reload()
    opened.get_by_role("link", name="Edit without a network").click()
    press_offline(opened, 1, "Remove")
    press_offline(opened, 1, "Remove")
    opened.locator("[data-outbox] [data-discard]").first.click()
    opened.context.set_offline(False)
    opened.wait_for_url(squad)
    assert read_line_names(opened) == ["One", "Three"]
    opened.context.close()


def test_signing_out_deletes_no_waiting_changes_without_a_word(
    chromium: Browser, address: str
) -> None:
    opened = open_with_worker(chromium, address)
    begin(opened, address, "lanterns")
    opened.goto(f"{address}/own")
    opened.locator("form[data-clear] [name=sure]").check()
    opened.evaluate("squadpress.addToOutbox({address: '/squads', key: 'x', body: ''})")
    opened.context.set_offline(True)
    opened.locator("form[data-clear] .danger").click()
    expect(opened.get_by_text("This needs the network")).to_be_visible()
    assert opened.evaluate("squadpress.readOutbox().length") == 1
    opened.route("**/squads", lambda route: route.fulfill(status=503))
    opened.context.set_offline(False)
    questions = []

    def answer(dialog: Dialog) -> None:
        questions.append(dialog.message)
        dialog.dismiss()

    opened.on("dialog", answer)
    opened.locator("form[data-clear] .danger").click()
    opened.wait_for_timeout(1000)
    assert questions == [
        "Changes that were not sent: 1. Delete them from this browser?"
    ]
    assert opened.evaluate("squadpress.readOutbox().length") == 1
    opened.context.close()


def test_a_full_storage_is_reported(chromium: Browser, address: str) -> None:
    opened = open_stored_game(chromium, address)
    create_offline(opened, "Full")
    opened.evaluate(
        """() => { const left = 5 * 1024 * 1024 - JSON.stringify(localStorage).length;
        localStorage.setItem('filler', 'x'.repeat(left - 2000));
        for (;;) try { localStorage.filler += 'x'.repeat(100); } catch { break; } }"""
    )
    opened.get_by_role("button", name="Cards", exact=True).click()
    opened.get_by_role("button", name="Add Old Wick", exact=True).click()
    full = opened.locator("#outbox [data-full]")
    expect(full).to_contain_text("The storage of this browser is full")
    expect(full).to_be_visible()
    expect(opened.locator("#said")).not_to_have_text("Added Old Wick")
    opened.evaluate("localStorage.removeItem('filler')")
    opened.get_by_role("button", name="Add Old Wick", exact=True).click()
    expect(full).to_be_hidden()
    assert list_offline_lines(opened) == ["Old Wick"]
    opened.context.close()


def test_a_name_that_is_typed_slowly_stays(chromium: Browser, address: str) -> None:
    opened = open_stored_game(chromium, address)
    create_offline(opened, "Slow")
    add_offline(opened, "Old Wick")
    line = opened.locator("[data-lines] > li").first
    line.locator("summary").click()
    line.locator("form input").fill("Alexandra the Great")
    opened.evaluate("squadpress.askServer()")  # as the browser does every few seconds
    opened.wait_for_timeout(500)
    expect(line.locator("form input")).to_have_value("Alexandra the Great")
    opened.context.close()


def test_a_double_click_creates_one_squad(chromium: Browser, address: str) -> None:
    opened = open_stored_game(chromium, address)
    opened.locator("input[name=name]").fill("Twice")
    button = opened.get_by_role("button", name="Create squad")
    button.evaluate("button => { button.click(); button.click(); }")
    opened.wait_for_url("**/squads/offline#*")
    expect(opened.locator("[data-name]")).to_have_text("Twice")
    assert opened.evaluate("squadpress.readOutbox().length") == 1
    opened.context.close()


def test_a_form_that_needs_the_network_keeps_what_was_entered(
    chromium: Browser, address: str
) -> None:
    opened = open_with_worker(chromium, address)
    opened.goto(f"{address}/events/new/lanterns")
    opened.context.set_offline(True)
    opened.locator("input[name=name]").fill("Winter cup")
    opened.locator("input[type=datetime-local]").first.fill("2026-12-01T18:00")
    opened.locator("main form button").last.click()
    expect(opened.get_by_text("This needs the network")).to_be_visible()
    expect(opened.locator("input[name=name]")).to_have_value("Winter cup")
    opened.context.set_offline(False)
    expect(opened.get_by_text("This needs the network")).to_be_hidden()
    opened.context.close()


def test_a_file_is_imported_without_a_network_and_sent_later(
    chromium: Browser, address: str
) -> None:
    opened = open_with_worker(chromium, address)
    opened.context.set_offline(True)
    opened.goto(f"{address}/import")  # stored although it was never shown
    text = "pack: lanterns\nname: By the sea\nentries: [{card: old-wick}]\n"
    form = opened.locator("form[data-later]")
    file = {"name": "squad.yaml", "mimeType": "text/plain", "buffer": text.encode()}
    form.locator("input[type=file]").set_input_files([file])  # type: ignore[list-item]
    form.get_by_role("button", name="Import").click()
    expect(opened.locator("[data-outbox] [data-label]")).to_have_text(
        "Import: squad.yaml"
    )
    opened.context.set_offline(False)
    expect(opened.locator(".squads")).to_contain_text("By the sea")
    opened.context.close()


def test_the_manifest_names_icons_that_exist(chromium: Browser, address: str) -> None:
    opened = open_with_worker(chromium, address)
    link = opened.locator("link[rel=manifest]").get_attribute("href")
    manifest = opened.request.get(f"{address}{link}").json()
    assert manifest["start_url"] == "/"
    assert manifest["display"] == "standalone"
    for icon in manifest["icons"]:
        answer = opened.request.get(f"{address}{icon['src']}")
        assert answer.headers["content-type"] == "image/png"
    opened.context.close()
