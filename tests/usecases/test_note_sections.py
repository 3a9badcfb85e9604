"""Release notes as publishers print them: short, sorted by what changed, and linkable."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

from builder.errata.difference import compare_states
from builder.errata.note_sections import arrange_notes
from builder.errata.notes import Notes, compose_notes
from builder.errata.snapshot import Snapshot
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.render.renderer import Renderer
from builder.report.chat import MAX_CHAT_CHARACTERS, format_chat
from builder.report.release import format_notes
from builder.usecases.build.build_options import get_render_folders
from builder.usecases.build.engine_choice import fix_engine
from builder.usecases.pack_states import read_working_state
from builder.usecases.release.notes import _print_compact_notes
from tests.errata.states import entry, fox, gone, state
from tests.errata.test_notes import told
from tests.usecases.toy import toy_project

OLD_TEXT = "Place one moth within {dist:3} of this spirit. It is dimmed until the end of the turn."
NEW_TEXT = (
    "Place one moth within {dist:4} of this spirit. It is dimmed until your next turn."
)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(toy_project(tmp_path))


def make_card(base: Snapshot, number: int, revision: int) -> dict[str, Any]:
    """Return a card: of 10 revised ones 6 cost more, 5 have other stats and 4 another text."""
    changed = revision > 1
    note = {
        "en": f"Number {number} was too strong in tournaments of this autumn.",
        "de": "Stark.",
    }
    history = [entry(1, "rules", note={"en": "First.", "de": "Erste."})]
    if changed:
        history.append(entry(2, "balance", "2026-06-01", note=note))
    card = dict(base.cards["reed-mother"])
    name = f"Moth of the {number}th Lantern"
    card |= {
        "id": f"moth-{number}",
        "name": name,
        "revision": revision,
        "history": history,
    }
    card["cost"] = 5 if changed and number % 10 < 6 else 4
    card["lumen"] = 9 if changed and number % 10 > 4 else 3
    text = NEW_TEXT if changed and number % 10 > 5 else OLD_TEXT
    card["tricks"] = {"glow": {"name": f"Glow {number}", "text": text}}
    return card


def make_many_notes(project: Project, count: int) -> Notes:
    base = read_working_state(PackFiles(project), "lanterns")[0]
    paths = ("name", "tricks.glow.name", "tricks.glow.text")
    states = []
    for revision, label in ((1, "1.0.0"), (2, "1.1.0")):
        cards = {
            f"moth-{number}": make_card(base, number, revision)
            for number in range(count)
        }
        texts = dict.fromkeys(cards, paths)
        marked_fields = dict.fromkeys(cards, frozenset({"tricks.glow.text"}))
        states.append(
            replace(base, label=label, cards=cards, texts=texts, rich=marked_fields)
        )
    return compose_notes(states[0], states[1], compare_states(*states), "en")


def test_343_cards_are_printed_on_at_most_10_pages(project: Project) -> None:
    notes = make_many_notes(project, 343)
    assert len(notes.cards) == 343
    places = get_render_folders(project, "lanterns")
    pack = PackFiles(project).load_pack("lanterns").whole
    renderer = Renderer(fix_engine(places, pack), places, workers=1)
    files, findings = _print_compact_notes(renderer, [notes], ("pdf", "html"))
    assert not findings
    document = pypdfium2.PdfDocument(files["lanterns-1.1.0-notes-en.pdf"])
    assert 2 <= len(document) <= 10
    text = "".join(page.get_textpage().get_text_bounded() for page in document)
    assert "Moth of the 342th Lantern" in text
    assert 'id="card-moth-7"' in files["lanterns-1.1.0-notes-en.html"].decode()


def test_each_change_is_in_one_section(project: Project) -> None:
    sections = arrange_notes(make_many_notes(project, 20))
    ((faction, costs),) = sections.costs
    assert (faction, len(costs)) == ("Moorland", 12)
    assert {(row.old, row.new) for row in costs} == {("4", "5")}
    ((_kind, values),) = sections.values
    assert len(values) == 10
    assert {row.field for line in values for row in line.rows} == {"Lumen"}
    assert len(sections.texts) == 8
    assert len(sections.reasons) == 20


def test_identical_notes_are_printed_once() -> None:
    note = {"ru": "Одно и то же.", "en": "All the same."}
    cards = [fox(id=f"fox-{number}", name=f"Fox {number}") for number in range(3)]
    revised = [
        {**card, "cost": 5, "revision": 2, "history": [entry(2, note=note)]}
        for card in cards
    ]
    notes = told(state(*cards), state(*revised, label="1.1.0"), "ru")
    text = format_notes(notes)
    assert text.count("Одно и то же.") == 1
    assert "**Fox 0, Fox 1, Fox 2** (" in text
    (reason,) = arrange_notes(notes).reasons
    assert reason.names == ("Fox 0", "Fox 1", "Fox 2")


def test_cards_of_the_same_name_are_distinguished() -> None:
    twins = [fox(id="fox"), fox(id="other-fox"), fox(id="plant-fox", kind="plant")]
    revised = [
        {**card, "cost": 5, "revision": 2, "history": [entry(2)]} for card in twins
    ]
    names = [note.name for note in told(state(*twins), state(*revised), "ru").cards]
    assert sorted(names) == ["Лис (fox)", "Лис (other-fox)", "Лис (plant)"]


def test_a_chat_message_has_rules_and_costs_first_and_a_limit(project: Project) -> None:
    text = format_chat(make_many_notes(project, 343))
    assert len(text) <= MAX_CHAT_CHARACTERS + 1
    lines = text.splitlines()
    assert lines[0] == "Lanterns of Lowmarsh: what changed in 1.1.0"
    assert lines[-1].startswith("... and ")
    short = format_chat(make_many_notes(project, 3))
    assert "Moorland: Moth of the 0th Lantern 4 → 5" in short
    assert "more line" not in short
    assert "**" not in short
    assert len(format_chat(make_many_notes(project, 3), 120)) <= 121


def test_a_chat_message_tells_a_rename_once_and_what_looks_different() -> None:
    note = {"ru": "Новая рамка.", "en": "A new frame."}
    art = fox(
        id="owl",
        name="Сова",
        art="b.png",
        revision=2,
        history=[entry(2, "art", note=note)],
    )
    old = state(fox(), {**art, "art": "a.png", "revision": 1, "history": [entry(1)]})
    renamed = fox(id="wolf", name="Волк", revision=2, history=[entry(2, "wording")])
    notes = told(old, state(renamed, art, migrations=(gone("fox", "wolf"),)), "ru")
    notes = replace(notes, restyled=("Растения: все 4 карты",))
    lines = format_chat(notes).splitlines()
    assert [line for line in lines if "Лис" in line] == [
        "Волк: Прежнее название: «Лис»."
    ]
    assert "Сова: Новая рамка." in lines
    assert lines[-1].endswith(": Растения: все 4 карты")


def test_rules_come_before_cards() -> None:
    rules = {
        "rules": [{"id": "points", "type": "limit", "max": 9, "title": {"en": "Limit"}}]
    }
    text = format_notes(told(state(fox()), state(fox(cost=9), rules=rules), "en"))
    assert text.index("## Points") < text.index("## Rules") < text.index("## Wood")
