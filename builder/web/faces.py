"""Pictures of faces: WebP at several widths, under addresses of what is on them, from what the press has set.

A face is set once, in a process of its own; after that its picture is a file that never changes.
"""

import json
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from threading import Lock, Semaphore, Thread

from django.conf import settings
from filelock import FileLock, Timeout

from builder.files import write_atomic
from builder.model.pack import Pack, Size
from builder.render.sheets.sheets import Stack
from builder.store.project import Project, find_project
from builder.usecases.build.options import Selection, WorkerPool
from builder.usecases.build.screens import shown_cards
from builder.usecases.build.typeset import TRIM, SetCards, face_pages, set_cards
from builder.usecases.files import PackFiles
from builder.usecases.storage import load_as_of
from builder.web.library import card_language, library

WIDTHS = (240, 480, 1200)
"""Pixels across: for a list on a phone, for a list on a fine screen, to be read and zoomed."""


@dataclass(frozen=True, slots=True)
class FacePicture:
    """A face's picture: its address, and its pixels at the greatest width."""

    address: str
    width: int
    height: int


Faces = Mapping[str, tuple[FacePicture, ...]]
"""By card: its front, and its back where it has one."""


def folder() -> Path:
    """Where pictures are kept."""
    return Path(settings.DATA) / "faces"


def picture_file(address: str, width: int) -> Path:
    """The file of a picture, which may not be there."""
    return folder() / address[:2] / f"{address}-{width}.webp"


def faces_of(pack: Pack, lang: str, release: str | None = None) -> Faces:
    """The pictures of a game's faces for someone who reads `lang`; none while they are being made."""
    index = _index_file(pack.id, card_language(pack, lang), release)
    try:
        return _read_index(index, index.stat().st_mtime_ns)
    except (OSError, ValueError):
        make_soon(pack.id, card_language(pack, lang), release)
        return {}


def _index_file(pack: str, lang: str, release: str | None) -> Path:
    return folder() / f"{pack}-{lang}{f'@{release}' if release else ''}.json"


@cache
def _read_index(path: Path, _changed: int) -> Faces:
    stated = json.loads(path.read_text(encoding="utf-8"))
    return {card: tuple(FacePicture(*face) for face in faces) for card, faces in stated.items()}


_making: set[tuple[str, str, str | None]] = set()
_lock = Lock()
_one_by_one = Semaphore(1)


def make_soon(pack: str, lang: str, release: str | None = None) -> None:
    """Have pictures made beside the work of this process, unless they are being made already."""
    with _lock:
        if (pack, lang, release) in _making:
            return
        _making.add((pack, lang, release))
    command = [sys.executable, "-m", "builder.web.faces", str(library().project.root), str(folder()), pack, lang]

    def work() -> None:
        with _one_by_one:
            subprocess.run([*command, release or ""], check=False, stdout=subprocess.DEVNULL)
        with _lock:
            _making.discard((pack, lang, release))

    Thread(target=work, daemon=True).start()


def make(project: Project, into: Path, pack: str, lang: str, release: str | None) -> None:
    """Make the pictures of a game's faces, and the index that names them. Nothing where another process does it."""
    into.mkdir(parents=True, exist_ok=True)
    with suppress(Timeout), FileLock(into / "lock", timeout=600):
        loaded = load_as_of(PackFiles(project), pack, release)
        if loaded.pack is None:
            return
        made = set_cards(project, loaded, Selection(langs=(lang,), as_of=release), WorkerPool(1))
        shown = shown_cards(made, lang, "full")
        sizes = {stack: card.size for card in shown for stack in (card.front, card.back) if stack is not None}
        absent = {stack: size for stack, size in sizes.items() if not _there(into, stack)}
        if absent:
            _draw(made, into, absent)
        index = {
            card.card.id: [_entry(stack, card.size) for stack in (card.front, card.back) if stack is not None]
            for card in shown
        }
        name = f"{pack}-{lang}{f'@{release}' if release else ''}.json"
        write_atomic(into / name, json.dumps(index).encode())


def _address(stack: Stack) -> str:
    return sha256("\0".join(stack).encode()).hexdigest()[:24]


def _entry(stack: Stack, size: Size) -> tuple[str, int, int]:
    return _address(stack), WIDTHS[-1], round(WIDTHS[-1] * size.height / size.width)


def _there(into: Path, stack: Stack) -> bool:
    address = _address(stack)
    return all((into / address[:2] / f"{address}-{width}.webp").is_file() for width in WIDTHS)


def _draw(made: SetCards, into: Path, faces: Mapping[Stack, Size]) -> None:
    """Write the pictures of faces at all widths."""
    from PIL.Image import Resampling

    from builder.render.prepress.raster import opened, picture

    with face_pages(made.renderer, TRIM, faces.items(), "faces") as path, opened(path) as document:
        for index, (stack, size) in enumerate(faces.items()):
            whole = picture(document, index, _entry(stack, size)[1:])
            for width in WIDTHS:
                out = BytesIO()
                scaled = whole.resize((width, round(width * whole.height / whole.width)), Resampling.LANCZOS)
                scaled.save(out, "WEBP", quality=84 if width < WIDTHS[-1] else 78, method=4)
                address = _address(stack)
                write_atomic(into / address[:2] / f"{address}-{width}.webp", out.getvalue())


if __name__ == "__main__":
    root, where, one, spoken, version = sys.argv[1:6]
    make(find_project(Path(root)), Path(where), one, spoken, version or None)
