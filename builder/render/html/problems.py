"""What goes wrong in a template, as a finding with file and line."""

from __future__ import annotations

import traceback
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from builder.findings import Finding, Location, in_order
from builder.messages import Message, ngettext
from builder.messages import gettext as _
from builder.render import codes
from builder.render.jobs import Places

ABOUT = _("{face}: {what}")
"""What is wrong with one face."""


def of_face(face: str, what: Message) -> Message:
    """A message about a face, which `folded` puts together with those of others that are wrong in the same way."""
    return _(ABOUT, face=face, what=what)


def template_finding(error: Exception, label: str, shown: str, places: Places) -> Finding:
    """The finding of an exception raised while a template was filled in."""
    from jinja2 import TemplateNotFound, TemplateSyntaxError, UndefinedError
    from jinja2.exceptions import SecurityError

    place = _place(error, shown, places)
    if isinstance(error, TemplateSyntaxError):
        place = Location(
            file=shown if error.filename is None else places.shown(Path(error.filename)), line=error.lineno
        )
        return codes.TEMPLATE.finding(
            of_face(label, _("the template cannot be read: {reason}", reason=error.message)), place
        )
    if isinstance(error, TemplateNotFound):
        hint = _("A template may include files of its own pack and of base/ only.")
        missing = _("there is no template {name}", name=error.name)
        return codes.NO_TEMPLATE.finding(of_face(label, missing), place, hint)
    if isinstance(error, UndefinedError):
        return codes.UNDEFINED.finding(of_face(label, Message(error.message or "")), place)
    if isinstance(error, SecurityError):
        hint = _("Templates run in a sandbox: they may print and compute, not reach into the program.")
        return codes.OUTSIDE.finding(of_face(label, Message(error.message or "")), place, hint)
    return codes.TEMPLATE.finding(of_face(label, _("an expression has no value: {reason}", reason=error)), place)


def folded(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings in order; one that repeats for many faces of one template stands once, with their number."""
    groups: dict[tuple[object, ...], list[Finding]] = {}
    for finding in in_order(findings):
        groups.setdefault((finding.code, finding.location.at(box=None), _about(finding.message)), []).append(finding)
    return tuple(_one(same) for same in groups.values())


def _one(same: list[Finding]) -> Finding:
    """Equal findings of several faces as one."""
    first, more = same[0], len(same) - 1
    if not more or not (isinstance(first.message, Message) and first.message.msgid == ABOUT):
        return first
    message = ngettext(
        "{face} and {count} more face: {what}", "{face} and {count} more faces: {what}", more, **first.message.values
    )
    return replace(first, message=message)


def _about(message: str) -> object:
    """What a message says, whatever face it says it of."""
    return message.values["what"] if isinstance(message, Message) and message.msgid == ABOUT else message


def _place(error: Exception, shown: str, places: Places) -> Location:
    """The innermost line of a template in an exception's story."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if frame.filename.endswith(".j2"):
            return Location(file=places.shown(Path(frame.filename)), line=frame.lineno)
    return Location(file=shown)
