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
    process = run(project.root, "print", squad, "--lang", "en", "--output", str(out), *words)
    assert process.returncode == 0, process.stderr
    document = pypdfium2.PdfDocument(out)
    return " ".join(" ".join(page.get_textpage().get_text_range() for page in document).split())


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
    pages = [page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(file)]
    assert "Zählt die Feder doppelt?" in " ".join(" ".join(pages).split())


def test_rulings_need_a_squad_of_a_pack(project: Project) -> None:
    foreign = project.root / "list.json"
    foreign.write_text(
        '{"roster": {"name": "Army", "forces": [{"name": "Force", "selections": [{"name": "Moth",'
        ' "type": "unit"}]}]}}'
    )
    refused = run(project.root, "print", str(foreign), "--rulings")
    assert refused.returncode == 2
    assert "Leave out --rulings" in refused.stderr
