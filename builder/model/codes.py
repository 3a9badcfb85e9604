"""The table of everything a finding can be: each code with its title, its reason and its remedy.

A code is defined once, beside what finds it: in a `codes.py` of a layer, or in the file of a check. Two definitions of
one code are a mistake in the program and stop it at import.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from builder.findings import Finding, Location, Severity

_TABLE: "dict[str, Code]" = {}

CODES: "Mapping[str, Code]" = MappingProxyType(_TABLE)
"""All codes defined by the modules imported so far."""

_FORM = re.compile(r"^[a-z][a-z0-9]*/[a-z0-9]+(-[a-z0-9]+)*$")


@dataclass(frozen=True, slots=True)
class Code:
    """One sort of finding: `group/name`, and what `squadpress explain` says about it."""

    code: str
    title: str
    why: str
    remedy: str
    severity: Severity = Severity.ERROR

    def finding(
        self, message: str, location: Location | None = None, hint: str = "", severity: Severity | None = None
    ) -> Finding:
        """A finding of this sort; without a hint or severity of its own it has the general ones. A note is one line: it
        needs nothing, and what might be done is told by `squadpress explain`.
        """
        severity = severity or self.severity
        general = self.remedy if severity is not Severity.NOTE else ""
        return Finding(self.code, message, hint or general, severity, location or Location())


def define(code: str, title: str, why: str, remedy: str, severity: Severity = Severity.ERROR) -> Code:
    """Define a code; ValueError if it is taken or misspelt."""
    if not _FORM.match(code):
        raise ValueError(f"{code!r} is not of the form group/name")
    if code in _TABLE:
        raise ValueError(f"code {code} is defined twice")
    _TABLE[code] = Code(code, title, why, remedy, severity)
    return _TABLE[code]
