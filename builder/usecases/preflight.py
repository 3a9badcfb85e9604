"""Judge a finished PDF by a print shop's numbers: our own before an order is handed over, and anyone's."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from builder.checks.preflight.job import Job
from builder.checks.preflight.run import judge
from builder.findings import Finding
from builder.model.preset import Preset


def preflight_file(path: Path, preset: Preset, name: str = "") -> tuple[Finding, ...]:
    """All findings about one file; `name` is what they call it (by default the file's own name).

    InputUnreadable for what is no PDF. Without Ghostscript a finding says that ink was not measured.
    """
    from builder.pdfinfo.ink import measure_ink
    from builder.pdfinfo.read import read

    pdf, limit = read(path), preset.colour.ink_limit
    findings = judge(Job(pdf, preset, None if limit is None else measure_ink(path, limit)))
    file = name or path.name
    return tuple(replace(finding, location=finding.location.at(file=file)) for finding in findings)
