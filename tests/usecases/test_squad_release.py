"""A squad that is pinned to a release, printed with the cards of the working files."""

from __future__ import annotations

from pathlib import Path

from builder.packs.project import Project
from builder.usecases.build.squad_release import find_other_cards
from tests.house.source import ROOT


def find_codes(folder: Path, version: str) -> list[tuple[str, str, str]]:
    roster = folder / "squad.yaml"
    text = f"pack: hydrophilia\nname: Six\n{version}size: 30\nentries:\n  - {{card: hydroid}}\n"
    roster.write_text(text, encoding="utf-8")
    findings = find_other_cards(Project(ROOT), roster)
    return [(item.code, str(item.message), str(item.hint)) for item in findings]


def test_a_pinned_squad_is_told_that_its_cards_are_those_of_the_working_files(
    tmp_path: Path,
) -> None:
    ((code, message, hint),) = find_codes(tmp_path, "version: 1.0.0\n")
    assert code == "release/other-cards"
    assert "1.0.0" in message
    assert "working files" in message
    assert "--as-of 1.0.0" in hint
    assert find_codes(tmp_path, "") == []
    assert find_codes(tmp_path, "version: 9.9.9\n") == []
