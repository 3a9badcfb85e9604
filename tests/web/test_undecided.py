"""A squad too large to check is called so on its pages and in events, never legal."""

from __future__ import annotations

import pytest
from django.test import Client

from builder.rules import link_assignment
from builder.rules.packing import UndecidedPackingError
from tests.web.test_events import handed, made, table

ENTRIES = """
  - {card: laika, id: t, count: 2, seat: p}
  - {card: tank-crew-zastava, count: 2, id: p}
  - {card: border-guards, count: 5, transport: t}
"""
SQUAD = f"pack: zod\nname: too large\nsize: 500\nentries:{ENTRIES}"


@pytest.fixture(autouse=True)
def _nothing_is_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_problem: object, **_options: object) -> None:
        raise UndecidedPackingError

    monkeypatch.setattr(link_assignment, "pack_models", refuse)


def test_a_squad_that_is_not_decided_is_called_so(client: Client) -> None:
    answer = client.post("/import", {"text": SQUAD, "pack": "zod"}, follow=True)
    page = answer.content.decode()
    assert "Not decided" in page
    assert "too many possible distributions" in page
    assert ">Legal<" not in page


def test_an_event_calls_a_list_that_is_not_decided_so(client: Client) -> None:
    # The form of the tests has parameters of another game.
    unset = {"param-size": "", "param-mode": ""}
    event = made(client, "zod", name="Cup", release="", sealed="", **unset)
    handed(event, Client(), "Ann", SQUAD)
    page = client.get(f"/events/{event.pk}").content.decode()
    assert "Not decided" in page
    (row,) = table(client, event)
    assert row["legal"] == "NOT DECIDED"
