from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from builder.errata.change import ABSENT, CardClass, ChangeClass, Status
from builder.errata.difference import compare_states
from builder.errata.release import VersionStep, advise_step
from builder.errata.snapshot import Snapshot
from tests.errata.states import RULES, entry, fox, gone, state, states


@given(states())
def test_a_state_does_not_differ_from_itself(one: Snapshot) -> None:
    assert compare_states(one, one).empty


@given(states("a"), states("b"), states("c"))
def test_two_steps_agree_with_one(a: Snapshot, b: Snapshot, c: Snapshot) -> None:
    def fields(one: Snapshot, other: Snapshot) -> dict:
        cards = compare_states(one, other).cards
        found = {
            (card.id, field.path): [field.old, field.new]
            for card in cards
            for field in card.fields
        }
        return found | {
            (card.id, "status"): card.status
            for card in cards
            if card.status is not Status.CHANGED
        }

    steps = fields(a, b)
    for key, value in fields(b, c).items():
        if isinstance(value, list) and isinstance(steps.get(key), list):
            steps[key] = [steps[key][0], value[1]]
        else:
            steps[key] = value
    stayed = a.cards.keys() & b.cards.keys() & c.cards.keys()
    direct = {key: value for key, value in fields(a, c).items() if key[0] in stayed}
    assert direct == {
        k: v for k, v in steps.items() if k[0] in stayed and not unchanged(v)
    }


def unchanged(value: object) -> bool:
    return (
        isinstance(value, list)
        and value[0] == value[1]
        and repr(value[0]) == repr(value[1])
    )


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
    (card,) = compare_states(state(fox()), state(fox(**change))).cards
    assert [(field.path, field.type) for field in card.fields] == [(path, type_)]


def text_change(text: str, *kinds: str, markup: bool = True) -> ChangeClass:
    """Return the class of a changed text of the fox.

    Without `markup` no text of the card is marked as rich.
    """
    history = [
        entry(1),
        *(entry(2 + number, kind) for number, kind in enumerate(kinds)),
    ]
    new = fox(
        revision=1 + len(kinds),
        history=history,
        tricks={"bite": {"name": "Укус", "text": text}},
    )
    more: dict = {} if markup else {"rich": {}}
    (card,) = compare_states(state(fox(), **more), state(new, **more)).cards
    (field,) = card.fields
    return field.type


PUNCTUATED, REWORDED = (
    "Бросьте {dice:d6} — на 4 цель {key:slow}!",
    "Киньте {dice:d6}: на 4 цель {key:slow}.",
)


@pytest.mark.parametrize("markup", [True, False])
def test_a_rules_text_is_wording_only_if_no_word_changed_and_the_history_says_so(
    markup: bool,
) -> None:
    for kind in ("wording", "misprint"):
        assert text_change(PUNCTUATED, kind, markup=markup) is ChangeClass.WORDING
        assert text_change(REWORDED, kind, markup=markup) is ChangeClass.RULE_TEXT
    for kinds in ((), ("rules",), ("balance",), ("art",), ("wording", "rules")):
        assert text_change(PUNCTUATED, *kinds, markup=markup) is ChangeClass.RULE_TEXT


def test_a_text_without_markup_beside_rules_texts_may_be_flavour() -> None:
    def flavour(kind: str) -> ChangeClass:
        paths = {"texts": {"fox": ("name", "flavour", "tricks.bite.text")}}
        new = fox(revision=2, history=[entry(1), entry(2, kind)], flavour="It waits.")
        (card,) = compare_states(
            state(fox(flavour="It sleeps."), **paths), state(new, **paths)
        ).cards
        return card.fields[0].type

    assert flavour("wording") is ChangeClass.WORDING
    assert flavour("rules") is ChangeClass.RULE_TEXT


def test_a_text_that_only_names_the_card_anew_is_another_name() -> None:
    old = fox(
        tricks={"bite": {"name": "Укус", "text": "Рядом с Лисом бросьте {dice:d6}."}}
    )
    text = "Рядом с Барсуком бросьте {dice:d6}."
    (card,) = compare_states(
        state(old),
        state(fox(name="Барсук", tricks={"bite": {"name": "Укус", "text": text}})),
    ).cards
    assert [field.type for field in card.fields] == [ChangeClass.NAME, ChangeClass.NAME]
    assert card.card_class is CardClass.RENAMED


ART = {"cards/woods/art/fox.png": "1" * 64}


@pytest.mark.parametrize(
    ("change", "kinds", "card_class"),
    [
        ({"cost": 4}, ("balance",), CardClass.PLAYS),
        ({"cost": 4, "name": "Барсук"}, ("wording",), CardClass.PLAYS),
        ({"name": "Барсук"}, ("rules",), CardClass.RENAMED),
        ({"art": "other.png"}, ("rules",), CardClass.REDRAWN),
        ({"keywords": []}, ("art",), CardClass.PLAYS),
        ({}, ("art",), CardClass.REDRAWN),
        ({}, ("rules",), CardClass.PLAYS),
        ({}, ("misprint",), CardClass.REWORDED),
        ({}, ("balance", "balance"), CardClass.UNCHANGED),
        ({"cost": 4}, ("balance", "balance"), CardClass.PLAYS),
    ],
)
def test_a_card_has_one_class_by_what_changed(
    change: dict, kinds: tuple[str, ...], card_class: CardClass
) -> None:
    history = [entry(1), *(entry(2, kind) for kind in kinds)]
    (card,) = compare_states(
        state(fox(art="fox.png")),
        state(fox(art="fox.png", revision=2, history=history) | change),
    ).cards
    assert card.card_class is card_class


def test_a_picture_with_other_bytes_is_redrawn_wherever_the_card_names_it() -> None:
    one = fox(tricks={"bite": {"name": "Укус", "picture": "fox.png"}})
    (card,) = compare_states(
        state(one, files=ART), state(one, files={"cards/woods/art/fox.png": "9" * 64})
    ).cards
    (field,) = card.fields
    assert (field.path, field.type, field.redrawn) == (
        "tricks.bite.picture",
        ChangeClass.ART,
        True,
    )
    assert card.card_class is CardClass.REDRAWN
    assert compare_states(state(one), state(one, files=ART)).cards == ()


def test_a_rename_is_one_changed_card() -> None:
    new = state(fox(id="red-fox", cost=4), migrations=(gone("fox", "red-fox"),))
    (card,) = compare_states(state(fox()), new).cards
    assert (card.status, card.old_id, card.id) == (Status.RENAMED, "fox", "red-fox")
    assert [field.path for field in card.fields] == ["cost"]


def test_a_rename_of_a_rename_is_followed() -> None:
    steps = (gone("fox", "red-fox"), gone("red-fox", "vixen"))
    (card,) = compare_states(
        state(fox()), state(fox(id="vixen"), migrations=steps)
    ).cards
    assert (card.status, card.old_id, card.id) == (Status.RENAMED, "fox", "vixen")


def test_what_is_gone_says_how() -> None:
    old = state(fox(), fox(id="wolf"), fox(id="hare"), fox(id="owl"))
    steps = (gone("fox", "owl", kind="merge"), gone("wolf", kind="delete"))
    found = {
        card.id: card
        for card in compare_states(old, state(fox(id="owl"), migrations=steps)).cards
    }
    assert {card: change.status for card, change in found.items()} == {
        "fox": Status.MERGED,
        "wolf": Status.DELETED,
        "hare": Status.VANISHED,
    }
    assert found["fox"].successors == ("owl",)


def test_a_changed_translation_names_its_language() -> None:
    def english(text: str) -> dict:
        return {"en": {"fox": {"name": {"text": text, "source": "00000000"}}}}

    old, new = (
        replace(state(fox()), translations=english(text)) for text in ("Fox", "Red fox")
    )
    (card,) = compare_states(old, new).cards
    (field,) = card.fields
    assert (field.type, field.lang, field.old, field.new) == (
        ChangeClass.TRANSLATION,
        "en",
        "Fox",
        "Red fox",
    )


def test_a_rule_is_paired_by_its_id() -> None:
    rules = {"rules": [RULES["rules"][1], {**RULES["rules"][0], "max": 30}]}
    found = compare_states(state(fox()), state(fox(), rules=rules)).parts
    assert {(part.part, part.path) for part in found} == {
        ("rules", "rules.points.max"),
        ("rules", "rules.points.max.param"),
    }


def test_a_template_is_compared_by_its_bytes() -> None:
    old, new = (
        state(fox(), files={"templates/woods/pack.css": digest})
        for digest in ("aa", "bb")
    )
    (part,) = compare_states(old, new).parts
    assert (part.part, part.path) == ("template", "templates/woods/pack.css")


def test_a_card_that_no_longer_validates_is_still_compared() -> None:
    broken = {"id": "fox", "kind": 7, "name": None, "cost": "many", "revision": "two"}
    (card,) = compare_states(state(broken), state(fox())).cards
    assert {"cost", "name", "speed"} <= {field.path for field in card.fields}
    added = next(field for field in card.fields if field.path == "speed")
    assert added.old is ABSENT


def spoken(
    source: str, *translations: str, texts: dict | None = None, card: dict | None = None
) -> Snapshot:
    """Return the fox in a pack of these languages, with translations of its name by language."""
    manifest = {
        "id": "woods",
        "languages": {"source": source, "translations": list(translations)},
    }
    strings = {
        lang: {
            "fox": {
                path: {"text": text, "source": "00000000"}
                for path, text in by_path.items()
            }
        }
        for lang, by_path in (texts or {}).items()
    }
    return state(card or fox(), manifest=manifest, translations=strings)


ENGLISH = {
    "name": "Fox",
    "tricks.bite.name": "Bite",
    "tricks.bite.text": "Roll {dice:d6}: on 4 the target is {key:slow}.",
}


def test_a_dropped_or_added_language_is_one_change_and_no_card_differs() -> None:
    both, alone = spoken("ru", "en", texts={"en": ENGLISH}), spoken("ru")
    for old, new, was, now in (
        (both, alone, "en", ABSENT),
        (alone, both, ABSENT, "en"),
    ):
        found = compare_states(old, new)
        assert found.cards == ()
        assert [(part.part, part.path, part.old, part.new) for part in found.parts] == [
            ("language", "en", was, now)
        ]
        step, reason = advise_step(found)
        assert step is VersionStep.MINOR
        assert "English" in reason


def test_cards_written_in_another_language_are_compared_in_a_common_one() -> None:
    english = fox(
        name="Fox",
        tricks={"bite": {"name": "Bite", "text": ENGLISH["tricks.bite.text"]}},
    )
    old = spoken("ru", "en", texts={"en": ENGLISH})
    russian = {
        "name": "Лис",
        "tricks.bite.name": "Укус",
        "tricks.bite.text": fox()["tricks"]["bite"]["text"],
    }
    new = spoken("en", "ru", texts={"ru": russian}, card=english)
    assert compare_states(old, new).cards == ()
    stronger = fox(
        name="Fox",
        cost=4,
        tricks={"bite": {"name": "Bite", "text": "Roll {dice:d6}: on 5."}},
    )
    (card,) = compare_states(
        old, spoken("en", "ru", texts={"ru": russian}, card=stronger)
    ).cards
    assert {
        (field.path, field.lang): (field.old, field.new) for field in card.fields
    } == {
        ("cost", None): (3, 4),
        ("tricks.bite.text", None): (
            ENGLISH["tricks.bite.text"],
            "Roll {dice:d6}: on 5.",
        ),
    }
    untranslated = compare_states(spoken("ru"), spoken("en", card=stronger))
    assert [field.path for card in untranslated.cards for field in card.fields] == [
        "cost"
    ]
