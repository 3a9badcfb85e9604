"""What goes wrong in a template, as a finding with file and line."""

from __future__ import annotations

import traceback
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from builder.findings import Finding, Location, in_order
from builder.render import codes
from builder.render.jobs import Places


def template_finding(error: Exception, label: str, shown: str, places: Places) -> Finding:
    """The finding of an exception raised while a template was filled in."""
    from jinja2 import TemplateNotFound, TemplateSyntaxError, UndefinedError
    from jinja2.exceptions import SecurityError

    place = _place(error, shown, places)
    if isinstance(error, TemplateSyntaxError):
        place = Location(
            file=shown if error.filename is None else places.shown(Path(error.filename)), line=error.lineno
        )
        return codes.TEMPLATE.finding(f"{label}: {error.message}", place)
    if isinstance(error, TemplateNotFound):
        hint = "A template may include files of its own pack and of base/ only."
        return codes.NO_TEMPLATE.finding(f"{label}: there is no template {error.name}", place, hint)
    if isinstance(error, UndefinedError):
        return codes.UNDEFINED.finding(f"{label}: {error.message}", place)
    if isinstance(error, SecurityError):
        hint = "Templates run in a sandbox: they may print and compute, not reach into the program."
        return codes.OUTSIDE.finding(f"{label}: {error}", place, hint)
    return codes.TEMPLATE.finding(f"{label}: {type(error).__name__}: {error}", place)


def folded(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings in order; one that repeats for many faces of one template stands once, with their number."""
    groups: dict[tuple[object, ...], list[Finding]] = {}
    for finding in in_order(findings):
        _, _, rest = finding.message.partition(": ")
        place = finding.location.at(box=None)
        groups.setdefault((finding.code, place, rest or finding.message), []).append(finding)
    return tuple(_one(same) for same in groups.values())


def _one(same: list[Finding]) -> Finding:
    """Equal findings of several faces as one."""
    first, more = same[0], len(same) - 1
    if not more:
        return first
    label, _, rest = first.message.partition(": ")
    return replace(first, message=f"{label} and {more} more face{'s' * (more > 1)}: {rest}")


def _place(error: Exception, shown: str, places: Places) -> Location:
    """The innermost line of a template in an exception's story."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if frame.filename.endswith(".j2"):
            return Location(file=places.shown(Path(frame.filename)), line=frame.lineno)
    return Location(file=shown)
