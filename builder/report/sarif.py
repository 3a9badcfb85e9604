"""Findings as SARIF 2.1.0, the format code hosts and editors read. Pure: no clock, no paths of this machine."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from builder.findings import Finding, Location
from builder.messages import translate
from builder.model.codes import CODES
from builder.report.text import said

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def sarif(findings: Sequence[Finding], lang: str) -> str:
    """The whole report."""
    used = sorted({finding.code for finding in findings})
    driver = {"name": "squadpress", "rules": [_rule(code, lang) for code in used]}
    results = [_result(finding, used.index(finding.code), lang) for finding in findings]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=2) + "\n"


def _rule(code: str, lang: str) -> dict[str, Any]:
    known = CODES.get(code)
    if known is None:
        return {"id": code}
    return {
        "id": code,
        "shortDescription": {"text": known.title},
        "fullDescription": {"text": known.why},
        "help": {"text": translate(known.remedy, lang)},
    }


def _result(finding: Finding, index: int, lang: str) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": index,
        "level": finding.severity.value,
        "message": {"text": said(finding, lang)},
    }
    if finding.location.file:
        result["locations"] = [_location(finding.location, finding.location.file)]
    return result


def _location(location: Location, file: str) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": {"uri": quote(file)}}
    if location.line is not None:
        physical["region"] = {"startLine": location.line, "startColumn": location.column or 1}
    place: dict[str, Any] = {"physicalLocation": physical}
    if location.path:
        place["logicalLocations"] = [{"fullyQualifiedName": location.path}]
    return place
