"""What making a shop's files can find: codes with their reasons and remedies."""

from __future__ import annotations

from builder.findings import Severity
from builder.model.codes import define

SIZE = define(
    "press/size",
    "A shop does not make cards of this size",
    "A file of another size is refused by the shop, or scaled without being asked.",
    "Choose another preset, or give the kind one of the shop's sizes in pack.yaml.",
)
BLEED = define(
    "press/bleed",
    "A face has too little bleed for a shop",
    "Without bleed a cut that wanders by half a millimetre shows a white edge.",
    "Let the template's background reach further and state a larger `bleed` of the kind's size in pack.yaml.",
)
DIFFERS = define(
    "press/size-differs",
    "A shop's card is a little larger or smaller than the card",
    "The card lies in the middle of the shop's cut: its edges come out a little wider or narrower.",
    "Nothing needs doing if the difference is meant; else give the kind the shop's size in pack.yaml.",
    Severity.NOTE,
)
MIRRORED = define(
    "press/bleed-mirrored",
    "A shop's page reaches past the bleed of the face",
    "The outermost strip of the face was mirrored outwards to fill the page; it is cut away.",
    "Nothing needs doing; a kind with a larger bleed needs no mirroring.",
    Severity.NOTE,
)
TURNED = define(
    "press/turned",
    "A lying card is turned to the shop's upright card",
    "Shops make upright cards. Front and back are turned opposite ways: turned over like a page, both read upright.",
    "Nothing needs doing; if the shop asks, backs are turned the other way on purpose.",
    Severity.NOTE,
)
PROFILE = define(
    "press/profile",
    "The printing condition's profile is not installed",
    "Colours were converted with a general CMYK profile, which comes near but is not what the shop prints by.",
    "Download the profile from its publisher and name it: --icc FILE.icc.",
    Severity.WARNING,
)
OUTLINES = define(
    "press/outlines",
    "Some text could not be made outlines",
    "The shop wants text as outlines; what is left is in an embedded font, which it may send back.",
    "Ask the shop whether embedded fonts will do, or convert that text to outlines with another program.",
    Severity.WARNING,
)
FLATTENED = define(
    "press/flattened",
    "Transparent drawings were made a picture",
    "The standard allows no transparency; what lets other things shine through was drawn at 600 dpi, type stays type.",
    "Nothing needs doing; plain colours instead of transparent ones keep the drawing sharp at any size.",
    Severity.NOTE,
)
COVERED = define(
    "press/type-in-picture",
    "Type became part of a picture",
    "Something is drawn over type on a page without transparency: type above the picture would hide it.",
    "Draw type after what lies over it, or keep transparent drawings off the type; else it prints softer, at 600 dpi.",
    Severity.WARNING,
)
COLOUR = define(
    "press/colour",
    "A colour cannot be converted",
    "The file would keep RGB colours and could not be called what the shop asks for.",
    "Draw it with plain colours, gradients or pictures.",
)
TABLE = define(
    "press/sheet-left-out",
    "Sheets for the table are not ordered",
    "A shop of cards makes cards; sheets are printed at home.",
    "Build the sheets with a home profile.",
    Severity.NOTE,
)
