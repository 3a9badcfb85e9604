"""Findings for a person: one line each with its place, an indented hint, and a summary."""

from __future__ import annotations

from collections.abc import Sequence

from builder.findings import Finding, Location, Severity


def place(location: Location) -> str:
    """`file:line:column: `, as far as it is known; a page instead of a line where there is one."""
    parts = [location.file] if location.file else []
    if location.line is not None:
        parts.append(str(location.line))
        if location.column is not None:
            parts.append(str(location.column))
    elif location.page is not None:
        parts.append(spot(location))
    elif not parts and location.path:
        parts.append(location.path)
    return ":".join(parts) + ": " if parts else ""


def spot(location: Location) -> str:
    """`page 2 at 10.5,20 mm`: a place on a page, from its top left corner; empty where there is none."""
    if location.page is None:
        return ""
    box = location.box
    return f"page {location.page}" + (f" at {box.x:.1f},{box.y:.1f} mm" if box else "")


def said(finding: Finding) -> str:
    """A finding where its file and line are told elsewhere: its place on a page, its message, its hint below."""
    where = spot(finding.location)
    message = f"{where}: {finding.message}" if where else finding.message
    return f"{message}\n{finding.hint}" if finding.hint else message


def line(finding: Finding) -> str:
    """One finding: its line and, indented below, its hint."""
    first = f"{place(finding.location)}{finding.severity.value} {finding.code}: {finding.message}"
    return f"{first}\n    {finding.hint}" if finding.hint else first


def summary(findings: Sequence[Finding]) -> str:
    """`2 errors, 1 warning`, or `no findings`."""
    counts = [(severity, sum(one.severity is severity for one in findings)) for severity in Severity]
    words = [f"{count} {severity.value}{'' if count == 1 else 's'}" for severity, count in counts if count]
    return ", ".join(words) or "no findings"


def text(findings: Sequence[Finding]) -> str:
    """The whole report."""
    return "".join(f"{line(finding)}\n" for finding in findings) + f"{summary(findings)}\n"
