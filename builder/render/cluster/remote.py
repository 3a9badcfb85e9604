"""What a worker of a cluster does: fetch the pack's files once, set a batch, put the faces into the store.

Doing it twice, or half and then again elsewhere, changes nothing: a face is whole in the store or not there.
"""

from __future__ import annotations

import asyncio
import pickle
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from threading import Lock
from zipfile import ZipFile, ZipInfo

from builder.errors import SquadpressError
from builder.findings import has_errors
from builder.messages import gettext as _
from builder.render.cluster.environment import environment
from builder.render.cluster.store import SharedStore, at_once, open_store
from builder.render.jobs import Batch, FaceFacts, Places
from builder.render.workers import EngineSetup, open_engine

_ONE_AT_A_TIME = Lock()
"""The engine knows one document at a time; a worker with several threads sets no faster."""


FONTS = "fonts"
"""Where the pack's own fonts lie in a bundle, each in a numbered folder: their order may decide which is chosen."""
KEPT = 3
"""Unpacked bundles that a machine keeps: somebody who edits sends a new one at every build."""


class AssetBundle:
    """All files that an engine with this setup may draw on."""

    def __init__(self, setup: EngineSetup) -> None:
        self._paths = dict(_files(setup.places))
        self._paths |= {f"{FONTS}/{number:03}/{path.name}": path for number, path in enumerate(setup.fonts)}

    @cached_property
    def name(self) -> str:
        """What the archive is called in the store."""
        listed = ((name, sha256(path.read_bytes()).hexdigest()) for name, path in sorted(self._paths.items()))
        return f"bundles/{sha256(repr(list(listed)).encode()).hexdigest()}"

    def send(self, store: SharedStore, *, again: bool = False) -> None:
        """Put it into the store if that lacks it, or whether it has it or not."""
        if again or not store.has(self.name):
            out = BytesIO()
            with ZipFile(out, "w") as archive:
                for name, path in self._paths.items():
                    archive.writestr(ZipInfo(name), path.read_bytes())
            store.write(self.name, out.getvalue())


def _files(places: Places) -> Iterator[tuple[str, Path]]:
    """Everything below the three roots that the engine may open; links that lead out of them are not followed."""
    for name, root in (("templates", places.templates), ("base", places.base), ("data", places.data)):
        for path in sorted((root / "art" if name == "data" else root).rglob("*")):
            if path.suffix != ".j2" and path.is_file() and path.resolve().is_relative_to(root.resolve()):
                yield f"{name}/{path.relative_to(root).as_posix()}", path


def unpack(store: SharedStore, bundle: str, home: Path) -> EngineSetup | None:
    """What an engine is opened with, the files below this machine's folder, fetched once; None if they are absent."""
    folder = home / bundle[-32:]
    if not folder.is_dir():
        data = store.read(bundle)
        if data is None:
            return None
        partial = folder.with_suffix(".part")
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        with ZipFile(BytesIO(data)) as archive:
            archive.extractall(partial)  # names that lead out of the folder are written inside it
        partial.rename(folder)
    folder.touch()
    old = sorted((path for path in home.iterdir() if len(path.name) == 32), key=lambda path: path.stat().st_mtime)
    for path in old[:-KEPT]:
        shutil.rmtree(path, ignore_errors=True)
    places = Places(folder / "templates", folder / "base", folder / "data", home / "cache", folder)
    return EngineSetup(places, tuple(sorted((folder / FONTS).glob("*/*"))))


@dataclass(frozen=True, slots=True)
class Outcome:
    """The facts of a batch; or the `error` that a build on one machine would have ended with.

    `facts` is None where the store does not give this worker the pack's files, or its disk fails.
    """

    worker: str
    facts: tuple[FaceFacts, ...] | None = None
    error: SquadpressError | None = None


@dataclass(frozen=True, slots=True)
class RemoteTask:
    """A batch, the store and the bundle that it draws on, on their way: bytes that are done by being read.

    So nothing of this program need be known where it only passes through, to the scheduler above all, and the Python
    there may be another.
    """

    store: str
    bundle: str
    engine: str
    batch: Batch

    def __reduce__(self) -> tuple[Callable[..., bytes], tuple[str, str, str, Batch]]:
        return _perform, (self.store, self.bundle, self.engine, self.batch)


async def probe() -> Mapping[str, str] | SquadpressError:
    """Of what make this worker is, or why it cannot set."""
    try:
        return await asyncio.to_thread(environment)
    except SquadpressError as error:
        return error


def _perform(store: str, bundle: str, engine: str, batch: Batch) -> bytes:
    """Do a task; the outcome as bytes for the way back."""
    from distributed import get_worker

    worker = get_worker()
    home = Path(worker.local_directory or tempfile.gettempdir()) / "squadpress"
    try:
        outcome = Outcome(worker.address, _facts(store, bundle, engine, batch, home))
    except SquadpressError as error:
        told = _("the worker {worker}: {reason}", worker=worker.address, reason=error.message)
        outcome = Outcome(worker.address, error=type(error)(told, error.remedy))
    return pickle.dumps(outcome)


def _facts(place: str, bundle: str, engine: str, batch: Batch, home: Path) -> tuple[FaceFacts, ...] | None:
    """The facts of all faces of a batch, set where the store does not have them yet."""
    store = open_store(place)
    with _ONE_AT_A_TIME:
        setup = unpack(store, bundle, home)
        if setup is None:
            return None
        known = store.get_all(batch.faces)
        wanted = replace(batch, faces=tuple(face for face in batch.faces if face.key not in known))
        done = open_engine(replace(setup, engine=engine)).set_batch(wanted) if wanted.faces else []
    whole = [
        (each.face, (each.facts, each.record)) for each in done if each.record and not has_errors(each.facts.findings)
    ]
    at_once(lambda each: store.put(*each), whole)
    return (*(facts for facts, _record in known.values()), *(each.facts for each in done))
