"""Faces borrowed from a shared store before they are set, and lent to it afterwards."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from builder.findings import Finding, has_errors
from builder.messages import gettext as _
from builder.model.shared import Shared
from builder.render import codes
from builder.render.cache import FaceCache
from builder.render.cluster.knock import Knock
from builder.render.jobs import Batch, FaceFacts, FaceHtml
from builder.render.workers import FEW, EngineSetup

if TYPE_CHECKING:
    from builder.render.cluster.facestore import FaceStore

SHARE = 64
"""Faces taken from a store at a time, or on their way to it: memory stays bounded."""


class Lending:
    """One build's use of a store, and of a cluster. `findings` tells what is wrong with the latter."""

    def __init__(self, shared: Shared, cache: FaceCache) -> None:
        self.shared = shared
        self.cache = cache
        self._told: list[Finding] = []
        self._knock: Knock | None = None

    @property
    def findings(self) -> list[Finding]:
        """All that is known by now; waits a moment for a scheduler that was only asked whether it is there."""
        why = self._knock.answer() if self._knock is not None else ""
        if not why:
            return self._told
        place = self._knock.shown if self._knock is not None else ""
        message = _("no scheduler answers at {place}: {reason}", place=place, reason=why)
        return [*self._told, codes.CLUSTER.finding(message)]

    @cached_property
    def store(self) -> FaceStore:
        """The store. Raises UsageError or ToolMissing."""
        from builder.render.cluster.facestore import FaceStore

        return FaceStore.at(self.shared.store)

    def borrow(self, faces: Iterable[FaceHtml]) -> Iterator[tuple[FaceHtml, FaceFacts | None]]:
        """Put into the cache what the store has of some faces; each face with its facts, or None."""
        coming = iter(faces)
        while wanted := list(islice(coming, SHARE)):
            stored = self.store.get_all(wanted)
            for each in stored.values():
                self.cache.put(each.facts, each.record)
            for face in wanted:
                yield face, stored[face.key].facts if face.key in stored else None

    def lend(self, faces: Mapping[str, FaceHtml], made: Iterable[FaceFacts]) -> Iterator[FaceFacts]:
        """Put faces into the store as they are set. `faces`: by their keys."""
        from builder.render.cluster.facestore import AT_ONCE

        with ThreadPoolExecutor(AT_ONCE) as pool:
            lent = deque[Future[None]]()
            for facts in made:
                if not has_errors(facts.findings):
                    lent.append(pool.submit(self._lend, faces[facts.key], facts))
                yield facts
                while len(lent) > SHARE:
                    lent.popleft().result()
            for each in lent:
                each.result()

    def _lend(self, face: FaceHtml, facts: FaceFacts) -> None:
        from builder.render.cluster.facestore import Stored

        self.store.put(face, Stored(facts, self.cache.record(facts.key)))

    def wants_cluster(self, batches: Sequence[Batch]) -> bool:
        """True where workers are named and worth the way, by the first batches: a few faces are set here while they
        would be greeted.

        Meanwhile somebody knocks at the scheduler's door: a wrong address is told before it matters.
        """
        if self.shared.cluster is None or len(batches) > FEW:
            return self.shared.cluster is not None
        if batches:
            self._knock = Knock(self.shared.cluster)
        return False

    def set_all(self, batches: Iterable[Batch], setup: EngineSetup) -> Iterator[FaceFacts]:
        """Have all batches set by the cluster."""
        from builder.render.cluster.scheduler import Cluster

        assert self.shared.cluster is not None
        cluster = Cluster(self.shared.cluster, self.store, self._told)
        return cluster.set_all(batches, setup.places, setup.fonts, engine=setup.engine)
