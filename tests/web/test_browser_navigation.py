"""Every page is the same whether it was loaded whole or put in place after a click.

What scripts set included.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.house.source import ROOT
from tests.web.browser import DESK
from tests.web.walk import World

pytestmark = pytest.mark.slow
ROSTERS = ROOT / "tests/toys/lanterns/cards/lanterns/rosters"
STATE = """() => {
  const shown = (element) => element.checkVisibility();
  const fields = [...document.querySelectorAll("input, select, textarea, button, output")];
  const changing = ["csrfmiddlewaretoken"]; // another one in each answer
  const whole = document.querySelector("#main, #play").cloneNode(true);
  for (const part of whole.querySelectorAll("[role=status]")) part.remove(); // the table reports when it was stored
  return {
    title: document.title, lang: document.documentElement.lang, script: document.documentElement.className,
    fields: fields.filter((field) => !changing.includes(field.name)).map((field) => [
      field.tagName, field.name ?? "", field.value, field.checked ?? null, field.disabled ?? null, shown(field),
    ]),
    details: [...document.querySelectorAll("details")].map((part) => part.open),
    hidden: [...document.querySelectorAll("[hidden]")].map((part) => part.outerHTML.slice(0, 80)),
    text: whole.textContent.replace(/\\s+/g, " "),
  };
}"""
GO = """(path) => {
  const link = Object.assign(document.createElement("a"), { href: path, textContent: "go", id: "go" });
  document.querySelector("#main").prepend(link);
  htmx.process(link);
  window.stayed = true;
  link.click();
}"""
"""Follow a link of a page as its own links are followed; `stayed` is gone after a full load."""


@pytest.fixture(scope="module")
def world(chromium: Browser, address: str) -> World:
    """Return a server with one of everything."""
    texts = {
        name: (ROSTERS / f"{file}.yaml").read_text("utf-8")
        for name, file in (("legal", "marsh-walk"), ("illegal", "frost-quarrel"))
    }
    return World(chromium, address, "lanterns", {**texts, "large": texts["legal"]})


def visit(world: World, who: Page) -> Page:
    """Open a page of somebody's browser in Berlin."""
    context = world.browser.new_context(
        storage_state=who.context.storage_state(),
        viewport=DESK,
        locale="en",
        timezone_id="Europe/Berlin",  # type: ignore[arg-type]
    )
    context.set_default_timeout(30_000)
    return context.new_page()


def differing(loaded: object, clicked: object) -> str:
    """Return the first difference of two values, for the failure of a test."""
    if loaded == clicked:
        return "same"
    if (
        not isinstance(loaded, list)
        or not isinstance(clicked, list)
        or len(loaded) != len(clicked)
    ):
        return f"{loaded!r:.500} | {clicked!r:.500}"
    return next(
        f"{one} | {other}"
        for one, other in zip(loaded, clicked, strict=True)
        if one != other
    )


def test_every_page_is_the_same_after_a_click_as_after_a_full_load(
    world: World,
) -> None:
    wrong, replaced = list[str](), 0
    for name, (who, path) in world.pages.items():
        opened = visit(world, who)
        opened.goto(world.address + path, wait_until="load")
        loaded = opened.evaluate(STATE)
        opened.goto(f"{world.address}/cards/")
        opened.evaluate(GO, path)
        opened.wait_for_url(world.address + path)
        opened.wait_for_selector("#go", state="detached")
        opened.wait_for_load_state("load")
        clicked = opened.evaluate(STATE)
        replaced += bool(opened.evaluate("window.stayed"))
        wrong += [
            f"{name}: {key}: {differing(loaded[key], clicked[key])}" for key in loaded
        ]
        opened.context.close()
    assert [line for line in wrong if not line.endswith(": same")] == []
    assert (
        replaced >= len(world.pages) - 1
    )  # the page at the table alone is a document of its own


def test_an_event_is_where_its_organiser_is_until_another_place_is_chosen(
    world: World,
) -> None:
    opened, form = visit(world, world.owner), f"{world.address}/events/new/lanterns"
    world.post(
        world.owner, "/own/delete", sure="1"
    )  # the place of an earlier event would be offered
    opened.context.clear_cookies()
    zone = opened.locator("select[name=zone]")
    opened.goto(form)
    expect(zone).to_have_value("Europe/Berlin")
    opened.goto(f"{world.address}/events")
    opened.locator("a[href='/events/new/lanterns']").click()
    opened.wait_for_url(form)
    expect(zone).to_have_value("Europe/Berlin")
    opened.locator("header a").first.click()
    opened.wait_for_url(f"{world.address}/")
    opened.go_back()
    expect(zone).to_have_value("Europe/Berlin")
    zone.select_option("Asia/Tokyo")
    opened.locator("input[name=name]").fill("Cup")
    opened.locator("input[name=deadline]").fill("2099-05-30T18:00")
    opened.get_by_role("button", name="Create the event").click()
    expect(opened.locator("main")).to_contain_text("(Tokyo)")
    opened.context.close()
