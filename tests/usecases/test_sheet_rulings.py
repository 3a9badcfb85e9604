"""Rulings on printed squad sheets: only if asked for, each once, with markup."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest

from builder.packs.project import Project
from tests.program import run
from tests.usecases.toy import toy_project

RULINGS = """rulings:
  - id: quill
    date: 2026-06-10
    cards: [heron-quill, reed-mother]
    question: {en: "Does the quill count twice?", de: "Zählt die Feder doppelt?"}
    answer: {en: "It counts {term:dimmed} moths.", de: "Nein."}
  - id: moth
    date: 2026-06-11
    cards: [dusk-moth]
    answer: {en: "A moth never sleeps.", de: "Eine Motte schläft nie."}
"""
NEW_ENTRY = """\
  - {revision: 2, released: 2026-07-01, type: rules, note: {en: Slower., de: Langsamer.}}
lumen: 1"""


@pytest.fixture
def project(tmp_path: Path) -> Project:
    project = Project(toy_project(tmp_path))
    folder = project.get_cards_dir("lanterns") / "rulings"
    folder.mkdir()
    (folder / "2026.yaml").write_text(RULINGS, encoding="utf-8")
    return project


def print_text(project: Project, *words: str) -> str:
    squad = "cards/lanterns/rosters/marsh-walk.yaml"
    out = project.root / "squad.pdf"
    process = run(
        project.root, "print", squad, "--lang", "en", "--output", str(out), *words
    )
    assert process.returncode == 0, process.stderr
    document = pypdfium2.PdfDocument(out)
    return " ".join(
        " ".join(page.get_textpage().get_text_range() for page in document).split()
    )


def test_a_sheet_has_rulings_only_if_asked_for(project: Project) -> None:
    assert "Ruling" not in print_text(project)
    text = print_text(project, "--rulings")
    assert text.count("Does the quill count twice?") == 1
    assert "It counts dimmed moths." in text
    sheet = run(
        project.root,
        *("build", "lanterns", "--roster", "cards/lanterns/rosters/marsh-walk.yaml"),
        *("--rulings", "--lang", "de", "--output", "out"),
    )
    assert sheet.returncode == 0, sheet.stderr
    (file,) = (project.root / "out").glob("*.pdf")
    pages = [
        page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(file)
    ]
    assert "Zählt die Feder doppelt?" in " ".join(" ".join(pages).split())


def test_a_ruling_to_be_reviewed_is_marked_and_other_cards_are_reported(
    project: Project,
) -> None:
    folder = project.get_cards_dir("lanterns")
    words = (
        "release",
        "new",
        "1.0.0",
        "--effective",
        "2026-06-12",
        "--pack",
        "lanterns",
    )
    made = run(project.root, *words)
    assert made.returncode == 0, made.stderr
    squad = folder / "rosters" / "marsh-walk.yaml"
    text = squad.read_text(encoding="utf-8")
    squad.write_text(f"{text}\nversion: 1.0.0\n", encoding="utf-8")
    (card,) = folder.glob("*/dusk-moth.yaml")
    moth = card.read_text(encoding="utf-8").replace("waft: 8", "waft: 7")
    moth = moth.replace("revision: 1\n", "revision: 2\n").replace("lumen: 1", NEW_ENTRY)
    card.write_text(moth, encoding="utf-8")
    file = project.root / "squad.pdf"
    out = ("--lang", "en", "--rulings", "--output", str(file))
    printed = run(project.root, "print", "cards/lanterns/rosters/marsh-walk.yaml", *out)
    assert printed.returncode == 0, printed.stderr
    assert "release/other-cards" in printed.stdout + printed.stderr
    pages = [
        page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(file)
    ]
    text = " ".join(" ".join(pages).split())
    assert "A moth never sleeps. To be reviewed: Dusk Moth changed since." in text


def test_rulings_need_a_squad_of_a_pack(project: Project) -> None:
    foreign = project.root / "list.json"
    foreign.write_text(
        '{"roster": {"name": "Army", "forces": [{"name": "Force", "selections": [{"name": "Moth",'
        ' "type": "unit"}]}]}}'
    )
    refused = run(project.root, "print", str(foreign), "--rulings")
    assert refused.returncode == 2
    assert "Leave out --rulings" in refused.stderr
