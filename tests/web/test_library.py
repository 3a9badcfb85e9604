"""Games whose files change while they are served."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from builder.packs.project import Project
from builder.web.cards import library
from tests.usecases.toy import edit, toy_project


def test_an_edited_game_is_served_without_a_new_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project, asked = Project(toy_project(tmp_path)), list[str]()
    monkeypatch.setattr(library.library_cache, "library", library.Library(project))

    @library.cache_per_library(10)
    def name(pack: str) -> str:
        asked.append(pack)
        return library.get_library().get_pack(pack).cards["reed-mother"].name

    monkeypatch.setattr(library.library_cache, "next_scan", 0.0)
    assert [name("lanterns"), name("lanterns")] == ["Reed Mother"] * 2
    edit(
        project.get_cards_dir("lanterns") / "spirit/reed-mother.yaml",
        "name: Reed Mother",
        "name: Reed Queen",
    )
    assert name("lanterns") == "Reed Mother", "nobody looks at every request"
    monkeypatch.setattr(library.library_cache, "next_scan", 0.0)
    assert name("lanterns") == "Reed Queen"
    assert asked == ["lanterns"] * 2


def test_a_stamp_is_of_the_program_too_and_bears_a_folder_that_goes_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project, seen, look = Project(toy_project(tmp_path)), list[str](), os.scandir

    def stamp() -> str:
        seen.append(library.stamp_pack(project, "lanterns"))
        return seen[-1]

    def gone(path: object) -> object:
        if str(path).endswith("charm"):
            raise FileNotFoundError(path)
        return look(path)  # type: ignore[call-overload]

    stamp()
    monkeypatch.setattr(os, "scandir", gone)
    assert stamp() != seen[0]
    monkeypatch.setattr(Project, "base_templates", tmp_path)
    assert stamp() not in seen[:2]
    monkeypatch.setattr(library, "hash_engine", lambda _engine: "another")
    assert stamp() not in seen[:3]
