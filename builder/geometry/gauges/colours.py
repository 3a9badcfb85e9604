"""Colours of gauges, as #rrggbb. Pure."""

from builder.model.gauge import GaugeSet

WHITE, BLACK = "#ffffff", "#14171a"
MIN_LIGHTNESS_FOR_BLACK = 0.56
"""Above this lightness black text reads better than white."""
SHARE_OF_WHITE = 0.78
"""How much white is mixed into a background to save ink."""


def split_colour(colour: str) -> tuple[float, float, float]:
    """Return the red, green and blue of a color, from 0 to 1."""
    red, green, blue = bytes.fromhex(colour[1:])
    return red / 255, green / 255, blue / 255


def mix_colours(first: str, second: str, share: float) -> str:
    """Mix two colors. `share` is the share of the second one, from 0 to 1."""
    mixed = "#"
    for start, end in zip(split_colour(first), split_colour(second), strict=True):
        part = start + (end - start) * share
        mixed += f"{round(part * 255):02x}"
    return mixed


def choose_text_colour(background: str) -> str:
    """Return white or near black, whichever is easier to read on a background."""
    red, green, blue = split_colour(background)
    # The weights of Rec. 601: the eye sees green brighter than red and blue.
    lightness = 0.299 * red + 0.587 * green + 0.114 * blue
    return BLACK if lightness > MIN_LIGHTNESS_FOR_BLACK else WHITE


def lighten_backgrounds(gauges: GaugeSet) -> GaugeSet:
    """Return the gauges with pale backgrounds, which use less ink.

    Lines, numerals and outlines stay, so no size changes.
    """
    style = gauges.style
    pale_style = {
        "tint": mix_colours(style.tint, WHITE, 0.5),
        "accent": mix_colours(style.accent, WHITE, SHARE_OF_WHITE),
        "band": mix_colours(style.band or style.ink, WHITE, 0.86),
    }
    groups = _make_pale(gauges.model_dump()["groups"])
    return GaugeSet.model_validate(
        {"style": style.model_copy(update=pale_style), "groups": groups}
    )


def _make_pale(value: object) -> object:
    if isinstance(value, list | tuple):
        return tuple(_make_pale(item) for item in value)
    if not isinstance(value, dict):
        return value
    pale = {key: _make_pale(item) for key, item in value.items()}
    if isinstance(value.get("colour"), str):
        pale["colour"] = mix_colours(value["colour"], WHITE, SHARE_OF_WHITE)
    # A stated text colour may be white: what reads well on the pale background is chosen anew.
    pale.pop("ink", None)
    return pale
