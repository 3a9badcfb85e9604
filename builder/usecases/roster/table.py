"""Lists judged for an organiser: one row each, as a table and as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass, fields

from builder.checks.registry import run
from builder.checks.roster.verdict import RosterVerdict
from builder.findings import Severity, has_errors
from builder.messages import gettext as _
from builder.model.loaded import LoadedRoster
from builder.model.roster import Roster
from builder.rules.judge import spending
from builder.usecases.roster.check import Judges, pinned
from builder.usecases.roster.verdict import roster_digest


@dataclass(frozen=True, slots=True)
class ListRow:
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
class Submission:
    """A list handed in: its name, the pack it seems to state, what could be read of it, and whether it was named as a
    roster; one found in a folder may be something else."""

    name: str
    pack: str
    loaded: LoadedRoster
    named: bool = True


@dataclass(frozen=True, slots=True)
class Listing:
    """All lists judged, in order: a row each; the files of folders that are no rosters, each with what it is instead;
    what could be read of the rosters, by name; the source language that all their packs share, else English."""

    rows: tuple[ListRow, ...]
    skipped: tuple[tuple[str, str], ...]
    squads: Mapping[str, Roster]
    judges: Judges
    lang: str


def listing(judges: Judges, submissions: Iterable[Submission]) -> Listing:
    """Lists judged; one that cannot be read is a row too."""
    rows: list[ListRow] = []
    skipped: list[tuple[str, str]] = []
    squads: dict[str, Roster] = {}
    for one in submissions:
        other = "" if one.named else _other(one.loaded)
        if other:
            skipped.append((one.name, other))
            continue
        rows.append(_row(judges, one))
        if one.loaded.roster is not None:
            squads[one.name] = one.loaded.roster
    made = (judges.made.get((squad.pack, judges.as_of or squad.version)) for squad in squads.values())
    langs = {found[0].pack.manifest.languages.source for found in made if found is not None and found[0] is not None}
    return Listing(tuple(rows), tuple(skipped), squads, judges, langs.pop() if len(langs) == 1 else "en")


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


def _row(judges: Judges, one: Submission) -> ListRow:
    """One list."""
    roster, loaded = one.loaded.roster, one.loaded
    pin = pinned(judges, roster, loaded.document) if roster is not None else ()
    wrong = [item.code for item in (*loaded.findings, *pin) if item.severity is Severity.ERROR]
    judge = judges.judge(roster.pack, roster.version)[0] if roster is not None and not has_errors(pin) else None
    if roster is None or judge is None:
        return ListRow(one.name, roster.name if roster else "", one.pack, False, None, None, tuple(wrong), "")
    verdict = judge.check(roster, repaired=False)
    spent = spending(judge.resolve(roster), judge.evaluator)
    found = run("roster", RosterVerdict(verdict, roster, judge, "en"))
    problems = [item.code for item in found if item.code.count("unknown")]
    broken = tuple(sorted(verdict.broken)) or tuple(dict.fromkeys((*wrong, *problems)))
    return ListRow(
        one.name, roster.name, roster.pack, verdict.legal and not wrong, spent.used, spent.allowed, broken,
        roster_digest(roster),
    )  # fmt: skip


def as_csv(table: Iterable[ListRow]) -> str:
    """The rows with a head, as CSV; what a spreadsheet would take for a formula gets an apostrophe."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([field.name for field in fields(ListRow)])
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
