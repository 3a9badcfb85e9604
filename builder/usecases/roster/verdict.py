"""Make a verdict that anyone with the pack can repeat: result, findings, digests."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import astuple, dataclass, fields
from datetime import date
from hashlib import sha256
from typing import TYPE_CHECKING, TypeVar

from builder.checks.roster.verdict import (
    EXPECTATION,
    NOT_DECIDED,
    PROBLEMS,
    RULE_BROKEN,
)
from builder.errata.snapshot import WORK
from builder.errors import InputUnreadable
from builder.findings import Severity
from builder.messages import escape_controls, gettext as _
from builder.model.base import Json
from builder.model.formats import FormatDay
from builder.model.loaded import LoadedRoster
from builder.model.pack import Pack
from builder.model.roster import Roster
from builder.model.words import format_csv_line, guard_cell
from builder.packs.pack_files import PackFiles
from builder.rules.checker import RosterResult
from builder.rules.violation import UNDECIDED
from builder.usecases.pack_states import load_named_state
from builder.usecases.roster.check_roster import (
    CheckedRoster,
    RosterCheckers,
    check_roster,
    require_verdict,
)

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

FORMAT = 1
REMEDY = _("Give a file that `squadpress roster check --verdict` wrote.")
REPEATABLE_CODES = frozenset(
    {
        RULE_BROKEN.code,
        NOT_DECIDED.code,
        EXPECTATION.code,
        *(item.code for item in PROBLEMS.values()),
    }
)
"""Errors that a new check finds again. All others are about the roster's file, which a verdict
does not contain.
"""


def make_verdict(
    result: CheckedRoster, release: str | None = None
) -> dict[str, Json] | None:
    """Return the result of checking a squad as JSON data that others can verify.

    None if the squad is unreadable. `release` is the release that was used for the check, if the
    squad itself does not name it.
    """
    if result.roster is None or result.checker is None or result.verdict is None:
        return None
    pack = result.checker.pack
    roster = result.roster
    rule_results = _format_rule_results(result.verdict)
    unread_codes: set[str] = set()
    # `verify` does not compare these texts: another version of the program may word them anew.
    findings: list[Json] = []
    for finding in result.findings:
        findings.append(
            {
                "severity": str(finding.severity),
                "code": finding.code,
                "message": finding.message,
                "hint": finding.hint,
                "line": finding.location.line,
            }
        )
        if finding.severity is Severity.ERROR and finding.code not in REPEATABLE_CODES:
            unread_codes.add(finding.code)
    verdict: dict[str, Json] = {
        "format": FORMAT,
        "pack": roster.pack,
        "release": release or roster.version,
    }
    if pack.played:
        verdict["play_format"] = pack.played.format
        verdict["on"] = pack.played.day.isoformat()
    verdict["data"] = hash_pack_data(pack)
    verdict["digest"] = hash_roster(roster)
    verdict |= rule_results
    verdict["legal"] = result.verdict.legal and not unread_codes
    verdict["unread"] = list[Json](sorted(unread_codes))
    verdict["findings"] = findings
    verdict["roster"] = simplify_roster(roster)
    return verdict


def _format_rule_results(verdict: RosterResult) -> dict[str, Json]:
    """Return the broken rules and problems of a squad as JSON data."""
    broken: list[Json] = []
    for item in verdict.violations:
        if item.kind == UNDECIDED:
            continue
        broken.append(
            {
                "rule": item.rule,
                "kind": item.kind,
                "group": item.group,
                "actual": item.actual,
                "bound": item.bound.value if item.bound else None,
            }
        )
    problems: list[Json] = [
        {"code": item.code, "value": item.value} for item in verdict.problems
    ]
    results: dict[str, Json] = {
        "legal": verdict.legal,
        "broken": broken,
        "problems": problems,
    }
    # Verdicts without undecided rules keep the form that they had before rules could be undecided.
    if verdict.undecided:
        results["undecided"] = list[Json](sorted(verdict.undecided))
    return results


def find_release_version(packs: PackFiles, pack: str, as_of: str | None) -> str | None:
    """Return the version of the release that `--as-of` names. None for the edited pack."""
    if as_of is None:
        return None
    label = load_named_state(packs, pack, as_of)[0].label
    return None if label == WORK else label


@dataclass(frozen=True, slots=True)
class Confirmation:
    """The result of verifying a verdict: the differences from a new check."""

    differences: tuple[str, ...]
    legal: bool
    pack: str
    release: str | None
    is_undecided: bool = False
    """True if it names nothing wrong but rules that could not be decided."""


def check_verdict(packs: PackFiles, verdict: Json, name: str) -> Confirmation:
    """Verify a verdict by checking the squad in it again.

    Messages use `name` for the verdict. Raise InputUnreadable if it is not a verdict, and
    PackUnreadable if its pack or release cannot be read.
    """
    if not isinstance(verdict, dict) or verdict.get("format") != FORMAT:
        raise InputUnreadable(_("{file} is not a verdict", file=name), REMEDY)
    release = verdict.get("release")
    release_name = release if isinstance(release, str) else None
    differences = tuple(_find_differences(packs, verdict, release_name))
    has_faults = any(verdict.get(key) for key in ("broken", "problems", "unread"))
    is_undecided = bool(verdict.get("undecided")) and not has_faults
    return Confirmation(
        differences,
        verdict.get("legal") is True,
        str(verdict.get("pack")),
        release_name,
        is_undecided,
    )


def _find_differences(
    packs: PackFiles, verdict: Mapping[str, Json], release: str | None
) -> Iterator[str]:
    """Yield a message for each difference between a verdict and a new check."""
    try:
        roster = Roster.model_validate(verdict.get("roster"))
    except ValueError:
        yield _("the roster in it cannot be read")
        return
    is_altered = verdict.get("digest") != hash_roster(roster)
    if is_altered:
        yield _("the roster is not the checked roster: its digest differs")
    missing = _find_missing_basis(packs, roster.pack, release)
    # An altered roster is refuted even without its pack.
    if missing and not is_altered:
        raise InputUnreadable(
            missing, _("Add the pack or the release, then run verify again.")
        )
    if missing:
        yield missing
        return
    name = verdict.get("play_format")
    day = verdict.get("on")
    format_day = None
    if name is not None:
        try:
            format_day = FormatDay(str(name), date.fromisoformat(str(day)))
        except ValueError:
            yield _("the date of its play format cannot be read")
            return
    checker = RosterCheckers(packs, release, format_day=format_day).get_squad_checker(
        roster
    )
    result = checker.check(roster, repaired=False)
    current_verdict: dict[str, Json] = {
        "pack": roster.pack,
        **_format_rule_results(result),
    }
    data_digest = hash_pack_data(checker.pack)
    if verdict.get("data") != data_digest:
        form = _(
            "the pack's data differs from the verdict ({here}, in the verdict {there})"
        )
        stated_digest = str(verdict.get("data"))
        yield _(form, here=data_digest[:12], there=stated_digest[:12])
    # Errors of the file cannot be repeated: the verdict holds the roster, not its file.
    current_verdict["legal"] = result.legal and not verdict.get("unread")
    forms = {
        "pack": _("the pack is {here}, in the verdict {there}"),
        "legal": _("legal is {here}, in the verdict {there}"),
        "broken": _("broken is {here}, in the verdict {there}"),
        "problems": _("problems are {here}, in the verdict {there}"),
        "undecided": _("undecided rules are {here}, in the verdict {there}"),
    }
    for key, form in forms.items():
        current_value, stated_value = current_verdict.get(key), verdict.get(key)
        if current_value != stated_value:
            current_text = json.dumps(current_value, ensure_ascii=False)
            stated_text = json.dumps(stated_value, ensure_ascii=False)
            yield _(form, here=current_text, there=stated_text)


def _find_missing_basis(packs: PackFiles, pack: str, release: str | None) -> str:
    """Return a message if the pack or release of a verdict is not installed. Otherwise empty."""
    if pack not in packs.list_packs():
        return _("the pack {pack} does not exist here", pack=pack)
    if release is not None and not packs.open_releases(pack).has_version(release):
        return _("{pack} has no release {release}", pack=pack, release=release)
    return ""


def simplify_roster(roster: Roster) -> dict[str, Json]:
    """Convert a squad to JSON data without absent keys, expectations and remarks."""
    value: dict[str, Json] = roster.model_dump(
        mode="json",
        exclude_defaults=True,
        exclude={"expect": True, "entries": {"__all__": {"note"}}},
    )
    return {"pack": roster.pack, **value}


def format_canonical(value: Json) -> bytes:
    """Format a value as canonical JSON for hashing: sorted keys, no spaces, UTF-8."""
    return json.dumps(
        value, ensure_ascii=False, sort_keys=True, separators=(",", ":")
    ).encode()


def hash_roster(roster: Roster) -> str:
    """Return the SHA-256 of a squad's content. Remarks and formatting do not affect it."""
    return sha256(format_canonical(simplify_roster(roster))).hexdigest()


def hash_pack_data(pack: Pack) -> str:
    """Return the SHA-256 of all pack data that decides legality, except play formats."""
    # Rules that a play format adds have a colon in their ids.
    rules = tuple(rule for rule in pack.rules.rules if ":" not in rule.id)
    rules_of_pack = pack.rules.model_copy(update={"rules": rules})
    value: Json = {
        "roster": pack.manifest.roster.model_dump(mode="json", exclude={"sheet"}),
        "kinds": {name: str(kind.role) for name, kind in pack.manifest.kinds.items()},
        "rules": rules_of_pack.model_dump(mode="json"),
        "cards": {
            name: card.model_dump(mode="json") for name, card in pack.cards.items()
        },
    }
    return sha256(format_canonical(value)).hexdigest()


@dataclass(frozen=True, slots=True)
class RosterRow:
    """A row in the table of checked squads.

    `broken` are the ids of broken rules, or the codes of errors if the list was not understood.
    """

    file: str
    name: str
    pack: str
    legal: bool
    spent: float | None
    allowed: float | None
    broken: tuple[str, ...]
    digest: str

    @property
    def is_undecided(self) -> bool:
        """True if nothing is wrong except that some rule could not be decided."""
        return not self.legal and self.broken == (NOT_DECIDED.code,)


Row = TypeVar("Row", bound="DataclassInstance")


@dataclass(frozen=True, slots=True)
class Submission:
    """A squad submitted for checking: its name, its probable pack and its parsed content.

    If `is_named` is False, it was found in a folder and may not be a squad at all.
    """

    name: str
    pack: str
    loaded: LoadedRoster
    is_named: bool = True


@dataclass(frozen=True, slots=True)
class RosterListing:
    """The table of all checked squads.

    `skipped` has files that are no squads, each with its type. `squads` are by name. `lang` is the
    source language that all packs share, or English.
    """

    rows: tuple[RosterRow, ...]
    skipped: tuple[tuple[str, str], ...]
    squads: Mapping[str, Roster]
    checkers: RosterCheckers
    lang: str


def check_submissions(
    checkers: RosterCheckers, submissions: Iterable[Submission]
) -> RosterListing:
    """Check submitted squads. An unreadable squad is a row too.

    Raise PackUnreadable if a squad's pack cannot be read, because a table without it would look
    complete.
    """
    rows: list[RosterRow] = []
    skipped: list[tuple[str, str]] = []
    squads: dict[str, Roster] = {}
    for submission in submissions:
        file_type = "" if submission.is_named else _name_file_type(submission.loaded)
        if file_type:
            skipped.append((submission.name, file_type))
            continue
        result = check_roster(
            checkers, submission.loaded, submission.name, "en", repaired=False
        )
        require_verdict(result, submission.pack)
        rows.append(_make_row(result, submission.pack))
        if submission.loaded.roster is not None:
            squads[submission.name] = submission.loaded.roster
    langs: set[str] = set()
    for squad in squads.values():
        checker = checkers.load_pack(squad.pack, squad.version).checker
        if checker is not None:
            langs.add(checker.pack.manifest.languages.source)
    lang = langs.pop() if len(langs) == 1 else "en"
    return RosterListing(tuple(rows), tuple(skipped), squads, checkers, lang)


def _name_file_type(loaded: LoadedRoster) -> str:
    """Return the type of a file that is not a squad. Empty if it is or should be one."""
    if loaded.document is None:  # not even YAML: its author must correct it
        return ""
    value = loaded.document.value
    if not isinstance(value, dict):
        return _("it contains no fields")
    has_cards = "entries" in value or "deck" in value
    if "owned" in value and not has_cards:
        return _("a collection")
    return (
        "" if has_cards or "pack" in value else _("it has neither `pack` nor `entries`")
    )


def _make_row(result: CheckedRoster, pack: str) -> RosterRow:
    roster, spent = result.roster, result.spent
    codes = [item.code for item in result.findings if item.severity is Severity.ERROR]
    errors = tuple(dict.fromkeys(codes))
    if roster is None or spent is None or result.verdict is None:
        name = roster.name if roster else ""
        return RosterRow(result.file, name, pack, False, None, None, errors, "")
    broken = tuple(sorted(result.verdict.broken)) or errors
    digest = hash_roster(roster)
    return RosterRow(
        result.file,
        roster.name,
        roster.pack,
        result.legal,
        spent.used,
        spent.allowed,
        broken,
        digest,
    )


def format_rows_csv(table: Iterable[Row], columns: type[Row]) -> str:
    """Format rows of a table as CSV with a header row.

    Texts that a spreadsheet would read as a formula get an apostrophe. A list with an undecided
    rule is neither legal nor illegal.
    """
    lines = [format_csv_line(field.name for field in fields(columns))]
    for row in table:
        values = astuple(row)
        # Only rows of lists have `broken`, and their only False is `legal`.
        if getattr(row, "broken", ()) == (NOT_DECIDED.code,):
            values = tuple(
                "NOT DECIDED" if value is False else value for value in values
            )
        lines.append(format_csv_line(map(_format_cell, values)))
    return "".join(lines)


def _format_cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "legal" if value else "ILLEGAL"
    if isinstance(value, int | float):
        return f"{value:.12g}"
    text = " ".join(value) if isinstance(value, tuple) else str(value)
    return guard_cell(escape_controls(text, keep_line_breaks=False).strip())
