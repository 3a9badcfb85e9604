"""Rulings: outside of releases, by card and rule, in each language, marked when a card changed."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from builder.packs.loading import load_pack
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.usecases.check_pack import check_packs
from builder.usecases.release.new import ReleaseRequest, make_release
from builder.usecases.release.publish import publish_releases
from builder.usecases.release.rulings import open_rulings
from tests.program import run
from tests.usecases.toy import bump, edit, toy_project

RULINGS = """\
rulings:
  - id: moth-and-flute
    date: 2026-05-02
    cards: [dusk-moth, willow-flute]
    rules: [embers]
    question: {en: "May a flute move two moths?", de: "Bewegt eine Flöte zwei Motten?"}
    answer: {en: "No, one {key:mothling}.", de: Nein.}
    source: https://forum.example.org/12
  - {id: no-stumps, date: 2026-05-03, cards: [two-stumps], answer: {en: Ignore it., de: Egal.}}
commentary:
  - {release: 1.1.0, author: Ada, text: {en: A calm release., de: Ruhig.}}
  - {release: 1.1.0, card: dusk-moth, author: Ada, text: {en: It was too cheap., de: Zu billig.}}
"""
FIRST, SECOND = date(2026, 4, 1), date(2026, 6, 1)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """The pack with rulings. Then it is released, and a card with a ruling changes."""
    project = Project(toy_project(tmp_path))
    packs = PackFiles(project)
    release_result = make_release(
        packs, "lanterns", ReleaseRequest("1.0.0", FIRST, FIRST)
    )
    assert release_result.frozen, release_result.findings
    write_rulings(project, RULINGS)
    return project


def write_rulings(project: Project, text: str) -> None:
    folder = project.get_cards_dir("lanterns") / "rulings"
    folder.mkdir(exist_ok=True)
    (folder / "2026.yaml").write_text(text, encoding="utf-8")


def change_moth(project: Project) -> None:
    edit(
        project.get_cards_dir("lanterns") / "spirit" / "dusk-moth.yaml",
        "cost: 1",
        "cost: 2",
    )
    bump(project, "dusk-moth", {"en": "Costs 2.", "de": "Kostet 2."}, SECOND)


def list_codes(project: Project) -> list[str]:
    findings = check_packs(project, "lanterns")
    files = [(finding.code, finding.location.file or "") for finding in findings]
    return sorted(code for code, file in files if "rulings" in file)


def test_rulings_change_no_release(project: Project) -> None:
    assert list_codes(project) == []
    release_result = make_release(
        PackFiles(project), "lanterns", ReleaseRequest("1.0.1", SECOND, SECOND)
    )
    assert (
        "release/nothing-changed"
        in {finding.code for finding in release_result.findings}
        or not release_result.frozen
    )
    files = {
        path.name
        for path in (project.root / "cards/lanterns/releases/1.0.0").rglob("*")
    }
    assert not any("ruling" in name for name in files)


def test_a_ruling_on_a_card_that_changed_later_is_marked(project: Project) -> None:
    change_moth(project)
    assert list_codes(project) == ["rulings/review"]
    reader = open_rulings(PackFiles(project), "lanterns", "en")[0]
    assert [entry.changed_names for entry in reader.list_for_card("dusk-moth")] == [
        ("Dusk Moth",)
    ]
    write_rulings(project, RULINGS.replace("02\n", "02\n    reviewed: 2026-06-02\n", 1))
    assert list_codes(project) == []


def test_a_ruling_on_a_rule_that_changed_later_is_marked(project: Project) -> None:
    edit(
        project.get_cards_dir("lanterns") / "rules.yaml",
        "max: {param: embers}",
        "max: 30",
    )
    reader = open_rulings(PackFiles(project), "lanterns", "de")[0]
    changed = {entry.id: entry.changed_names for entry in reader.list_entries()}
    assert changed == {"moth-and-flute": ("Glutstücke",), "no-stumps": ()}


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("[two-stumps]", "[three-stumps]", "cards/unknown-card"),
        ("rules: [embers]", "rules: [ember]", "pack/unknown-name"),
        ("id: no-stumps", "id: moth-and-flute", "rulings/repeated-id"),
        (", de: Egal.", "", "i18n/missing-word"),
        ("de: Egal.", "de: ''", "i18n/missing-word"),
        ("cards: [two-stumps], ", "", "schema/model"),
        ("date: 2026-05-03", "date: soon", "schema/date"),
        ("{key:mothling}", "{key:mothlin}", "cards/unknown-keyword"),
        ("release: 1.1.0, author", "release: 9.9.9, author", "pack/unknown-name"),
        ("card: dusk-moth", "card: dust-moth", "cards/unknown-card"),
        ("{en: A calm release., de: Ruhig.}", "{de: Ruhig.}", "i18n/missing-word"),
        ("A calm release.", "'A {key:mothling'", "text/unbalanced"),
    ],
)
def test_mistakes_are_reported_with_their_place(
    project: Project, old: str, new: str, code: str
) -> None:
    write_rulings(project, RULINGS.replace(old, new))
    assert {*list_codes(project)} == {code}


def test_the_faq_lists_answers_by_card_and_by_rule(project: Project) -> None:
    change_moth(project)
    text = run(project.root, "release", "faq", "--lang", "en").stdout
    assert text.startswith(
        "# Lanterns of Lowmarsh: questions and answers\n\n## By card\n"
    )
    by_card, _title, by_rule = text.partition("## By rule")
    assert [line for line in by_card.splitlines() if line.startswith("### ")] == [
        "### Dusk Moth",
        "### Two Stumps",
        "### Willow Flute",
    ]
    # The answer is printed once; the other subjects refer to it.
    assert text.count("No, one Mothling.") == 1
    assert (
        "See the answer of 2026-05-02 about Dusk Moth, Willow Flute, Embers." in by_rule
    )
    assert "To be reviewed: Dusk Moth changed since." in text
    german = run(project.root, "release", "faq", "--lang", "de").stdout
    assert "Bewegt eine Flöte zwei Motten?" in german


def test_the_faq_is_written_as_page_and_pdf(project: Project, tmp_path: Path) -> None:
    output = tmp_path / "faq"
    process = run(
        project.root,
        "release",
        "faq",
        "--output",
        str(output),
        "--html",
        "--pdf",
        "--lang",
        "en",
    )
    assert process.returncode == 0, process.stderr
    page = (output / "lanterns-faq-en.html").read_text("utf-8")
    assert 'id="moth-and-flute"' in page
    assert (output / "lanterns-faq-en.pdf").read_bytes().startswith(b"%PDF")


def test_a_pack_without_rulings_says_where_to_write_them(tmp_path: Path) -> None:
    process = run(toy_project(tmp_path), "release", "faq")
    assert (process.returncode, process.stdout) == (2, "")
    assert "cards/lanterns/rulings/" in process.stderr


def test_notes_contain_the_rulings_since_the_release_and_commentary(
    project: Project,
) -> None:
    change_moth(project)
    release_result = make_release(
        PackFiles(project), "lanterns", ReleaseRequest("1.1.0", SECOND, SECOND)
    )
    assert release_result.frozen, release_result.findings
    notes = run(
        project.root, "release", "notes", "1.0.0", "1.1.0", "--lang", "en"
    ).stdout
    assert "> A calm release. (Ada)" in notes
    assert "- > It was too cheap. (Ada)" in notes
    assert "## Questions and answers\n\nIgnore it.\n" in notes
    files, findings = publish_releases(
        PackFiles(project).open_releases("lanterns"), "lanterns"
    )
    assert not findings
    data = json.loads(files["v1/rulings.json"])["rulings"]
    assert [(entry["id"], entry["changedSince"]) for entry in data] == [
        ("moth-and-flute", ["Dusk Moth"]),
        ("no-stumps", []),
    ]
    assert b"Bewegt eine" in files["v1/faq/de.md"]


def test_the_faq_shows_an_answer_that_is_empty_in_the_language_in_another(
    project: Project,
) -> None:
    write_rulings(project, RULINGS.replace("en: Ignore it.", "en: ''"))
    text = run(project.root, "release", "faq", "--lang", "en").stdout
    assert "### Two Stumps\n\nEgal.\n" in text


def test_notes_fail_with_a_damaged_ruling_file(project: Project) -> None:
    write_rulings(project, RULINGS.replace("date: 2026-05-03", "date: soon"))
    process = run(project.root, "release", "notes", "1.0.0", "--lang", "en")
    assert (process.returncode, process.stdout) == (1, "")
    assert "schema/date" in process.stderr


def test_a_ruling_follows_a_renamed_card(project: Project) -> None:
    reader = open_rulings(PackFiles(project), "lanterns", "en")[0]
    assert [entry.id for entry in reader.list_for_card("willow-flute")] == [
        "moth-and-flute"
    ]
    folder = project.get_cards_dir("lanterns")
    (folder / "migrations.yaml").write_text(
        "migrations:\n  - {old: old-stumps, new: two-stumps, type: rename, date: 2026-06-01}\n"
    )
    write_rulings(project, RULINGS.replace("[two-stumps]", "[old-stumps]"))
    reader = open_rulings(PackFiles(project), "lanterns", "en")[0]
    assert [entry.cards for entry in reader.list_for_card("two-stumps")] == [
        (("two-stumps", "Two Stumps"),)
    ]
    assert list_codes(project) == []


def test_a_kind_from_before_that_is_called_rulings_keeps_its_cards(
    tmp_path: Path,
) -> None:
    project = Project(toy_project(tmp_path))
    cards = project.get_cards_dir("lanterns")
    (cards / "spirit").rename(cards / "rulings")
    for path in (cards / "rulings").glob("*.yaml"):
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace("kind: spirit", "kind: rulings"), encoding="utf-8")
    schemas = project.root / "schemas" / "lanterns"
    (schemas / "spirit.schema.json").rename(schemas / "rulings.schema.json")
    manifest = cards / "pack.yaml"
    text = manifest.read_text(encoding="utf-8")
    manifest.write_text(text.replace("\n  spirit:", "\n  rulings:"), encoding="utf-8")
    loaded = load_pack(project, "lanterns")
    assert "dusk-moth" in loaded.whole.cards
    assert open_rulings(PackFiles(project), "lanterns")[0].rulings.rulings == ()
