"""What a worker of a cluster does: fetch the pack's files once, set a batch, put the faces into the store.

Doing it twice, or half and then again elsewhere, changes nothing: a face is whole in the store or not there.
"""

from __future__ import annotations

import asyncio
import json
import pickle
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, TypeAlias

from builder.errors import SquadpressError
from builder.messages import gettext as _
from builder.render.jobs import Batch, FaceFacts, Places
from builder.render.keys import digest, environment
from builder.render.shared_store import SharedStore, at_once, open_store
from builder.render.sheets.record import Record
from builder.render.workers import EngineSetup, open_engine

if TYPE_CHECKING:
    from distributed import Worker

FONTS = "fonts"
"""Where the pack's own fonts lie in a bundle, each in a numbered folder: their order may decide which is chosen."""
KEPT = 3
"""Bundles that a machine keeps: somebody who edits has another at every build."""
SetFaces: TypeAlias = list[tuple[FaceFacts, Record | None]]
"""The faces of a batch; those that could not be set have no drawing."""


class Unreachable(SquadpressError):
    """The cluster does not answer, or has no worker that can set."""

    exit_code = 4


class AssetsMissing(Unreachable):
    """A worker does not find the pack's files in the store."""


class AssetBundle:
    """All files that an engine with this setup may draw on. The store has each by its digest, and a list of them."""

    def __init__(self, setup: EngineSetup) -> None:
        fonts = (
            (f"{FONTS}/{number:03}/{path.name}", path) for number, path in enumerate(setup.fonts)
        )
        listed = [
            (name, _address(path.read_bytes()), path)
            for name, path in (*_files(setup.places), *fonts)
        ]
        self._paths = {address: path for _name, address, path in listed}
        self._list = json.dumps({name: address for name, address, _path in listed}).encode()
        self.name = f"bundles/{sha256(self._list).hexdigest()}"

    def send(self, store: SharedStore, *, again: bool = False) -> None:
        """Put into the store what it lacks, or all of it."""

        def put(address: str) -> None:
            if again or not store.has(address):
                store.write(address, self._paths[address].read_bytes())

        if again or not store.has(self.name):
            at_once(put, self._paths)
            store.write(self.name, self._list)


def _address(data: bytes) -> str:
    return f"assets/{sha256(data).hexdigest()}"


def _files(places: Places) -> Iterator[tuple[str, Path]]:
    """Everything below the three roots that the engine may open; links that lead out of them are not followed."""
    for name, root in (
        ("templates", places.templates),
        ("base", places.base),
        ("data", places.data),
    ):
        for path in sorted((root / "art" if name == "data" else root).rglob("*")):
            if (
                path.suffix != ".j2"
                and path.is_file()
                and path.resolve().is_relative_to(root.resolve())
            ):
                yield f"{name}/{path.relative_to(root).as_posix()}", path


def unpack(store: SharedStore, bundle: str, home: Path) -> EngineSetup | None:
    """What an engine is opened with, the files below this machine's folder, fetched once; None if any are absent."""
    home.mkdir(parents=True, exist_ok=True)
    folder = home / bundle[-32:]
    kept = sorted(home.glob("?" * 32), key=lambda path: path.stat().st_mtime)
    if folder not in kept:
        with TemporaryDirectory(dir=home) as partial:
            tree = Path(partial, "tree")
            tree.mkdir()
            if not _fetch(store, bundle, kept, tree):
                return None
            tree.rename(folder)
        kept.append(folder)
    folder.touch()
    for old in kept[:-KEPT]:
        shutil.rmtree(old, ignore_errors=True)
    places = Places(folder / "templates", folder / "base", folder / "data", home / "cache", folder)
    return EngineSetup(places, tuple(sorted((folder / FONTS).glob("*/*"))))


def _fetch(store: SharedStore, bundle: str, kept: Sequence[Path], tree: Path) -> bool:
    """Bring all files of a bundle from the store, or an older one; False if any is absent or not what was sent."""

    def copies(name: str) -> Iterator[bytes | None]:
        yield from (path.read_bytes() for path in (old / name for old in kept) if path.is_file())
        yield store.read(files[name])

    def fetch(name: str) -> bool:
        data = next(
            (data for data in copies(name) if data is not None and _address(data) == files[name]),
            None,
        )
        if data is not None:
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            (tree / name).write_bytes(data)
        return data is not None

    listed = store.read(bundle) or b""
    files = json.loads(listed) if f"bundles/{sha256(listed).hexdigest()}" == bundle else {}
    inside = [name for name in files if (tree / name).resolve().is_relative_to(tree.resolve())]
    return all([bool(files), *at_once(fetch, inside)])


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


def resource(environment: Mapping[str, str]) -> str:
    """What workers of such a make have one of: dask gives each of them one task at a time that asks for it."""
    return f"squadpress-{digest(repr(sorted(environment.items())))}"


async def probe(engine: str, dask_worker: Worker) -> Mapping[str, str] | SquadpressError:
    """Of what make this worker is, or why it cannot set with an engine. From now on it takes the tasks of its like."""
    try:
        found = await asyncio.to_thread(environment, engine)
    except SquadpressError as error:
        return error
    if resource(found) not in dask_worker.state.total_resources:
        await dask_worker.set_resources(**{resource(found): 1})
    return found


def _perform(place: str, bundle: str, engine: str, batch: Batch) -> bytes:
    """Do a task; the faces as bytes for the way back. Raises AssetsMissing, and whatever a local build would."""
    from distributed import get_worker

    worker, store = get_worker(), open_store(place, engine)
    try:
        setup = unpack(store, bundle, Path(worker.local_directory) / "squadpress")
        faces = None if setup is None else _faces(store, replace(setup, engine=engine), batch)
    except SquadpressError as error:
        told = _("the worker {worker}: {reason}", worker=worker.address, reason=error.message)
        raise type(error)(told, error.remedy) from None
    if faces is None:
        form = _("the worker {worker} does not find in the store {store} what was just put there")
        remedy = _("All workers must see the same store: a shared folder, or a URL.")
        raise AssetsMissing(_(form, worker=worker.address, store=store.shown), remedy)
    return pickle.dumps(faces)


def _faces(store: SharedStore, setup: EngineSetup, batch: Batch) -> SetFaces:
    """All faces of a batch, set where the store does not have them yet."""
    known = store.get_all(batch.faces)
    wanted = replace(batch, faces=tuple(face for face in batch.faces if face.key not in known))
    done = open_engine(setup).set_batch(wanted) if wanted.faces else []
    at_once(
        lambda each: store.put(*each),
        [(each.face, each.facts, each.record) for each in done if each.record],
    )
    return [*known.values(), *((each.facts, each.record) for each in done)]
