"""Codes of findings about gauges on sheets."""

from builder.messages import gettext as _
from builder.model.codes import define

TOO_LARGE = define(
    "gauges/too-large",
    _("A gauge is larger than the paper"),
    _("A gauge is printed in its exact size, so part of it would be cut off."),
    _(
        "Make it smaller, use larger paper, or use a ruler: rulers are printed in parts and joined."
    ),
)
TOO_LONG = define(
    "gauges/text-too-long",
    _("A text on a gauge is too long"),
    _("Text below 5.4 pt is not readable, and text over the edge is cut off."),
    _("Shorten the text, enlarge the gauge, or use an icon."),
)
MISSING_LETTER = define(
    "gauges/missing-letter",
    _("No font has a character"),
    _("The character would be missing in print."),
    _("Use a character that the font has, or an icon."),
)
