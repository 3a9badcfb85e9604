"""A template asks for no more columns and rows than a card can hold."""

import re
from collections.abc import Iterator

from builder.findings import Finding
from builder.messages import gettext as _
from builder.model.codes import define
from builder.model.looks import TemplateFile

SPANS = define(
    "looks/too-many-cells",
    _("A cell of a table spans more columns or rows than a card can hold"),
    _("Each of them is laid out: a single number can take all memory."),
    _("Use a smaller number."),
)
MOST = 1000
"""Columns or rows; browsers stop there too."""
_SPAN = re.compile(r"""\b((?:col|row)?span)\s*=\s*["']?\s*(\d+)""", re.IGNORECASE)


def check(template: TemplateFile) -> Iterator[Finding]:
    """Every span that is written as it stands."""
    for found in _SPAN.finditer(template.text):
        if len(found[2]) > 9 or int(found[2]) > MOST:
            message = _("{name} {number}; {most} are the most", name=found[1], number=found[2][:12], most=MOST)
            yield SPANS.finding(message, template.at(found.start(2)))
