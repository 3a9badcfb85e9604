"""Codes of findings about lists of other programs, with reasons and remedies."""

from builder.findings import Severity
from builder.messages import gettext as _
from builder.model.codes import define

UNKNOWN_PART = define(
    "import/unknown-part",
    _("A part of a list is unknown"),
    _("The part is kept in the original file, but it is not on the cards."),
    _("Check that the cards have everything you need."),
    Severity.WARNING,
)
NUMBER = define(
    "import/number",
    _("A number or cost of a list cannot be read"),
    _(
        "Counts must be whole numbers, and costs numbers. The total of the list may be wrong."
    ),
    _("Correct it in the program that made the list, and export the list again."),
    Severity.WARNING,
)
TOO_LONG = define(
    "import/too-long",
    _("A text of a list does not fit on a card"),
    _(
        "Long texts continue on the back and on further cards. A single word or name cannot."
    ),
    _(
        "Use larger cards (--size a6), or shorten the text in the program that made the list."
    ),
)
CONFLICT = define(
    "import/conflict",
    _("A newer list changes an edited value"),
    _("You edited a value, and the list has changed it too. Your edit is kept."),
    _("To use the list's value, write it in the file. Otherwise do nothing."),
    Severity.WARNING,
)
CHARACTERS = define(
    "import/characters",
    _("No font has a character of a list"),
    _("The characters would be missing on the cards."),
    _(
        "Make a pack of the list with `squadpress import FILE --into DIR`. Then put a font with "
        "these characters into its folder of fonts."
    ),
)
TITLE_CARD = define(
    "import/title-card",
    _("The title card of an imported list differs from its cards"),
    _(
        "The title card is imported like the other cards. It does not change when you edit them."
    ),
    _("Correct the title card."),
    Severity.WARNING,
)
