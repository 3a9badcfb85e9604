"""The columns of a squad sheet are equally long, unless that needs one more page."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from builder.model.profile import Paper
from builder.model.sheets import SquadSheet
from builder.render.flow import Flow
from builder.usecases.build import squad

SHEET = SquadSheet(
    **{"name": "", "game": "", "params": (), "currency": "", "total": 0, "legal": True},
    **{"undecided": False, "faction": None, "models": (), "deck": (), "trackers": ()},
    code="",
)


@pytest.mark.parametrize(("even_pages", "is_full"), [(1, False), (2, True)])
def test_columns_are_even_if_that_needs_no_further_page(
    monkeypatch: pytest.MonkeyPatch, even_pages: int, is_full: bool
) -> None:
    def render(*request: Any) -> Flow:
        values = request[-1]
        # Type above 8.4 pt needs a second page.
        pages = 1 if values["size"] <= 8.4 else 2
        if not values["full"]:
            pages = max(pages, even_pages)
        keys = tuple(
            f"{values['size']:g} {values['full']} {page}" for page in range(pages)
        )
        return Flow(keys, (), is_rendered=True)

    monkeypatch.setattr(squad, "render_flow", render)
    renderer: Any = SimpleNamespace(setup=SimpleNamespace(engine="plutoprint"))
    flow = squad.fit_squad_sheet(renderer, SHEET, Paper(width=210, height=297), "en")
    assert flow.keys == (f"8.4 {is_full} 0",)
