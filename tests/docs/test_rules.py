"""Every rule of docs/rules.md is told, kept and broken as the page says, and every key is shown."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from builder.model.pack import Kind, Manifest, Pack
from builder.model.roster import Roster
from builder.model.rules import RuleSet
from builder.roster.costs import calculate_costs
from builder.roster.resolve import resolve_roster
from builder.rules.checker import RosterChecker
from builder.rules.evaluate import FORMS
from builder.rules.format import Formatter
from builder.solver.complete import find_completions
from builder.solver.completion_model import SquadRequest
from tests.rules.orchard import SIZE, card
from tools.doc_keys import DOCS, generate

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
RULES = re.findall(
    r"^```yaml rule\n(.*?)^```\n\n(?:> ([^\n]*)\n\n)?Valid: `([^`]*)`\. Invalid: `([^`]*)`\.$",
    TEXT,
    re.DOTALL | re.MULTILINE,
)
COSTS = re.findall(
    r"^```yaml costs\n(.*?)^```\n\n`([^`\n]*)` costs [^\n]* = (\d+)\.$",
    TEXT,
    re.DOTALL | re.MULTILINE,
)


def blocks(sort: str) -> list[Any]:
    return [
        YAML(typ="safe").load(block)
        for block in re.findall(rf"^```yaml {sort}\n(.*?)^```$", TEXT, re.DOTALL | re.M)
    ]


def pack(rules: list[dict[str, Any]], steps: dict[str, Any]) -> Pack:
    roles = {"fighter": "entry", "gear": "attachment", "ploy": "deck"}
    kinds = {
        name: Kind.model_validate(
            {
                "name": {"en": name.title()},
                "role": role,
                "size": SIZE,
                "costs": steps.get(name, []),
            }
        )
        for name, role in roles.items()
    }
    (roster,) = blocks("roster")
    manifest = {
        "id": "den",
        "name": {"en": "Den"},
        "languages": {"source": "en"},
        "roster": roster,
        "kinds": kinds,
    }
    full = [{"title": {"en": rule["id"]}, "source": "1", **rule} for rule in rules]
    cards = {
        name: card({"id": name, "name": name.title(), **stated})
        for name, stated in blocks("cards")[0].items()
    }
    return Pack(
        Manifest.model_validate(manifest),
        rules=RuleSet.model_validate({"rules": full}),
        cards=cards,
    )


def squad(text: str) -> Roster:
    """`fox + horn; cub × 3 (role scout) | feint` as a roster."""
    models, _unused, deck = text.partition(" | ")
    return Roster.model_validate(
        {
            "pack": "den",
            "entries": [line(one) for one in models.split("; ")],
            "deck": [line(one, deck=True) for one in deck.split("; ") if one],
        }
    )


def line(text: str, deck: bool = False) -> dict[str, Any]:
    found = re.fullmatch(r"([\w-]+)(?: × (\d+))?((?: \+ [\w-]+)*)(?: \((.*)\))?", text)
    assert found is not None, text
    made: dict[str, Any] = {"card": found[1], "count": int(found[2] or 1)}
    if not deck:
        made["attachments"] = [{"card": name} for name in found[3].split(" + ")[1:]]
        made["choices"] = dict(
            one.split(" ") for one in (found[4] or "").split(", ") if one
        )
    return made


def rule_of(block: str) -> dict[str, Any]:
    (rule,) = YAML(typ="safe").load(block)
    return dict(rule)


@pytest.mark.parametrize(
    ("block", "told", "kept", "broken"),
    RULES,
    ids=lambda text: text[:24].split("\n")[0],
)
def test_a_rule_means_what_the_page_says(
    block: str, told: str, kept: str, broken: str
) -> None:
    rule = rule_of(block)
    checker = RosterChecker(pack([rule], {}))
    if told:
        assert (
            Formatter(checker.evaluator, "en").format_sentence(
                checker.evaluator.get_form(rule["id"])
            )
            == told
        )
    assert checker.check(squad(kept)).legal, checker.check(squad(kept))
    assert checker.check(squad(broken)).broken == {rule["id"]}
    assert checker.find_problems(resolve_roster(squad(broken), checker.pack)) == ()


EQUIPPED = {
    "up-to-three": (
        "crow × 3 + spear + net; cub × 6 + cloak",
        "crow × 3; crow + cloak",
    ),
    "copies": ("cub × 3 + spear + cloak; crow + cloak", "cub × 2 + spear; cub × 2"),
    "no-giant": (
        "fox; badger + cloak; crow × 2 + cloak",
        "fox + spear + horn; badger; crow × 2",
    ),
    "bow-limit": (
        "fox + spear; cub × 2 + spear; cub × 2",
        "fox + spear; cub × 2 + spear; crow",
    ),
    "quarter": (
        "fox + spear + horn + net; cub",
        "fox; badger; cub + spear + net + net",
    ),
    "one-for-each": ("crow + spear + cloak; cub", "crow; crow + cloak; cub + spear"),
    "leader": ("fox + horn + spear; cub + spear", "fox + horn; fox + spear; cub"),
    "feud": ("crow + horn; badger + spear", "crow + cloak; fox + horn"),
    "four-copies": ("fox + spear | ambush × 4", "fox + spear | ambush × 5"),
}
"""For each recipe, squads with equipment: a valid and an invalid one."""


def recipes() -> dict[str, dict[str, Any]]:
    blocks_of_recipes = re.findall(
        r"^```yaml rule\n(.*?)^```$",
        TEXT.partition("\n## Recipes\n")[2],
        re.DOTALL | re.M,
    )
    return {rule["id"]: rule for rule in map(rule_of, blocks_of_recipes)}


def test_every_recipe_is_tried_with_equipment() -> None:
    assert recipes().keys() == EQUIPPED.keys()


@pytest.mark.parametrize("name", EQUIPPED)
def test_a_recipe_holds_for_models_with_equipment(name: str) -> None:
    checker = RosterChecker(pack([recipes()[name]], {}))
    kept, broken = EQUIPPED[name]
    assert checker.check(squad(kept)).legal, checker.check(squad(kept))
    assert checker.check(squad(broken)).broken == {name}


def test_a_part_of_the_squad_counts_every_copy_of_a_line() -> None:
    """The hero is worth 6 of 24 points.

    One copy of each line would be 11, and 6 more than 35 % of it.
    """
    checker = RosterChecker(pack([recipes()["no-giant"]], {}))
    assert checker.check(squad("fox; crow × 6")).legal
    assert not checker.check(squad("fox; crow × 3")).legal
    (found,) = find_completions(checker, squad("fox"), SquadRequest()).squads[:1]
    assert checker.check(found.roster).legal


@pytest.mark.parametrize(("block", "lines", "total"), COSTS, ids=lambda text: text[:24])
def test_steps_cost_what_the_page_says(block: str, lines: str, total: str) -> None:
    checker = RosterChecker(pack([], YAML(typ="safe").load(block)))
    assert calculate_costs(resolve_roster(squad(lines), checker.pack)).total == int(
        total
    )


def test_all_examples_are_tried() -> None:
    assert len(RULES) == TEXT.count("```yaml rule\n")
    assert len(COSTS) == TEXT.count("```yaml costs\n") - 1
    for value in blocks("rules file"):
        assert RuleSet.model_validate(value)


def test_the_solver_knows_every_rule_of_the_page() -> None:
    """Together they leave squads, and a completion is one of them."""
    together = {
        "points",
        "one-side",
        "few-of-each",
        "load",
        "rarity",
        "young",
        "hands",
        "fit",
        "leader",
        "core",
    }
    rules = [
        rule for block, *_rest in RULES if (rule := rule_of(block))["id"] in together
    ]
    made = find_completions(
        RosterChecker(pack(rules, {"fighter": [{"by": "copy", "steps": {2: 1}}]})),
        squad("cub"),
        SquadRequest(),
    )
    assert made.squads
    assert made.squads[0].cost <= 30


def test_every_key_is_shown() -> None:
    schema = json.loads(
        (ROOT / "schemas" / "core" / "rules.schema.json").read_text("utf-8")
    )
    named = [
        (name, key)
        for name, part in schema["$defs"].items()
        for one in [part, *part.get("anyOf", [])]
        for key in one.get("properties", {})
    ]
    assert len(named) > 60
    assert [
        pair
        for pair in named
        if not re.search(rf"\b{pair[1]}\b['\"]?:", TEXT) and f"`{pair[1]}`" not in TEXT
    ] == []


def test_every_form_of_rule_has_a_table_of_its_keys() -> None:
    (named,) = re.findall(r"<!-- keys rules: (.+) -->", TEXT)
    assert {form.__name__ for form in FORMS} <= set(named.split(", "))


def test_the_tables_of_keys_are_what_the_schemas_say() -> None:
    made = generate()
    assert {"formats.md", "rules.md"} <= made.keys()
    assert {name: (DOCS / name).read_text("utf-8") for name in made} == made, (
        "run: make schemas"
    )
