"""A folder of rosters judged for an organiser: one row a file, as a table and as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass, fields
from pathlib import Path

from builder.checks.roster.verdict import findings
from builder.errors import InputUnreadable
from builder.findings import Severity, has_errors
from builder.messages import gettext as _
from builder.model.loaded import LoadedRoster
from builder.model.pack import RosterForm
from builder.model.roster import Roster
from builder.rules.spending import spending
from builder.store.memory import collector_off
from builder.store.project import Project
from builder.store.rosters import read_roster
from builder.usecases.build.digests import roster_digest
from builder.usecases.opening import pinned
from builder.usecases.roster.check import Bench


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


@dataclass(frozen=True, slots=True)
class Listing:
    """All lists judged, in order: a row each; the files of folders that are no rosters, each with what it is instead;
    what could be read of the rosters, by file; the source language that all their packs share, else English."""

    rows: tuple[Row, ...]
    skipped: tuple[tuple[str, str], ...]
    squads: Mapping[str, Roster]
    bench: Bench
    lang: str


def lists(paths: Iterable[Path]) -> tuple[tuple[Path, bool], ...]:
    """The files named, and all YAML files in the folders named: these, marked True, may be something else."""
    found: list[tuple[Path, bool]] = []
    for path in paths:
        found += [(file, True) for file in sorted(path.rglob("*.yaml"))] if path.is_dir() else [(path, False)]
    return tuple(found)


def listing(project: Project, paths: Iterable[Path], as_of: str | None = None) -> Listing:
    """Files and folders judged; a roster that cannot be read is a row too. InputUnreadable where none is there."""
    bench = Bench(project, as_of)
    forms: dict[str, RosterForm] = {}
    rows: list[Row] = []
    skipped: list[tuple[str, str]] = []
    squads: dict[str, Roster] = {}
    with collector_off():
        for file, may_be_other in lists(paths := tuple(paths)):
            hint = _pack_of(file)
            loaded = read_roster(file, project, forms.get(hint))
            other = _other(loaded) if may_be_other else ""
            if other:
                skipped.append((project.relative(file), other))
                continue
            rows.append(_row(bench, project.relative(file), loaded, hint, forms))
            if loaded.roster is not None:
                squads[rows[-1].file] = loaded.roster
    if not rows:
        where = ", ".join(map(str, paths))
        form = _("{file}: none of {many} YAML files is a roster") if skipped else _("{file} holds no roster")
        raise InputUnreadable(
            _(form, file=where, many=len(skipped)), _("A roster is a .yaml file that states `pack` and `entries`.")
        )
    judges = (bench.judges.get((squad.pack, as_of or squad.version), (None, False))[0] for squad in squads.values())
    langs = {judge.pack.manifest.languages.source for judge in judges if judge is not None}
    return Listing(tuple(rows), tuple(skipped), squads, bench, langs.pop() if len(langs) == 1 else "en")


def _other(loaded: LoadedRoster) -> str:
    """What a file is that is no roster, in words; nothing where it is one or was meant to be."""
    if loaded.document is None:
        return ""
    value = loaded.document.value
    if not isinstance(value, dict):
        return _("it holds no fields")
    if "entries" in value or "deck" in value:
        return ""
    if "owned" in value:
        return _("a collection")
    return "" if "pack" in value else _("it states neither a pack nor entries")


def _row(bench: Bench, name: str, loaded: LoadedRoster, hint: str, forms: dict[str, RosterForm]) -> Row:
    """One file."""
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
