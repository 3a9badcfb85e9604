"""Files of strangers are read in a process with limits of memory and time."""

from collections.abc import Callable
from typing import TypeVar

from builder.errors import InputUnreadable
from builder.limits import LimitedProcess, LimitsExceeded
from builder.messages import gettext as _

T = TypeVar("T")

MEMORY = 900_000_000
"""Bytes that reading one file may take, besides the program itself."""
SECONDS = 300
"""How long it may take: five hundred pages take twenty."""


class FileReader(LimitedProcess):
    """Reads one file after another, or a few together."""

    def __init__(self) -> None:
        super().__init__(MEMORY, SECONDS)

    def read(self, files: tuple[str, ...], work: Callable[..., T], *given: object) -> T:
        """What some work on files, read in this order, gives. InputUnreadable where it takes too much."""
        try:
            return self.run(work, *given)
        except LimitsExceeded as error:
            file = files[max(error.file, 1) - 1]
            form = _("{file}: to read it takes more memory or time than a file may")
            if error.page:
                form = _("{file}: to read page {page} takes more memory or time than a file may")
            hint = _("Save it anew from the program it came from, in parts.")
            raise InputUnreadable(_(form, file=file, page=error.page), hint) from None
