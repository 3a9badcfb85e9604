"""A new project from the pattern that travels with the program."""

import re
import tempfile
import unicodedata
from collections.abc import Iterator
from pathlib import Path

from builder.errors import OutputNotWritten, UsageError
from builder.messages import gettext as _
from builder.store.layouts import Files
from builder.store.project import NEW_PACK, Project

_MARK = "__pack__"
_NAMES = {"gitignore": ".gitignore"}
"""Files that a package may not carry under their own name."""


CYRILLIC = dict(zip("абвгдеёжзийклмнопрстуфхцчшщъыьэюяß", (
    *("a", "b", "v", "g", "d", "e", "e", "zh", "z", "i", "y", "k", "l", "m", "n", "o", "p", "r", "s", "t", "u", "f"),
    *("kh", "ts", "ch", "sh", "shch", "", "y", "", "e", "yu", "ya", "ss"),
), strict=True))  # fmt: skip


def id_of(name: str) -> str:
    """An id made from a name; empty where it has neither Latin nor Cyrillic letters nor digits."""
    latin = "".join(CYRILLIC.get(letter, letter) for letter in name.lower())
    plain = unicodedata.normalize("NFKD", latin).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.replace("'", "")).strip("-")[:64].strip("-")


def pack_id_of(folder: Path) -> str:
    """A pack id made from a folder's name; UsageError where none can be made."""
    name = id_of(folder.resolve().name)
    if not name:
        message = _("no pack id can be made from {folder!r}", folder=folder.name)
        raise UsageError(message, _("Choose a folder name with Latin letters or digits, such as mygame."))
    return name


def write_project(folder: Path, files: Files | None = None) -> tuple[str, tuple[Path, ...]]:
    """Write a project of these files, or a small game; its pack id and what was written, relative to the folder.

    The folder appears whole or not at all. UsageError if it already holds something, OutputNotWritten if the disk
    refuses.
    """
    pack = pack_id_of(folder)
    folder = folder.resolve()
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            message = _("{folder} already exists and is not an empty folder", folder=folder)
            raise UsageError(message, _("Choose another name; nothing was changed."))
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{folder.name}.", dir=folder.parent) as draft:
            whole = Path(draft) / "project"
            written = tuple(_write(whole, pack, files or _pattern()))
            if folder.exists():  # it stays the folder it is: somebody may stand in it
                for child in whole.iterdir():
                    child.rename(folder / child.name)
            else:
                whole.rename(folder)
    except OSError as error:
        raise OutputNotWritten.because(folder, error) from error
    return pack, written


def _pattern() -> Files:
    """The files of the small game."""
    for source in sorted(NEW_PACK.rglob("*")):
        if source.is_file():
            yield source.relative_to(NEW_PACK).as_posix(), source.read_bytes()


def _write(root: Path, pack: str, files: Files) -> Iterator[Path]:
    """Write files with the pack's id put in, and the core schemas for the author's editor."""
    schemas = (
        (f"schemas/core/{one.name}", one.read_bytes()) for one in sorted(Project.core_schemas.glob("*.schema.json"))
    )
    for name, data in dict([*files, *schemas]).items():
        inside = Path(name.replace(_MARK, pack))
        target = root / inside.with_name(_NAMES.get(inside.name, inside.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data if target.suffix == ".ttf" else data.replace(_MARK.encode(), pack.encode()))
        yield target.relative_to(root)
