"""Codes of findings about rendered faces, with reasons and remedies."""

from builder.findings import Severity
from builder.messages import gettext as _
from builder.model.codes import define, make_stricter_code

OVERFLOW = define(
    "render/overflow",
    _("Text does not fit its box"),
    _("Text that does not fit is cut off or covers other text in print."),
    _(
        "Shorten the text, enlarge the box, or let the text shrink (class fit, sizes in pack.yaml)."
    ),
)
CELL_OVERFLOW = make_stricter_code(OVERFLOW, error_from="1.0.0")
"""Text wider than its cell of a table: not looked for before version 0.2.0."""
CUT_OFF = define(
    "render/cut-off",
    _("Text is outside the trim edge of the card"),
    _("This text is cut off."),
    _("Move the box inside the card, or give it a width and height for its text."),
)
UNSAFE = define(
    "render/unsafe",
    _("Text is too close to the edge of the card"),
    _(
        "The cut can be off by 1 to 2 mm. Text so close to the edge looks uneven or is cut off."
    ),
    _("Keep text inside the safe area that pack.yaml sets for the kind."),
    Severity.WARNING,
)
CROWDED = define(
    "render/crowded",
    _("Blocks of a face are too close"),
    _(
        "Blocks that nearly touch look like one block or like a mistake. Letters, "
        "backgrounds and "
        "borders count."
    ),
    _(
        "Move the blocks, shorten the text or reduce its size. `gap` of the kind in "
        "pack.yaml is the required distance."
    ),
    Severity.WARNING,
)
CELLS_TOUCH = define(
    "render/cells-touch",
    _("Texts of adjacent table cells touch"),
    _(
        "With a gap of less than half a space, the texts of 2 cells read as one word or number."
    ),
    _("Widen the column, give the cells padding, or shorten the text."),
    Severity.WARNING,
)
CONTRAST = define(
    "render/contrast",
    _("A text has too little contrast"),
    _(
        "Below a contrast of 4.5:1 (WCAG 2.2) many people cannot read a text. Text on a "
        "plain colour or on paper is measured. Print is duller than a screen, so large "
        "text has the same limit."
    ),
    _("Use a darker or lighter colour for the text or its background."),
    Severity.WARNING,
)
SIZES = define(
    "render/many-sizes",
    _("A kind of card uses too many type sizes"),
    _(
        "Cards of one kind are used side by side. With more than three body sizes, or one "
        "a third larger than another, they do not look like one game."
    ),
    _(
        "Declare few sizes in pack.yaml, and shorten texts that do not fit. `heading: "
        "true` excludes headings."
    ),
    Severity.WARNING,
)
COARSE = define(
    "screens/resolution",
    _("The resolution of a deck's sheet is lower than requested"),
    _(
        "A tabletop simulator accepts pictures of at most 4096 pixels per side. The more "
        "cards a sheet has, the fewer pixels each card gets."
    ),
    _("No change is needed if it is readable. A deck with fewer cards is sharper."),
    Severity.NOTE,
)
ONE_BACK = define(
    "screens/one-back",
    _("The simulator has one back and one size for all cards"),
    _(
        "The most common back and size are used. Other cards get that back and are stretched."
    ),
    _(
        "Choose cards of one size and back with --only or a product's deck, or use the "
        "format tabletop."
    ),
    Severity.NOTE,
)
PAGES = define(
    "render/pages",
    _("A face has several pages"),
    _("A face is one page. A page break would move every face after it."),
    _("Remove page breaks from the style sheet, and look for very long text."),
)
GLYPH = define(
    "render/missing-glyph",
    _("No font has a character"),
    _(
        "Only the pack's own fonts are used, so that every machine prints the same. A "
        "missing character is printed as a box."
    ),
    _(
        "Use another character, draw it as an icon, or put a font that has it into "
        "templates/<pack>/fonts."
    ),
)
FONT = define(
    "render/font",
    _("A font of the pack cannot be used"),
    _(
        "Fonts are embedded unchanged. They must be static and have TrueType outlines, "
        "with one file per style."
    ),
    _("Replace it with a static .ttf font."),
)
FONT_RIGHTS = define(
    "render/font-rights",
    _("The licence settings of a font forbid embedding"),
    _(
        "Print files contain the characters of the font. Its maker may forbid this, and print "
        "shops may refuse such files."
    ),
    _("Ask for a licence that allows it, or use another font."),
    Severity.WARNING,
)
FONT_FACE = define(
    "render/font-face",
    _("An @font-face rule names no font file of the pack"),
    _(
        "Fonts must be known before rendering, so that the cache notices changes and they can be "
        "embedded."
    ),
    _(
        "Put the font file into templates/<pack>/fonts and name it: src: "
        "url(fonts/FILE). Fonts from "
        "the web and rules in templates are not loaded."
    ),
)
FAMILY = define(
    "render/font-family",
    _("A style sheet names an unknown font family"),
    _("Another font replaces it without an error."),
    _(
        "Correct the name, put the font into templates/<pack>/fonts, or remove the name."
    ),
    Severity.WARNING,
)
ITALIC = define(
    "render/italic",
    _("A text should be italic, but its font family has no italic"),
    _("The text is printed upright and looks like the words around it."),
    _(
        "Use a family with an italic, put the italic into templates/<pack>/fonts, or set "
        "font-style: normal."
    ),
    Severity.WARNING,
)
OUTSIDE_PACK = define(
    "render/outside",
    _("A template uses a file outside the pack"),
    _(
        "Templates and pictures may come from other people. They can only open files of "
        "their own pack, and no network."
    ),
    _("Put the file into the pack's templates or art folder and use a relative path."),
)
MISSING = define(
    "render/missing-file",
    _("A picture or style sheet is missing"),
    _("The face would be printed without it."),
    _(
        "Check the spelling. Pictures belong in the art folder next to the templates or the cards."
    ),
)
DRAWN_CODES = frozenset(
    code.code for code in (OVERFLOW, PAGES, CUT_OFF, CONTRAST, MISSING)
)
"""Faults that a draft shows. A face with any other error is not drawn."""
CSS = define(
    "render/css",
    _("The engine does not understand a CSS rule"),
    _(
        "The engine ignores the rule, so the card looks different from what you intended."
    ),
    _("Correct or remove it. The engine's documentation lists supported rules."),
)
DROPPED_CSS = define(
    "render/dropped-css",
    _("The engine ignores a CSS declaration"),
    _(
        "In tests, the engine printed the same page with and without the declaration. "
        "A browser does not."
    ),
    _(
        "Remove the declaration, use other CSS, or choose another engine: see docs/engines.md."
    ),
    error_from="0.3.0",
)
UNDRAWN_FEATURE = define(
    "render/undrawn",
    _("The engine does not draw part of an SVG"),
    _("In tests, the engine left this SVG feature out or drew it wrong."),
    _(
        "Use plain shapes, save the drawing as PNG, or choose another engine: see docs/engines.md."
    ),
)
ENGINE = define(
    "render/engine",
    _("The engine reported a problem"),
    _("The problem may be visible in print."),
    _("Fix what the message describes."),
)
ICON = define(
    "render/icon",
    _("An icon cannot be read"),
    _("Icons become glyphs of a font, which can only contain filled outlines."),
    _("Draw it with filled <path> elements in one square viewBox."),
)
NO_TEMPLATE = define(
    "render/no-template",
    _("A template is missing"),
    _("Every face of a kind needs a template."),
    _(
        "Write the template (see docs/templates.md), or remove the face from `faces` in pack.yaml."
    ),
)
UNDEFINED = define(
    "render/undefined",
    _("A template uses a name that does not exist"),
    _("A misspelt name would print nothing, and nobody would notice."),
    _("Correct the name, or test with `card.x is defined` if it may be missing."),
)
TEMPLATE = define(
    "render/template",
    _("A template is broken"),
    _("Its expressions cannot be evaluated."),
    _("Fix the template at this line."),
)
LIMITS = define(
    "render/limits",
    _("A face exceeds a limit of memory or processor time"),
    _(
        "A large number or a nested loop can use all memory or time, so each face has a "
        "limit. The other faces are rendered."
    ),
    _(
        "Loop only over the values of the card, reduce spans, and check its pictures and "
        "style sheets."
    ),
)
ENGINE_FAILED = define(
    "render/engine-failed",
    _("The engine failed to render a face"),
    _(
        "Both engines have bugs, so some HTML and CSS makes them fail. The other faces are "
        "rendered."
    ),
    _(
        "Remove parts of the template and its style sheets until it works. The last part "
        "you removed is the cause."
    ),
)
UNDECLARED = define(
    "render/undeclared-fit",
    _("The class fit is used on a block without type sizes"),
    _(
        "pack.yaml must list the block's type sizes, so that you decide which size is the "
        "smallest legible one."
    ),
    _(
        "Declare it under `fit` of the kind in pack.yaml, or correct the class in the template."
    ),
)
CLUSTER = define(
    "render/cluster",
    _("The scheduler does not answer"),
    _(
        "The build had few faces, so they were rendered on this computer. A larger build "
        "would fail."
    ),
    _("Start one with: dask scheduler. Or correct its address."),
    Severity.WARNING,
)
WORKER = define(
    "render/worker",
    _("A worker of the cluster is not used, or is slow"),
    _("Faces are identical only with the same program, engine, libraries and fonts."),
    _("Install the same versions on the worker and restart it."),
    Severity.WARNING,
)
UNTRIED = define(
    "render/untried-engine",
    _("This version of the engine was not tested"),
    _("It may break lines in other places or draw things differently."),
    _("Install a tested version, or check every kind of card before you print."),
    Severity.NOTE,
)
UNCORRECTED = define(
    "render/uncorrected-engine",
    _("Some corrections do not fit the installed engine"),
    _(
        "Squadpress corrects 2 mistakes of this engine. In the installed version, the code "
        "to correct is different."
    ),
    _("Install a tested version, or check every kind of card before you print."),
    Severity.WARNING,
)
MARKS_ON_CARDS = define(
    "render/marks-on-cards",
    _("Registration marks cover cards"),
    _(
        "The cards fill the paper. A cutting machine may not find the marks on pictures, "
        "and cuts them into the cards."
    ),
    _("Leave space beside the cards with a smaller grid: --grid 1x1."),
    Severity.WARNING,
)
