"""The exceptions, each with an exit code and a hint.

They are raised only if work cannot go on. Faults in files that authors can fix are findings.
"""

from collections.abc import Iterable

from builder.findings import Finding
from builder.messages import describe_os_error, gettext as _


class SquadpressError(Exception):
    """Base class of all expected errors. They are printed without a traceback.

    `message` says what went wrong and where, `remedy` what to do next. `exit_code` is the process's
    status.
    """

    exit_code = 70

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy


class UsageError(SquadpressError):
    """Raised if the command line or an option names something that does not exist."""

    exit_code = 2


class InputUnreadable(SquadpressError):
    """Raised if a required file is missing, a folder, too large, or not text."""

    exit_code = 3


class PackUnreadable(InputUnreadable):
    """Raised if a file that decides whether a squad is legal is missing or broken.

    `findings` are the errors, at least one, each with its location.
    """

    def __init__(self, pack: str, findings: Iterable[Finding]) -> None:
        self.pack = pack
        self.findings = tuple(findings)
        first_finding = self.findings[0]
        count = len(self.findings)
        message = _(
            "no verdict: {reason}", reason=format_located_message(first_finding)
        )
        if count > 1:
            message = _("{first} (first of {count} errors)", first=message, count=count)
        hint = first_finding.hint or _(
            "Run: {command}", command=f"squadpress check {pack}"
        )
        super().__init__(message, hint)


def format_located_message(finding: Finding) -> str:
    """Return the message of a finding with its file, line and column before it, where known."""
    location = finding.location
    if not location.file:
        return finding.message
    parts = (location.file, location.line, location.column)
    where = ":".join(str(part) for part in parts if part is not None)
    return _("{where}: {reason}", where=where, reason=finding.message)


class ToolMissing(SquadpressError):
    """Raised if a required program, shared library or font is not installed."""

    exit_code = 4


class OutputNotWritten(SquadpressError):
    """Raised if a result cannot be written. The previous file is unchanged."""

    exit_code = 5

    @classmethod
    def from_os_error(cls, file: object, error: OSError) -> "OutputNotWritten":
        """Make the error for a file that the operating system could not write."""
        return cls(
            _(
                "{file} could not be written: {reason}",
                file=file,
                reason=describe_os_error(error),
            ),
            _(
                "Check that the folder is writable and the disk is not full. Earlier files "
                "were not changed."
            ),
        )
