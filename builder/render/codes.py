"""What setting faces can find: codes with their reasons and remedies."""

from __future__ import annotations

from builder.findings import Severity
from builder.model.codes import define

OVERFLOW = define(
    "render/overflow",
    "Text does not fit its box",
    "Text that overflows is cut off or runs over its neighbours in print; it is never dropped in silence.",
    "Shorten the text, enlarge the box, or let the block shrink (class fit, sizes in pack.yaml).",
)
CUT_OFF = define(
    "render/cut-off",
    "Text lies outside the trimmed card",
    "What lies past the trim is cut away with the margin of the sheet.",
    "Move the box inside the card, or give it a width and height that hold its text.",
)
UNSAFE = define(
    "render/unsafe",
    "Text comes near the edge of the card",
    "Cutting wanders by a millimetre or two; text so near the edge looks cut or is cut.",
    "Keep text inside the safe zone that pack.yaml states for the kind.",
    Severity.WARNING,
)
PAGES = define(
    "render/pages",
    "A face was set as several pages",
    "One face is one page; a page break inside it would shift every face after it.",
    "Remove page breaks from the style sheet; look for text many times too long.",
)
GLYPH = define(
    "render/missing-glyph",
    "No font has a character",
    "Only the pack's own fonts are used, so that every machine prints alike; a missing character prints as a box.",
    "Use another character, or draw it as an icon.",
)
FONT = define(
    "render/font",
    "A font of the pack cannot be used",
    "Fonts are set with and embedded as they stand in their files: static, with TrueType outlines, one for each cut.",
    "Put a static .ttf font in its place.",
)
FONT_RIGHTS = define(
    "render/font-rights",
    "A font says that it must not be embedded",
    "Finished files hold the letters they show. A font's maker may forbid that, and print shops may refuse such files.",
    "Ask its maker for a licence that allows it, or take another font.",
    Severity.WARNING,
)
FONT_FACE = define(
    "render/font-face",
    "A style sheet brings a font along",
    "Only fonts that are known before anything is set shape a face's address and can be embedded.",
    "Put the font's file into templates/<pack>/fonts and name its family in font-family; remove @font-face.",
)
FAMILY = define(
    "render/font-family",
    "A style sheet names a family that no font is of",
    "Another font takes its place, as if nothing were amiss.",
    "Correct the name, put the font into templates/<pack>/fonts, or remove the name.",
    Severity.WARNING,
)
OUTSIDE = define(
    "render/outside",
    "A template reaches outside the pack",
    "Templates and art may come from strangers: they open files of their own pack only, and no network.",
    "Put the file into the pack's templates or art folder and name it relative to there.",
)
MISSING = define(
    "render/missing-file",
    "A picture or style sheet is not there",
    "The face would be printed without it.",
    "Check the spelling; pictures lie in the art folder beside the templates or the cards.",
)
CSS = define(
    "render/css",
    "The engine does not understand a rule",
    "A rule that is ignored makes the page differ from what its author meant.",
    "Correct or remove it; the engine's documentation lists what it supports.",
)
ENGINE = define(
    "render/engine",
    "The engine warned of something",
    "Whatever the engine complains of may show in print.",
    "Mend what the message names.",
)
ICON = define(
    "render/icon",
    "An icon cannot be read",
    "Icons become letters of a font, which holds filled outlines only.",
    "Draw it with filled <path> elements in one square viewBox.",
)
NO_TEMPLATE = define(
    "render/no-template",
    "A template is missing",
    "Each face of a kind needs a template; a face without one cannot be printed.",
    "Write it (docs/templates.md is the contract), or leave the face out of `faces` in pack.yaml.",
)
UNDEFINED = define(
    "render/undefined",
    "A template uses a name that does not exist",
    "A misspelt name would print nothing, and nobody would see it.",
    "Correct the name, or ask with `card.x is defined` where it may be missing.",
)
TEMPLATE = define(
    "render/template",
    "A template is broken",
    "What its expressions say cannot be worked out.",
    "Mend the template at the named line.",
)
UNDECLARED = define(
    "render/undeclared-fit",
    "A shrinking block is not declared",
    "Its sizes stand in pack.yaml, so that the smallest legible size is a decision, not an accident.",
    "Declare it under `fit` of the kind in pack.yaml, or correct the class in the template.",
)
CLUSTER = define(
    "render/cluster",
    "No scheduler answers, though it was not needed this time",
    "The few faces that were to be set were set here; with more of them the build would end.",
    "Start one with: dask scheduler; or correct the address it is called by.",
    Severity.WARNING,
)
WORKER = define(
    "render/worker",
    "A worker of the cluster is left out, or slower than it could be",
    "Faces are equal byte for byte only where the same program, engine, libraries and fonts set them.",
    "Install on the worker what this machine has, then start it again.",
    Severity.WARNING,
)
MARKED = define(
    "render/marks-on-cards",
    "Registration marks lie on cards",
    "The cards fill the paper. A cutting machine may not find black crosses on art, and cuts them into the cards.",
    "Leave room beside the cards with a smaller grid: --grid 1x1.",
    Severity.WARNING,
)
