"""Cards put into a roster: each unknown part is named with its place and hides nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from builder.model.roster import Roster
from builder.roster.resolve import resolve_roster
from tests.rules.orchard import pack, roster

PACK = pack()

PROBLEMS: list[tuple[Roster, str, tuple[Any, ...], str]] = [
    (roster("nobody"), "unknown-card", ("entries", 0, "card"), "nobody"),
    (roster("pail"), "wrong-role", ("entries", 0, "card"), "pail"),
    (
        roster({"card": "ada", "attachments": ["pail", "cy"]}),
        "wrong-role",
        ("entries", 0, "attachments", 1),
        "cy",
    ),
    (roster(deck=("pail",)), "wrong-role", ("deck", 0), "pail"),
    (
        roster({"card": "ada", "links": {"owner": "cy"}}),
        "unknown-link",
        ("entries", 0, "owner"),
        "owner",
    ),
    (
        roster("cy", {"card": "kite", "links": {"holder": "di"}}),
        "unknown-target",
        ("entries", 1, "holder"),
        "di",
    ),
    (
        roster({"card": "kite", "links": {"holder": "kite"}}),
        "unknown-target",
        ("entries", 0, "holder"),
        "kite",
    ),
    (
        roster("cy", "cy", {"card": "kite", "links": {"holder": "cy"}}),
        "ambiguous-target",
        ("entries", 2, "holder"),
        "cy",
    ),
    (
        roster({"card": "ada", "choices": {"hat": "red"}}),
        "unknown-choice",
        ("entries", 0, "hat"),
        "hat",
    ),
    (
        roster({"card": "ada", "choices": {"job": "king"}}),
        "wrong-choice",
        ("entries", 0, "job"),
        "king",
    ),
    (
        roster({"card": "ada", "id": "x"}, {"card": "cy", "id": "x"}),
        "duplicate-id",
        ("entries", 1, "id"),
        "x",
    ),
    (roster("ada", mode="war"), "wrong-parameter", ("mode",), "war"),
    (roster("ada", size=0), "wrong-parameter", ("size",), "0"),
    (roster("ada", width=3), "unknown-parameter", ("width",), "width"),
    (
        roster("ada").model_copy(update={"play_format": "old"}),
        "unknown-play-format",
        ("play_format",),
        "old",
    ),
    (
        roster("ada").model_copy(update={"pack": "meadow"}),
        "other-pack",
        ("pack",),
        "meadow",
    ),
]


def test_a_parameter_without_a_default_must_be_stated() -> None:
    form = PACK.manifest.roster
    size = form.params["size"].model_copy(update={"default": None})
    manifest = PACK.manifest.model_copy(
        update={
            "roster": form.model_copy(update={"params": {**form.params, "size": size}})
        }
    )
    game = replace(PACK, manifest=manifest)
    assert [
        (one.code, one.value) for one in resolve_roster(roster("ada"), game).problems
    ] == [("missing-parameter", "size")]
    assert resolve_roster(roster("ada", size=30), game).problems == ()


@pytest.mark.parametrize(
    ("found", "code", "path", "value"), PROBLEMS, ids=lambda value: str(value)[:20]
)
def test_a_problem_names_its_place(
    found: Roster, code: str, path: tuple[Any, ...], value: str
) -> None:
    problems = resolve_roster(found, PACK).problems
    assert [(problem.code, problem.path, problem.value) for problem in problems] == [
        (code, path, value)
    ]


def test_an_unknown_line_hides_no_other() -> None:
    squad = resolve_roster(
        roster(
            {"card": "nobody", "attachments": ["pail"]},
            {"card": "ada", "attachments": ["x"]},
        ),
        PACK,
    )
    assert [pick.card.id for pick in squad.entries] == ["ada"]
    assert [problem.value for problem in squad.problems] == ["nobody", "x"]


def test_each_copy_of_an_entry_carries_its_own() -> None:
    squad = resolve_roster(
        roster({"card": "di", "count": 3, "attachments": ["sack"]}), PACK
    )
    (sack,) = squad.attachments
    assert (sack.count, sack.copies_per_model, sack.host) == (3, 1, squad.entries[0])


def test_a_tie_finds_its_target_by_id_before_card() -> None:
    named = {"card": "di", "id": "cy"}
    squad = resolve_roster(
        roster("cy", named, {"card": "kite", "links": {"holder": "cy"}}), PACK
    )
    assert squad.links[(2, "holder")].card.id == "di"


def test_parameters_have_their_defaults() -> None:
    assert resolve_roster(roster(size=12), PACK).params == {"size": 12, "mode": "fair"}
