"""The program's fonts, from Python packages, so that all machines render the same."""

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
"""The families of these packages, and that of a pack's icons: a font of the pack cannot be of one
of them.
"""
REJECTED_PATTERN = "*VariableFont*"
"""Variable fonts. They are slower to render and would hide the static cuts of the same family."""


def find_font_folders() -> tuple[Path, ...]:
    """Return the folders of the installed font packages.

    Raises ToolMissing with the package's name where one is not installed.
    """
    folders = []
    for package in PACKAGES:
        spec = importlib.util.find_spec(package)
        if spec is None or not spec.submodule_search_locations:
            remedy = _(
                "Install it: pip install {package}.", package=package.replace("_", "-")
            )
            raise ToolMissing(
                _("the font package {package} is missing", package=package), remedy
            )
        folders.append(Path(next(iter(spec.submodule_search_locations), "")) / "files")
    return tuple(folders)


@cache
def list_font_files() -> tuple[Path, ...]:
    """Return all font files of the font packages, sorted by name, except variable fonts."""
    files: list[Path] = []
    for folder in find_font_folders():
        files += [
            path for path in folder.glob("*.ttf") if not path.match(REJECTED_PATTERN)
        ]
    return tuple(sorted(files, key=lambda path: path.name))


def find_font_file(name: str) -> Path:
    """Return the font file with this name. Raise ToolMissing if no font package has it."""
    for path in list_font_files():
        if path.name == name:
            return path
    packages = " ".join(PACKAGES).replace("_", "-")
    remedy = _("Install it: pip install {package}.", package=packages)
    raise ToolMissing(_("the font file {file} is missing", file=name), remedy)


def hash_fonts() -> str:
    """Return a hash of the installed fonts.

    Names and sizes identify the files of published packages.
    """
    listed = "\n".join(
        f"{path.name} {path.stat().st_size}" for path in list_font_files()
    )
    return hashlib.sha256(listed.encode()).hexdigest()


def hash_font(data: bytes) -> str:
    """Return the hash by which stored drawings name a font file."""
    return hashlib.sha256(data).hexdigest()[:32]


def find_covered_characters(
    fonts: Iterable[Path], pack_hash: str, cache: Cache
) -> tuple[tuple[int, int], ...]:
    """Return the characters that the given fonts or the program's fonts have.

    The first and last of each range.

    `pack_hash` is the hash of these fonts.
    """
    key = hashlib.sha256(f"{hash_fonts()}\0{pack_hash}".encode()).hexdigest()
    stored_ranges = (cache.value("letters", key) or {}).get("covered")
    # A damaged entry may hold any values.
    with suppress(TypeError, ValueError):
        if isinstance(stored_ranges, list) and stored_ranges:
            return tuple((int(first), int(last)) for first, last in stored_ranges)  # type: ignore[arg-type, misc, str-unpack]
    characters = _list_program_characters().union(*map(_list_characters, fonts))
    ranges: list[list[int]] = []
    for character in sorted(characters):
        if ranges and ranges[-1][1] == character - 1:
            ranges[-1][1] = character
        else:
            ranges.append([character, character])
    cache.write("letters", key, {"covered": [[*pair] for pair in ranges]})
    return tuple((first, last) for first, last in ranges)


@cache
def _list_program_characters() -> frozenset[int]:
    """Return the characters that the program's fonts have."""
    return frozenset().union(*map(_list_characters, list_font_files()))


def _list_characters(path: Path) -> frozenset[int]:
    from fontTools.ttLib import TTFont

    with TTFont(path, lazy=True) as font:
        # Without an order a name is found for each glyph, which takes long.
        font.setGlyphOrder(range(font["maxp"].numGlyphs))
        return frozenset(font.getBestCmap() or ())


def fold_family_name(family: str) -> str:
    """Return the name of a font family as fontconfig compares it."""
    return family.replace(" ", "").lower()


def configure_fontconfig(cache_dir: Path, fonts: tuple[Path, ...]) -> None:
    """Make fontconfig use only the fonts of the program and of the pack.

    Must run before the engine makes its first font configuration.
    """
    folders = [*find_font_folders(), *(path.parent for path in fonts)]
    lines = "".join(f"<dir>{html.escape(str(folder))}</dir>" for folder in folders)
    # A file that includes no other: so the fonts of the machine stay out.
    text = (
        '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd"><fontconfig>'
        f"{lines}<cachedir>{html.escape(str(cache_dir / 'fontconfig'))}</cachedir>"
        f"<selectfont><rejectfont><glob>{REJECTED_PATTERN}</glob></rejectfont></selectfont></fontconfig>"
    )
    name = hashlib.sha256(text.encode()).hexdigest()[:16]
    path = cache_dir / "fontconfig" / f"{name}.conf"
    known_digests = cache_at(cache_dir).value("fontconfig", "files") or {}
    for file, digest in _hash_cache_files(cache_dir):
        # fontconfig itself believes whatever lies there, and may never end.
        if known_digests.get(file.name) != digest:
            with suppress(OSError):
                file.unlink()
    write_if_changed(path, text.encode())
    os.environ["FONTCONFIG_FILE"] = str(path)


def save_fontconfig_state(cache_dir: Path) -> None:
    """Store the hashes of fontconfig's cache files, so that the next run can verify them."""
    cache = cache_at(cache_dir)
    digests = {file.name: digest for file, digest in _hash_cache_files(cache_dir)}
    if cache.value("fontconfig", "files") != digests:
        cache.write("fontconfig", "files", {**digests})


def _hash_cache_files(cache_dir: Path) -> Iterator[tuple[Path, str]]:
    """Yield the cache files of fontconfig with their hashes.

    The digest of an unreadable one is empty.
    """
    for file in sorted((cache_dir / "fontconfig").glob("*.cache-*")):
        try:
            yield file, hashlib.sha256(read_limited(file)).hexdigest()
        except OSError:
            yield file, ""
