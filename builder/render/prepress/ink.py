"""From screen colours to inks by an ICC profile of this machine: blacks as printers want them, never too much ink."""

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
from builder.render.prepress.raster import missing

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageFilter import Color3DLUT

FOLDERS = (
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
"""Where profiles are kept."""
MAX_PROFILE_BYTES = 20_000_000
"""Bytes of a profile; the largest of printing conditions have 3 million."""
GENERAL = "default_cmyk.icc"
"""A free profile of no particular condition, which Ghostscript brings (Debian: libgs-common)."""
GENERAL_REQUEST = Path("general")
"""Stands for the general profile where a profile is named: the maker of an order accepts it instead of the shop's."""


@dataclass(frozen=True, slots=True)
class Found:
    """A CMYK profile and what it is called. `asked` is True where it is the one the printing condition names."""

    path: Path
    data: bytes
    description: str
    asked: bool


def find_profile(colour: Colour, path: Path | None = None) -> Found:
    """Return the profile to convert with: the named file, else the preset's best, else a general one.

    Raise InputUnreadable for a file that is no CMYK profile, ToolMissing where there is none at all.
    """
    if path is not None and path != GENERAL_REQUEST:
        return _read(path, asked=True)
    general = not colour.profiles and colour.condition is None
    exact_names = () if path == GENERAL_REQUEST else colour.profiles
    for name, asked in (*((name, True) for name in exact_names), (GENERAL, general)):
        for root in (Path(folder).expanduser() for folder in FOLDERS):
            for found in sorted(root.rglob("*.ic[cm]")) if root.is_dir() else ():
                if found.name.lower() == name.lower():
                    return _read(found, asked=asked)
    raise ToolMissing(
        _("no CMYK profile is installed to convert colours with"),
        _("apt-get install libgs-common (or icc-profiles), or name a profile: --icc FILE.icc."),
    )


def _read(path: Path, *, asked: bool) -> Found:
    """A profile's data, if it is one for CMYK output."""
    try:
        data = read_limited(path, MAX_PROFILE_BYTES)
    except OSError as error:
        raise InputUnreadable(
            _("{file}: {reason}", file=path, reason=describe_os_error(error)),
            _("Name an ICC profile for CMYK."),
        ) from None
    if len(data) < 128 or data[36:40] != b"acsp" or data[16:20] != b"CMYK":
        raise InputUnreadable(
            _("{file} is no ICC profile for CMYK", file=path),
            _("Name the profile of the printing condition."),
        )
    return Found(path, data, _description(data) or path.stem, asked)


def _description(data: bytes) -> str:
    """The name a profile gives itself; nothing where it cannot be read."""
    try:
        from PIL import ImageCms

        return str(ImageCms.getProfileDescription(ImageCms.ImageCmsProfile(BytesIO(data)))).strip()
    except (ImportError, OSError, ValueError):
        return ""


Rgb: TypeAlias = tuple[float, float, float]
Cmyk: TypeAlias = tuple[float, float, float, float]

GREYISH = 0.012
"""Red, green and blue nearer to each other than this are grey."""
DARK = 0.02
"""Greys darker than this are black."""
NEARLY_BLACK = 0.7
"""Letters with so much black ink are black."""
GRID = 33
"""Points along each edge of the table that pictures are converted with."""
RELATIVE, BLACK_POINT = 1, 0x2000


@dataclass
class Ink:
    """Conversions for one profile and one shop. Colours are parts of 1."""

    colour: Colour
    profile: Found
    _known: dict[Rgb, Cmyk] = field(default_factory=dict)

    @cached_property
    def _convert(self) -> Callable[[Image], Image]:
        """The profile's own conversion of a picture."""
        try:
            from PIL import ImageCms
        except ImportError as error:
            raise missing() from error
        screen = ImageCms.createProfile("sRGB")
        press = ImageCms.ImageCmsProfile(BytesIO(self.profile.data))
        flags = ImageCms.Flags(BLACK_POINT)
        transform = ImageCms.buildTransform(
            screen, press, "RGB", "CMYK", ImageCms.Intent(RELATIVE), flags
        )
        return transform.apply

    @property
    def rich(self) -> Cmyk:
        """Inks of large black areas."""
        if self.colour.rich_black is None:
            return (0.0, 0.0, 0.0, 1.0)
        c, m, y, k = (part / 100 for part in self.colour.rich_black)
        return (c, m, y, k)

    def flat(self, rgb: Rgb) -> Cmyk:
        """One colour. Grey is black ink alone, so that thin type and lines need no register."""
        if max(rgb) - min(rgb) <= GREYISH:
            return self.grey(sum(rgb) / 3)
        return self.exact(rgb)

    def type(self, rgb: Rgb) -> Cmyk:
        """The colour of letters: what is nearly black is black ink alone, or its edges would be coloured."""
        inks = self.flat(rgb)
        if inks[3] < NEARLY_BLACK:
            return inks
        light = 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]
        return (0.0, 0.0, 0.0, round(max(inks[3], 1 - light), 4))

    def exact(self, rgb: Rgb) -> Cmyk:
        """One colour as the profile has it, within the ink limit."""
        if rgb not in self._known:
            from PIL import Image as Pictures

            red, green, blue = (round(255 * min(1.0, max(0.0, part))) for part in rgb)
            pixel = self._convert(Pictures.new("RGB", (1, 1), (red, green, blue)))
            self._known[rgb] = self._within(tuple(pixel.tobytes()))
        return self._known[rgb]

    def grey(self, level: float) -> Cmyk:
        """A grey (0 black, 1 white) in black ink alone."""
        if level <= DARK:
            return (0.0, 0.0, 0.0, 1.0)
        return (0.0, 0.0, 0.0, round(1 - min(1.0, level), 4))

    def picture(self, image: Image) -> Image:
        """An RGB picture in inks."""
        return image.convert("RGB").filter(self._table)

    @cached_property
    def _table(self) -> Color3DLUT:
        """The conversion of all colours as a table, limited at each of its points, hence everywhere between."""
        from PIL import Image as Pictures, ImageFilter

        steps = [round(255 * step / (GRID - 1)) for step in range(GRID)]
        points = bytes(
            part
            for blue in steps
            for green in steps
            for red in steps
            for part in (red, green, blue)
        )
        data = self._convert(Pictures.frombytes("RGB", (GRID * GRID, GRID), points)).tobytes()
        values = [
            part for at in range(0, len(data), 4) for part in self._within(tuple(data[at : at + 4]))
        ]
        return ImageFilter.Color3DLUT(GRID, values, channels=4, target_mode="CMYK")

    def _within(self, pixel: tuple[int, ...]) -> Cmyk:
        """Inks of one pixel, less of the colours where all together would be too much."""
        c, m, y, k = (part / 255 for part in pixel)
        limit = (self.colour.ink_limit or 400) / 100
        total = c + m + y
        if total + k > limit and total > 0:
            less = max(0.0, limit - k - 0.005) / total
            c, m, y = c * less, m * less, y * less
        return (round(c, 4), round(m, 4), round(y, 4), round(k, 4))
