from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from builder.checks.registry import judge_pack
from builder.errata.translations import Standing
from builder.errors import InputUnreadable, UsageError
from builder.report.translations import as_text, template
from builder.store.packs import load_pack
from builder.store.project import Project
from builder.usecases.files import PackFiles, read_form
from builder.usecases.release.new import make_release
from builder.usecases.release.translate import coverages, take
from tests.usecases.toy import edit, run, toy_project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A released pack in which one text changed since, one is new and one was copied."""
    project = Project(toy_project(tmp_path))
    assert make_release(PackFiles(project), "lanterns", "1.0.0", date(2026, 4, 1), date(2026, 4, 1)).frozen
    spirits = project.cards_dir("lanterns") / "spirit"
    german = project.cards_dir("lanterns") / "i18n" / "de" / "spirit"
    edit(spirits / "old-wick.yaml", "*Once a game:* move {dist:2.5}.", "*Once a game:* move {dist:3}.")
    edit(spirits / "dusk-moth.yaml", "tricks: {}", "tricks: {dive: {name: Dive, text: 'Move {dist:1}.'}}")
    lines = (german / "reed-mother.yaml").read_text(encoding="utf-8").splitlines(keepends=True)
    index = next(index for index, line in enumerate(lines) if line.lstrip().startswith("name:"))
    before, _, after = lines[index].partition("text: ")
    lines[index] = f"{before}text: Reed Mother,{after.partition(',')[2]}"
    (german / "reed-mother.yaml").write_text("".join(lines), encoding="utf-8")
    return project


def test_each_string_stands_somewhere(project: Project) -> None:
    (german,) = coverages(PackFiles(project), "lanterns")
    found = {(item.card, item.path): item.standing for item in german.open}
    assert found == {
        ("dusk-moth", "tricks.dive.name"): Standing.MISSING,
        ("dusk-moth", "tricks.dive.text"): Standing.MISSING,
        ("old-wick", "tricks.lead.text"): Standing.STALE,
        ("reed-mother", "name"): Standing.IDENTICAL,
    }
    stale = next(item for item in german.open if item.standing is Standing.STALE)
    assert stale.before == "*Once a game:* move {dist:2.5}."
    assert "1 stale" in as_text("lanterns", [german], "en")


def test_what_the_translator_fills_is_taken_in(project: Project, tmp_path: Path) -> None:
    (german,) = coverages(PackFiles(project), "lanterns")
    form = tmp_path / "de.yaml"
    filled = template("lanterns", german, "en")
    for value in ("Sturz", "Bewegung {dist:1}: 'kurz', \\\"genau\\\".", "*Einmal je Spiel:* Bewegung {dist:3}."):
        filled = filled.replace('text: ""', f'text: "{value}"', 1)
    form.write_text(filled.replace('text: ""', "same: true", 1), encoding="utf-8")
    old_wick = project.cards_dir("lanterns") / "i18n" / "de" / "spirit" / "old-wick.yaml"
    before = old_wick.read_text(encoding="utf-8").splitlines()
    assert sum(count for _, count in take(PackFiles(project), "lanterns", read_form(form), "de.yaml")) == 4
    (german,) = coverages(PackFiles(project), "lanterns")
    assert german.open == ()
    after = old_wick.read_text(encoding="utf-8").splitlines()
    assert [line for line in before if "lead.text" not in line and line in after] == [
        line for line in before if line in after
    ]
    codes = {finding.code for finding in judge_pack(load_pack(project, "lanterns"))}
    assert codes & {"i18n/missing", "i18n/stale", "i18n/identical", "yaml/syntax"} == set()


@pytest.mark.slow
def test_a_form_nobody_filled_says_so(project: Project, tmp_path: Path) -> None:
    (german,) = coverages(PackFiles(project), "lanterns")
    (tmp_path / "de.yaml").write_text(template("lanterns", german, "en"), encoding="utf-8")
    done = run(project.root, "translations", "--take", str(tmp_path / "de.yaml"))
    assert (done.returncode, "no text is filled in" in done.stdout) == (0, True)


def test_a_file_that_is_no_form_is_refused(project: Project, tmp_path: Path) -> None:
    with pytest.raises(InputUnreadable):
        read_form(tmp_path / "none.yaml")
    (tmp_path / "fr.yaml").write_text("lang: fr\nstrings: []\n")
    with pytest.raises(UsageError, match="fr"):
        take(PackFiles(project), "lanterns", read_form(tmp_path / "fr.yaml"), "fr.yaml")
    (tmp_path / "de.yaml").write_text("lang: de\nstrings: [{card: old-wick, path: tricks.none.text, text: x}]\n")
    with pytest.raises(UsageError, match=r"tricks\.none\.text"):
        take(PackFiles(project), "lanterns", read_form(tmp_path / "de.yaml"), "de.yaml")
