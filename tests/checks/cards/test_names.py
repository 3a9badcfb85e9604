"""A rule that names something the pack does not have is found; the games' own rules are sound."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from builder.checks.cards.names import check
from builder.findings import Finding, Position
from builder.model.loaded import Document, LoadedPack
from builder.model.pack import Choice
from builder.packs.loading import load_pack
from builder.packs.project import Project
from tests.checks.projects import lay_over
from tests.rules.orchard import RULES, pack

ROOT = Path(__file__).parents[3]
MARKS = {("rules", 0): Position(3, 5), ("rules", 0, "max"): Position(7, 10)}

BAD: list[tuple[dict[str, Any], str, str]] = [
    ({"max": {"param": "sise"}}, "pack/unknown-name", "Did you mean size?"),
    (
        {"max": {"one_per": {"each": 5, "of": "sise"}}},
        "pack/unknown-name",
        "Did you mean size?",
    ),
    (
        {"per": "card", "max": {"share": {"field": "rarety", "of": "size"}}},
        "pack/unknown-field",
        "Did you mean rarity?",
    ),
    (
        {"max": 1, "when": {"params": {"mood": "fair"}}},
        "pack/unknown-name",
        "Did you mean mode?",
    ),
    (
        {"max": 1, "select": {"where": {"keyword": {"has": "elder"}}}},
        "pack/unknown-field",
        "Did you mean keywords?",
    ),
    (
        {"max": 1, "select": {"where": {"kind": "persom"}}},
        "pack/unknown-name",
        "Did you mean person?",
    ),
    (
        {"max": 1, "select": {"where": {"any": [{"choice.jop": "cook"}]}}},
        "pack/unknown-name",
        "Did you mean job?",
    ),
    ({"max": 1, "per": "choice crow"}, "pack/unknown-name", "Did you mean crew?"),
    (
        {"max": 1, "measure": {"sum": "weigth"}},
        "pack/unknown-field",
        "Did you mean weight?",
    ),
    (
        {"type": "link", "link": "holdr", "measure": None, "select": {}},
        "pack/unknown-name",
        "Did you mean holder?",
    ),
]


def check_rules(*rules: dict[str, Any]) -> list[Finding]:
    clean = [
        {key: value for key, value in rule.items() if value is not None}
        for rule in rules
    ]
    document = Document("cards/orchard/rules.yaml", {"rules": [*clean]}, MARKS, MARKS)
    return list(check(LoadedPack(pack(clean), sources={"rules.yaml": document})))


@pytest.mark.parametrize(("parts", "code", "hint"), BAD)
def test_a_name_that_leads_nowhere_is_found(
    parts: dict[str, Any], code: str, hint: str
) -> None:
    findings = check_rules({"id": "x", "type": "limit", "measure": "count", **parts})
    assert [(finding.code, finding.hint) for finding in findings] == [(code, hint)]
    assert findings[0].location.line in (3, 7)


def test_an_id_is_given_once() -> None:
    rule = {"id": "x", "type": "limit", "measure": "count", "max": 1}
    with pytest.raises(ValidationError, match="two rules have the id x"):
        check_rules(rule, rule)


def test_sound_rules_pass() -> None:
    assert check_rules(*RULES) == []


@pytest.mark.parametrize("name", Project(ROOT).list_packs())
def test_the_rules_of_the_games_name_what_exists(name: str) -> None:
    assert list(check(load_pack(Project(ROOT), name))) == []


@pytest.mark.parametrize(
    ("choice", "hint"),
    [
        ({"field": "trick"}, "Did you mean tricks?"),
        ({"where": {"wafft": {"ge": 1}}}, "Did you mean waft?"),
        ({"field": "tricks", "items": {"tekst": "x"}}, "Did you mean text?"),
        (
            {
                "field": "tricks",
                "items": {"text": {"ne": "x"}},
                "where": {"any": [{"waft": 1}]},
            },
            None,
        ),
    ],
)
def test_a_choice_names_fields_that_cards_have(
    choice: dict[str, Any], hint: str | None, tmp_path: Path
) -> None:
    project = lay_over(tmp_path, tmp_path / "project")
    loaded = load_pack(project, "lanterns")
    assert loaded.pack is not None
    form = loaded.pack.manifest.roster.model_copy(
        update={
            "choices": {"art": Choice.model_validate({"name": {"en": "Art"}, **choice})}
        }
    )
    pack = replace(
        loaded.pack, manifest=loaded.pack.manifest.model_copy(update={"roster": form})
    )
    assert [finding.hint for finding in check(replace(loaded, pack=pack))] == (
        [hint] if hint else []
    )
