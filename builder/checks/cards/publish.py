"""Profiles and presets: called as their file is, and their numbers leave room for a card."""

from collections.abc import Iterator

from builder.findings import Finding, Location
from builder.messages import gettext as _
from builder.model.base import DataPath
from builder.model.codes import define
from builder.model.loaded import Document, PublishFile
from builder.model.profile import Profile
from builder.model.shop import Preset, ShopSize
from builder.units import to_pixels

NAME = define(
    "publish/id",
    _("The id of a profile or preset does not match its file name"),
    _("`--profile` finds it by its file name."),
    _("Rename the file to <id>.yaml, or correct the id."),
)
NO_ROOM = define(
    "publish/no-room",
    _("The sizes of a profile or preset leave no space for a card"),
    _("Every card would be rejected, or have no space for its text."),
    _("Correct the paper, the margin, the bleed, the safe distance or the size."),
)
PIXELS = define(
    "publish/pixels",
    _("The size in pixels has different proportions than the size in mm"),
    _("Every image of this size would be distorted or refused by the shop."),
    _("Compare width, height, bleed and pixels with the shop's specification."),
)

MAX_SHAPE_DEVIATION = 0.03
"""Share by which the shape of pixels may differ from that of millimetres: shops round, and count
bleed differently.
"""


def check(publish_file: PublishFile) -> Iterator[Finding]:
    """Check the name and the numbers of a print profile or a shop preset."""
    document, content = publish_file.document, publish_file.says
    if content.id != publish_file.stem:
        message = _(
            "the id is {id}, but the file is {stem}.yaml",
            id=content.id,
            stem=publish_file.stem,
        )
        yield NAME.finding(message, document.locate(("id",)))
    if isinstance(content, Profile):
        yield from _check_profile(content, document)
    else:
        yield from _check_preset(content, document)


def _check_profile(profile: Profile, document: Document) -> Iterator[Finding]:
    # such pages are as large as the card, on no paper
    if profile.layout == "pages":
        return
    if profile.paper is None:
        message = _("the profile {name} has no paper size", name=profile.id)
        hint = _("Add `paper: {width: ..., height: ...}` in mm.")
        yield NO_ROOM.finding(message, document.locate(("layout",)), hint)
    elif 2 * profile.margin >= min(profile.paper.width, profile.paper.height):
        form = _("margins of {margin:g} mm leave no space on the paper")
        yield NO_ROOM.finding(
            _(form, margin=profile.margin), document.locate(("margin",))
        )


def _check_preset(preset: Preset, document: Document) -> Iterator[Finding]:
    for name, size in preset.sizes.items():
        path: DataPath = ("sizes", name)
        if preset.safe is not None and 2 * preset.safe >= min(size.width, size.height):
            form = _("a safe distance of {safe:g} mm leaves no space on {name}")
            yield NO_ROOM.finding(
                _(form, name=name, safe=preset.safe), document.locate(path)
            )
        if size.pixels is not None:
            yield from _check_pixels(
                preset, name, size, document.locate((*path, "pixels"))
            )


def _check_pixels(
    preset: Preset, name: str, size: ShopSize, location: Location
) -> Iterator[Finding]:
    """Check that a size in pixels has the same proportions as the size in mm with bleed."""
    assert size.pixels is not None
    columns, rows = size.pixels
    width = size.width + 2 * preset.bleed
    height = size.height + 2 * preset.bleed
    if min(columns, rows) > 0:
        deviation = abs(columns * height / (rows * width) - 1)
        if deviation <= MAX_SHAPE_DEVIATION:
            return
    form = _(
        "{name}: {wide} × {high} pixels do not fit {width:g} × {height:g} mm with bleed"
    )
    message = _(form, name=name, wide=columns, high=rows, width=width, height=height)
    fitting = f"{to_pixels(width, preset.dpi)} × {to_pixels(height, preset.dpi)}"
    hint = _("At {dpi} dpi, it would be {fitting}.", dpi=preset.dpi, fitting=fitting)
    yield PIXELS.finding(message, location, hint)
