"""A card's page and its data say where it may be used."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from django.test import Client

from builder.packs.project import Project
from builder.web.cards import library
from tests.house.source import ROOT
from tests.usecases.toy import toy_project


def test_a_card_says_where_it_may_be_used(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = re.search(
        r"^```yaml formats\n(.*?)^```$",
        (ROOT / "docs" / "formats.md").read_text("utf-8"),
        re.S | re.M,
    )
    assert found is not None
    project = Project(toy_project(tmp_path))
    (project.get_cards_dir("lanterns") / "formats.yaml").write_text(found[1], "utf-8")
    monkeypatch.setattr(library.library_cache, "library", library.Library(project))
    page = client.get(
        "/cards/lanterns/charm/amber-brooch/", headers={"accept-language": "de"}
    ).content.decode()
    rows = re.findall(
        r'<th scope="row">(.*?)</th><td>(.*?)</td><td>(.*?)</td>',
        page.partition("Wo sie benutzt")[2],
    )
    assert rows == [
        ("Erlaubt in Standard", "bis 2027-01-09", ""),
        (
            "Verboten in Standard",
            "ab 2027-01-10, bis 2027-02-28",
            "Niemand ging ohne sie aus dem Haus.",
        ),
        ("Erlaubt in Standard", "ab 2027-03-01", ""),
        ("Erlaubt in Offen", "", ""),
    ]
    data = json.loads(client.get("/cards/lanterns/charm/amber-brooch.json").content)
    assert [one["legality"] for one in data["formats"]] == [
        "legal",
        "banned",
        "legal",
        "legal",
    ]
