"""Faces set by the workers of a dask cluster, which share a store; the only file that opens a connection to one."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from builder.errors import ToolMissing
from builder.findings import Finding, has_errors
from builder.messages import gettext as _
from builder.render.cache import FaceCache
from builder.render.cluster.blobs import EXTRA
from builder.render.cluster.dispatch import CONNECTING, Dispatch, Unreachable
from builder.render.cluster.facestore import FaceStore
from builder.render.cluster.faraway import Errand
from builder.render.cluster.knock import Knock
from builder.render.cluster.likeness import likeness
from builder.render.cluster.shipment import pack_up
from builder.render.engine import DEFAULT
from builder.render.jobs import Batch, FaceFacts, Places


@dataclass(frozen=True, slots=True)
class Cluster:
    """A scheduler's address and the store all its workers see. `findings` collects what is wrong with workers."""

    address: str
    store: FaceStore
    findings: list[Finding] = field(default_factory=list)

    @property
    def shown(self) -> str:
        """The cluster as the user named it."""
        return self.address.replace("tcp://", "dask://")

    def set_all(
        self,
        batches: Iterable[Batch],
        places: Places,
        fonts: tuple[Path, ...],
        *,
        engine: str = DEFAULT,
    ) -> Iterator[FaceFacts]:
        """Set all batches, each made when a worker may have it.

        Faces come in no particular order and lie in the cache when they do.
        """
        cache = FaceCache(places.cache)
        with _connected(self) as client:
            shipment = pack_up(places, fonts)
            shipment.send(self.store.blobs)
            errand = Errand(self.store.blobs.address, shipment.hash, likeness(), engine)
            dispatch = Dispatch(self.shown, self.store, client, errand, shipment, iter(batches), self.findings)
            for batch, facts in dispatch.run():
                stored = self.store.get_all(batch.faces)
                if any(each.key not in stored and not has_errors(each.findings) for each in facts):
                    dispatch.again(
                        batch, _("the store {store} loses what workers put into it", store=self.store.blobs.shown)
                    )
                    continue
                for each in stored.values():
                    cache.put(each.facts, each.record)
                yield from facts


@contextmanager
def _connected(cluster: Cluster) -> Iterator[Any]:
    """A client of the scheduler; its own chatter is silenced, what goes wrong is told by this file."""
    try:
        from distributed import Client
    except ImportError:
        raise ToolMissing(_("a cluster needs dask.distributed, which is not installed"), EXTRA) from None
    why = Knock(cluster.address).answer()
    if why:
        raise _absent(cluster, why)
    logger = logging.getLogger("distributed")
    before = logger.level
    logger.setLevel(logging.FATAL + 1)
    try:
        try:
            client = Client(  # type: ignore[no-untyped-call]
                cluster.address, timeout=CONNECTING, set_as_default=False
            )
        except (OSError, ValueError) as error:
            raise _absent(cluster, str(error).splitlines()[0]) from error
        try:
            yield client
        finally:
            client.close(timeout=CONNECTING)  # type: ignore[no-untyped-call]
    finally:
        logger.setLevel(before)


def _absent(cluster: Cluster, why: str) -> Unreachable:
    """What to say where no scheduler is."""
    message = _("no scheduler answers at {place}: {reason}", place=cluster.shown, reason=why)
    return Unreachable(message, _("Start one with: dask scheduler; it prints its address."))
