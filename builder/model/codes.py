"""All codes of findings, each with its title, its reason and its fix.

A code is defined once, in a `*_codes.py` of a layer or in the file of a check. A second definition
of a code stops the program at import.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from builder.findings import Finding, Location, Severity
from builder.messages import gettext as _
from builder.version import VERSION

_CODES_BY_NAME: "dict[str, Code]" = {}

CODES: "Mapping[str, Code]" = MappingProxyType(_CODES_BY_NAME)
"""All codes defined by the modules imported so far."""

_CODE_FORM = re.compile(r"^[a-z][a-z0-9]*/[a-z0-9]+(-[a-z0-9]+)*$")


@dataclass(frozen=True, slots=True)
class Code:
    """One type of error, warning or note, such as `cards/unknown-keyword`, with its explanation."""

    code: str
    title: str
    why: str
    remedy: str
    severity: Severity = Severity.ERROR
    error_from: str = ""
    """The version from which a stricter check reports errors; before it reports warnings. Empty if
    it always reports errors.
    """

    def finding(
        self,
        message: str,
        location: Location | None = None,
        hint: str = "",
        severity: Severity | None = None,
    ) -> Finding:
        """Return an error, warning or note of this type about one place.

        The hint and the severity default to those of the code. A note has no hint.
        """
        severity = severity or self.severity
        if not hint and severity is not Severity.NOTE:
            hint = self.remedy
        if self.error_from and severity is Severity.WARNING:
            hint = _(
                "{hint} From version {version} on, this is an error.",
                hint=hint,
                version=self.error_from,
            )
        return Finding(self.code, message, hint, severity, location or Location())


@dataclass(frozen=True, slots=True)
class Example:
    """Lines of a file before and after the fix, shown on the page of a code."""

    place: str
    """The file, and what else the lines depend on."""
    before: str
    after: str


def define(
    code: str,
    title: str,
    why: str,
    remedy: str,
    severity: Severity = Severity.ERROR,
    error_from: str = "",
) -> Code:
    """Define a type of error, warning or note.

    Raise ValueError if it is taken or misspelt.

    Give `error_from` (a version such as "0.3.0") when a check becomes stricter: until that version
    the finding is a warning whose hint names the version.
    """
    if not _CODE_FORM.match(code):
        raise ValueError(f"{code!r} is not of the form group/name")
    if code in _CODES_BY_NAME:
        raise ValueError(f"code {code} is defined twice")
    if error_from and is_older(VERSION, error_from):
        severity = Severity.WARNING
    else:
        error_from = ""
    definition = Code(code, title, why, remedy, severity, error_from)
    _CODES_BY_NAME[code] = definition
    return definition


def make_stricter_code(code: Code, error_from: str) -> Code:
    """Return the same code for cases that it did not report in earlier versions.

    They are warnings until the version `error_from`.
    """
    if is_older(VERSION, error_from):
        return replace(code, severity=Severity.WARNING, error_from=error_from)
    return code


def is_older(version: str, other_version: str) -> bool:
    """Return True if a version of the program, such as "0.2.0", comes before another."""
    return _parse_version(version) < _parse_version(other_version)


def _parse_version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split("."))
