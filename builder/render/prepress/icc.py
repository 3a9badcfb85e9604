"""ICC profiles on this machine: the one a printing condition asks for, or a general one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from builder.errors import InputUnreadable, ToolMissing
from builder.messages import gettext as _
from builder.messages import os_error
from builder.model.shop import Colour

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

GENERAL = ("default_cmyk.icc",)
"""Free profiles of no particular condition: Ghostscript brings one (Debian: libgs-common)."""


@dataclass(frozen=True, slots=True)
class Found:
    """A CMYK profile and what it is called. `asked` is True where it is the one the printing condition names."""

    path: Path
    data: bytes
    description: str
    asked: bool


def find_profile(colour: Colour, path: Path | None = None) -> Found:
    """The profile to convert with: the named file, else the preset's best, else a general one.

    Raises InputUnreadable for a file that is no CMYK profile, ToolMissing where there is none at all.
    """
    if path is not None:
        return _read(path, asked=True)
    for name in colour.profiles:
        if (found := _look(name)) is not None:
            return _read(found, asked=True)
    for name in GENERAL:
        if (found := _look(name)) is not None:
            return _read(found, asked=not colour.profiles and colour.condition is None)
    raise ToolMissing(
        _("no CMYK profile is installed to convert colours with"),
        _("apt-get install libgs-common (or icc-profiles), or name a profile: --icc FILE.icc."),
    )


def _look(name: str) -> Path | None:
    """A profile by its file name, in any of the folders."""
    for folder in FOLDERS:
        root = Path(folder).expanduser()
        if root.is_dir():
            for path in sorted(root.rglob("*.ic[cm]")):
                if path.name.lower() == name.lower():
                    return path
    return None


def _read(path: Path, *, asked: bool) -> Found:
    """A profile's data, if it is one for CMYK output."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputUnreadable(
            _("{file}: {reason}", file=path, reason=os_error(error)), _("Name an ICC profile for CMYK.")
        ) from None
    if len(data) < 128 or data[36:40] != b"acsp" or data[16:20] != b"CMYK":
        raise InputUnreadable(
            _("{file} is no ICC profile for CMYK", file=path), _("Name the profile of the printing condition.")
        )
    return Found(path, data, _description(data) or path.stem, asked)


def _description(data: bytes) -> str:
    """The name a profile gives itself; nothing where it cannot be read."""
    try:
        from io import BytesIO

        from PIL import ImageCms

        return str(ImageCms.getProfileDescription(ImageCms.ImageCmsProfile(BytesIO(data)))).strip()
    except (ImportError, OSError, ValueError):
        return ""
