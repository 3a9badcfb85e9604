"""A template asks for no more columns and rows than a card can hold."""

from collections.abc import Iterator
from itertools import islice

from builder.findings import Finding
from builder.messages import gettext as _
from builder.model.codes import define
from builder.model.looks import SPANS, TOLD, TemplateFile, wide_spans

CELLS = define(
    "looks/too-many-cells",
    _("A cell of a table spans more columns or rows than a card can hold"),
    _("Each of them is laid out: a single number can take all memory."),
    _("Use a smaller number."),
)


def check(template: TemplateFile) -> Iterator[Finding]:
    """Every span that is written as it stands; those that are worked out are looked at when they are."""
    for name, number, offset in islice(wide_spans(template.text), TOLD):
        message = _("{name} {number}; {most} are the most", name=name, number=number, most=SPANS)
        yield CELLS.finding(message, template.at(offset))
