"""What setting gauges can find."""

from builder.messages import gettext as _
from builder.model.codes import define

TOO_LARGE = define(
    "gauges/too-large",
    _("A gauge fits on no page"),
    _("A gauge is printed true to scale; what is larger than the paper would be cut off."),
    _(
        "Make it smaller, print on larger paper, or use a ruler: rulers are printed in parts to be joined."
    ),
)
TOO_LONG = define(
    "gauges/text-too-long",
    _("A text on a gauge is too long for its place"),
    _("Letters below 5.4 pt are not legible, and text over the edge is cut off."),
    _("Shorten the text, enlarge the gauge, or use an icon."),
)
MISSING_LETTER = define(
    "gauges/missing-letter",
    _("A letter is in no font"),
    _("It would be printed as nothing."),
    _("Use a letter that the font has, or an icon."),
)
