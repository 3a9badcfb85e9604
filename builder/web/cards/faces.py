"""Pictures of faces: WebP at several widths.

Their addresses are hashes of what is on them.

A face is rendered once, in a process of its own. After that its picture is a file that never
changes.
"""

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from io import BytesIO
from itertools import chain, zip_longest
from math import inf
from pathlib import Path
from signal import SIGKILL
from threading import Thread
from time import monotonic

from django.conf import settings
from filelock import FileLock, Timeout

from builder.errors import SquadpressError
from builder.files import write_atomic
from builder.findings import Finding, Severity
from builder.limits import get_process_context
from builder.model.loaded import LoadedPack
from builder.model.pack import Pack, Role, Size
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project, find_project
from builder.render.sheets.sheets import Stack
from builder.rules.names import Names
from builder.usecases.build.build_options import (
    Selection,
    WorkerPool,
    get_render_folders,
)
from builder.usecases.build.engine_choice import with_chosen_engine
from builder.usecases.build.screens import list_card_faces
from builder.usecases.build.typeset import (
    TRIM,
    RenderedCards,
    compose_face_pages,
    render_cards,
)
from builder.usecases.pack_states import load_pack_as_of
from builder.usecases.release.release_templates import find_release_project
from builder.web.cards.library import (
    choose_card_language,
    get_library,
    get_names,
    stamp_pack,
)
from builder.web.cards.picture_queue import EXIT_UNFINISHED, PictureTask, picture_queue
from builder.web.templating import get_page_language

QUALITY_BY_WIDTH_PIXELS = {240: 75, 540: 60, 1080: 55}
"""WebP quality by width: for a list, for half and for all of a phone screen. Smaller pixels hide
more loss.
"""
WEBP_METHOD = 2
"""From 0 (fast) to 6 (small): 4 takes twice as long for 4 % fewer bytes."""
MAX_WIDTH_PIXELS = max(QUALITY_BY_WIDTH_PIXELS)
MAX_SAMPLE_FACES = 3
CARDS_PER_BATCH = 24
"""Cards whose pictures are made and shown together. Smaller batches take longer in all."""
MAX_SECONDS_PER_PROCESS = 20
"""Seconds after which the pictures of another game have their turn."""
MAX_LOCK_SECONDS = 600
"""The maximum time to wait for another process that makes pictures."""


@dataclass(frozen=True, slots=True)
class FacePicture:
    """The rendered picture of a card face: its address and size in pixels."""

    address: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class PictureLimits:
    """The number of processes that make pictures, and the time limit in seconds.

    `progress` is called with the number of rendered faces and the total.
    """

    workers: int = 1
    max_seconds: float = inf
    progress: Callable[[int, int], None] | None = None


Faces = Mapping[str, tuple[FacePicture, ...]]
"""Front and, where there is one, back by card."""


def get_pictures_folder() -> Path:
    """Return the folder with the pictures of all games."""
    return Path(settings.DATA) / "faces"


def get_picture_file(address: str, width: int, folder: Path | None = None) -> Path:
    """Return the path of a picture. The file may not exist yet."""
    return (folder or get_pictures_folder()) / address[:2] / f"{address}-{width}.webp"


def get_faces(pack: Pack, lang: str, release: str | None = None) -> Faces:
    """Return the pictures of a game's card faces by card, in the language for readers of `lang`.

    Missing ones are made in the background.
    """
    card_lang = choose_card_language(pack, lang)
    index = get_pictures_folder() / _make_index_name(pack.id, card_lang, release)
    stamp, faces = _load_index(index)
    if stamp != get_library().stamps.get(pack.id):
        schedule_pictures(pack.id, card_lang, release)
    return faces


def pick_sample_faces(pack: Pack, faces: Faces, side: str = "") -> list[FacePicture]:
    """Choose faces of expensive models that represent a game or one of its sides."""
    cards = [card for card in _mix_sides(pack, side) if card in faces]
    return [faces[card][0] for card in cards[:MAX_SAMPLE_FACES]]


def list_sample_cards(pack: Pack) -> list[str]:
    """Return the cards that represent the game and each of its sides."""
    sample = _mix_sides(pack)[:MAX_SAMPLE_FACES]
    for side in pack.vocabulary.factions:
        sample += _mix_sides(pack, side)[:MAX_SAMPLE_FACES]
    return list(dict.fromkeys(sample))


def _mix_sides(pack: Pack, side: str = "") -> list[str]:
    """Return all models' ids, by turns from each side, expensive ones first."""
    ids_by_side: dict[str, list[str]] = {}
    models = list(pack.list_cards_of_role(Role.ENTRY))
    for card in sorted(models, key=lambda card: -(card.cost or 0)):
        if side in ("", card.faction):
            ids_by_side.setdefault(card.faction or "", []).append(card.id)
    mixed = chain.from_iterable(zip_longest(*ids_by_side.values()))
    return [card for card in mixed if card is not None]


def sample_games() -> list[tuple[Pack, Names, list[FacePicture]]]:
    """Return all games with names and sample faces, in the language of the page."""
    lang = get_page_language()
    return [
        (pack, get_names(pack, lang), pick_sample_faces(pack, get_faces(pack, lang)))
        for pack in get_library().list_games()
    ]


def _load_index(index: Path) -> tuple[str, Faces]:
    """Read the stamp and the faces from an index file. Empty if it cannot be read."""
    try:
        return _read_index(index, index.stat().st_mtime_ns)
    except (OSError, ValueError, KeyError):
        return "", {}


def _make_index_name(pack: str, lang: str, release: str | None) -> str:
    return f"{pack}-{lang}{f'@{release}' if release else ''}.json"


@lru_cache(maxsize=100)
def _read_index(path: Path, _modified: int) -> tuple[str, Faces]:
    index = json.loads(path.read_text(encoding="utf-8"))
    faces = {}
    for card, entries in index["faces"].items():
        faces[card] = tuple(FacePicture(*entry) for entry in entries)
    return index["files"], faces


def schedule_pictures(pack: str, lang: str, release: str | None = None) -> None:
    """Put the pictures of a game at the front of the background queue."""
    library = get_library()
    task = PictureTask(pack, lang, release, library.stamps.get(pack, ""))
    picture_queue.add(task, [str(library.project.root), str(get_pictures_folder())])


def count_missing_pictures(pack: Pack, lang: str, release: str | None = None) -> int:
    """Return the number of cards without a picture. 0 if all pictures are made."""
    card_lang = choose_card_language(pack, lang)
    stamp, faces = _load_index(
        get_pictures_folder() / _make_index_name(pack.id, card_lang, release)
    )
    if stamp == get_library().stamps.get(pack.id):
        return 0
    return len(pack.cards) - len(faces)


def make_pictures(
    project: Project,
    folder: Path,
    pack: str,
    lang: str,
    release: str | None,
    limits: PictureLimits = PictureLimits(),
) -> tuple[Finding, ...]:
    """Render the missing pictures of a game, and write the index that lists them.

    The sample faces come first. The index is written after each batch, so that pages show what is
    ready. With a maximum time, stop after the sample, or after that time, if pictures were made;
    the next call makes the others.

    Return the errors of faces that have no picture.
    """
    folder.mkdir(parents=True, exist_ok=True)
    index = folder / _make_index_name(pack, lang, release)
    with suppress(Timeout), FileLock(folder / "lock", timeout=MAX_LOCK_SECONDS):
        stamp = stamp_pack(project, pack)
        # Checked inside the lock, because another process may have made the pictures meanwhile.
        if _is_complete(folder, index, stamp):
            return _load_errors(index)
        loaded = load_pack_as_of(PackFiles(project), pack, release)
        if loaded.pack is None:
            return tuple(
                item for item in loaded.findings if item.severity is Severity.ERROR
            )
        # A release is drawn with the templates that it was made with, if git has them.
        drawn_project = find_release_project(project, pack, release)
        places = get_render_folders(drawn_project, pack)
        loaded = with_chosen_engine(places, loaded)[0]
        maker = _PictureMaker(
            drawn_project, folder, index, loaded, lang, release, limits
        )
        has_limit = limits.max_seconds < inf
        end = monotonic() + limits.max_seconds
        if maker.make_batch(list_sample_cards(loaded.whole)) and has_limit:
            return ()  # the samples of the other games come next
        for batch in _split_other_cards(loaded.whole, has_limit):
            if maker.make_batch(batch) and monotonic() > end:
                return ()
        maker.write_index(stamp)
        return maker.errors
    return ()


def _split_other_cards(pack: Pack, has_limit: bool) -> Iterator[list[str]]:
    """Yield the ids of cards outside the sample, in batches."""
    sample = set(list_sample_cards(pack))
    others = [card for card in pack.cards if card not in sample]
    batch_size = CARDS_PER_BATCH if has_limit else max(1, len(others))
    for start in range(0, len(others), batch_size):
        yield others[start : start + batch_size]


@dataclass
class _PictureMaker:
    """Renders the pictures of a game in one language, batch by batch."""

    project: Project
    folder: Path
    index: Path
    loaded: LoadedPack
    lang: str
    release: str | None
    limits: PictureLimits
    errors: tuple[Finding, ...] = ()
    entries: dict[str, list[tuple[str, int, int]]] = field(default_factory=dict)

    def make_batch(self, cards: Sequence[str]) -> bool:
        """Render the pictures of some cards. Return True if any was missing."""
        if not cards:
            return False
        selection = Selection(
            langs=(self.lang,), as_of=self.release, only=(",".join(cards),)
        )
        rendered_cards = render_cards(
            self.project,
            self.loaded,
            selection,
            WorkerPool(self.limits.workers, progress=self.limits.progress),
        )
        missing_faces: dict[Stack, Size] = {}
        for card in list_card_faces(rendered_cards, self.lang, "full"):
            stacks = [stack for stack in (card.front, card.back) if stack is not None]
            self.entries[card.card.id] = [
                _make_entry(stack, card.size) for stack in stacks
            ]
            for stack in stacks:
                if not _has_pictures(self.folder, _make_address(stack)):
                    missing_faces[stack] = card.size
        findings = rendered_cards.rendered.findings
        self.errors += tuple(
            item for item in findings if item.severity is Severity.ERROR
        )
        if missing_faces:
            _write_pictures(
                rendered_cards, self.folder, missing_faces, self.limits.workers
            )
            self.write_index("")
        return bool(missing_faces)

    def write_index(self, stamp: str) -> None:
        """Write the index of pictures. Without a stamp, it counts as incomplete."""
        entries = self.entries
        if not stamp:  # the old pictures are shown until the new ones are made
            entries = self._list_old_entries() | entries
        stored_errors = [error.to_json() for error in self.errors]
        content = {"files": stamp, "faces": entries, "errors": stored_errors}
        write_atomic(self.index, json.dumps(content).encode())

    def _list_old_entries(self) -> dict[str, list[tuple[str, int, int]]]:
        """Return the entries of the previous index for cards that still exist."""
        old_entries = {}
        for card, faces in _load_index(self.index)[1].items():
            if card in self.loaded.whole.cards:
                old_entries[card] = [
                    (face.address, face.width, face.height) for face in faces
                ]
        return old_entries


def _load_errors(index: Path) -> tuple[Finding, ...]:
    """Return the errors that an index stores."""
    try:
        stored_errors = json.loads(index.read_text(encoding="utf-8")).get("errors", [])
        return tuple(Finding.from_json(error) for error in stored_errors)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return ()


def make_list_pictures(project: Project, folder: Path, pack: str, lang: str) -> Faces:
    """Render the pictures of an imported list's pack in a folder, and return them."""
    make_pictures(project, folder, pack, lang, None)
    return _load_index(folder / _make_index_name(pack, lang, None))[1]


def _is_complete(folder: Path, index: Path, stamp: str) -> bool:
    """Return True if the index has this stamp and all its files exist."""
    index_stamp, faces = _load_index(index)
    pictures = chain.from_iterable(faces.values())
    return index_stamp == stamp and all(
        _has_pictures(folder, face.address) for face in pictures
    )


def _make_address(stack: Stack) -> str:
    return sha256("\0".join(stack).encode()).hexdigest()[:24]


def _make_entry(stack: Stack, size: Size) -> tuple[str, int, int]:
    """Return the fields of a picture in the index."""
    height = round(MAX_WIDTH_PIXELS * size.height / size.width)
    return _make_address(stack), MAX_WIDTH_PIXELS, height


def _has_pictures(folder: Path, address: str) -> bool:
    files = (
        get_picture_file(address, width, folder) for width in QUALITY_BY_WIDTH_PIXELS
    )
    # A crash of the machine may leave empty files.
    return all(file.is_file() and file.stat().st_size > 0 for file in files)


def _write_pictures(
    rendered: RenderedCards, folder: Path, faces: Mapping[Stack, Size], workers: int
) -> None:
    """Write the pictures of faces in all widths, with several processes."""
    requests = []
    for page_index, (stack, size) in enumerate(faces.items()):
        requests.append(PictureRequest(page_index, *_make_entry(stack, size)))
    with compose_face_pages(rendered.renderer, TRIM, faces.items(), "faces") as pages:
        if workers == 1:
            draw_pictures(pages, folder, requests)
            return
        with ProcessPoolExecutor(workers, get_process_context()) as pool:
            shares = [requests[first::workers] for first in range(workers)]
            for future in [
                pool.submit(draw_pictures, pages, folder, share) for share in shares
            ]:
                future.result()


@dataclass(frozen=True, slots=True)
class PictureRequest:
    """A page of a PDF to draw: the picture's address, and its maximum size in pixels."""

    page_index: int
    address: str
    width: int
    height: int


def draw_pictures(
    pages: Path, folder: Path, requests: Sequence[PictureRequest]
) -> None:
    """Draw pages of a PDF as pictures in all widths."""
    from PIL.Image import Resampling

    from builder.render.prepress.raster import open_document, render_page

    with open_document(pages) as document:
        for request in requests:
            scaled = render_page(
                document, request.page_index, (request.width, request.height)
            )
            # From the largest to the smallest: each is scaled from the one before, which has fewer
            # pixels.
            for width, quality in sorted(QUALITY_BY_WIDTH_PIXELS.items(), reverse=True):
                size = (width, round(width * request.height / request.width))
                data = BytesIO()
                # Lanczos takes three times as long, and makes no picture that a reader would tell
                # from this one.
                scaled = scaled.resize(size, Resampling.HAMMING)
                scaled.save(data, "WEBP", quality=quality, method=WEBP_METHOD)
                file = get_picture_file(request.address, width, folder)
                # Flushing 18,000 pictures takes minutes, and lost ones are made again.
                write_atomic(file, data.getvalue(), durable=False)


def _run_in_background() -> None:
    """Lower the priority of this process, and end it with its parent."""
    with suppress(OSError, AttributeError):
        os.nice(19)
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))

    os.setsid()

    def wait_for_end() -> None:
        # `sys.stdin` has a lock, on which a forked process would wait for ever.
        os.read(0, 1)
        os.killpg(0, SIGKILL)  # with all processes that it started

    Thread(target=wait_for_end, daemon=True).start()


def main() -> None:
    """Render the pictures that the command line names: project, folder, pack, language, release."""
    root, folder, pack, lang, release = sys.argv[1:6]
    _run_in_background()
    try:
        project = find_project(Path(root))
        limits = PictureLimits(max_seconds=MAX_SECONDS_PER_PROCESS)
        make_pictures(project, Path(folder), pack, lang, release or None, limits)
        index = Path(folder) / _make_index_name(pack, lang, release or None)
        is_unfinished = index.exists() and not _load_index(index)[0]
    except (OSError, SquadpressError) as error:
        sys.exit(f"{pack} {lang}: {error}")
    if is_unfinished:
        sys.exit(EXIT_UNFINISHED)


if __name__ == "__main__":
    main()
