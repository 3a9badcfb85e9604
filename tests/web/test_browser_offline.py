"""The pages without a network: what was shown can be read, and changes wait to be sent."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.browser import PHONE, begin

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
        "token": "none",
        "body": "do=add+old-wick",
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


def test_a_squad_is_created_without_a_network_and_sent_later(
    chromium: Browser, address: str
) -> None:
    opened = open_with_worker(chromium, address)
    opened.goto(f"{address}/games/lanterns")
    opened.context.set_offline(True)
    opened.locator("input[name=name]").fill("Night train")
    opened.get_by_role("button", name="Create squad").click()
    label = opened.locator("[data-outbox] [data-label]")
    expect(label).to_have_text("Create squad: Night train")
    assert opened.url == f"{address}/"
    opened.context.set_offline(False)
    expect(opened.locator(".squads")).to_contain_text("Night train")
    expect(label).to_have_count(0)
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
