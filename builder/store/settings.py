"""The user's own settings, outside any project: printers and what is known of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from platformdirs import user_config_path

from builder.errors import InputUnreadable, UsageError
from builder.files import locked, write_atomic
from builder.messages import gettext as _
from builder.model.words import suggestion

if TYPE_CHECKING:  # whoever only asks for the folder does without the models
    from builder.model.profile import Printer, Printers


def settings_folder() -> Path:
    """Where the system keeps a user's settings; on Linux $XDG_CONFIG_HOME/squadpress, else ~/.config/squadpress."""
    return user_config_path("squadpress", appauthor=False)


def load_printers() -> Printers:
    """All printers. InputUnreadable where the file is broken."""
    from pydantic import ValidationError

    from builder.model.profile import Printers

    path = settings_folder() / "printers.json"
    try:
        return Printers.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return Printers()
    except (OSError, ValidationError) as error:
        first = str(error).splitlines()[0]
        remedy = _("Mend the file, or delete it and set the printers anew.")
        raise InputUnreadable(_("{file}: {reason}", file=path, reason=first), remedy) from None


def find_printer(name: str) -> Printer:
    """One printer. UsageError where there is none of that name."""
    known = load_printers().printers
    if name not in known:
        hint = suggestion(name, tuple(known), _("Printers")) if known else ""
        remedy = hint or _("squadpress calibrate, then squadpress printer set NAME ...")
        raise UsageError(_("no printer {name!r}", name=name), remedy)
    return known[name]


def keep_printer(name: str, printer: Printer | None) -> Path:
    """Remember a printer, or forget it (None). UsageError for a name that is no id; gives the file."""
    from pydantic import ValidationError

    from builder.model.profile import Printers

    path = settings_folder() / "printers.json"
    with locked(path):
        known = dict(load_printers().printers)
        if printer is None:
            find_printer(name)
            del known[name]
        else:
            known[name] = printer
        try:
            kept = Printers.model_validate({"printers": known})
        except ValidationError:
            message = _("{name!r} is no name", name=name)
            raise UsageError(message, _("Lower-case Latin letters, digits and hyphens.")) from None
        write_atomic(path, (kept.model_dump_json(indent=1) + "\n").encode())
    return path
