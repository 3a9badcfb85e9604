"""Findings as workflow commands, which GitHub shows beside the changed lines."""

from __future__ import annotations

from collections.abc import Sequence

from builder.findings import Finding
from builder.report.text import said

_LEVEL = {"error": "error", "warning": "warning", "note": "notice"}


def github(findings: Sequence[Finding], lang: str) -> str:
    """The whole report: one command per finding."""
    return "".join(f"{_command(finding, lang)}\n" for finding in findings)


def _command(finding: Finding, lang: str) -> str:
    place = finding.location
    parts = {"file": place.file, "line": place.line, "col": place.column, "title": finding.code}
    properties = ",".join(f"{key}={_property(str(value))}" for key, value in parts.items() if value is not None)
    return f"::{_LEVEL[finding.severity.value]} {properties}::{_data(said(finding, lang))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
