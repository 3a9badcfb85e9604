"""Extract the English messages of the program, as `make messages` does."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from tests.house.source import ROOT


def extract_messages(output_folder: Path, *other_folders: Path) -> Catalog:
    """Return the messages, help texts and page texts of the program and of other folders."""
    template = output_folder / "squadpress.pot"
    options = [
        "-q",
        "extract",
        "-F",
        "pyproject.toml",
        "-k",
        "pgettext:1c,2",
        "-o",
        str(template),
    ]
    folders = [".", *map(str, other_folders)]
    command = [sys.executable, "-m", "babel.messages.frontend", *options, *folders]
    subprocess.run(command, cwd=ROOT, check=True)
    with template.open("rb") as stream:
        return read_po(stream)
