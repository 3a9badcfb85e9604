"""The exceptions: raised only when work cannot go on, each with an exit code and a remedy.

What an author can mend is a finding, not an exception.
"""

from builder.messages import gettext as _, os_error


class SquadpressError(Exception):
    """Base of all expected failures.

    `message` says what went wrong and where, `remedy` what to do next. `exit_code` is the process's status.
    """

    exit_code = 70

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy


class UsageError(SquadpressError):
    """The command line or an option asks for something that does not exist."""

    exit_code = 2


class InputUnreadable(SquadpressError):
    """A file that must be read is missing, a folder, too large, or not text."""

    exit_code = 3


class ToolMissing(SquadpressError):
    """A program, shared library or font that the work needs is not installed."""

    exit_code = 4


class OutputNotWritten(SquadpressError):
    """A result could not be written; what was there before is untouched."""

    exit_code = 5

    @classmethod
    def because(cls, file: object, error: OSError) -> "OutputNotWritten":
        """What the system refused to write, and why."""
        return cls(
            _("{file} could not be written: {reason}", file=file, reason=os_error(error)),
            _("Check that the folder may be written to and that the disk has room; earlier files are untouched."),
        )
