"""Recognise lists of other programs where a squad of a pack is expected."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from builder.errors import InputUnreadable, UsageError
from builder.files import read_limited
from builder.interchange.reading import (
    MAX_BYTES,
    is_foreign_roster,
    read_foreign_roster,
)
from builder.messages import gettext as _

FOREIGN_EXTENSIONS = (".ros", ".rosz", ".cat", ".catz", ".gst", ".gstz")
"""Extensions of other programs. Such a file is no squad of a pack, even if it is damaged."""
ADDRESS = re.compile(r"\s*https?://")


def refuse_foreign_list(path: Path) -> None:
    """Raise UsageError if a file is a list of another program, not a squad of a pack.

    Raise InputUnreadable if such a list is damaged.
    """
    try:
        data = read_limited(path, MAX_BYTES)
    except OSError:  # whoever reads the squad reports it
        return
    if is_foreign_roster(data):
        message = _(
            "{file} is a list of another program, not a squad of a pack", file=path
        )
        raise _make_foreign_list_error(message, shlex.quote(str(path)))
    if path.suffix.lower() not in FOREIGN_EXTENSIONS:
        return
    try:
        read_foreign_roster(data)
    except InputUnreadable as error:
        message = _("{file}: {reason}", file=path, reason=error.message)
        raise InputUnreadable(message, error.remedy) from error


def refuse_foreign_text(text: str) -> None:
    """Raise UsageError if a text is a list of another program, or only a web link."""
    if is_foreign_roster(text.encode(errors="ignore")):
        error = _make_foreign_list_error(
            _("this is a list of another program, not a squad"), "FILE"
        )
        raise UsageError(error.message, _("Save it in FILE. {hint}", hint=error.remedy))
    if ADDRESS.match(text):
        form = _(
            "Open it in a browser, and export the list as a file. Then print its cards: {command}"
        )
        hint = _(form, command="squadpress print FILE")
        raise UsageError(_("this link does not contain the list"), hint)


def _make_foreign_list_error(message: str, file: str) -> UsageError:
    hint = _(
        "Print its cards: {printing}\n  Make an editable pack of it: {importing}",
        printing=f"squadpress print {file}",
        importing=f"squadpress import {file} --into DIR",
    )
    return UsageError(message, hint)
