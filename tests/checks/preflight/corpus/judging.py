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

HERE = Path(__file__).resolve().parent


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
        return [one for one in self.false if one.severity is Severity.ERROR]


@cache
def entries() -> tuple[Entry, ...]:
    """The table."""
    return tuple(Entry(**line) for line in yaml.safe_load((HERE / "truth.yaml").read_text("utf-8")))


@cache
def _known() -> Mapping[str, Any]:
    known: Mapping[str, Any] = yaml.safe_load((HERE / "classes.yaml").read_text("utf-8"))
    return known


def gives(name: str, finding: Finding) -> bool:
    """True if a finding is of a class."""
    said = _known()["classes"].get(name, {"code": name})
    return finding.code == f"preflight/{said['code']}" and said.get("says", "") in finding.message


def judged(entry: Entry) -> Verdict:
    """A file of the table."""
    path, preset = (
        HERE / "files" / entry.file,
        Preset.model_validate(_known()["presets"][entry.preset]),
    )
    findings = check_file(path, preset).findings
    verdict = Verdict()
    for name in entry.defects:
        (verdict.found if any(gives(name, one) for one in findings) else verdict.missed).append(
            name
        )
    spare = [one for one in findings if one.severity is not Severity.NOTE]
    named = (*entry.defects, *entry.allowed)
    verdict.false = [one for one in spare if not any(gives(name, one) for name in named)]
    return verdict
