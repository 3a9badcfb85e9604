"""Report errors of templates as findings with file and line."""

import re
import traceback
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from builder.findings import Finding, Location, sort_findings
from builder.messages import Message, gettext as _, ngettext
from builder.render import render_codes
from builder.render.files import BASE_URL, AddressOutsidePack, locate_file
from builder.render.jobs import Places

_NAMED_FILE = re.compile(re.escape(BASE_URL) + r"""[^\s'"]+""")
"""The address of a file in a message of an engine."""
FACE_MESSAGE = _("{face}: {what}")
"""The pattern of a message about one face."""


def add_face_label(face: str, what: Message) -> Message:
    """Return a message that names its face. Equal messages about several faces are later merged."""
    return _(FACE_MESSAGE, face=face, what=what)


def report_template_error(
    error: Exception, label: str, template: str, places: Places
) -> Finding:
    """Return the finding about an exception that a template raised."""
    from jinja2 import TemplateNotFound, TemplateSyntaxError, UndefinedError
    from jinja2.exceptions import SecurityError

    from builder.render.html.sandbox import TemplateLimitExceeded

    place = Location(template)
    # The innermost template is named last.
    for frame in traceback.extract_tb(error.__traceback__):
        if frame.filename.endswith(".j2"):
            place = Location(places.format_path(Path(frame.filename)), frame.lineno)
    hint: Message | str = ""
    match error:
        case TemplateSyntaxError():
            file = (
                template
                if error.filename is None
                else places.format_path(Path(error.filename))
            )
            code = render_codes.TEMPLATE
            place = Location(file, error.lineno)
            what = _("the template cannot be read: {reason}", reason=error.message)
        case TemplateNotFound():
            code = render_codes.NO_TEMPLATE
            what = _("the template {name} does not exist", name=error.name)
            hint = _("A template may only include files of its own pack and of base/.")
        case UndefinedError():
            code = render_codes.UNDEFINED
            what = Message(error.message or "")
        # Before SecurityError, of which it is a kind.
        case TemplateLimitExceeded():
            code = render_codes.LIMITS
            what = Message(error.message or "")
        case SecurityError():
            code = render_codes.OUTSIDE_PACK
            what = Message(error.message or "")
            hint = _(
                "Templates run in a sandbox. They can print and calculate, but not use "
                "other parts of the program."
            )
        case _other:
            code = render_codes.TEMPLATE
            what = _("an expression has no value: {reason}", reason=error)
    return code.finding(add_face_label(label, what), place, hint)


def locate_named_file(finding: Finding, places: Places) -> Finding:
    """Return a finding with the location in the pack's file, if its message names the file.

    A picture that is damaged is then one error at that file, and not one at each card that shows
    it.
    """
    what = drop_face_label(finding.message)
    reason = what.values.get("reason", "") if isinstance(what, Message) else ""
    match = _NAMED_FILE.search(str(reason))
    if match is None:
        return finding
    try:
        path = locate_file(match[0], places.templates, places.base, places.data)
    except (AddressOutsidePack, OSError, ValueError):
        return finding
    return replace(finding, location=Location(places.format_path(path)))


def group_findings(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return findings sorted, with equal messages about several faces merged.

    Equal findings about many faces of one template become one, with their number.
    """
    groups: dict[tuple[object, ...], list[Finding]] = {}
    for finding in sort_findings(findings):
        place = replace(finding.location, box=None)
        key = (finding.code, place, drop_face_label(finding.message))
        groups.setdefault(key, []).append(finding)
    return tuple(map(_merge_findings, groups.values()))


def _merge_findings(findings: list[Finding]) -> Finding:
    """Merge findings with equal messages about several faces."""
    first = findings[0]
    more = len(findings) - 1
    if not more or not (
        isinstance(first.message, Message) and first.message.msgid == FACE_MESSAGE
    ):
        return first
    message = ngettext(
        "{face} and {count} more face: {what}",
        "{face} and {count} more faces: {what}",
        more,
        **first.message.values,
    )
    return replace(first, message=message)


def drop_face_label(message: str) -> str:
    """Return a message without the name of its face."""
    if isinstance(message, Message) and message.msgid == FACE_MESSAGE:
        what = message.values["what"]
        return what if isinstance(what, str) else str(what)
    return message
