"""The report formats by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from builder.findings import Finding
from builder.report.github import github
from builder.report.json import json
from builder.report.sarif import sarif
from builder.report.text import text

Report: TypeAlias = Callable[[Sequence[Finding], str], str]
"""All findings as one text in a language, as far as there are words for them."""

FORMATS: Mapping[str, Report] = {"text": text, "json": json, "sarif": sarif, "github": github}
