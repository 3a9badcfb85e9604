"""Codes of findings about files for shops, with reasons and remedies."""

from builder.findings import Severity
from builder.messages import gettext as _
from builder.model.codes import define

SIZE = define(
    "press/size",
    _("A shop does not print this card size"),
    _("The shop refuses a file of another size, or scales it."),
    _(
        "Choose another preset, or set one of the shop's sizes for the kind in pack.yaml."
    ),
)
BLEED = define(
    "press/bleed",
    _("A face has too little bleed for the shop"),
    _("If the cut is off by half a millimetre, a white edge is visible."),
    _(
        "Extend the background of the template and increase `bleed` of the kind's size in "
        "pack.yaml."
    ),
)
DIFFERS = define(
    "press/size-differs",
    _("The shop's card size differs slightly from the card"),
    _(
        "The card is centred in the shop's size. Its edges are a little wider or narrower."
    ),
    _(
        "No change is needed if you accept the difference. Otherwise use the shop's size "
        "in pack.yaml."
    ),
    Severity.NOTE,
)
MIRRORED = define(
    "press/bleed-mirrored",
    _("A shop's page is larger than the bleed of the face"),
    _(
        "The difference is more than 0.05 mm. The outermost strip of the face was mirrored "
        "to fill the page. It will be cut off."
    ),
    _("No change is needed. A larger bleed avoids the mirroring."),
    Severity.NOTE,
)
TURNED_PAGES = define(
    "press/turned",
    _("A landscape card is rotated"),
    _(
        "Shops print portrait cards. Front and back are turned in opposite directions, so "
        "that both read upright when the card is turned like a page."
    ),
    _(
        "No change is needed. If the shop asks, explain that the backs are turned on purpose."
    ),
    Severity.NOTE,
)
PROFILE = define(
    "press/profile",
    _("Colours are not converted to the shop's printing condition"),
    _("With another profile, printed colours differ from the proof."),
    _(
        "Download the profile from its publisher and use --icc FILE.icc, or accept a general "
        "profile with --icc general."
    ),
)
OUTLINES = define(
    "press/outlines",
    _("Some text could not be converted to outlines"),
    _(
        "The shop requires text as outlines. The remaining text is in an embedded font, "
        "and the shop may reject it."
    ),
    _(
        "Ask the shop whether embedded fonts are accepted, or convert the text in another program."
    ),
    Severity.WARNING,
)
FLATTENED = define(
    "press/flattened",
    _("Transparent drawings were converted to pictures"),
    _(
        "The standard does not allow transparency. Transparent parts are drawn at 600 dpi; "
        "text stays text."
    ),
    _("No change is needed. Opaque colours keep the drawing sharp at any size."),
    Severity.NOTE,
)
COVERED = define(
    "press/type-in-picture",
    _("Text became part of a picture"),
    _(
        "A transparent drawing covers text, so the text is part of the picture at 600 dpi."
    ),
    _(
        "Draw text after the drawing that covers it, or keep transparent drawings away from text."
    ),
    Severity.WARNING,
)
COLOUR = define(
    "press/colour",
    _("A colour cannot be converted"),
    _("The file would contain RGB colours and not meet the shop's standard."),
    _("Use plain colours, gradients or pictures."),
)
PARTS = define(
    "press/parts",
    _("A deck has more cards than a shop prints in one order"),
    _(
        "The deck is divided into parts. Each part is ordered separately and arrives as a "
        "separate pack of cards."
    ),
    _("Reduce the copies in products.yaml, make two decks, or order the parts."),
    Severity.WARNING,
)
TABLE = define(
    "press/sheet-left-out",
    _("Sheets for the table cannot be ordered"),
    _("Card shops do not print sheets for the table. Print them at home."),
    _("Build the sheets with a home profile."),
    Severity.NOTE,
)
PLATE = define(
    "press/plate",
    _("The order contains a plate for foil or white ink"),
    _("Its pages match the pages of its file. Black areas become foil or white ink."),
    _("Tell the shop which foil you want."),
    Severity.NOTE,
)
PLATE_COLOUR = define(
    "press/plate-colour",
    _("A plate contains a picture, or a colour other than black"),
    _(
        "Shops print this plate in black only. Pictures get jagged edges, and grey is not printed."
    ),
    _(
        "In foil.css and white.css, show only text, borders and plain areas, all in #000."
    ),
)
STAND_IN = define(
    "press/stand-in",
    _("A picture is missing"),
    _(
        "The template draws a placeholder where the picture belongs, and the shop would print it."
    ),
    _(
        "Set the card's `art` to a picture, or print the placeholder if this is a proof."
    ),
    Severity.WARNING,
)
