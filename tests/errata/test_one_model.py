"""Every surface renders one value of a change: class, day of effect, state, language, look."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from types import SimpleNamespace
from typing import Any, cast

import pytest

from builder.errata.change import (
    Appearance,
    CardChange,
    CardClass,
    Difference,
    has_same_letters,
)
from builder.errata.difference import compare_states
from builder.errata.impact import find_risks
from builder.errata.notes import compose_notes
from builder.errata.reader import NoteReader
from builder.errata.release import Release, ReleaseState, describe_state, find_state
from builder.errata.snapshot import Snapshot, Withdrawal
from builder.messages import translate
from builder.report.release import format_json, format_notes, format_text
from builder.usecases.build.changed import PrintChanges, make_checklist
from builder.usecases.release.publish import _make_badges
from tests.errata.states import RULES, entry, fox, gone, state
from tests.errata.test_notes import KINDS, VOCABULARY

MANIFEST: dict[str, Any] = {
    "id": "woods",
    "name": {"en": "Woods"},
    "languages": {"source": "ru", "translations": ["en"]},
    "kinds": {**KINDS, "plant": {"name": {"en": "Plant"}}},
}
BITE = {"name": "Укус", "text": 'Цель - "вялая".'}
CURLY = {"name": "Укус", "text": "Цель — «вялая»."}


def make_history() -> tuple[Snapshot, Snapshot]:
    """Return 2 states between which every sort of change happened."""
    old_cards = (
        fox(id="dear", name="Dear"),
        fox(id="quoted", name="Quoted", tricks={"bite": BITE}),
        fox(id="parted", name="Parted"),
        fox(id="drawn", name="Drawn", art="old.png"),
        fox(id="spoken", name="Spoken"),
        fox(id="late", name="Late"),
        fox(id="ruled", name="Ruled"),
        fox(id="former", name="Former"),
        fox(id="fern", name="Fern", kind="plant"),
    )
    later = entry(2, "rules", effective="2027-01-01")
    new_cards = (
        fox(id="dear", name="Dear", cost=5, revision=2, history=[entry(2)]),
        fox(id="quoted", name="Quoted", tricks={"bite": CURLY}, revision=2, history=[entry(2, "misprint")]),
        fox(id="left", name="Left"),
        fox(id="right", name="Right"),
        fox(id="drawn", name="Drawn", art="new.png", revision=2, history=[entry(2, "art")]),
        fox(id="spoken", name="Spoken"),
        fox(id="late", name="Late", speed=9, revision=2, history=[later]),
        fox(id="ruled", name="Ruled", revision=2, history=[entry(2, "rules")]),
        fox(id="current", name="Current"),
        fox(id="fern", name="Fern", kind="plant"),
    )  # fmt: skip
    where = {"where": {"keywords": {"has": "swift"}}, "max": 2}
    limit = {"id": "few", "type": "limit", "title": {"en": "Few"}, "measure": "count"}
    old = state(
        *old_cards,
        manifest=MANIFEST,
        vocabulary=VOCABULARY,
        files={"templates/woods/plant/card.css": "a"},
        rules={"rules": [*RULES["rules"], {**limit, "select": {"where": {"cost": {"ge": 3}}}, "max": 3}]},
        translations={"en": {"spoken": {"name": {"text": "Talker"}}}},
    )  # fmt: skip
    new = state(
        *new_cards,
        label="2.0.0",
        effective=date(2026, 6, 1),
        manifest=MANIFEST,
        vocabulary=VOCABULARY,
        files={"templates/woods/plant/card.css": "b"},
        rules={"rules": [*RULES["rules"], {**limit, "select": {"where": where["where"]}, "max": 2}]},
        translations={"en": {"spoken": {"name": {"text": "Speaker"}}}},
        migrations=(gone("parted", "left", "right", kind="split"), gone("former", "current")),
    )  # fmt: skip
    return old, new


EXPECTED = {
    "dear": CardClass.PLAYS,
    "quoted": CardClass.REWORDED,
    "parted": CardClass.WITHDRAWN,
    "left": CardClass.NEW,
    "right": CardClass.NEW,
    "drawn": CardClass.REDRAWN,
    "spoken": CardClass.TRANSLATED,
    "late": CardClass.PLAYS,
    "ruled": CardClass.PLAYS,
    "current": CardClass.RENAMED,
}


@pytest.fixture
def difference() -> Difference:
    return compare_states(*make_history())


def test_every_surface_shows_the_same_class(difference: Difference) -> None:
    old, new = make_history()
    assert {card.id: card.card_class for card in difference.cards} == EXPECTED
    data = json.loads(format_json(difference))
    assert {card["id"]: card["class"] for card in data["cards"]} == EXPECTED
    notes = compose_notes(old, new, difference, "en")
    assert {note.card: note.change_class for note in notes.cards} == EXPECTED
    in_text = format_text(difference)
    for card in difference.cards:
        if card.card_class not in (CardClass.NEW, CardClass.WITHDRAWN):
            (line,) = [line for line in in_text.splitlines() if f" {card.id} " in line]
            assert line.endswith(f": {card.card_class.words}")
    # A squad with the card is told of it if and only if the card plays differently.
    matters = {card.id for card in difference.cards if card.matters}
    played = (CardClass.PLAYS, CardClass.NEW, CardClass.WITHDRAWN)
    assert matters == {card for card, name in EXPECTED.items() if name in played}


def test_the_day_of_effect_is_that_of_the_card_everywhere(
    difference: Difference,
) -> None:
    old, new = make_history()
    late = difference.find_card("late")
    assert late is not None
    assert late.effective == date(2027, 1, 1)
    data = {card["id"]: card for card in json.loads(format_json(difference))["cards"]}
    assert (data["late"]["effective"], data["dear"]["effective"]) == (
        "2027-01-01",
        "2026-06-01",
    )
    notes = compose_notes(old, new, difference, "en")
    assert {note.card: note.effective for note in notes.cards if note.effective} == {
        "late": date(2027, 1, 1)
    }
    assert "Applies from 2027-01-01." in format_notes(notes)


def test_readers_of_a_language_see_the_changes_of_their_language(
    difference: Difference,
) -> None:
    old, new = make_history()
    for lang in ("ru", "en"):
        notes = compose_notes(old, new, difference, lang)
        visible = {card.id for card in difference.cards if lang in card.languages}
        assert {note.card for note in notes.cards} == visible
        assert ("spoken" in visible) == (lang == "en")


def test_looks_are_decided_once_and_shown_apart(difference: Difference) -> None:
    assert difference.restyled == {"fern": Appearance.TEMPLATE}
    looks = {card.id: card.appearance for card in difference.cards if card.fields}
    assert looks["drawn"] is Appearance.PICTURE
    assert looks["dear"] is Appearance.TEXT
    notes = format_notes(compose_notes(*make_history(), difference, "en"))
    assert "## Looks different\n\n- plant: Fern" in notes.replace("Plant", "plant")
    assert "Looks different: fern" in format_text(difference)
    # Digests of the same program and engine know better than the names of templates.
    by_program = {"rasteriser": "x", "engine": "y"}
    old, new = (
        replace(
            part, faces={"ru/fern/front": "1", "ru/late/front": digest, **by_program}
        )
        for part, digest in zip(make_history(), "12", strict=True)
    )
    assert compare_states(old, new).restyled == {}
    assert compare_states(
        old, replace(new, faces={**new.faces, "ru/fern/front": "2"})
    ).restyled
    # A card without digests is judged by its templates.
    few_faces = {"ru/late/front": "1", **by_program}
    states = (replace(old, faces=few_faces), replace(new, faces=few_faces))
    assert compare_states(*states).restyled == {"fern": Appearance.TEMPLATE}


def test_texts_with_other_typography_share_one_line(difference: Difference) -> None:
    notes = format_notes(compose_notes(*make_history(), difference, "ru"))
    assert "Укус" in notes
    assert "вялая" not in notes
    assert "Quotation marks, dashes, spaces: tricks.bite.text" in format_text(
        difference
    )


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ('a "b"', "a “b”", True),
        ("3 - 4", "3 – 4", True),
        ("a...", "a…", True),
        ("a b", "a\u00a0b", True),
        ("10²", "102", False),
        ("a b", "ab", False),
        ("+1", "-1", False),
        ("a\nb", "a b", False),
        ("a", "a", False),
    ],
)
def test_typography_is_marks_and_spaces(old: str, new: str, same: bool) -> None:
    assert has_same_letters(old, new) == same


def test_a_text_with_a_new_name_is_not_called_a_name() -> None:
    old, new = (
        fox(
            name=name,
            tricks={"bite": {"name": "Укус", "text": f"{name} {{key:slow}}."}},
        )
        for name in ("Лис", "Барсук")
    )
    text = format_text(compare_states(state(old), state(new, label="2.0.0")))
    assert "wording: tricks.bite.text:" in text
    assert "name: tricks.bite.text" not in text


def test_operators_of_rules_are_words(difference: Difference) -> None:
    notes = format_notes(compose_notes(*make_history(), difference, "en"))
    assert "Condition: ~~Cost at least 3~~ → **Keywords contains Swift**" in notes
    assert "Maximum: ~~3~~ → **2**" in notes
    reader = NoteReader(make_history()[0], "en")
    other = {
        "cost": {"le": {"other": "speed"}},
        "any": [{"faction": "wood"}, {"cost": [1, 2]}],
    }
    assert reader.format_condition(cast("Any", other)) == (
        "Cost at most Speed of the other card; "
        "at least one of: Faction is Wood / Cost is one of: 1, 2"
    )


def test_the_parts_of_a_split_are_joined(difference: Difference) -> None:
    old, new = make_history()
    notes = compose_notes(old, new, difference, "en")
    assert "Split: Parted → Left, Right" in notes.summary
    assert not any(line.startswith("New: ") for line in notes.summary)
    assert {n.card: n.summary for n in notes.cards}[
        "left"
    ] == "New card, split from “Parted”."
    reasons = [str(risk.reason) for risk in find_risks(old, new, difference)]
    assert "the card is split: left, right" in reasons
    faces = cast("Any", SimpleNamespace(stacks={}))
    pairs = {card: card for card in new.cards if card in old.cards}
    rows = make_checklist(
        old, new, PrintChanges(faces, faces, pairs, {}, ()), "en", ["left"]
    )
    assert [(row.action, row.name, row.former) for row in rows] == [
        ("Add", "Left", "Parted"),
        ("Remove", "Parted", ""),
    ]
    assert rows[1].notes == ("Replaced by Left, Right.",)


DAYS = [date(2026, month, 15) for month in range(1, 13)]


@pytest.mark.parametrize("day", DAYS)
def test_badges_and_pages_show_the_same_state(day: date) -> None:
    mark = Withdrawal.model_validate(
        {
            "version": "1.1.0",
            "date": "2026-09-01",
            "reason": {"en": "Wrong."},
            "successor": "2.0.0",
        }
    )
    releases = [
        Release("1.0.0", date(2026, 2, 1), date(2026, 2, 1)),
        Release("1.1.0", date(2026, 4, 1), date(2026, 4, 1), "1.0.0", mark),
        Release("2.0.0", date(2026, 6, 1), date(2026, 6, 1), "1.1.0"),
        Release("1.1.1", date(2026, 8, 1), date(2026, 8, 1), "1.1.0"),
    ]
    badges = dict(_make_badges("Woods", releases, day, "en"))
    for release in releases:
        badge = json.loads(badges[f"v1/badges/{release.version}.json"])["message"]
        words = translate(describe_state(release, releases, day), "en")
        match find_state(release, releases, day):
            case ReleaseState.PLANNED:
                assert "planned for" in badge
                assert words in badge
            case ReleaseState.WITHDRAWN:
                assert "withdrawn" in badge
                assert words.startswith("withdrawn")
            case ReleaseState.CORRECTION:
                assert words in badge
            case ReleaseState.IN_FORCE:
                assert badge == release.version
                assert words.startswith("in force")
                is_marked = "to be withdrawn on 2026-09-01" in words
                assert is_marked == (release.withdrawal is not None)
            case ReleaseState.SUPERSEDED:
                assert (f"{release.version} → " in badge, words) == (True, "superseded")


def test_a_cost_that_changed_its_type_is_no_rise() -> None:
    change = compare_states(state(fox()), state(fox(cost="x"))).cards[0]
    assert isinstance(change, CardChange)
    assert change.cost_step == 0
