"""Tables that once gave a wrong result, with the right one."""

from __future__ import annotations

from pathlib import Path

import pytest

from builder.findings import has_errors
from builder.packs.tables.request import TableRequest
from builder.usecases.tables import new_pack
from builder.usecases.tables.new_pack import NewPack, PackRequest, make_pack
from tests.usecases.table_cards import read_cards

LAMPS = "Faction,Points,Move,Rules,Copies\nLamps,6,5,Once a turn.,1\nLamps,2,7,After it moves.,3\n"
MARKS = (
    "id,name,play_cost,quantity,traits,rules\nward,Ward Stone,1,2,Relic.,**Action**: Draw.\n"
    "hawk,Crag Hawk,X,1,Beast. Swift.,**Interrupt**: Stop.\n"
)


@pytest.fixture(autouse=True)
def leave_out_fitting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cards are not drawn here."""
    monkeypatch.setattr(new_pack, "fit_design", lambda *_arguments, **_options: None)


def make(folder: Path, text: str) -> NewPack:
    """Make a pack from a table called `cards`."""
    (folder / "cards.csv").write_text(text, "utf-8")
    tables = TableRequest((folder / "cards.csv",), lang="en")
    return make_pack(PackRequest(folder / "game", tables, (63, 88)))


@pytest.mark.parametrize(
    ("text", "cards", "message"),
    [
        (
            "Name,🔓,💡\nA,1,2\n",
            {"a": {"name": "A", "unlock": 1, "bulb": 2}},
            "names of columns without letters were replaced: 🔓 -> unlock, 💡 -> bulb",
        ),
        (
            "ID,Name,Text\nC1,Alpha,x\n",
            {"c1": {"name": "Alpha", "text": "x"}},
            "1 ids were made: C1 -> c1",
        ),
        (
            "Name,Points\n騎士,3\n",
            {"qishi": {"name": "騎士", "cost": 3}},
            "1 ids were made: 騎士 -> qishi",
        ),
        (
            "Number\n2\n3\n",
            {"2": {"name": "2"}, "3": {"name": "3"}},
            "no column is called Name; Number is the name of the cards",
        ),
        (
            LAMPS,
            {
                "cards-1": {
                    **{"name": "1", "faction": "lamps", "cost": 6, "move": 5},
                    "rules": "Once a turn.",
                },
                "cards-2": {
                    **{"name": "2", "faction": "lamps", "cost": 2, "move": 7},
                    "rules": "After it moves.",
                },
            },
            "rows without a name are numbered; 2 ids were made: row 2 -> cards-1, row 3 -> cards-2",
        ),
    ],
)
def test_any_identity_is_accepted_and_reported(
    text: str, cards: dict[str, object], message: str, tmp_path: Path
) -> None:
    result = make(tmp_path, text)
    assert not has_errors(result.findings)
    assert read_cards(result) == cards
    assert message in [finding.message for finding in result.findings]


def test_marks_costs_and_traits_are_kept(tmp_path: Path) -> None:
    assert read_cards(make(tmp_path, MARKS)) == {
        "ward": {
            "name": "Ward Stone",
            "keywords": ["relic"],
            "play-cost": 1,
            "rules": "**Action**: Draw.",
        },
        "hawk": {
            "name": "Crag Hawk",
            "keywords": ["beast", "swift"],
            "play-cost": "X",
            "rules": "**Interrupt**: Stop.",
        },
    }


def test_fractions_stay_one_value(tmp_path: Path) -> None:
    text = "Name,Weapon name,Weapon damage\nA,Club,1/4\nB,Axe,2/5\n,Knife,0/2\n"
    assert read_cards(make(tmp_path, text)) == {
        "a": {"name": "A", "weapon": [{"name": "Club", "damage": "1/4"}]},
        "b": {
            "name": "B",
            "weapon": [
                {"name": "Axe", "damage": "2/5"},
                {"name": "Knife", "damage": "0/2"},
            ],
        },
    }


def test_wrong_copies_are_all_reported(tmp_path: Path) -> None:
    result = make(tmp_path, "Name,Points,Copies\nA,1,0\nB,2,-1\nC,3,two\n")
    assert [finding.message for finding in result.findings] == [
        "C3: copies must be a whole number, 0 or more: -1",
        "C4: copies must be a whole number, 0 or more: two",
    ]
