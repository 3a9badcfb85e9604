"""Findings for programs: one JSON object with a list."""

from __future__ import annotations

import json as jsonlib
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from builder.findings import Finding, Severity


def json(findings: Sequence[Finding], lang: str) -> str:
    """The whole report; parts of a place that are unknown are left out."""
    items = [_item(finding.translated(lang)) for finding in findings]
    counts = {severity.value: sum(one.severity is severity for one in findings) for severity in Severity}
    return jsonlib.dumps({"findings": items, "counts": counts}, ensure_ascii=False, indent=2) + "\n"


def _item(finding: Finding) -> dict[str, Any]:
    location = {key: value for key, value in asdict(finding.location).items() if value is not None}
    return {
        "code": finding.code,
        "severity": finding.severity.value,
        "message": finding.message,
        "hint": finding.hint,
        "location": location,
    }
