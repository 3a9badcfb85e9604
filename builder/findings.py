"""The result of every check: the fault, its location, and how to fix it.

It knows nothing of files, games or output formats.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from builder.messages import from_json, gettext as _, to_json, translate

if TYPE_CHECKING:  # JSON needs no models
    from pydantic import JsonValue


class Severity(StrEnum):
    """The severity of a finding: error, warning or note. Only errors make a command fail."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"

    @property
    def word(self) -> str:
        """The severity as a translatable word."""
        words = {"error": _("error"), "warning": _("warning"), "note": _("note")}
        return words[self.value]


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on a page in mm, measured from the page's top left corner."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The distance of the right edge from the left side of the page."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """The distance of the lower edge from the top of the page."""
        return self.y + self.height

    def measure_margins(self, outer: Box) -> tuple[float, float, float, float]:
        """Return the distances in mm to the edges of an outer box: left, top, right, bottom.

        A distance is negative if this box extends beyond that edge.
        """
        return (
            self.x - outer.x,
            self.y - outer.y,
            outer.right - self.right,
            outer.bottom - self.bottom,
        )


class Position(NamedTuple):
    """A position in a text file: line and column, both from 1."""

    line: int
    column: int


def find_position(text: str, offset: int) -> Position:
    """Convert a character offset in a text to a line and column."""
    line = text.count("\n", 0, offset) + 1
    line_start = text.rfind("\n", 0, offset) + 1
    return Position(line, offset - line_start + 1)


@dataclass(frozen=True, slots=True)
class Location:
    """The location of a finding: in a text file, in a roster, or on a page.

    `file` is a path relative to the project (POSIX separators); `line` and `column` count from 1;
    `path` is a YAML or roster path such as `attacks.pistol.damage`; `page` counts from 1.
    """

    file: str | None = None
    line: int | None = None
    column: int | None = None
    path: str | None = None
    page: int | None = None
    box: Box | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault that a check found: an error, a warning or a note.

    `code` (`group/name`) is stable, and `squadpress explain CODE` explains it. The wording of
    `message` and `hint` may change. `hint` says what to do.
    """

    code: str
    message: str
    hint: str = ""
    severity: Severity = Severity.ERROR
    location: Location = Location()

    def translate(self, lang: str) -> Finding:
        """Return the finding with its message and hint in another language."""
        message = translate(self.message, lang)
        return replace(self, message=message, hint=translate(self.hint, lang))

    def to_json(self) -> dict[str, JsonValue]:
        """Convert the finding to JSON values, with messages that can still be translated."""
        value: dict[str, JsonValue] = asdict(self)
        value["message"] = to_json(self.message)
        value["hint"] = to_json(self.hint)
        return value

    @classmethod
    def from_json(cls, value: object) -> Finding:
        """Restore a finding from the value that `to_json` returned.

        Raise KeyError, TypeError or ValueError for others.
        """
        match value:
            case {
                "code": str(code),
                "message": message,
                "hint": hint,
                "severity": str(severity),
                "location": dict(fields),
            }:
                location = Location(**fields)
                if fields["box"]:
                    location = replace(location, box=Box(**fields["box"]))
                return cls(
                    code,
                    from_json(message),
                    from_json(hint),
                    Severity(severity),
                    location,
                )
        raise TypeError("no finding")

    @property
    def sort_key(self) -> tuple[str, int, int, int, str, str]:
        """The order of findings in reports: by file, line, column, page and code."""
        location = self.location
        numbers = (location.line or 0, location.column or 0, location.page or 0)
        return (location.file or "", *numbers, self.code, self.message)


def sort_findings(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Sort findings by location and remove duplicates."""
    return tuple(sorted(dict.fromkeys(findings), key=lambda finding: finding.sort_key))


def has_errors(findings: Iterable[Finding]) -> bool:
    """Return True if at least one finding is an error."""
    return any(finding.severity is Severity.ERROR for finding in findings)
