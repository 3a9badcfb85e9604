"""Pictures of faces for the pages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from builder.store.project import Project
from builder.web.faces import make
from tests.usecases.toy import edit, toy_project


@pytest.mark.slow
def test_a_card_that_cannot_be_set_hides_no_other(tmp_path: Path) -> None:
    project = Project(toy_project(tmp_path))
    edit(project.cards_dir("lanterns") / "spirit/reed-mother.yaml", "Place one", "Place one " + "very " * 900)
    make(project, tmp_path / "faces", "lanterns", "en", None)
    pictured = json.loads((tmp_path / "faces/lanterns-en.json").read_text(encoding="utf-8"))["faces"]
    assert "reed-mother" not in pictured
    assert {"old-wick", "dusk-moth"} <= set(pictured)
