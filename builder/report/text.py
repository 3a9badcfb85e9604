"""Findings for a person: one line each with its place, an indented hint, and a summary."""

from __future__ import annotations

from collections.abc import Sequence

from builder.findings import Finding, Location, Severity
from builder.messages import gettext as _
from builder.messages import joined, translate

COUNTED = {
    Severity.ERROR: (_("{many} error"), _("{many} errors")),
    Severity.WARNING: (_("{many} warning"), _("{many} warnings")),
    Severity.NOTE: (_("{many} note"), _("{many} notes")),
}
"""One, and several, of each."""


def place(location: Location, lang: str) -> str:
    """`file:line:column: `, as far as it is known; a page instead of a line where there is one."""
    parts = [location.file] if location.file else []
    if location.line is not None:
        parts.append(str(location.line))
        if location.column is not None:
            parts.append(str(location.column))
    elif spot(location):
        parts.append(translate(spot(location), lang))
    elif not parts and location.path:
        parts.append(location.path)
    return ":".join(parts) + ": " if parts else ""


def spot(location: Location) -> str:
    """`page 2 at 10.5,20 mm`: a place on a page or an image, from its top left corner; empty where there is none."""
    parts = [_("page {page}", page=location.page)] if location.page is not None else []
    if location.box is not None:
        parts.append(_("at {x:.1f},{y:.1f} mm", x=location.box.x, y=location.box.y))
    return joined(parts, _("{first} {rest}"))


def said(finding: Finding, lang: str) -> str:
    """A finding where its file and line are told elsewhere: its place on a page, its message, its hint below."""
    told, where = finding.translated(lang), translate(spot(finding.location), lang)
    message = f"{where}: {told.message}" if where else told.message
    return f"{message}\n{told.hint}" if told.hint else message


def line(finding: Finding, lang: str) -> str:
    """One finding in a language: its line and, indented below, its hint."""
    told = finding.translated(lang)
    first = f"{place(told.location, lang)}{translate(told.severity.value, lang)} {told.code}: {told.message}"
    return f"{first}\n    {told.hint}" if told.hint else first


def summary(findings: Sequence[Finding], lang: str) -> str:
    """`2 errors, 1 warning`, or `no findings`."""
    counts = [(severity, sum(one.severity is severity for one in findings)) for severity in Severity]
    words = [_counted(severity, count, lang) for severity, count in counts if count]
    return ", ".join(words) or translate(_("no findings"), lang)


def _counted(severity: Severity, count: int, lang: str) -> str:
    return translate(_(COUNTED[severity][count != 1], many=count), lang)


def text(findings: Sequence[Finding], lang: str) -> str:
    """The whole report."""
    return "".join(f"{line(finding, lang)}\n" for finding in findings) + f"{summary(findings, lang)}\n"
