"""Run on the workers of a cluster: fetch files, render a batch, store its faces."""

from __future__ import annotations

import asyncio
import pickle
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, TypeAlias
from zipfile import ZipFile, ZipInfo

from builder.errors import SquadpressError
from builder.files import hash_file
from builder.messages import gettext as _
from builder.render.engines import RenderedFace
from builder.render.jobs import Batch, FaceFacts, Places
from builder.render.keys import describe_environment, digest
from builder.render.shared_store import SharedStore, call_all, open_store
from builder.render.sheets.record import Record
from builder.render.workers import EngineSetup, open_engine

if TYPE_CHECKING:
    from distributed import Worker

MAX_BUNDLES = 3
"""Unpacked bundles per worker: somebody who edits a pack sends another one with every build."""


RenderedFaces: TypeAlias = list[tuple[FaceFacts, Record | None]]
"""The faces of a batch; a face with errors has no record."""


class Unreachable(SquadpressError):
    """The cluster does not answer, or has no worker that can render."""

    exit_code = 4


def send_bundle(setup: EngineSetup, store: SharedStore) -> str:
    """Write all files that a worker may need for rendering into the shared store, as one archive.

    Return its name there.
    """
    with TemporaryDirectory() as folder:
        path = Path(folder, "bundle.zip")
        with ZipFile(path, "w") as archive:
            for name, file in _list_files(setup):
                archive.writestr(
                    ZipInfo(name), file.read_bytes()
                )  # without the date of the file
        bundle = f"bundles/{hash_file(path)}"
        store.send_file(bundle, path)
    return bundle


def _list_files(setup: EngineSetup) -> Iterator[tuple[str, Path]]:
    """Yield the files below the folders of the engine.

    Links that lead out of them are not followed.
    """
    places = setup.places
    roots = {
        "templates": places.templates,
        "base": places.base,
        "data/art": places.data / "art",
    }
    for name, root in roots.items():
        for path in sorted(root.rglob("*")):
            # Templates are filled in before: workers get finished HTML.
            is_sent = path.suffix != ".j2" and path.is_file()
            if is_sent and path.resolve().is_relative_to(root.resolve()):
                yield f"{name}/{path.relative_to(root).as_posix()}", path
    for index, path in enumerate(
        setup.fonts
    ):  # the order may decide which font is chosen
        yield f"fonts/{index:03}/{path.name}", path


def unpack_bundle(store: SharedStore, bundle: str, home: Path) -> EngineSetup | None:
    """Unpack the archive of `send_bundle`. Return the engine's setup with these files.

    None if the store does not have it.
    """
    folder = home / bundle[-64:]
    if not folder.is_dir():
        home.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=home) as partial:
            archive = Path(partial, "bundle.zip")
            tree = Path(partial, "tree")
            if (
                not store.fetch_file(bundle, archive)
                or hash_file(archive) != folder.name
            ):
                return None
            ZipFile(archive).extractall(tree)
            tree.rename(folder)
    # The time of a folder says when it was used last.
    folder.touch()
    unpacked_folders = list(home.glob("?" * 64))
    unpacked_folders.sort(key=lambda path: path.stat().st_mtime)
    for old_folder in unpacked_folders[:-MAX_BUNDLES]:
        shutil.rmtree(old_folder, ignore_errors=True)
    cache = home / "cache"
    places = Places(
        folder / "templates", folder / "base", folder / "data", cache, folder
    )
    return EngineSetup(places, tuple(sorted((folder / "fonts").glob("*/*"))))


@dataclass(frozen=True, slots=True)
class RemoteTask:
    """A batch of faces that is sent to a worker. Unpickling it there renders the batch.

    So the scheduler needs no squadpress and may run another Python.
    """

    store: str
    bundle: str
    engine: str
    batch: Batch

    def __reduce__(self) -> tuple[Callable[..., bytes], tuple[str, str, str, Batch]]:
        return _render_batch, (self.store, self.bundle, self.engine, self.batch)


def name_resource(environment: Mapping[str, str]) -> str:
    """Return the name of the dask resource that only workers with this environment have."""
    return f"squadpress-{digest(repr(sorted(environment.items())))}"


async def probe(
    engine: str, dask_worker: Worker
) -> Mapping[str, str] | SquadpressError:
    """Return the environment of a worker, or the reason why it cannot render.

    From now on it gets one task at a time.
    """
    try:
        versions = await asyncio.to_thread(describe_environment, engine)
    except SquadpressError as error:
        return error
    if name_resource(versions) not in dask_worker.state.total_resources:
        await dask_worker.set_resources(**{name_resource(versions): 1})
    return versions


def _render_batch(place: str, bundle: str, engine: str, batch: Batch) -> bytes:
    """Return the pickled faces of a batch. Raises Unreachable, and the errors of a local build."""
    from distributed import get_worker

    worker = get_worker()
    store = open_store(place, engine)
    try:
        setup = unpack_bundle(
            store, bundle, Path(worker.local_directory) / "squadpress"
        )
        if setup is not None:
            faces = _render_missing_faces(store, replace(setup, engine=engine), batch)
            return pickle.dumps(faces)
    except SquadpressError as error:
        message = _(
            "worker {worker}: {reason}", worker=worker.address, reason=error.message
        )
        raise type(error)(message, error.remedy) from None
    form = _("the worker {worker} cannot find a new file in the store {store}")
    hint = _("All workers must use the same store: a shared folder, or a URL.")
    raise Unreachable(_(form, worker=worker.address, store=store.address), hint)


def _render_missing_faces(
    store: SharedStore, setup: EngineSetup, batch: Batch
) -> RenderedFaces:
    """Return all faces of a batch: those in the store, and the others rendered now."""
    stored_faces = store.get_all(batch.faces)
    missing = tuple(face for face in batch.faces if face.key not in stored_faces)
    rendered: list[RenderedFace] = []
    if missing:
        rendered = open_engine(setup).render_batch(replace(batch, faces=missing))
    new_faces = [
        (face.face, face.facts, face.record) for face in rendered if face.record
    ]
    call_all(lambda new_face: store.store_face(*new_face), new_faces)
    faces: RenderedFaces = [*stored_faces.values()]
    faces += [(face.facts, face.record) for face in rendered]
    return faces
