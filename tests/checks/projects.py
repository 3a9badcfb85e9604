"""A toy project with a case laid over it: files replaced, and steps that a file cannot show."""

from __future__ import annotations

import base64
import shutil
import zlib
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from builder.packs.project import Project

ROOT = Path(__file__).resolve().parents[2]
CASES = ROOT / "tests" / "cases"
SAMPLES = "cards/lanterns/rosters"
TOY = ROOT / "tests" / "toys" / "lanterns"


def read_case(path: Path) -> dict[str, Any]:
    """One case file; docs: tests/cases/README.md."""
    case: dict[str, Any] = YAML(typ="safe").load(path.read_text("utf-8"))
    return case


def lay_over(case: Path, target: Path) -> Project:
    """Copy the toy project to `target` and apply a case file.

    A path without a file leaves the project as it is.

    A case keeps the toy's sample squads only if it brings one of its own: with other rules they
    break other rules.
    """
    shutil.copytree(TOY, target, ignore=shutil.ignore_patterns("output", ".cache"))
    if not case.is_file():
        return Project(target)
    case_content = read_case(case)
    for path in case_content.get("remove", ()):
        victim = target / path
        shutil.rmtree(victim) if victim.is_dir() else victim.unlink()
    contents = {
        path: text.encode() for path, text in case_content.get("files", {}).items()
    }
    contents |= {
        path: base64.b64decode(text or "")
        for path, text in case_content.get("binary", {}).items()
    }
    packed = {
        path: base64.b64decode(text)
        for path, text in case_content.get("compressed", {}).items()
    }
    contents |= {path: zlib.decompress(data) for path, data in packed.items()}
    if not any(path.startswith(SAMPLES) for path in contents):
        shutil.rmtree(target / SAMPLES, ignore_errors=True)
    for path, data in contents.items():
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        (target / path).write_bytes(data)
    for path in case_content.get("folders", ()):
        (target / path).mkdir(parents=True)
    for link, place in case_content.get("links", {}).items():
        (target / link).symlink_to(place)
    for path, size in case_content.get("grow", {}).items():
        with (target / path).open("ab") as stream:
            stream.write(b"#" * (size - stream.tell()))
    return Project(target)
