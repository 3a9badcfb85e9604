"""Games whose files change while they are served."""

from __future__ import annotations

from pathlib import Path

import pytest

from builder.store.project import Project
from builder.web import library
from tests.usecases.toy import edit, toy_project


def test_an_edited_game_is_served_without_a_new_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project, asked = Project(toy_project(tmp_path)), list[str]()
    monkeypatch.setattr(library.newest, "library", library.Library(project))

    @library.remembered(10)
    def name(pack: str) -> str:
        asked.append(pack)
        return library.library().pack(pack).cards["reed-mother"].name

    monkeypatch.setattr(library.newest, "until", 0.0)
    assert [name("lanterns"), name("lanterns")] == ["Reed Mother"] * 2
    edit(project.cards_dir("lanterns") / "spirit/reed-mother.yaml", "name: Reed Mother", "name: Reed Queen")
    assert name("lanterns") == "Reed Mother", "nobody looks at every request"
    monkeypatch.setattr(library.newest, "until", 0.0)
    assert name("lanterns") == "Reed Queen"
    assert asked == ["lanterns"] * 2
