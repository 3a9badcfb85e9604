"""Cards that are the same card in another product: an erratum to one asks for the others."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from builder.errata.difference import compare_states
from builder.errata.notes import compose_notes
from builder.errata.reprints import find_missed_errata, group_reprints
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.report.release import format_notes
from builder.usecases.check_pack import check_packs
from builder.usecases.pack_states import load_two_states
from builder.usecases.release.new import ReleaseRequest, make_release
from tests.program import run
from tests.usecases.toy import edit, toy_project

FIRST = date(2026, 4, 1)
NOTES = ("--note", "Dearer.", "--note", "de=Teurer.")


def add_reprint(project: Project, card: str, reprint: str) -> Path:
    """Copy a spirit with its translation to another id."""
    folder = project.get_cards_dir("lanterns")
    for place in (folder / "spirit", folder / "i18n" / "de" / "spirit"):
        text = (place / f"{card}.yaml").read_text("utf-8")
        if place.parent == folder:
            text += f"reprint_of: {card}\n"
        (place / f"{reprint}.yaml").write_text(
            text.replace(f"id: {card}", f"id: {reprint}")
        )
    return folder / "spirit" / f"{reprint}.yaml"


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """The pack released once, with two more prints of a card."""
    project = Project(toy_project(tmp_path))
    for reprint in ("old-wick-promo", "old-wick-two"):
        add_reprint(project, "old-wick", reprint)
    release_result = make_release(
        PackFiles(project), "lanterns", ReleaseRequest("1.0.0", FIRST, FIRST)
    )
    assert release_result.frozen, release_result.findings
    return project


def find_card(project: Project, card: str) -> Path:
    return project.get_cards_dir("lanterns") / "spirit" / f"{card}.yaml"


def bump(project: Project, *arguments: str) -> str:
    dated = ("--type", "balance", *NOTES, "--released", "2026-05-01")
    process = run(project.root, "card", "bump", *arguments, *dated)
    assert process.returncode == 0, process.stderr
    return process.stdout + process.stderr


def list_outdated(project: Project) -> list[tuple[str, str]]:
    return [
        (str(finding.location.file).rpartition("/")[2], str(finding.message))
        for finding in check_packs(project, "lanterns")
        if finding.code == "cards/reprint-unchanged"
    ]


def test_an_erratum_to_one_print_asks_for_the_others(project: Project) -> None:
    assert not list_outdated(project)
    edit(find_card(project, "old-wick-promo"), "cost: 5", "cost: 6")
    output = bump(project, "old-wick-promo")
    assert "cards/reprint-unchanged: old-wick is a print of old-wick-promo" in output
    assert [file for file, _message in list_outdated(project)] == [
        "old-wick-two.yaml",
        "old-wick.yaml",
    ]
    _file, message = list_outdated(project)[1]
    assert message == (
        "old-wick is a print of old-wick-promo, which got a balance change on 2026-05-01; they "
        "differ in cost"
    )
    process = run(
        project.root,
        "release",
        "new",
        "1.1.0",
        "--effective",
        "2026-05-01",
        "--dry-run",
    )
    assert process.returncode == 0, process.stderr
    assert "warning cards/reprint-unchanged" in process.stdout
    assert "spirit/old-wick.yaml:" in process.stdout
    # With the same text there is nothing to ask for.
    edit(find_card(project, "old-wick"), "cost: 5", "cost: 6")
    assert [file for file, _message in list_outdated(project)] == ["old-wick-two.yaml"]


def test_bump_changes_all_prints_and_notes_name_them_once(project: Project) -> None:
    for card in ("old-wick", "old-wick-promo", "old-wick-two"):
        edit(find_card(project, card), "cost: 5", "cost: 6")
    output = bump(project, "old-wick-two", "--reprints")
    assert output.count(": revision 2") == 3
    packs = PackFiles(project)
    old, new, _findings = load_two_states(packs, "lanterns", "1.0.0", "work")
    notes = compose_notes(old, new, compare_states(old, new), "en")
    (note,) = notes.cards
    assert note.name == "Old Wick (old-wick, old-wick-promo, old-wick-two)"
    assert len(notes.points) == 1
    assert format_notes(notes).count("Dearer.") == 1
    # A print that changed in another way has a note of its own.
    edit(find_card(project, "old-wick-two"), "waft: 6", "waft: 5")
    old, new, _findings = load_two_states(packs, "lanterns", "1.0.0", "work")
    names = [
        note.name
        for note in compose_notes(old, new, compare_states(old, new), "en").cards
    ]
    assert names == ["Old Wick (old-wick, old-wick-promo)", "Old Wick (old-wick-two)"]


def test_a_reprint_names_a_card(project: Project) -> None:
    edit(
        find_card(project, "old-wick-two"),
        "reprint_of: old-wick",
        "reprint_of: old-wik",
    )
    findings = [
        finding
        for finding in check_packs(project, "lanterns")
        if finding.severity == "error"
    ]
    assert [finding.code for finding in findings] == ["cards/unknown-card"]


def test_prints_are_grouped_whichever_they_name() -> None:
    assert group_reprints({"b": "a", "c": "b", "x": None}) == {
        "a": ("b", "c"),
        "b": ("a", "c"),
        "c": ("a", "b"),
    }
    assert group_reprints({"a": "b", "b": "a"}).keys() == {"a", "b"}
    assert group_reprints({"a": "a"}) == {}


def test_a_print_that_came_after_the_erratum_misses_nothing() -> None:
    def make_card(cost: int, *days: str) -> dict[str, object]:
        return {
            "cost": cost,
            "history": [{"type": "rules", "released": day} for day in days],
        }

    groups = {"a": ("b",), "b": ("a",)}
    for days, misses in ((("2026-01-01",), True), (("2026-03-01",), False)):
        cards = {
            "a": make_card(2, "2025-01-01", "2026-02-01"),
            "b": make_card(1, *days),
        }
        missed = [item.card for item in find_missed_errata(cards, groups)]  # type: ignore[arg-type]
        assert missed == (["b"] if misses else [])
