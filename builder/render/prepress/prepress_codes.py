"""What making a shop's files can find: codes with their reasons and remedies."""

from builder.findings import Severity
from builder.messages import gettext as _
from builder.model.codes import define

SIZE = define(
    "press/size",
    _("A shop does not make cards of this size"),
    _("A file of another size is refused by the shop, or scaled without being asked."),
    _("Choose another preset, or give the kind one of the shop's sizes in pack.yaml."),
)
BLEED = define(
    "press/bleed",
    _("A face has too little bleed for a shop"),
    _("If the cut is off by half a millimetre, a white edge is visible."),
    _(
        "Let the template's background reach further and state a larger `bleed` of the kind's size in pack.yaml."
    ),
)
DIFFERS = define(
    "press/size-differs",
    _("A shop's card is a little larger or smaller than the card"),
    _(
        "The card lies in the middle of the shop's cut: its edges come out a little wider or narrower."
    ),
    _(
        "Nothing needs doing if the difference is meant; else give the kind the shop's size in pack.yaml."
    ),
    Severity.NOTE,
)
MIRRORED = define(
    "press/bleed-mirrored",
    _("A shop's page reaches past the bleed of the face"),
    _(
        "By more than 0.05 mm. The outermost strip of the face was mirrored outwards to fill the page; it is cut away."
    ),
    _("Nothing needs doing; a kind with a larger bleed needs no mirroring."),
    Severity.NOTE,
)
TURNED = define(
    "press/turned",
    _("A landscape card is rotated"),
    _(
        "Shops make upright cards. Front and back are turned opposite ways: turned over like a page, both read upright."
    ),
    _("Nothing needs doing; if the shop asks, backs are turned the other way on purpose."),
    Severity.NOTE,
)
PROFILE = define(
    "press/profile",
    _("Colours are not converted to the shop's printing condition"),
    _("With another profile, printed colours differ from the proof."),
    _(
        "Download the profile from its publisher and use --icc FILE.icc, or accept a general profile "
        "with --icc general."
    ),
)
OUTLINES = define(
    "press/outlines",
    _("Some text could not be converted to outlines"),
    _(
        "The shop wants text as outlines; what is left is in an embedded font, which it may send back."
    ),
    _(
        "Ask the shop whether embedded fonts will do, or convert that text to outlines with another program."
    ),
    Severity.WARNING,
)
FLATTENED = define(
    "press/flattened",
    _("Transparent drawings were converted to pictures"),
    _(
        "The standard allows no transparency; what lets other things shine through was drawn at 600 dpi, "
        "type stays type."
    ),
    _(
        "Nothing needs doing; plain colours instead of transparent ones keep the drawing sharp at any size."
    ),
    Severity.NOTE,
)
COVERED = define(
    "press/type-in-picture",
    _("Text became part of a picture"),
    _(
        "Something is drawn over type on a page without transparency: type above the picture would hide it."
    ),
    _(
        "Draw type after what lies over it, or keep transparent drawings off the type; else it prints "
        "softer, at 600 dpi."
    ),
    Severity.WARNING,
)
COLOUR = define(
    "press/colour",
    _("A colour cannot be converted"),
    _("The file would keep RGB colours and could not be called what the shop asks for."),
    _("Draw it with plain colours, gradients or pictures."),
)
PARTS = define(
    "press/parts",
    _("A deck has more cards than a shop makes in one order"),
    _(
        "The deck is divided into parts. Each part is a separate order and a separate pack of cards."
    ),
    _("Take fewer copies in products.yaml, make two decks of it, or order the parts."),
    Severity.WARNING,
)
TABLE = define(
    "press/sheet-left-out",
    _("Sheets for the table are not ordered"),
    _("Card shops do not print sheets. Print them at home."),
    _("Build the sheets with a home profile."),
    Severity.NOTE,
)
PLATE = define(
    "press/plate",
    _("A plate for foil or white ink comes with the order"),
    _(
        "Its pages are those of the file it belongs to: what is black there is stamped with foil or printed in white."
    ),
    _("Nothing needs doing; tell the shop which foil is wanted."),
    Severity.NOTE,
)
PLATE_COLOUR = define(
    "press/plate-colour",
    _("A plate holds a picture, or another colour than black"),
    _("A plate can only be black. Pictures get jagged edges, and grey is not printed."),
    _("Show only type, borders and plain grounds in foil.css and white.css, all of them #000."),
)
STAND_IN = define(
    "press/stand-in",
    _("A picture is missing"),
    _(
        "The card's template draws a marked stand-in where its picture will be: the shop prints what it is given."
    ),
    _("Name a picture as the card's `art`, or print the stand-in if this is a proof."),
    Severity.WARNING,
)
