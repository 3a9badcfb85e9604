"""A toy project with a case laid over it: files replaced, and steps that a file cannot show."""

from __future__ import annotations

import shutil
from pathlib import Path

from ruamel.yaml import YAML

from builder.store.project import Project

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = "cards/lanterns/rosters"
TOY = ROOT / "tests" / "packs" / "lanterns"


def lay_over(case: Path, target: Path) -> Project:
    """The toy project in `target` with a case's files and steps.

    Steps: `remove`, `folders`, `links: {link: target}`, `grow: {file: bytes}`.
    A case keeps the toy's sample squads only if it brings one of its own: with other rules they break other rules.
    """
    shutil.copytree(TOY, target, ignore=shutil.ignore_patterns("output", ".cache"))
    steps = case / "steps.yaml"
    plan = YAML(typ="safe").load(steps.read_text("utf-8")) if steps.exists() else {}
    for path in plan.get("remove", ()):
        victim = target / path
        shutil.rmtree(victim) if victim.is_dir() else victim.unlink()
    if case.is_dir():
        if not (case / SAMPLES).is_dir():
            shutil.rmtree(target / SAMPLES, ignore_errors=True)
        shutil.copytree(case, target, dirs_exist_ok=True, ignore=shutil.ignore_patterns("steps.yaml", "expect.txt"))
    for path in plan.get("folders", ()):
        (target / path).mkdir(parents=True)
    for link, place in plan.get("links", {}).items():
        (target / link).symlink_to(place)
    for path, size in plan.get("grow", {}).items():
        with (target / path).open("ab") as stream:
            stream.write(b"#" * (size - stream.tell()))
    return Project(target)
