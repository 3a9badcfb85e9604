"""Numbers on a squad sheet: copies that follow others are deployed between them."""

from __future__ import annotations

from builder.rules.checker import RosterChecker
from builder.usecases.build.squad import make_squad_sheet
from builder.usecases.roster.check_roster import CheckedRoster
from tests.rules.orchard import CARDS, pack, roster


def test_each_copy_is_numbered_where_it_goes_to_the_table() -> None:
    fields = {"di": {"cost": 3, "holds": 1}, "kite": {"cost": 9}}
    checker = RosterChecker(
        pack(cards=[{**card, **fields.get(card["id"], {})} for card in CARDS])
    )
    squad = roster({"card": "di", "count": 2}, {"card": "kite", "count": 2})
    checked_squad = CheckedRoster(
        "x",
        (),
        "en",
        squad,
        checker,
        checker.resolve_roster(squad),
        checker.check(squad),
    )
    sheet = make_squad_sheet(checked_squad)
    assert sheet is not None
    assert [(model.name, model.place) for model in sheet.models] == [
        ("Di", "1, 3"),
        ("Kite", "2, 4"),
    ]
