"""Convert screen colours to inks with an ICC profile."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from builder.errors import InputUnreadable, ToolMissing
from builder.files import read_limited
from builder.messages import describe_os_error, gettext as _
from builder.model.shop import Colour
from builder.render.prepress.raster import make_missing_error

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageFilter import Color3DLUT

PROFILE_FOLDERS = (
    "/usr/share/color/icc",
    "/usr/local/share/color/icc",
    "~/.local/share/icc",
    "~/.local/share/color/icc",
    "/Library/ColorSync/Profiles",
    "~/Library/ColorSync/Profiles",
    "/usr/share/ghostscript",
    "/opt/homebrew/share/ghostscript",
    "/usr/local/share/ghostscript",
)
"""The folders where systems keep profiles."""
MAX_PROFILE_BYTES = 20_000_000
"""Maximum size of a colour profile. The largest known profiles have 3 million bytes."""
GENERAL_PROFILE = "default_cmyk.icc"
"""A free profile of no particular condition, which Ghostscript brings (Debian: libgs-common)."""
GENERAL_REQUEST = Path("general")
"""Stands for the general profile where a profile is named: the maker of an order accepts it instead
of the shop's.
"""


@dataclass(frozen=True, slots=True)
class CmykProfile:
    """A CMYK color profile. `is_requested` is True if the shop or the user names it."""

    path: Path
    data: bytes
    description: str
    is_requested: bool


def find_profile(colour: Colour, path: Path | None = None) -> CmykProfile:
    """Return the profile for color conversion: the named file, the shop's, or a general one.

    Raise InputUnreadable for a file that is no CMYK profile, and ToolMissing if there is no
    profile.
    """
    if path is not None and path != GENERAL_REQUEST:
        return _read_profile(path, is_requested=True)
    names = () if path == GENERAL_REQUEST else colour.profiles
    for name in names:
        file = _find_file(name)
        if file is not None:
            return _read_profile(file, is_requested=True)
    file = _find_file(GENERAL_PROFILE)
    if file is not None:
        is_requested = not colour.profiles and colour.condition is None
        return _read_profile(file, is_requested=is_requested)
    raise ToolMissing(
        _("no CMYK profile is installed for the colour conversion"),
        _(
            "Install one (apt-get install libgs-common, or icc-profiles), or use --icc FILE.icc."
        ),
    )


def _find_file(name: str) -> Path | None:
    """Return the path of an installed color profile, or None."""
    for folder in PROFILE_FOLDERS:
        root = Path(folder).expanduser()
        if not root.is_dir():
            continue
        for file in sorted(root.rglob("*.ic[cm]")):
            if file.name.lower() == name.lower():
                return file
    return None


def _read_profile(path: Path, *, is_requested: bool) -> CmykProfile:
    """Read a color profile. Raise InputUnreadable if it is not for CMYK output."""
    try:
        data = read_limited(path, MAX_PROFILE_BYTES)
    except OSError as error:
        raise InputUnreadable(
            _("{file}: {reason}", file=path, reason=describe_os_error(error)),
            _("Name an ICC profile for CMYK."),
        ) from None
    # The header of a profile has 128 bytes, with a signature and the colour space in it.
    signature = data[36:40]
    colour_space = data[16:20]
    if len(data) < 128 or signature != b"acsp" or colour_space != b"CMYK":
        raise InputUnreadable(
            _("{file} is not an ICC profile for CMYK", file=path),
            _("Give the profile of the printing condition."),
        )
    return CmykProfile(path, data, _read_description(data) or path.stem, is_requested)


def _read_description(data: bytes) -> str:
    """Return the name of a color profile, or "" if it cannot be read."""
    try:
        from PIL import ImageCms

        profile = ImageCms.ImageCmsProfile(BytesIO(data))
        return str(ImageCms.getProfileDescription(profile)).strip()
    except (ImportError, OSError, ValueError):
        return ""


Rgb: TypeAlias = tuple[float, float, float]
Cmyk: TypeAlias = tuple[float, float, float, float]

BLACK: Cmyk = (0.0, 0.0, 0.0, 1.0)
MAX_GREY_DIFFERENCE = 0.012
"""Red, green and blue nearer to each other than this are grey."""
MAX_BLACK_LEVEL = 0.02
"""Greys darker than this are black."""
MIN_BLACK_OF_TYPE = 0.7
"""Type with this much black ink is printed in black alone."""
TABLE_STEPS = 33
"""Points along each edge of the table that pictures are converted with."""
RELATIVE_INTENT, BLACK_POINT_FLAG = 1, 0x2000
ROUNDING = 0.005
"""The distance below the ink limit, because inks are rounded afterwards."""


@dataclass
class Ink:
    """Converts RGB colors to inks for one profile and one shop. All values are from 0 to 1."""

    colour: Colour
    profile: CmykProfile
    _inks_by_rgb: dict[Rgb, Cmyk] = field(default_factory=dict)

    @cached_property
    def _apply_profile(self) -> Callable[[Image], Image]:
        """A function that converts pictures with the profile."""
        try:
            from PIL import ImageCms
        except ImportError as error:
            raise make_missing_error() from error
        screen = ImageCms.createProfile("sRGB")
        press = ImageCms.ImageCmsProfile(BytesIO(self.profile.data))
        flags = ImageCms.Flags(BLACK_POINT_FLAG)
        transform = ImageCms.buildTransform(
            screen, press, "RGB", "CMYK", ImageCms.Intent(RELATIVE_INTENT), flags
        )
        return transform.apply

    @property
    def rich_black(self) -> Cmyk:
        """The inks of large black areas, which are more than black alone."""
        if self.colour.rich_black is None:
            return BLACK
        cyan, magenta, yellow, black = (part / 100 for part in self.colour.rich_black)
        return cyan, magenta, yellow, black

    def convert(self, rgb: Rgb) -> Cmyk:
        """Convert a color. Grey becomes black ink only, so that thin lines stay sharp."""
        if max(rgb) - min(rgb) <= MAX_GREY_DIFFERENCE:
            return self.convert_grey(sum(rgb) / 3)
        return self.convert_exactly(rgb)

    def convert_type(self, rgb: Rgb) -> Cmyk:
        """Convert the color of text.

        Nearly black becomes black ink alone, without coloured edges.
        """
        inks = self.convert(rgb)
        if inks[3] < MIN_BLACK_OF_TYPE:
            return inks
        red, green, blue = rgb
        light = 0.2126 * red + 0.7152 * green + 0.0722 * blue
        # The black makes up for the colours that are left out.
        return (0.0, 0.0, 0.0, round(max(inks[3], 1 - light), 4))

    def convert_exactly(self, rgb: Rgb) -> Cmyk:
        """Convert a color as the profile says, within the shop's ink limit."""
        if rgb not in self._inks_by_rgb:
            from PIL import Image as Pictures

            # A drawing may state parts below 0 or above 1.
            red, green, blue = (min(1.0, max(0.0, part)) for part in rgb)
            colour = (round(255 * red), round(255 * green), round(255 * blue))
            pixel = self._apply_profile(Pictures.new("RGB", (1, 1), colour))
            self._inks_by_rgb[rgb] = self._limit_ink(*pixel.tobytes())
        return self._inks_by_rgb[rgb]

    def convert_grey(self, level: float) -> Cmyk:
        """Convert a grey (0 is black, 1 is white) to black ink only."""
        if level <= MAX_BLACK_LEVEL:
            return BLACK
        return (0.0, 0.0, 0.0, round(1 - min(1.0, level), 4))

    def convert_picture(self, image: Image) -> Image:
        """Convert an RGB picture."""
        return image.convert("RGB").filter(self._ink_limit_table)

    @cached_property
    def _ink_limit_table(self) -> Color3DLUT:
        """The lookup table that limits the total ink of each color.

        Each of its points is limited, hence every colour between them.
        """
        from PIL import Image as Pictures, ImageFilter

        steps = [round(255 * step / (TABLE_STEPS - 1)) for step in range(TABLE_STEPS)]
        # Red changes fastest, as the table of the library requires.
        points = bytearray()
        for blue in steps:
            for green in steps:
                for red in steps:
                    points += bytes((red, green, blue))
        size = (TABLE_STEPS * TABLE_STEPS, TABLE_STEPS)
        data = self._apply_profile(
            Pictures.frombytes("RGB", size, bytes(points))
        ).tobytes()
        values: list[float] = []
        for start in range(0, len(data), 4):
            values += self._limit_ink(*data[start : start + 4])
        return ImageFilter.Color3DLUT(
            TABLE_STEPS, values, channels=4, target_mode="CMYK"
        )

    def _limit_ink(self, cyan: int, magenta: int, yellow: int, black: int) -> Cmyk:
        """Return the inks of a color, with less color if the total exceeds the limit."""
        limit = (self.colour.ink_limit or 400) / 100
        key = black / 255
        total = (cyan + magenta + yellow) / 255
        share = 1.0
        if total + key > limit and total > 0:
            share = max(0.0, limit - key - ROUNDING) / total
        colours = [round(part / 255 * share, 4) for part in (cyan, magenta, yellow)]
        return colours[0], colours[1], colours[2], round(key, 4)
