from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

from builder.errata.difference import compare_states
from builder.errata.impact import find_risks
from builder.errata.notes import Notes, compose_notes
from builder.errata.reader import NoteReader
from builder.errata.rows import NoteRow
from builder.errata.snapshot import Snapshot, Withdrawal
from builder.report.release import format_notes
from tests.errata.states import RULES, entry, fox, gone, state

VOCABULARY: dict[str, Any] = {
    "factions": {"wood": {"name": {"ru": "Лес", "en": "Wood"}}},
    "keywords": {
        "swift": {"name": {"ru": "Быстрый", "en": "Swift"}},
        "slow": {"name": {"ru": "Медленный", "en": "Slow"}},
    },
    "stats": {"speed": {"name": {"ru": "Скорость", "en": "Speed"}}},
}
KINDS = {
    "beast": {
        "name": {"ru": "Зверь", "en": "Beast"},
        "plural": {"ru": "Звери", "en": "Beasts"},
    }
}
NOTE = {"ru": "Был слишком быстр.", "en": "It was too fast."}


def english(text: str) -> dict[str, Any]:
    name = {"text": "Fox", "source": "00000000"}
    return {
        "en": {
            "fox": {
                "name": name,
                "tricks.bite.name": {"text": "Bite"},
                "tricks.bite.text": {"text": text},
            }
        }
    }


def told(old: Snapshot, new: Snapshot, lang: str = "en") -> Notes:
    manifest = {
        "id": "woods",
        "name": {"en": "Woods"},
        "languages": {"source": "ru", "translations": ["en"]},
    }
    one, other = (
        replace(s, vocabulary=VOCABULARY, manifest=manifest | {"kinds": KINDS})
        for s in (old, new)
    )
    return compose_notes(one, other, compare_states(one, other), lang)


def rewritten(label: str = "1.1.0") -> tuple[Snapshot, Snapshot]:
    text = "Бросьте {dice:d6}: на 5 цель {key:swift|Быстрая}."
    new = fox(
        cost=4, speed=3, revision=2, keywords=["slow"], history=[entry(1), entry(2, note=NOTE)],
        tricks={"bite": {"name": "Укус", "text": text}},
    )  # fmt: skip
    old = state(
        fox(), translations=english("Roll {dice:d6}: on 4 the target is {key:slow}.")
    )
    return old, state(
        new,
        label=label,
        translations=english("Roll {dice:d6}: on 5 the target is {key:swift}."),
    )


def test_notes_tell_old_and_new_in_words_of_their_language() -> None:
    (group,) = told(*rewritten()).groups
    assert (group.faction, group.kind) == ("Wood", "Beasts")
    (note,) = group.notes
    assert (note.name, note.revision, note.texts) == (
        "Fox",
        2,
        (("Balance", "It was too fast."),),
    )
    rows = {row.field: (row.old, row.new) for row in note.rows if row.old}
    assert [
        (row.joined, row.removed) for row in note.rows if row.field == "Keywords"
    ] == [(("Slow",), ("Swift",))]
    assert rows == {
        "Cost": ("3", "4"),
        "Speed": ("4", "3"),
        "Bite": (
            "Roll d6: on 4 the target is Slow.",
            "Roll d6: on 5 the target is Swift.",
        ),
    }


def test_the_source_language_shows_the_source_text() -> None:
    (note,) = told(*rewritten(), "ru").groups[0].notes
    rows = {row.field: (row.old, row.new) for row in note.rows}
    assert rows["Укус"] == (
        "Бросьте d6: на 4 цель Медленный.",
        "Бросьте d6: на 5 цель Быстрая.",
    )


def test_markdown_marks_changed_words() -> None:
    text = format_notes(told(*rewritten()))
    assert "Roll d6: on ~~4~~ **5** the target is ~~Slow.~~ **Swift.**" in text
    assert "- Keywords: Added: **Slow**; Removed: ~~Swift~~" in text
    assert "- *Balance.* It was too fast." in text


def test_a_change_in_another_language_only_is_left_out() -> None:
    old, new = (state(fox(), translations=english(text)) for text in ("a", "b"))
    assert told(old, new, "ru").groups == ()
    assert len(told(old, new, "en").groups) == 1


def test_what_came_and_went_is_reported() -> None:
    old = state(fox(), fox(id="wolf", name="Волк"), fox(id="hare", name="Заяц"))
    steps = (gone("wolf", "lynx"), gone("hare", "fox", kind="merge"))
    new = state(
        fox(), fox(id="lynx", name="Рысь"), fox(id="owl", name="Сова"), migrations=steps
    )
    summaries = {
        note.name: note.summary
        for group in told(old, new, "ru").groups
        for note in group.notes
    }
    assert summaries == {
        "Рысь": "Прежнее название: «Волк».",
        "Сова": "Новая карточка.",
        "Заяц": "Изъята; вместо неё — Лис.",
    }


def test_a_rule_that_is_only_worded_otherwise_has_not_changed() -> None:
    told_anew = {
        **RULES["rules"][0],
        "title": {"ru": "Цена"},
        "source": {"ru": "с. 3", "en": "p. 3"},
        "hint": {},
    }
    old, new = (
        state(fox()),
        state(fox(), rules={"rules": [told_anew, RULES["rules"][1]]}),
    )
    assert told(old, new).rules == ()
    assert find_risks(old, new, compare_states(old, new)) == ()
    stricter = state(
        fox(), rules={"rules": [{**told_anew, "max": 9}, RULES["rules"][1]]}
    )
    (rule,) = told(old, stricter).rules
    assert (rule.title, rule.source) == ("Цена", "p. 3")
    assert [
        risk.rule for risk in find_risks(old, stricter, compare_states(old, stricter))
    ] == ["points"]


def test_changed_rules_are_reported_by_title_and_source() -> None:
    title = {"ru": "Стоимость", "en": "Points"}
    rules = [
        {**RULES["rules"][0], "title": title, "source": "p. 3", "max": 9},
        RULES["rules"][1],
    ]
    (rule,) = told(state(fox()), state(fox(), rules={"rules": rules})).rules
    assert (rule.title, rule.source, rule.summary) == (
        "Points",
        "p. 3",
        "The rule changed.",
    )


def row(before: dict[str, Any], after: dict[str, Any]) -> tuple[NoteRow, ...]:
    """What the notes tell of one card, in the language it is written in."""
    old, new = state(fox(**before)), state(fox(**after))
    groups = told(old, new, "ru").groups
    return groups[0].notes[0].rows if groups else ()


SPIT, CLAW = (
    {"name": "Плевок", "text": "Сила 3."},
    {"name": "Коготь", "text": "Сила 2."},
)


def test_a_part_that_joins_or_leaves_is_reported_once() -> None:
    (told_row,) = row(
        {"tricks": {"spit": SPIT, "claw": CLAW}},
        {"tricks": {"claw": CLAW, "bite": {"name": "Укус", "ap": 2}}},
    )
    assert (told_row.field, told_row.joined, told_row.removed) == (
        "Tricks",
        ("Укус (ap 2)",),
        ("Плевок",),
    )


def test_a_part_that_went_to_another_field_has_moved() -> None:
    (moved,) = row(
        {"tricks": {"spit": SPIT, "claw": CLAW}, "feats": {"a": {"name": "А"}}},
        {"tricks": {"claw": CLAW}, "feats": {"a": {"name": "А"}, "spit": SPIT}},
    )
    assert (moved.is_moved, moved.field, moved.old, moved.new) == (
        True,
        "Плевок",
        "Tricks",
        "Feats",
    )


def test_the_parts_of_a_list_are_known_by_name_wherever_they_stand() -> None:
    old = {"tricks": [SPIT, CLAW]}
    told_rows = row(
        old,
        {
            "tricks": [
                {"name": "Рык", "text": "Тихо."},
                SPIT,
                {**CLAW, "text": "Сила 4."},
            ]
        },
    )
    assert {(one.field, one.old, one.new, one.joined) for one in told_rows} == {
        ("Tricks", "", "", ("Рык: Тихо.",)),
        ("Коготь", "Сила 2.", "Сила 4.", ()),
    }
    (moved,) = row(old, {"tricks": [CLAW, SPIT]})
    assert (moved.is_moved, moved.old, moved.new) == (True, "место 2", "место 1")


def test_paragraphs_are_kept_and_icons_stand_apart_from_digits() -> None:
    text = "Потратьте {icon:ammo}2 или ({icon:ammo}).\nИначе 3{icon:ammo}{icon:aim}."
    assert (
        NoteReader(state(fox()), "ru").format_text(text)
        == "Потратьте ammo 2 или (ammo).\nИначе 3 ammo aim."
    )


def test_the_summary_names_each_card_once_and_counts_what_is_gone_as_gone() -> None:
    names = [f"card-{number}" for number in range(12)]
    old = state(fox(), fox(id="wolf", name="Волк"), fox(id="hare", name="Заяц"))
    new = state(
        fox(cost=5, revision=2, history=[entry(1), entry(2)]), fox(id="hare", name="Заяц"),
        *(fox(id=name, name=name) for name in names), migrations=(gone("wolf", kind="delete"),),
    )  # fmt: skip
    made = told(old, new)
    assert len(made.summary) <= 10
    assert made.summary[0] == "12 new cards, 1 card changed, 1 card withdrawn"
    assert made.summary[1].endswith("card-3 and 4 more") or made.summary[1].endswith(
        "and 4 more"
    )
    assert made.summary[2:] == ("Withdrawn: Волк", "More expensive: Лис 3 → 5")
    assert [(row.name, row.old, row.new) for row in made.points if row.name in ("Лис", "Волк")] == [
        ("Волк", "3", "—"), ("Лис", "3", "5")]  # fmt: skip


def test_a_renamed_card_with_another_cost_is_found_by_its_old_name() -> None:
    new = fox(id="wolf", name="Волк", cost=5, revision=2, history=[entry(1), entry(2)])
    made = told(state(fox()), state(new, migrations=(gone("fox", "wolf"),)))
    assert made.summary[1] == "More expensive: Волк (formerly Лис) 3 → 5"


def test_parts_of_a_split_card_do_not_repeat_its_history() -> None:
    texts = [entry(1, "rules"), entry(2)]
    old = state(fox(revision=2, history=texts))
    parts = (
        fox(id=name, history=[entry(1, "rules"), *more])
        for name, more in (("hare", []), ("wolf", [entry(3)]))
    )
    made = told(old, state(*parts, migrations=(gone("fox", "hare", "wolf", kind="split"),)))  # fmt: skip
    notes = {note.card: [text for _label, text in note.texts] for note in made.cards}
    assert notes == {"fox": [], "hare": [], "wolf": ["Правка 3."]}


def test_a_correction_that_was_taken_back_changes_nothing() -> None:
    history = [entry(1), entry(2), entry(3)]
    made = told(state(fox()), state(fox(revision=3, history=history), label="1.2.0"))
    assert made.summary == ("no card changed", "New revision with the same values: Лис")
    (note,) = made.cards
    assert note.summary == "The same values as in 1.0.0."


def test_notes_of_one_faction_leave_the_others_out() -> None:
    old = state(fox(), fox(id="pike", faction="lake"))
    new = state(fox(cost=4), fox(id="pike", faction="lake", cost=4))
    made = compose_notes(old, new, compare_states(old, new), "ru", ("lake",))
    assert [note.card for note in made.cards] == ["pike"]


def in_languages(
    *languages: str,
    old_texts: dict[str, Any],
    new_texts: dict[str, Any],
    card: dict[str, Any],
    source: str = "ru",
) -> Notes:
    """Notes in English from a pack in Russian and English to one in these languages."""
    manifests = [
        {
            "id": "woods",
            "name": {"en": "Woods"},
            "kinds": KINDS,
            "languages": {"source": first, "translations": more},
        }
        for first, more in (("ru", ["en"]), (source, list(languages)))
    ]
    old = state(
        fox(), translations=old_texts, vocabulary=VOCABULARY, manifest=manifests[0]
    )
    new = state(
        card,
        translations=new_texts,
        vocabulary=VOCABULARY,
        manifest=manifests[1],
        label="2.0.0",
    )
    return compose_notes(old, new, compare_states(old, new), "en")


def said(made: Notes) -> str:
    return format_notes(made)


def test_notes_of_a_dropped_language_say_so_and_compare_no_two_languages() -> None:
    old_texts = english("Roll {dice:d6}: on 4 the target is {key:slow}.")
    made = in_languages(old_texts=old_texts, new_texts={}, card=fox())
    assert (made.summary, made.cards) == (("the language English was removed",), ())
    assert "the language English was removed" in said(made)
    made = in_languages(old_texts=old_texts, new_texts={}, card=fox(cost=4))
    assert made.summary == (
        "the language English was removed",
        "1 card changed",
        "More expensive: Лис 3 → 4",
    )
    (note,) = made.cards
    assert (note.name, [(row.field, row.old, row.new) for row in note.rows]) == (
        "Лис",
        [("Cost", "3", "4")],
    )


def test_a_text_without_translation_on_one_side_is_read_in_the_source_language_on_both() -> (
    None
):
    old_texts, new_texts = english("Roll {dice:d6}."), english("")
    del new_texts["en"]["fox"]["tricks.bite.text"], new_texts["en"]["fox"]["name"]
    (note,) = in_languages(
        "en", old_texts=old_texts, new_texts=new_texts, card=fox()
    ).cards
    assert [(row.field, row.old, row.new) for row in note.rows] == [
        ("Translation", "", "no longer translated")
    ]
    text = "Бросьте {dice:d6}: на 5 цель {key:slow}."
    changed = fox(name="Лиса", tricks={"bite": {"name": "Укус", "text": text}})
    made = in_languages("en", old_texts=old_texts, new_texts=new_texts, card=changed)
    rows = {row.field: (row.old, row.new) for row in made.cards[0].rows}
    assert rows["Name"] == ("Лис", "Лиса")
    assert rows["Bite"] == (
        "Бросьте d6: на 4 цель Slow.",
        "Бросьте d6: на 5 цель Slow.",
    )
    in_list = {"tricks": [{"name": "Плевок", "text": "Сила 3."}]}
    english_list = {
        "en": {
            "fox": {
                "tricks.0.name": {"text": "Spit"},
                "tricks.0.text": {"text": "Strength 3."},
            }
        }
    }
    both = state(
        fox(**in_list),
        translations=english_list,
        texts={"fox": ("tricks.0.name", "tricks.0.text")},
    )
    followed = {
        "en": {
            "fox": {
                "tricks.1.name": {"text": "Spit"},
                "tricks.1.text": {"text": "Strength 3."},
            }
        }
    }
    moved = {"tricks": [{"name": "Рык", "text": "Тихо."}, *in_list["tricks"]]}
    paths = ("tricks.0.name", "tricks.0.text", "tricks.1.name", "tricks.1.text")
    (note,) = told(
        both, state(fox(**moved), texts={"fox": paths}, translations=followed)
    ).cards
    assert [
        (row.joined, row.removed) for row in note.rows if row.field != "Translation"
    ] == [(("Рык: Тихо.",), ())]


def test_no_text_is_compared_where_the_states_share_no_language() -> None:
    english_fox = fox(
        name="Fox", cost=4, tricks={"bite": {"name": "Bite", "text": "Roll."}}
    )
    made = in_languages(source="de", old_texts={}, new_texts={}, card=english_fox)
    assert [(row.field, row.old, row.new) for row in made.cards[0].rows] == [
        ("Cost", "3", "4")
    ]
    assert made.summary[:3] == (
        "the source language is now German; it was Russian", "the language German was added",
        "the language Russian was removed",
    )  # fmt: skip


def test_the_reason_of_a_withdrawal_is_a_sentence_of_its_own() -> None:
    for reason, sentence in (
        ("wrong cost", "wrong cost."),
        ("Wrong cost.", "Wrong cost."),
        ("Why?", "Why?"),
    ):
        mark = Withdrawal(
            version="1.1.0",
            date=date(2026, 4, 1),
            reason={"en": reason},
            successor="1.2.0",
        )
        made = told(state(fox()), state(fox(), label="1.1.0", withdrawal=mark))
        assert (
            made.withdrawn == f"Withdrawn on 2026-04-01: {sentence} Use 1.2.0 instead."
        )
