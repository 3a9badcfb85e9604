"""Pictures of faces for the pages."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from filelock import FileLock

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


def begun(project: Project, into: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "builder.web.faces", str(project.root), str(into), "lanterns", "en", ""]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_what_sets_faces_ends_with_the_server_and_without_its_folder(tmp_path: Path) -> None:
    project = Project(toy_project(tmp_path / "games"))
    (tmp_path / "file").write_text("", encoding="utf-8")
    with begun(project, tmp_path / "file" / "faces") as lost:
        lost.wait(timeout=60)
        told = lost.stderr.read() if lost.stderr else ""
    assert told.startswith("lanterns en: ")
    assert "Traceback" not in told
    (into := tmp_path / "faces").mkdir()
    with FileLock(into / "lock"):
        assert begun(project, into).communicate(timeout=60)[1] == ""
