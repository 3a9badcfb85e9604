"""A folder of rosters judged for an organiser: one row a file, as a table and as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass, fields
from pathlib import Path

from builder.checks.roster.verdict import findings
from builder.findings import Severity, has_errors
from builder.model.pack import RosterForm
from builder.rules.spending import spending
from builder.store.project import Project
from builder.store.rosters import read_roster
from builder.usecases.digests import roster_digest
from builder.usecases.opening import pinned
from builder.usecases.roster_check import Bench


@dataclass(frozen=True, slots=True)
class Row:
    """One list. `broken` are the ids of broken rules, else the codes of what could not be understood."""

    file: str
    name: str
    pack: str
    legal: bool
    spent: float | None
    allowed: float | None
    broken: tuple[str, ...]
    digest: str


def lists(paths: Iterable[Path]) -> tuple[Path, ...]:
    """The files named, and all rosters in the folders named."""
    found: list[Path] = []
    for path in paths:
        found += sorted(path.rglob("*.yaml")) if path.is_dir() else [path]
    return tuple(found)


def rows(project: Project, files: Iterable[Path], as_of: str | None = None) -> Iterator[Row]:
    """Each file judged, in order; one that cannot be read is a row too."""
    bench = Bench(project, as_of)
    forms: dict[str, RosterForm] = {}
    for file in files:
        yield _row(bench, file, forms)


def _row(bench: Bench, file: Path, forms: dict[str, RosterForm]) -> Row:
    """One file."""
    name = bench.project.relative(file)
    hint = _pack_of(file)
    loaded = read_roster(file, bench.project, forms.get(hint))
    roster = loaded.roster
    pin = pinned(bench.project, roster, loaded.document, bench.as_of) if roster is not None else ()
    wrong = [item.code for item in (*loaded.findings, *pin) if item.severity is Severity.ERROR]
    judge = bench.judge(roster.pack, roster.version)[0] if roster is not None and not has_errors(pin) else None
    if roster is None or judge is None:
        return Row(name, roster.name if roster else "", hint, False, None, None, tuple(wrong), "")
    forms.setdefault(roster.pack, judge.pack.manifest.roster)
    verdict = judge.check(roster, mend=False)
    spent = spending(judge.resolve(roster), judge.evaluator)
    problems = [item.code for item in findings(verdict, roster, judge, "en", None) if item.code.count("unknown")]
    broken = tuple(sorted(verdict.broken)) or tuple(dict.fromkeys((*wrong, *problems)))
    return Row(
        name, roster.name, roster.pack, verdict.legal and not wrong, spent.used, spent.allowed, broken,
        roster_digest(roster),
    )  # fmt: skip


def _pack_of(file: Path) -> str:
    """The pack a roster seems to state: a guess that saves reading its manifest again."""
    try:
        with file.open(encoding="utf-8") as stream:
            line = next((line for line in stream if line.startswith("pack:")), "")
    except (OSError, ValueError):
        return ""
    return line.removeprefix("pack:").split("#")[0].strip().strip("\"'")


def as_csv(table: Iterable[Row]) -> str:
    """The rows with a head, as CSV; what a spreadsheet would take for a formula gets an apostrophe."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([field.name for field in fields(Row)])
    for row in table:
        writer.writerow([_cell(value) for value in astuple(row)])
    return out.getvalue()


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "legal" if value else "ILLEGAL"
    if isinstance(value, tuple):
        return " ".join(value)
    text = f"{value:g}" if isinstance(value, int | float) else str(value)
    return f"'{text}" if text[:1] in ("=", "+", "-", "@") else text
