"""Pictures of faces: WebP at several widths, under addresses of what is on them, from what the press has set.

A face is set once, in a process of its own; after that its picture is a file that never changes.
"""

import atexit
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from io import BytesIO
from itertools import chain, zip_longest
from pathlib import Path
from signal import SIGKILL
from threading import Event, Lock, Semaphore, Thread

from django.conf import settings
from filelock import FileLock, Timeout

from builder.errors import SquadpressError
from builder.files import write_atomic
from builder.limits import get_process_context
from builder.model.pack import Pack, Role, Size
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project, find_project
from builder.render.sheets.sheets import Stack
from builder.usecases.build.build_options import Selection, WorkerPool
from builder.usecases.build.screens import shown_cards
from builder.usecases.build.typeset import TRIM, RenderedCards, compose_face_pages, render_cards
from builder.usecases.pack_states import load_as_of
from builder.web.cards.library import card_language, library, stamp_of

FAN = 3
"""Faces that stand for a game."""
WIDTHS = (240, 540, 1080)
"""Pixels across: for a list on a coarse screen, for half and for all of a phone on the finest, where it is zoomed."""
QUALITY = (75, 60, 55)
"""Of WebP at each width: the closer pixels lie, the less is seen of what is left out."""

WEBP_METHOD = 2
"""From 0 (fast) to 6 (small): 4 takes twice as long for 4 % fewer bytes."""


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
    """The pictures of a game's faces for someone who reads `lang`; while they are made, those of before."""
    spoken = card_language(pack, lang)
    index = folder() / _index_name(pack.id, spoken, release)
    stamp, faces = _indexed(index)
    if stamp != library().stamps.get(pack.id):
        make_soon(pack.id, spoken, release)
    return faces


def _indexed(index: Path) -> tuple[str, Faces]:
    """What an index says; nothing where it is not there."""
    try:
        return _read_index(index, index.stat().st_mtime_ns)
    except (OSError, ValueError, KeyError):
        return "", {}


def _index_name(pack: str, lang: str, release: str | None) -> str:
    return f"{pack}-{lang}{f'@{release}' if release else ''}.json"


@lru_cache(maxsize=100)
def _read_index(path: Path, _changed: int) -> tuple[str, Faces]:
    """What an index says: of which files of the game it was made, and the faces."""
    stated = json.loads(path.read_text(encoding="utf-8"))
    return stated["files"], {
        card: tuple(FacePicture(*face) for face in faces) for card, faces in stated["faces"].items()
    }


_making: set[tuple[str, str, str | None, str]] = set()
_ended = Event()
_running: set["subprocess.Popen[bytes]"] = set()
_lock = Lock()
_one_by_one = Semaphore(1)


def make_soon(pack: str, lang: str, release: str | None = None) -> None:
    """Have pictures made beside the work of this process, unless that has begun since the game changed."""
    wanted = (pack, lang, release, library().stamps.get(pack, ""))
    with _lock:
        if wanted in _making:
            return
        _making.add(wanted)
    command = [
        sys.executable,
        "-m",
        "builder.web.cards.faces",
        str(library().project.root),
        str(folder()),
        pack,
        lang,
    ]

    def work() -> None:
        try:
            with _one_by_one, suppress(OSError):
                if not _ended.is_set():
                    _run([*command, release or ""])
        finally:
            with _lock:
                _making.discard(wanted)

    Thread(target=work, daemon=True).start()


def _run(command: list[str]) -> None:
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as process:
        _running.add(process)
        process.wait()
        _running.discard(process)


@atexit.register
def _end() -> None:
    """Let no process outlive this one."""
    _ended.set()
    for process in tuple(_running):
        if process.stdin is not None:
            process.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=5)


def make(
    project: Project, into: Path, pack: str, lang: str, release: str | None, workers: int = 1
) -> None:
    """Make the pictures of a game's faces, and the index that names them, unless both are there."""
    into.mkdir(parents=True, exist_ok=True)
    index = into / _index_name(pack, lang, release)
    with suppress(Timeout), FileLock(into / "lock", timeout=600):
        stamp = stamp_of(project, pack)
        known, pictured = _indexed(index)
        if known == stamp and all(
            _there(into, face.address) for faces in pictured.values() for face in faces
        ):
            return
        loaded = load_as_of(PackFiles(project), pack, release)
        if loaded.pack is None:
            return
        made = render_cards(
            project, loaded, Selection(langs=(lang,), as_of=release), WorkerPool(workers)
        )
        shown = shown_cards(made, lang, "full")
        sizes = {
            stack: card.size
            for card in shown
            for stack in (card.front, card.back)
            if stack is not None
        }
        absent = {stack: size for stack, size in sizes.items() if not _there(into, _address(stack))}
        if absent:
            _draw(made, into, absent, workers)
        entries = {
            card.card.id: [
                _entry(stack, card.size) for stack in (card.front, card.back) if stack is not None
            ]
            for card in shown
        }
        write_atomic(index, json.dumps({"files": stamp, "faces": entries}).encode())


def _address(stack: Stack) -> str:
    return sha256("\0".join(stack).encode()).hexdigest()[:24]


def _entry(stack: Stack, size: Size) -> tuple[str, int, int]:
    return _address(stack), WIDTHS[-1], round(WIDTHS[-1] * size.height / size.width)


def _there(into: Path, address: str) -> bool:
    return all((into / address[:2] / f"{address}-{width}.webp").is_file() for width in WIDTHS)


def _draw(made: RenderedCards, into: Path, faces: Mapping[Stack, Size], workers: int) -> None:
    """Write the pictures of faces at all widths, with several processes."""
    requests = [
        PictureRequest(index, *_entry(stack, size))
        for index, (stack, size) in enumerate(faces.items())
    ]
    with compose_face_pages(made.renderer, TRIM, faces.items(), "faces") as path:
        if workers == 1:
            draw_pictures(path, into, requests)
            return
        with ProcessPoolExecutor(workers, get_process_context()) as pool:
            futures = [
                pool.submit(draw_pictures, path, into, requests[first::workers])
                for first in range(workers)
            ]
            for future in futures:
                future.result()


@dataclass(frozen=True, slots=True)
class PictureRequest:
    """A page whose picture is to be drawn, the picture's address, and its pixels at the greatest width."""

    page_index: int
    address: str
    width: int
    height: int


def draw_pictures(pages: Path, into: Path, requests: Sequence[PictureRequest]) -> None:
    """Draw pages of a PDF as pictures at all widths."""
    from PIL.Image import Resampling

    from builder.render.prepress.raster import opened, picture

    with opened(pages) as document:
        for request in requests:
            whole = picture(document, request.page_index, (request.width, request.height))
            for width, quality in zip(WIDTHS, QUALITY, strict=True):
                size = (width, round(width * whole.height / whole.width))
                data = BytesIO()
                scaled = whole.resize(size, Resampling.LANCZOS)
                scaled.save(data, "WEBP", quality=quality, method=WEBP_METHOD)
                name = f"{request.address}-{width}.webp"
                write_atomic(into / request.address[:2] / name, data.getvalue())


def _step_back() -> None:
    """Leave the processor to whoever waits for a page, and end with the process that asked for the pictures."""
    with suppress(OSError, AttributeError):
        os.nice(19)
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))

    os.setsid()

    def listen() -> None:
        os.read(0, 1)  # past the lock of `sys.stdin`, which a forked process would wait for
        os.killpg(0, SIGKILL)  # what it began, too

    Thread(target=listen, daemon=True).start()


if __name__ == "__main__":
    root, where, one, spoken, version = sys.argv[1:6]
    _step_back()
    try:
        make(find_project(Path(root)), Path(where), one, spoken, version or None)
    except (OSError, SquadpressError) as fault:
        sys.exit(f"{one} {spoken}: {fault}")


def fan(pack: Pack, faces: Faces, side: str = "") -> list[FacePicture]:
    """Some faces that show what a game, or one of its sides, looks like: models, of as many sides as there are."""
    found: dict[str, list[FacePicture]] = {}
    for card in sorted(
        (card for card in pack.cards.values() if pack.role(card) is Role.ENTRY),
        key=lambda card: -(card.cost or 0),
    ):
        if card.id in faces and side in ("", card.faction):
            found.setdefault(card.faction or "", []).append(faces[card.id][0])
    ordered = chain.from_iterable(zip_longest(*found.values()))
    return [face for face in ordered if face is not None][:FAN]
