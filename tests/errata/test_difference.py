from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from builder.errata.change import ABSENT, ChangeClass, Status
from builder.errata.difference import difference
from builder.errata.snapshot import Snapshot
from tests.errata.states import RULES, entry, fox, gone, state, states


@given(states())
def test_a_state_does_not_differ_from_itself(one: Snapshot) -> None:
    assert difference(one, one).empty


@given(states("a"), states("b"), states("c"))
def test_two_steps_agree_with_one(a: Snapshot, b: Snapshot, c: Snapshot) -> None:
    def fields(one: Snapshot, other: Snapshot) -> dict:
        cards = difference(one, other).cards
        found = {(card.id, field.path): [field.old, field.new] for card in cards for field in card.fields}
        return found | {(card.id, "status"): card.status for card in cards if card.status is not Status.CHANGED}

    steps = fields(a, b)
    for key, value in fields(b, c).items():
        if isinstance(value, list) and isinstance(steps.get(key), list):
            steps[key] = [steps[key][0], value[1]]
        else:
            steps[key] = value
    stayed = a.cards.keys() & b.cards.keys() & c.cards.keys()
    direct = {key: value for key, value in fields(a, c).items() if key[0] in stayed}
    assert direct == {k: v for k, v in steps.items() if k[0] in stayed and not unchanged(v)}


def unchanged(value: object) -> bool:
    return isinstance(value, list) and value[0] == value[1] and repr(value[0]) == repr(value[1])


@pytest.mark.parametrize(
    ("change", "path", "type_"),
    [
        ({"cost": 4}, "cost", ChangeClass.COST),
        ({"speed": 5}, "speed", ChangeClass.STAT),
        ({"speed": None}, "speed", ChangeClass.STAT),
        ({"name": "Рыжий лис"}, "name", ChangeClass.NAME),
        ({"keywords": ["swift", "slow"]}, "keywords", ChangeClass.KEYWORD),
        ({"faction": "field"}, "faction", ChangeClass.KEYWORD),
        ({"pockets": ["head", "hand"]}, "pockets", ChangeClass.SLOT),
        ({"art": "fox.png"}, "art", ChangeClass.ART),
    ],
)
def test_each_change_has_its_class(change: dict, path: str, type_: ChangeClass) -> None:
    (card,) = difference(state(fox()), state(fox(**change))).cards
    assert [(field.path, field.type) for field in card.fields] == [(path, type_)]


def text_change(text: str, kind: str) -> ChangeClass:
    new = fox(revision=2, history=[entry(1), entry(2, kind)], tricks={"bite": {"name": "Укус", "text": text}})
    (card,) = difference(state(fox()), state(new)).cards
    (field,) = card.fields
    return field.type


def test_a_text_is_wording_only_if_it_commits_to_the_same_and_is_called_so() -> None:
    assert text_change("Киньте {dice:d6}: на 4 цель {key:slow}.", "wording") is ChangeClass.WORDING
    assert text_change("Киньте {dice:d6}: на 4 цель {key:slow}.", "rules") is ChangeClass.RULE_TEXT
    assert text_change("Бросьте {dice:d6}: на 5 цель {key:slow}.", "wording") is ChangeClass.RULE_TEXT


def test_a_rename_is_one_changed_card() -> None:
    new = state(fox(id="red-fox", cost=4), migrations=(gone("fox", "red-fox"),))
    (card,) = difference(state(fox()), new).cards
    assert (card.status, card.old_id, card.id) == (Status.RENAMED, "fox", "red-fox")
    assert [field.path for field in card.fields] == ["cost"]


def test_a_rename_of_a_rename_is_followed() -> None:
    steps = (gone("fox", "red-fox"), gone("red-fox", "vixen"))
    (card,) = difference(state(fox()), state(fox(id="vixen"), migrations=steps)).cards
    assert (card.status, card.old_id, card.id) == (Status.RENAMED, "fox", "vixen")


def test_what_is_gone_says_how() -> None:
    old = state(fox(), fox(id="wolf"), fox(id="hare"), fox(id="owl"))
    steps = (gone("fox", "owl", kind="merge"), gone("wolf", kind="delete"))
    found = {card.id: card for card in difference(old, state(fox(id="owl"), migrations=steps)).cards}
    assert {card: change.status for card, change in found.items()} == {
        "fox": Status.MERGED,
        "wolf": Status.DELETED,
        "hare": Status.VANISHED,
    }
    assert found["fox"].successors == ("owl",)


def test_a_changed_translation_names_its_language() -> None:
    def english(text: str) -> dict:
        return {"en": {"fox": {"name": {"text": text, "source": "00000000"}}}}

    old, new = (replace(state(fox()), translations=english(text)) for text in ("Fox", "Red fox"))
    (card,) = difference(old, new).cards
    (field,) = card.fields
    assert (field.type, field.lang, field.old, field.new) == (ChangeClass.TRANSLATION, "en", "Fox", "Red fox")


def test_a_rule_is_paired_by_its_id() -> None:
    rules = {"rules": [RULES["rules"][1], {**RULES["rules"][0], "max": 30}]}
    found = difference(state(fox()), state(fox(), rules=rules)).parts
    assert {(part.part, part.path) for part in found} == {
        ("rules", "rules.points.max"),
        ("rules", "rules.points.max.param"),
    }


def test_a_template_is_compared_by_its_bytes() -> None:
    old, new = (state(fox(), files={"templates/woods/pack.css": digest}) for digest in ("aa", "bb"))
    (part,) = difference(old, new).parts
    assert (part.part, part.path) == ("template", "templates/woods/pack.css")


def test_a_card_that_no_longer_validates_is_still_compared() -> None:
    broken = {"id": "fox", "kind": 7, "name": None, "cost": "many", "revision": "two"}
    (card,) = difference(state(broken), state(fox())).cards
    assert {"cost", "name", "speed"} <= {field.path for field in card.fields}
    added = next(field for field in card.fields if field.path == "speed")
    assert added.old is ABSENT
