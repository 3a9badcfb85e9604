"""A list of another program in a real browser: chosen or dropped, printed, played without a network."""

from __future__ import annotations

import re
from base64 import b64encode
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.interchange.systems import (
    make_regiments,
    make_skirmish,
    write_link,
    write_zip,
)
from tests.web.browser import DESK, PHONE, page, sound

pytestmark = pytest.mark.slow
RENDER_TIMEOUT_MS = 120_000
DROP = """
([data, name]) => {
  const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  const files = new DataTransfer();
  files.items.add(new File([bytes], name));
  for (const type of ["dragover", "drop"]) {
    document.body.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: files }));
  }
}
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return a list of another program."""
    path = tmp_path / "kiln.rosz"
    path.write_bytes(write_zip(make_regiments()))
    return path


def wait_for_cards(opened: Page) -> None:
    opened.wait_for_url("**/lists/*")
    expect(opened.locator(".list-cards img").first).to_be_visible(
        timeout=RENDER_TIMEOUT_MS
    )


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_a_file_becomes_cards_and_a_game(
    chromium: Browser, address: str, file: Path, size: dict[str, int]
) -> None:
    with page(chromium, size) as opened:
        opened.goto(address)
        sound(opened)
        opened.locator("input[type=file]").set_input_files(file)
        opened.get_by_role("button", name="Show the cards").click()
        wait_for_cards(opened)
        expect(opened.get_by_text("The file says 275 pts.")).to_be_visible()
        sound(opened)
        list_address = opened.url
        pdf = opened.request.get(f"{list_address}/cards.pdf")
        assert pdf.body().startswith(b"%PDF")
        opened.get_by_role("link", name="Play").click()
        opened.wait_for_url("**/play")
        sound(opened)
        opened.locator("[data-mark='2.kiln-walker.1.b4']").check(force=True)
        opened.locator("[data-step='round 1']").click()
        expect(opened.locator("#play")).to_have_attribute("data-offline", "ready")
        opened.context.set_offline(True)
        opened.reload()
        expect(opened.locator("[data-mark='2.kiln-walker.1.b1']")).to_be_checked()
        expect(opened.locator("[data-counter=round]")).to_have_text("2")
        opened.locator("summary.head").first.click()
        expect(opened.locator(".both img").first).to_be_visible()
        assert opened.locator(".both img").first.evaluate(
            "(image) => image.decode().then(() => image.naturalWidth)"
        )
        opened.context.set_offline(False)
        opened.goto(list_address)
        opened.get_by_role("button", name="Keep it").click()
        expect(opened.get_by_text("It stays until you delete it.")).to_be_visible()
        opened.get_by_text("Change the cards").press("Enter")
        opened.get_by_label("Letter").press("Space")
        opened.get_by_label("Letter").press(
            "Enter"
        )  # as the button beside it, not "Delete"
        expect(opened.get_by_text("Letter. Print at")).to_be_visible(
            timeout=RENDER_TIMEOUT_MS
        )
        sound(opened)
        opened.goto(address)
        expect(opened.locator(".squads")).to_contain_text("Kiln road")
        sound(opened)


def test_a_file_can_be_dropped_anywhere(chromium: Browser, address: str) -> None:
    with page(chromium, DESK) as opened:
        opened.goto(address)
        data = b64encode(write_zip(make_skirmish())).decode()
        opened.evaluate(DROP, [data, "patrol.rosz"])
        wait_for_cards(opened)


def test_a_link_can_be_pasted_without_script(chromium: Browser, address: str) -> None:
    with page(chromium, PHONE, script=False) as opened:
        opened.goto(address)
        opened.get_by_text("Or paste a link").click()
        opened.get_by_label("Link").fill(write_link(make_skirmish()).decode())
        opened.get_by_role("button", name="Show the cards").click()
        wait_for_cards(opened)
        opened.get_by_text("Change the cards").click()
        opened.get_by_text("Delete the list").click()
        opened.get_by_role("button", name="Delete", exact=True).click()
        opened.wait_for_url(re.compile(r":\d+/$"))
        expect(opened.locator(".squads")).to_have_count(0)
