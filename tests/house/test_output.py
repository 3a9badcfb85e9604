"""The folder of what is made is there in a fresh checkout, and nothing in it is ever committed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from tests.house.source import ROOT


def test_the_folder_is_there_and_all_in_it_is_ignored(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    shutil.copy(ROOT / ".gitignore", tmp_path)
    made = tmp_path / "output" / "lanterns" / "cards.pdf"
    made.parent.mkdir(parents=True)
    made.touch()
    shutil.copy(ROOT / "output" / ".gitignore", tmp_path / "output")
    run = [
        "git",
        "-C",
        str(tmp_path),
        "ls-files",
        "--others",
        "--exclude-standard",
        "output",
    ]
    assert (
        subprocess.run(run, capture_output=True, text=True, check=True).stdout
        == "output/.gitignore\n"
    )


def test_cleaning_leaves_the_empty_folder(tmp_path: Path) -> None:
    shutil.copy(ROOT / "Makefile", tmp_path)
    (tmp_path / "output" / "lanterns").mkdir(parents=True)
    shutil.copy(ROOT / "output" / ".gitignore", tmp_path / "output")
    (tmp_path / "output" / "lanterns" / "cards.pdf").touch()
    (tmp_path / "output" / ".lanterns.tmp").touch()
    subprocess.run(["make", "-s", "clean"], cwd=tmp_path, check=True)
    assert [path.name for path in (tmp_path / "output").rglob("*")] == [".gitignore"]
