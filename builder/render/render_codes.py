"""What setting faces can find: codes with their reasons and remedies."""

from builder.findings import Severity
from builder.messages import gettext as _
from builder.model.codes import define, make_stricter_code

OVERFLOW = define(
    "render/overflow",
    _("Text does not fit its box"),
    _(
        "Text that overflows is cut off or runs over its neighbours in print; it is never dropped in silence."
    ),
    _(
        "Shorten the text, enlarge the box, or let the block shrink (class fit, sizes in pack.yaml)."
    ),
)
CELL_OVERFLOW = make_stricter_code(OVERFLOW, error_from="0.3.0")
"""Text wider than its cell of a table: not looked for before version 0.2.0."""
CUT_OFF = define(
    "render/cut-off",
    _("Text lies outside the trimmed card"),
    _("What lies past the trim is cut away with the margin of the sheet."),
    _("Move the box inside the card, or give it a width and height that hold its text."),
)
UNSAFE = define(
    "render/unsafe",
    _("Text comes near the edge of the card"),
    _("Cutting wanders by a millimetre or two; text so near the edge looks cut or is cut."),
    _("Keep text inside the safe zone that pack.yaml states for the kind."),
    Severity.WARNING,
)
CROWDED = define(
    "render/crowded",
    _("Blocks of a face stand too near each other"),
    _(
        "Blocks that nearly touch read as one, and look like a mistake. What is painted counts: grounds and borders as "
        "well as letters."
    ),
    _(
        "Move the blocks, shorten the text or make its sizes smaller; `gap` of the kind in pack.yaml is the distance."
    ),
    Severity.WARNING,
)
CELLS_TOUCH = define(
    "render/cells-touch",
    _("Texts of adjacent table cells touch"),
    _("With a gap of less than half a space, the texts of 2 cells read as one word or number."),
    _("Widen the column, give the cells padding, or shorten the text."),
    Severity.WARNING,
)
CONTRAST = define(
    "render/contrast",
    _("A text stands out too little from its background"),
    _(
        "Below a contrast of 4.5:1 (WCAG 2.2) many people cannot read a text, and nobody can in poor light. Text on a "
        "plain colour or on bare paper is measured. Print is duller than a screen, so large text has the same limit."
    ),
    _("Use a darker or lighter colour for the text or for what lies below it."),
    Severity.WARNING,
)
SIZES = define(
    "render/many-sizes",
    _("A kind of card is set in many sizes"),
    _(
        "Cards of one kind lie side by side: with more than three sizes of running text, or one a third larger than "
        "another, they look like cards of several games."
    ),
    _(
        "Declare few sizes in pack.yaml, and shorten what then does not fit; `heading: true` takes headings out."
    ),
    Severity.WARNING,
)
COARSE = define(
    "screens/resolution",
    _("A deck's sheet is less sharp than was asked for"),
    _(
        "A simulated table takes pictures of at most 4096 pixels a side, so that many cards on one have fewer each."
    ),
    _("Nothing needs doing if it reads well; a deck of fewer cards is sharper."),
    Severity.NOTE,
)
ONE_BACK = define(
    "screens/one-back",
    _("A simulated game takes one back and one size for all its cards"),
    _(
        "The commonest back and size are taken; other cards show that back and are stretched to that size."
    ),
    _(
        "Choose cards of one size and back with --only or a product's deck, or use the form tabletop."
    ),
    Severity.NOTE,
)
PAGES = define(
    "render/pages",
    _("A face was set as several pages"),
    _("One face is one page; a page break inside it would shift every face after it."),
    _("Remove page breaks from the style sheet; look for text many times too long."),
)
GLYPH = define(
    "render/missing-glyph",
    _("No font has a character"),
    _(
        "Only the pack's own fonts are used, so that every machine prints alike; a missing character prints as a box."
    ),
    _(
        "Write another letter, draw it as an icon, or put a font that has it into templates/<pack>/fonts."
    ),
)
FONT = define(
    "render/font",
    _("A font of the pack cannot be used"),
    _(
        "Fonts are set with and embedded as they stand in their files: static, with TrueType outlines, one "
        "for each cut."
    ),
    _("Put a static .ttf font in its place."),
)
FONT_RIGHTS = define(
    "render/font-rights",
    _("A font says that it must not be embedded"),
    _(
        "Finished files hold the letters they show. A font's maker may forbid that, and print shops may "
        "refuse such files."
    ),
    _("Ask its maker for a licence that allows it, or take another font."),
    Severity.WARNING,
)
FONT_FACE = define(
    "render/font-face",
    _("A style sheet brings a font along"),
    _(
        "Only fonts that are known before anything is set shape a face's address and can be embedded."
    ),
    _(
        "Put the font's file into templates/<pack>/fonts and name its family in font-family; remove @font-face."
    ),
)
FAMILY = define(
    "render/font-family",
    _("A style sheet names a family that no font is of"),
    _("Another font takes its place, as if nothing were amiss."),
    _("Correct the name, put the font into templates/<pack>/fonts, or remove the name."),
    Severity.WARNING,
)
ITALIC = define(
    "render/italic",
    _("A text should be italic, but its family has no italic"),
    _("It is set upright: what was to stand out looks like the words around it."),
    _(
        "Name a family with an italic for it, put the italic into templates/<pack>/fonts, or say font-style: normal."
    ),
    Severity.WARNING,
)
OUTSIDE = define(
    "render/outside",
    _("A template reaches outside the pack"),
    _(
        "Templates and art may come from strangers: they open files of their own pack only, and no network."
    ),
    _("Put the file into the pack's templates or art folder and name it relative to there."),
)
MISSING = define(
    "render/missing-file",
    _("A picture or style sheet is not there"),
    _("The face would be printed without it."),
    _("Check the spelling; pictures lie in the art folder beside the templates or the cards."),
)
CSS = define(
    "render/css",
    _("The engine does not understand a rule"),
    _("A rule that is ignored makes the page differ from what its author meant."),
    _("Correct or remove it; the engine's documentation lists what it supports."),
)
DROPPED_CSS = define(
    "render/dropped-css",
    _("The engine ignores a CSS declaration"),
    _(
        "In tests, the engine printed the same page with and without the declaration. A browser does not."
    ),
    _("Remove the declaration, use other CSS, or choose another engine: see docs/engines.md."),
    error_from="0.3.0",
)
UNDRAWN_FEATURE = define(
    "render/undrawn",
    _("The engine does not draw part of an SVG"),
    _("In tests, the engine left this SVG feature out or drew it wrong."),
    _("Use plain shapes, save the drawing as PNG, or choose another engine: see docs/engines.md."),
)
ENGINE = define(
    "render/engine",
    _("The engine warned of something"),
    _("Whatever the engine complains of may show in print."),
    _("Mend what the message names."),
)
ICON = define(
    "render/icon",
    _("An icon cannot be read"),
    _("Icons become letters of a font, which holds filled outlines only."),
    _("Draw it with filled <path> elements in one square viewBox."),
)
NO_TEMPLATE = define(
    "render/no-template",
    _("A template is missing"),
    _("Each face of a kind needs a template; a face without one cannot be printed."),
    _(
        "Write it (docs/templates.md is the contract), or leave the face out of `faces` in pack.yaml."
    ),
)
UNDEFINED = define(
    "render/undefined",
    _("A template uses a name that does not exist"),
    _("A misspelt name would print nothing, and nobody would see it."),
    _("Correct the name, or ask with `card.x is defined` where it may be missing."),
)
TEMPLATE = define(
    "render/template",
    _("A template is broken"),
    _("What its expressions say cannot be worked out."),
    _("Mend the template at the named line."),
)
LIMITS = define(
    "render/limits",
    _("A face exceeds a limit of memory or processor time"),
    _(
        "A number, or a loop in a loop, can take all there is. Faces have limits; the others are set all the same."
    ),
    _(
        "Let loops run over what the card holds, and cells span less; look at its pictures and style sheets, too."
    ),
)
ENGINE_FAILED = define(
    "render/engine-failed",
    _("The engine itself fails at a face"),
    _(
        "Neither engine is without faults: some HTML and CSS ends in an error of its own. The other faces are set."
    ),
    _(
        "Take parts of the template and its style sheets away until it is set; what went last is the reason."
    ),
)
UNDECLARED = define(
    "render/undeclared-fit",
    _("A shrinking block is not declared"),
    _(
        "Its sizes stand in pack.yaml, so that the smallest legible size is a decision, not an accident."
    ),
    _("Declare it under `fit` of the kind in pack.yaml, or correct the class in the template."),
)
CLUSTER = define(
    "render/cluster",
    _("No scheduler answers, though it was not needed this time"),
    _("The few faces that were to be set were set here; with more of them the build would end."),
    _("Start one with: dask scheduler; or correct the address it is called by."),
    Severity.WARNING,
)
WORKER = define(
    "render/worker",
    _("A worker of the cluster is left out, or slower than it could be"),
    _(
        "Faces are equal byte for byte only where the same program, engine, libraries and fonts set them."
    ),
    _("Install on the worker what this machine has, then start it again."),
    Severity.WARNING,
)
UNTRIED = define(
    "render/untried-engine",
    _("The installed engine is of a version that was not tried"),
    _(
        "Another version may break lines elsewhere or draw something else than the version that the tests compare."
    ),
    _("Install the version that was tried, or look at every kind of card before you print."),
    Severity.NOTE,
)
UNCORRECTED = define(
    "render/uncorrected-engine",
    _("The installed engine lacks what is corrected in it"),
    _(
        "Two mistakes of the engine are mended where it has them; in this version they are elsewhere, or gone."
    ),
    _("Install the version that was tried, or look at every kind of card before you print."),
    Severity.WARNING,
)
MARKED = define(
    "render/marks-on-cards",
    _("Registration marks lie on cards"),
    _(
        "The cards fill the paper. A cutting machine may not find black crosses on art, and cuts them into the cards."
    ),
    _("Leave room beside the cards with a smaller grid: --grid 1x1."),
    Severity.WARNING,
)
