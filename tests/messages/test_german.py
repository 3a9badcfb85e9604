"""German is one more catalogue and nothing else.

What a player, a publisher and a maintainer read in it.
"""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from builder.cli.main import main
from builder.errata.notes import Notes
from builder.messages import translate
from builder.model.shop import format_size
from builder.render.html.templates import TemplateSet
from builder.report.findings import format_finding
from builder.report.release import format_notes
from builder.usecases.explain_code import find_code
from tests.cli.every_pack import ROOT

LEGAL = "cards/hydrophilia/rosters/legal-davis-cordon.yaml"


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):  # type: ignore[no-untyped-def]
    def call(*words: str, lang: str = "de") -> str:
        monkeypatch.chdir(ROOT)
        monkeypatch.setenv("LANGUAGE", "")
        monkeypatch.setattr(
            "sys.argv", ["squadpress", "--interface-lang", lang, *words]
        )
        with pytest.raises(SystemExit):
            main()
        told = capsys.readouterr()
        return told.out + told.err

    return call


def test_help_speaks_the_language_down_to_what_click_says(run) -> None:  # type: ignore[no-untyped-def]
    german, russian = run("--help"), run("--help", lang="ru")
    assert "Aufruf: " in german
    assert "Befehle:" in german
    assert "Ein Spiel beurteilen: Daten, Verweise, Texte, Übersetzungen." in " ".join(
        german.split()
    )
    assert "Команды" in russian
    assert "Проверить игру: данные, ссылки, тексты, переводы." in " ".join(
        russian.split()
    )
    assert "Kader FILE nach den Regeln seines Spiels" in " ".join(
        run("roster", "check", "--help").split()
    )
    assert "Die Option '--frmat' gibt es nicht." in run("check", "--frmat")


def test_a_code_is_explained(run) -> None:  # type: ignore[no-untyped-def]
    told = run("explain", "yaml/tab")
    assert told.startswith(
        "yaml/tab (Fehler)\n  Eine Zeile ist mit einem Tabulator eingerückt.\n"
    )
    assert "Warum das wichtig ist" in told


def test_squads_are_checked_and_their_rules_reported(run) -> None:  # type: ignore[no-untyped-def]
    assert run("roster", "check", LEGAL).startswith(f"regelkonform {LEGAL}  ")
    assert "Modelle mit dem Schlüsselwort Leader: höchstens 1." in run(
        "roster", "rules", "hydrophilia"
    )


def test_the_place_in_the_rulebook_is_reported_in_the_language_of_the_cards(
    run,
) -> None:  # type: ignore[no-untyped-def]
    for lang, place in (
        ("en", "8. How to build a roster"),
        ("ru", "8. Как составить ростер"),
    ):
        told = run("roster", "rules", "zod", "--lang", lang)
        assert place in told
        assert (re.search("[а-яё]", told) is None) == (lang == "en")
    broken = run(
        "roster",
        "check",
        "cards/zod/rosters/one-ace-twice.yaml",
        "--lang",
        "en",
        lang="en",
    )
    assert "8. How to build a roster" in broken


def test_releases_and_readings_are_reported(run) -> None:  # type: ignore[no-untyped-def]
    assert "hydrophilia: 1.0.0 -> Arbeitsstand, " in run(
        "release", "diff", "1.0.0", "--pack", "hydrophilia"
    )
    told = run("release", "impact", "1.0.0", "2.0.0", "--pack", "hydrophilia")
    assert "Kosten: 2 -> 3\n1 Weg, " in told
    assert "Was sich in 2.0.0 änderte" in run(
        "release", "notes", "1.0.0", "2.0.0", "--pack", "hydrophilia"
    )
    assert "'0.5' sind nicht zwei Zahlen" in run(
        "printer", "set", "kitchen", "--left", "0.5", "--right", "0,0"
    )
    told = run(
        "card",
        "bump",
        "hunter",
        "--type",
        "art",
        "--note",
        "x",
        "--released",
        "2026-13-01",
    )
    assert "'2026-13-01' ist kein Tag wie 2026-01-31 (YYYY-MM-DD)" in told


def test_findings_have_german_words_and_measures() -> None:
    found = find_code("yaml/tab").finding("x")
    assert format_finding(found, "de").startswith(
        "Fehler yaml/tab: x\n    Den Tabulator durch Leerzeichen ersetzen"
    )
    assert translate(format_size((63.5, 88.9)), "de") == "63,5 × 88,9"


def test_release_notes_and_shared_pages_speak_it(tmp_path: Path) -> None:
    notes = Notes("de", "Laternen", "1.0.0", "1.1.0", None, None, (), ())
    assert format_notes(notes).startswith("# Laternen: Was sich in 1.1.0 änderte")
    templates = TemplateSet(tmp_path, ROOT / "templates" / "base")
    templates.use(SimpleNamespace(lang="de"))  # type: ignore[arg-type]
    order: dict[str, object] = {
        "title": "Laternen",
        "shop": "X",
        "colour": "RGB",
        "files": (),
        "remarks": (),
    }
    order["release"] = ""
    order["totals"] = dict.fromkeys(
        ("cards", "different_cards", "different_backs", "pages"), 1
    )
    order["cards"] = (
        {"copies": 1, "name": "A", "lang": "de", "size": "poker", "backs": ()},
    )
    page = templates.render("base/order.html.j2", {"order": order, "lang": "de"})
    assert "Auftrag: X · die Karten, wie sie jetzt sind · Farbe: RGB" in page
    assert "<td>keine</td>" in page
