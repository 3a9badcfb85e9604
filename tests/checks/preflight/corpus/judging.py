"""The corpus judged: what was put into each file, and what preflight finds in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from builder.findings import Finding, Severity
from builder.model.shop import Preset
from builder.usecases.preflight.checked_files import check_file

FOLDER = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Entry:
    """One file of the table."""

    file: str
    program: str
    preset: str
    defects: Sequence[str]
    allowed: Sequence[str] = ()


@dataclass
class Verdict:
    """Classes that were found and missed, and findings that nothing was put in for."""

    found: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    false: list[Finding] = field(default_factory=list)

    @property
    def false_errors(self) -> list[Finding]:
        return [finding for finding in self.false if finding.severity is Severity.ERROR]


@cache
def load_entries() -> tuple[Entry, ...]:
    """The table."""
    return tuple(
        Entry(**line)
        for line in yaml.safe_load((FOLDER / "truth.yaml").read_text("utf-8"))
    )


@cache
def _load_classes() -> Mapping[str, Any]:
    classes: Mapping[str, Any] = yaml.safe_load(
        (FOLDER / "classes.yaml").read_text("utf-8")
    )
    return classes


def gives(name: str, finding: Finding) -> bool:
    """True if a finding is of a class."""
    defect_class = _load_classes()["classes"].get(name, {"code": name})
    return (
        finding.code == f"preflight/{defect_class['code']}"
        and defect_class.get("says", "") in finding.message
    )


def judge_entry(entry: Entry) -> Verdict:
    """A file of the table."""
    path, preset = (
        FOLDER / "files" / entry.file,
        Preset.model_validate(_load_classes()["presets"][entry.preset]),
    )
    findings = check_file(path, preset).findings
    verdict = Verdict()
    for name in entry.defects:
        (
            verdict.found
            if any(gives(name, finding) for finding in findings)
            else verdict.missed
        ).append(name)
    reported_findings = [
        finding for finding in findings if finding.severity is not Severity.NOTE
    ]
    expected_names = (*entry.defects, *entry.allowed)
    verdict.false = [
        finding
        for finding in reported_findings
        if not any(gives(name, finding) for name in expected_names)
    ]
    return verdict
