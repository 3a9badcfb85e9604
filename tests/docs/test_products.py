"""The examples of docs/products.md: every products.yaml is clean, every command ends well."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

from tests.house.source import ROOT
from tests.program import run
from tests.usecases.toy import toy_project

TEXT = (ROOT / "docs" / "products.md").read_text(encoding="utf-8")
FILES = re.findall(r"^```yaml products\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)
BLOCKS = re.findall(r"^```sh\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)
COMMANDS = [line for block in BLOCKS for line in block.splitlines()]


def test_every_example_of_a_file_is_clean(tmp_path: Path) -> None:
    toy_project(tmp_path)
    for text in FILES:
        (tmp_path / "cards/lanterns/products.yaml").write_text(text, encoding="utf-8")
        told = run(tmp_path, "check", "lanterns")
        assert told.returncode == 0, told.stdout


@pytest.mark.slow
def test_every_command_ends_well(tmp_path: Path) -> None:
    toy_project(tmp_path)
    shutil.copytree(
        ROOT / "schemas/core", tmp_path / "schemas/core", dirs_exist_ok=True
    )
    (tmp_path / "cards/lanterns/products.yaml").write_text(FILES[-1], encoding="utf-8")
    for command in COMMANDS:
        name, *words = shlex.split(command, comments=True)
        assert name == "squadpress"
        told = run(tmp_path, *words)
        assert told.returncode == 0, f"{command}\n{told.stdout}{told.stderr}"
