"""The report formats by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from builder.findings import Finding
from builder.report.github import github
from builder.report.json import json
from builder.report.sarif import sarif
from builder.report.text import text

Report: TypeAlias = Callable[[Sequence[Finding]], str]
"""All findings as one text, ready to be written."""

FORMATS: Mapping[str, Report] = {"text": text, "json": json, "sarif": sarif, "github": github}


def report(form: str, findings: Sequence[Finding], lang: str = "en") -> str:
    """Findings in one of the formats, told in a language as far as there are words for them."""
    told = [finding.in_words(lang) for finding in findings]
    return text(told, lang) if form == "text" else FORMATS[form](told)
