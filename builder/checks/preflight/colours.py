"""Check colors: paints that the shop prints without conversion, and forbidden transparency."""

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import replace

from builder.checks.preflight.job import (
    PageBatch,
    Place,
    are_apart,
    is_white,
    locate_on_page,
    report_places,
)
from builder.findings import Box, Finding, Severity
from builder.messages import Message, gettext as _
from builder.model.codes import define
from builder.model.pdf import (
    LIGHT_FAMILIES,
    Image,
    Item,
    Look,
    Page,
    Paint,
    PdfText,
    Shading,
    Shape,
    find_visible_box,
    list_paints,
)
from builder.model.words import get_term

RGB = define(
    "preflight/rgb",
    _("RGB colours in a file for CMYK print"),
    _(
        "The shop converts the colours. They change, and black text is printed with four inks."
    ),
    _(
        "Convert the file to CMYK with the shop's profile, or build it with `squadpress "
        "build --profile shop:...`."
    ),
)
CMYK = define(
    "preflight/cmyk",
    _("CMYK colours in a file for a shop that requires RGB"),
    _("The shop prints from RGB, so CMYK colours look duller than intended."),
    _("Export in RGB (sRGB)."),
    Severity.WARNING,
)
SPOT = define(
    "preflight/spot-colour",
    _("A spot colour"),
    _("A spot colour needs an extra plate. The shop charges for it or converts it."),
    _("Convert it to process colours, unless the shop agreed to print it."),
    Severity.WARNING,
)
ALPHA = define(
    "preflight/transparency",
    _("The page uses transparency"),
    _(
        "The shop does not accept transparency. It refuses the file or prints the object opaque."
    ),
    _(
        "Flatten the transparency on export (PDF 1.3, PDF/X-1a). If nothing is "
        "transparent, remove the transparency group."
    ),
)

VANISHES = define(
    "preflight/white-overprint",
    _("A white object is set to overprint"),
    _(
        "White means no ink. With overprint, the colours below are printed and the white "
        "object disappears."
    ),
    _("Switch off overprint for it. Only black may overprint."),
)
REGISTRATION = define(
    "preflight/registration-colour",
    _("The card uses the registration colour"),
    _(
        "This colour is for marks outside the card. Inside, it prints all inks on top of "
        "each other."
    ),
    _("Use black ink or the shop's rich black."),
)

PLATE_SPACES = ("Separation", "DeviceN")
ITEM_NAMES: dict[type, str] = {PdfText: "text", Image: "image", Shading: "gradient"}
PROCESS_INKS = {"Cyan", "Magenta", "Yellow", "Black", "None", "All"}


def check(job: PageBatch) -> Iterator[Finding]:
    """Check the colors of each page, white overprint, and transparency."""
    colour = job.preset.colour
    for page in job.pdf.pages:
        if colour.space == "cmyk":
            yield from _check_for_rgb(page)
        else:
            yield from report_places(CMYK, page, _find_paints(page, {"CMYK"}))
        yield from report_places(SPOT, page, _find_spot_colors(page))
        yield from report_places(VANISHES, page, _find_white_overprint(page))
        trim = job.find_trim(page)
        yield from report_places(
            REGISTRATION, page, _find_registration_color(page, trim)
        )
        if not colour.transparency:
            yield from _check_transparency(page, colour.standard)


def _check_for_rgb(page: Page) -> Iterator[Finding]:
    """Report RGB colors, and transparency that is blended in RGB."""
    yield from report_places(RGB, page, _find_paints(page, LIGHT_FAMILIES))
    if any(
        group is not None and "RGB" in group.space
        for group in (page.group, *page.groups)
    ):
        hint = _(
            "Export with DeviceCMYK as the blending space, or flatten the transparency."
        )
        yield RGB.finding(
            _("transparency is blended in DeviceRGB"), locate_on_page(page), hint
        )


def _check_transparency(page: Page, standard: str | None) -> Iterator[Finding]:
    """Report transparent objects, and transparency groups that the standard forbids."""
    items = [item for item in page.items if item.look.transparent]
    places = [
        (_describe_transparency(item.look), find_visible_box(item)) for item in items
    ]
    yield from report_places(ALPHA, page, places)
    # PDF/X-1a forbids groups even if nothing in them is transparent.
    if standard == "pdf/x-1a" and (page.group is not None or page.groups):
        yield ALPHA.finding(_("a transparency group"), locate_on_page(page))
    elif any(
        group is not None and group.knockout for group in (page.group, *page.groups)
    ):
        message = _("a knockout group")
        yield ALPHA.finding(message, locate_on_page(page))


def _find_paints(page: Page, families: Collection[str]) -> Iterator[Place]:
    """Yield each color of these families that a page uses, at its first place."""
    first_items: dict[tuple[str, Paint], Item] = {}
    counts: Counter[tuple[str, Paint]] = Counter()
    for item in page.items:
        for paint in list_paints(item):
            if paint.family in families:
                key = (ITEM_NAMES.get(type(item), "drawing"), paint)
                first_items.setdefault(key, item)
                counts[key] += 1
    for (item_type, paint), number in counts.most_common():
        box = find_visible_box(first_items[item_type, paint])
        # Pictures and gradients hold many colours.
        if item_type not in ("text", "drawing"):
            paint = replace(paint, values=())
        form = (
            _("{many} × {sort} in {colour}") if number > 1 else _("{sort} in {colour}")
        )
        colour = _describe_paint(paint)
        yield _(form, many=number, sort=get_term(item_type), colour=colour), box


def _describe_paint(paint: Paint) -> str:
    name = f"{paint.space} ({paint.base})" if paint.base else paint.space
    # the numbers of such spaces are those of a profile or a palette
    if not paint.values or paint.space in ("ICCBased", "Indexed"):
        return name
    values = " ".join(f"{value:.3g}" for value in paint.values)
    return f"{name} {values}"


def _find_spot_colors(page: Page) -> Iterator[Place]:
    for item in page.items:
        for paint in list_paints(item):
            if paint.space in PLATE_SPACES and set(paint.name.split()) - PROCESS_INKS:
                yield _("spot colour {name}", name=paint.name), find_visible_box(item)


def _find_white_overprint(page: Page) -> Iterator[Place]:
    """Yield white objects that overprint other objects and so disappear."""
    for number, item in enumerate(page.items):
        if not any(item.look.overprint) or not _uses_no_ink(item):
            continue
        box = find_visible_box(item)
        for lower_item in page.items[:number]:
            if not is_white(lower_item) and not are_apart(
                find_visible_box(lower_item), box
            ):
                item_type = get_term(ITEM_NAMES.get(type(item), "drawing"))
                yield _("white {sort} overprints", sort=item_type), box
                break


def _uses_no_ink(item: Item) -> bool:
    """Return True if an overprinting color has no ink at all (PDF 32000-1, 8.6.7)."""
    painted = (
        (item.fill, item.stroke)
        if isinstance(item, Shape | PdfText)
        else (item.paint, None)
    )
    for paint, over in zip(painted, item.look.overprint, strict=True):
        if paint is not None and over and paint.values and not any(paint.values):
            # In overprint mode 1, an ink of 0 leaves what is below. This applies to DeviceCMYK
            # only.
            inks = (
                item.look.by_zero
                and paint.space == "DeviceCMYK"
                and not paint.calibrated
            )
            if inks or paint.space in PLATE_SPACES:
                return True
    return False


def _find_registration_color(page: Page, trim: Box) -> Iterator[Place]:
    for item in page.items:
        box = find_visible_box(item)
        for paint in list_paints(item):
            is_registration = paint.space == "Separation" and paint.name == "All"
            # a tint of 0 prints nothing; of an image, no tint is known
            has_ink = any(paint.values) or not paint.values
            if is_registration and has_ink and not are_apart(box, trim):
                item_type = get_term(ITEM_NAMES.get(type(item), "drawing"))
                yield _("{sort} in the registration colour", sort=item_type), box


def _describe_transparency(look: Look) -> Message:
    if look.soft_mask:
        return _("a soft mask")
    if look.alpha < 1:
        return _("opacity {alpha:.2g}", alpha=look.alpha)
    return _("blend mode {mode}", mode=look.blend)
