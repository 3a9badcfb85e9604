"""Each page: a quiet console, no overflow, accessible, in light and dark."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.house.source import ROOT
from tests.web.browser import flawless
from tests.web.walk import SIZES, World

pytestmark = pytest.mark.slow
ROSTERS = ROOT / "tests/toys/lanterns/cards/lanterns/rosters"


@pytest.fixture(scope="module")
def world(chromium: Browser, address: str) -> World:
    """Return a server with one of everything."""
    texts = {
        name: (ROSTERS / f"{file}.yaml").read_text("utf-8")
        for name, file in (("legal", "marsh-walk"), ("illegal", "frost-quarrel"))
    }
    return World(chromium, address, "lanterns", {**texts, "large": texts["legal"]})


@pytest.mark.parametrize(
    ("size", "scheme", "lang", "rules"),
    [("phone", "dark", "de", ()), ("desk", "light", "ru", ("color-contrast",))],
)
def test_every_kind_of_page_is_sound(
    world: World, size: str, scheme: str, lang: str, rules: tuple[str, ...]
) -> None:
    """What a page consists of is the same on a desk; its colours are not."""
    wrong: list[str] = []
    for name in world.names:
        with world.seen(name, size, scheme, lang) as (opened, said):
            wide = opened.evaluate("document.documentElement.scrollWidth")
            wrong += [f"{name}: {wide} px wide"] if wide > SIZES[size]["width"] else []
            flawless(opened, *rules)
        wrong += [f"{name}: {one}" for one in said]
    assert wrong == []
