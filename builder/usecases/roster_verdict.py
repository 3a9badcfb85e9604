"""A verdict as a file that anyone with the pack can repeat: result, findings, digests of roster and data."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from builder.errors import InputUnreadable
from builder.findings import Finding, Severity
from builder.model.base import Json
from builder.model.roster import Roster
from builder.rules.judge import Judge
from builder.store.atomic import write_atomic
from builder.store.project import Project
from builder.usecases.digests import data_digest, plain, roster_digest
from builder.usecases.roster_check import Bench, Judged

FORMAT = 1
LARGEST = 4_000_000
"""Bytes of a verdict file that is read."""


def verdict(judged: Judged) -> dict[str, Json] | None:
    """The verdict on one judged roster; None where the file could not be understood."""
    if judged.roster is None or judged.judge is None:
        return None
    errors = [item for item in judged.findings if item.severity is Severity.ERROR]
    return _verdict(judged.roster, judged.judge, errors)


def _verdict(roster: Roster, judge: Judge, errors: list[Finding]) -> dict[str, Json]:
    found = judge.check(roster, mend=False)
    broken: list[Json] = [{"rule": item.rule, "kind": item.kind, "group": item.group, "actual": item.actual,
               "bound": item.bound.value if item.bound else None} for item in found.violations]  # fmt: skip
    problems: list[Json] = [{"code": item.code, "value": item.value} for item in found.problems]
    return {
        "format": FORMAT,
        "pack": roster.pack,
        "release": roster.version,
        "data": data_digest(judge.pack),
        "digest": roster_digest(roster),
        "legal": found.legal and not errors,
        "broken": broken,
        "problems": problems,
        "roster": plain(roster),
    }


def write_verdict(judged: Judged, roster_file: Path) -> Path | None:
    """Write the verdict beside the roster, as NAME.verdict.json."""
    value = verdict(judged)
    if value is None:
        return None
    target = roster_file.with_name(f"{roster_file.stem}.verdict.json")
    write_atomic(target, (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode())
    return target


def verify(project: Project, file: Path) -> Iterator[str]:
    """Judge again what a verdict file holds; every difference in words, nothing if it is confirmed."""
    stated = _read(file)
    try:
        roster = Roster.model_validate(stated.get("roster"))
    except ValueError:
        yield "the roster in it cannot be read"
        return
    if stated.get("digest") != roster_digest(roster):
        yield "the roster is not the one that was judged: its digest differs"
    if roster.pack not in project.packs():
        yield f"there is no pack {roster.pack} here"
        return
    judge, _ = Bench(project).judge(roster.pack, roster.version)
    if judge is None:
        yield f"the pack {roster.pack} cannot be read"
        return
    again = _verdict(roster, judge, [])
    if stated.get("data") != again["data"]:
        here, there = str(again["data"])[:12], str(stated.get("data"))[:12]
        yield f"the pack's data is not that of the verdict ({here}, stated {there})"
    for key in ("pack", "release", "legal", "broken", "problems"):
        if stated.get(key) != again[key]:
            here, there = (json.dumps(value, ensure_ascii=False) for value in (again[key], stated.get(key)))
            yield f"{key} is {here}, stated {there}"


def _read(file: Path) -> dict[str, Any]:
    """The file's content. InputUnreadable where it is not a verdict of this program."""
    try:
        data = file.read_bytes()
    except OSError as error:
        raise InputUnreadable(
            f"{file}: {error.strerror}", "Name a file that `roster check --verdict` wrote."
        ) from error
    try:
        value = json.loads(data) if len(data) <= LARGEST else None
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise InputUnreadable(f"{file} is not a verdict", "Name a file that `squadpress roster check --verdict` wrote.")
    return value
