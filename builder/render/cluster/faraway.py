"""What a worker of a cluster does: fetch the pack's files once, set a batch, put the faces into the store.

Doing it twice, or half and then again elsewhere, changes nothing: a face is whole in the store or not there.
"""

from __future__ import annotations

import pickle
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from builder.errors import SquadpressError
from builder.findings import has_errors
from builder.messages import gettext as _
from builder.render.cluster.facestore import FaceStore, Stored
from builder.render.cluster.likeness import differences, likeness
from builder.render.cluster.shipment import Lacking, unpack
from builder.render.engine import DEFAULT
from builder.render.jobs import Batch, FaceFacts, Places

_ONE_AT_A_TIME = Lock()
"""The engine knows one document at a time; a worker with several threads sets no faster."""


@dataclass(frozen=True, slots=True)
class Errand:
    """What every batch of a build shares: the store, the pack's files in it, the versions that must be met."""

    store: str
    shipment: str
    versions: Mapping[str, str]
    engine: str = DEFAULT


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of it. `unfit`: why this worker cannot set; `lacking`: files that the store does not give it.

    `error` is what a build on one machine would have ended with.
    """

    worker: str
    facts: tuple[FaceFacts, ...] = ()
    unfit: tuple[str, ...] = ()
    lacking: tuple[str, ...] = ()
    error: SquadpressError | None = None


@dataclass(frozen=True, slots=True)
class Task:
    """A batch, or a greeting, on its way: bytes that are done by being read.

    So nothing of this program need be known where it only passes through, to the scheduler above all, and the Python
    there may be another.
    """

    errand: Errand
    batch: Batch | None = None

    def __reduce__(self) -> tuple[Callable[[Errand, Batch | None], bytes], tuple[Errand, Batch | None]]:
        return perform_packed, (self.errand, self.batch)


def perform_packed(errand: Errand, batch: Batch | None) -> bytes:
    """`perform`, its outcome as bytes for the way back."""
    return pickle.dumps(perform(errand, batch))


def perform(errand: Errand, batch: Batch | None) -> Outcome:
    """Set what the store does not have yet of a batch; without one, make this worker ready to."""
    worker, home = _here()
    try:
        return _perform(worker, home, errand, batch)
    except SquadpressError as error:
        told = _("the worker {worker}: {reason}", worker=worker, reason=error.message)
        return Outcome(worker, error=type(error)(told, error.remedy))
    except OSError as error:
        return Outcome(worker, unfit=(_("its disk fails: {reason}", reason=error),))


def _perform(worker: str, home: Path, errand: Errand, batch: Batch | None) -> Outcome:
    """The same; raises what the store or the engine raise."""
    try:
        unlike = differences(errand.versions, likeness())
    except SquadpressError as error:
        unlike = (error.message,)
    if unlike:
        return Outcome(worker, unfit=unlike)
    store = FaceStore.at(errand.store)
    try:
        with _ONE_AT_A_TIME:
            places, fonts = unpack(store.blobs, errand.shipment, home)
            return Outcome(worker, _set(store, batch, places, fonts, errand.engine) if batch is not None else ())
    except Lacking as error:
        return Outcome(worker, lacking=error.names)


def _set(store: FaceStore, batch: Batch, places: Places, fonts: tuple[Path, ...], engine: str) -> tuple[FaceFacts, ...]:
    """The facts of all faces of a batch."""
    from builder.render.workers import EngineSetup, open_engine

    known = store.get_all(batch.faces)
    wanted = tuple(face for face in batch.faces if face.key not in known)
    done = open_engine(EngineSetup(places, fonts, engine)).set_batch(Batch(batch.style, wanted)) if wanted else []
    store.put_all(
        (each.face, Stored(each.facts, each.record))
        for each in done
        if each.record is not None and not has_errors(each.facts.findings)
    )
    return (*(each.facts for each in known.values()), *(each.facts for each in done))


def _here() -> tuple[str, Path]:
    """This worker's address, and a folder of its own that is deleted with it."""
    from distributed import get_worker

    worker = get_worker()
    return worker.address, Path(worker.local_directory or tempfile.gettempdir()) / "squadpress"
