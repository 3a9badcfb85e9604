"""The fonts of the press: found by path in their packages, never the system's, so that every machine sets alike."""

import hashlib
import html
import importlib.util
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

from builder.cache import Cache, cache_at
from builder.errors import ToolMissing
from builder.files import read_limited, write_if_changed
from builder.messages import gettext as _

PACKAGES = ("font_roboto", "font_manrope")
"""Python packages that carry font files under `files/`."""
FAMILIES = ("Roboto", "Manrope", "icons")
"""The families of these packages, and that of a pack's icons: a font of the pack cannot be of one of them."""
REJECTED = "*VariableFont*"
"""Variable fonts are slower to set and would shadow the static cuts of the same family."""


def find_font_folders() -> tuple[Path, ...]:
    """The folders of all font packages.

    Raises ToolMissing with the package's name where one is not installed.
    """
    folders = []
    for package in PACKAGES:
        spec = importlib.util.find_spec(package)
        if spec is None or not spec.submodule_search_locations:
            remedy = _("Install it: pip install {package}.", package=package.replace("_", "-"))
            raise ToolMissing(_("the font package {package} is missing", package=package), remedy)
        folders.append(Path(next(iter(spec.submodule_search_locations), "")) / "files")
    return tuple(folders)


@cache
def list_font_files() -> tuple[Path, ...]:
    """All static font files, sorted by name."""
    files = [
        path
        for folder in find_font_folders()
        for path in folder.glob("*.ttf")
        if not path.match(REJECTED)
    ]
    return tuple(sorted(files, key=lambda path: path.name))


def find_font_file(name: str) -> Path:
    """The font file of this name. Raises ToolMissing where no package holds it."""
    found = next((path for path in list_font_files() if path.name == name), None)
    if found is None:
        remedy = _(
            "Install it: pip install {package}.", package=" ".join(PACKAGES).replace("_", "-")
        )
        raise ToolMissing(_("the font file {file} is missing", file=name), remedy)
    return found


def hash_fonts() -> str:
    """A hash of which fonts there are: file names and sizes stand for contents of published packages."""
    listed = "\n".join(f"{path.name} {path.stat().st_size}" for path in list_font_files())
    return hashlib.sha256(listed.encode()).hexdigest()


def hash_font(data: bytes) -> str:
    """How records name a font file."""
    return hashlib.sha256(data).hexdigest()[:32]


def find_covered_characters(
    fonts: Iterable[Path], pack_hash: str, cache: Cache
) -> tuple[tuple[int, int], ...]:
    """The code points for which one of these fonts or of the program's has a sign: first and last of each stretch.

    `pack_hash` is the hash of what these fonts hold.
    """
    key = hashlib.sha256(f"{hash_fonts()}\0{pack_hash}".encode()).hexdigest()
    known = (cache.value("letters", key) or {}).get("covered")
    with suppress(TypeError, ValueError):
        if isinstance(known, list) and known:
            return tuple((int(first), int(last)) for first, last in known)  # type: ignore[arg-type, misc, str-unpack]
    held = _own_letters().union(*map(_letters, fonts))
    found: list[list[int]] = []
    for sign in sorted(held):
        if found and found[-1][1] == sign - 1:
            found[-1][1] = sign
        else:
            found.append([sign, sign])
    cache.write("letters", key, {"covered": [[*pair] for pair in found]})
    return tuple((first, last) for first, last in found)


@cache
def _own_letters() -> frozenset[int]:
    """The code points for which one of the program's fonts has a sign."""
    return frozenset().union(*map(_letters, list_font_files()))


def _letters(path: Path) -> frozenset[int]:
    from fontTools.ttLib import TTFont

    with TTFont(path, lazy=True) as font:
        font.setGlyphOrder(
            range(font["maxp"].numGlyphs)
        )  # else a name is worked out for each glyph
        return frozenset(font.getBestCmap() or ())


def fold_family_name(family: str) -> str:
    """A family's name as fontconfig compares names."""
    return family.replace(" ", "").lower()


def configure_fontconfig(cache_dir: Path, fonts: tuple[Path, ...]) -> None:
    """Point fontconfig at our fonts only; `fonts` are the pack's own. Must run before the engine makes its first font
    configuration.
    """
    folders = [*find_font_folders(), *(path.parent for path in fonts)]
    lines = "".join(f"<dir>{html.escape(str(folder))}</dir>" for folder in folders)
    text = (
        '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd"><fontconfig>'
        f"{lines}<cachedir>{html.escape(str(cache_dir / 'fontconfig'))}</cachedir>"
        f"<selectfont><rejectfont><glob>{REJECTED}</glob></rejectfont></selectfont></fontconfig>"
    )
    name = hashlib.sha256(text.encode()).hexdigest()[:16]
    path = cache_dir / "fontconfig" / f"{name}.conf"
    known = cache_at(cache_dir).value("fontconfig", "files") or {}
    for file, digest in _kept(cache_dir):
        if (
            known.get(file.name) != digest
        ):  # fontconfig itself believes whatever lies there, and may never end
            with suppress(OSError):
                file.unlink()
    write_if_changed(path, text.encode())
    os.environ["FONTCONFIG_FILE"] = str(path)


def save_fontconfig_state(cache_dir: Path) -> None:
    """Note what fontconfig keeps of fonts, so that the next run can tell whether it is still the same."""
    cache, found = cache_at(cache_dir), {file.name: digest for file, digest in _kept(cache_dir)}
    if cache.value("fontconfig", "files") != found:
        cache.write("fontconfig", "files", {**found})


def _kept(cache_dir: Path) -> Iterator[tuple[Path, str]]:
    """What fontconfig keeps, each file with its digest; none for what is no file."""
    for file in sorted((cache_dir / "fontconfig").glob("*.cache-*")):
        try:
            yield file, hashlib.sha256(read_limited(file)).hexdigest()
        except OSError:
            yield file, ""
