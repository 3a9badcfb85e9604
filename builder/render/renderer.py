"""From wanted faces to set faces: what the cache has is taken from it, the rest is filled in, batched and set."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from itertools import chain, islice
from typing import TypeAlias

from builder.diskmap import DiskMap
from builder.errors import OutputNotWritten
from builder.findings import Finding, Location, has_errors
from builder.geometry.spacing import PaintedBlock, crowded
from builder.messages import gettext as _
from builder.model.profile import Shared
from builder.render import codes
from builder.render.cache import FaceCache
from builder.render.engine import adapter
from builder.render.filling import TemplateFiller
from builder.render.html.problems import folded, of_face
from builder.render.jobs import Batch, BlockFact, FaceFacts, FaceHtml, FaceJob, Style, agreed
from builder.render.keys import digest
from builder.render.workers import FEW, EngineSetup, Workers, few, in_batches, open_engine

Progress = Callable[[int, int], None]

FaceReport: TypeAlias = tuple[Sequence[BlockFact], Sequence[PaintedBlock], int]
"""A face's blocks, what is painted of them, and how many pages were drawn."""
ROOM = 10_000
"""Faces of which that is held in memory, 2 kB each."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """The outcome: addresses and facts of the faces that are set, findings of all, how many were set and known."""

    keys: Mapping[FaceJob, str]
    faces: Mapping[FaceJob, FaceFacts]
    findings: tuple[Finding, ...]
    fresh: int
    known: int


class Faces(Mapping[FaceJob, FaceFacts]):
    """The facts of set faces, read from the cache whenever they are asked for."""

    def __init__(self, keys: Mapping[FaceJob, str], cache: FaceCache) -> None:
        self._keys, self._cache = keys, cache

    def __getitem__(self, job: FaceJob) -> FaceFacts:
        facts = self._cache.facts(self._keys[job])
        if facts is None:
            raise OutputNotWritten(_("faces kept in the cache are gone"), _("Run again to set them anew."))
        return facts

    def __iter__(self) -> Iterator[FaceJob]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)


@dataclass
class RenderJob:
    """What is found, begun and finished of some wanted faces. Of each only its address stays in memory.

    `drawn_on` has a digest for each face that drew on other files or cards, of what these held.
    """

    filler: TemplateFiller
    cache: FaceCache
    setup: EngineSetup
    workers: Workers
    progress: Progress | None
    shared: Shared | None
    findings: list[Finding] = field(default_factory=list)
    drawn_on: set[bytes] = field(default_factory=set)
    fresh: int = 0
    known: int = 0
    told: DiskMap[str, FaceReport] = field(default_factory=lambda: DiskMap(ROOM))
    _keys: dict[FaceJob, str] = field(default_factory=dict)
    _unset: set[str] = field(default_factory=set)
    """Addresses that are begun, and not set yet."""
    _found: list[Iterator[FaceFacts]] = field(default_factory=list)
    _done: int = 0
    _repeated: set[str] = field(default_factory=set)
    """Addresses of faces that are set a second time: what is wrong with them was said."""

    @property
    def keys(self) -> dict[FaceJob, str]:
        """Where all faces are kept that are set by now."""
        return {job: key for job, key in self._keys.items() if key not in self._unset}

    def begin(self, jobs: Iterable[FaceJob]) -> None:
        """Take from the cache what it has, and have the rest set: a few at once, many from when `finish` asks."""
        todo = [job for job in jobs if job not in self._keys and not self._is_known(job)]
        self.fresh += len(todo)
        if todo:
            batches = in_batches(self._filled(todo), len(todo), self.workers.count, agree=not self.shared)
            self._found.append(self._shared(todo, self.shared) if self.shared else self.workers.set_all(batches))

    def _is_known(self, job: FaceJob) -> bool:
        """True where nothing is to be done for a face: it lies in the cache, or is begun under the same address."""
        filler, cache = self.filler, self.cache
        key = self._keys[job] = filler.key(job)
        known = cache.facts(key)
        if known is not None and filler.current(known, job.lang):
            self._take(known)
            self.known += 1
            return True
        begun = key in self._unset
        self._unset.add(key)
        return begun

    def _take(self, facts: FaceFacts) -> None:
        """Take in what is known of a face. One that could not be set counts as begun for good."""
        if facts.key not in self._repeated or has_errors(facts.findings):
            self.findings.extend(facts.findings)
        self.told[facts.key] = facts.blocks, facts.painted, facts.pages
        if not has_errors(facts.findings):
            self._unset.discard(facts.key)
            if facts.deps:
                self.drawn_on.add(sha256(repr((facts.key, sorted(facts.deps.items()))).encode()).digest())

    def _filled(self, todo: Iterable[FaceJob]) -> Iterator[tuple[Style, FaceHtml]]:
        """Fill the faces' templates in; a broken one leaves its findings."""
        for job in todo:
            html = self.filler.fill(job, self._keys[job], self.findings)
            if html is None:
                self.fresh -= 1
            else:
                yield self.filler.style(job), html

    def _shared(self, todo: list[FaceJob], shared: Shared) -> Iterator[FaceFacts]:
        """Take from the store what it has; set the rest, or have a cluster do it. All is asked for at once."""
        from builder.render.cluster.scheduler import Cluster, absent
        from builder.render.shared_store import open_store

        store = open_store(shared.store, self.setup.engine)
        rest: DiskMap[str, FaceHtml] = DiskMap()
        for html, facts in store.take((html for _unused, html in self._filled(todo)), self.cache):
            if facts is None:
                rest[html.key] = html
            else:
                self._take(facts)
                self.known += 1
                self.fresh -= 1
        again = ((self.filler.style(job), rest[self._keys[job]]) for job in todo if self._keys[job] in rest)
        batches = in_batches(again, len(rest), self.workers.count)
        first = list(islice(batches, FEW + 1))
        if shared.cluster and len(first) > FEW:
            return Cluster(shared.cluster, store, self.findings).set_all(chain(first, batches), self.setup)
        # A few faces are set here while others would be asked; but a wrong address is told before it matters.
        if shared.cluster and first and (why := absent(shared.cluster)):
            self.findings.append(codes.CLUSTER.finding(why))
        return store.give(rest, self.workers.set_all(chain(first, batches)), self.cache)

    def agree(self) -> None:
        """Set faces anew where the card's other face needs a block of the same name smaller: a card has one voice."""
        keys, known = self.keys, self.known
        again = {job: other for job in keys if (other := self._alike(job, keys)) != job}
        self._repeated = {self.filler.key(other) for other in again.values()}
        self.begin(again.values())
        self.finish()
        self.known = known  # they were counted
        self._keys |= {job: self._keys.pop(other) for job, other in again.items()}

    def _alike(self, job: FaceJob, keys: Mapping[FaceJob, str]) -> FaceJob:
        """A face no larger in any block than the other face of its card."""
        other = keys.get(replace(job, side="back" if job.side == "front" else "front")) if job.card else None
        blocks, _painted, pages = self.told[keys[job]]
        least = agreed(blocks, self.told[other][0] if other else ())
        return job if pages and least == agreed(blocks, ()) else replace(job, least=least)

    def crowded(self) -> Iterator[Finding]:
        """Blocks of printed faces, frames below them, that stand too near each other."""
        for job, key in self.keys.items():
            if job.frame is not None:
                continue
            below = self._keys.get(self.filler.below(job), "")
            blocks = (*(self.told[below][1] if below in self.told else ()), *self.told[key][1])
            for what, box in crowded(blocks, self.filler.pack.manifest.kinds[job.kind].gap):
                template = self.filler.places.shown(self.filler.places.templates / self.filler.template(job))
                yield codes.CROWDED.finding(of_face(job.label, what), Location(file=template, box=box))

    def finish(self) -> None:
        """Wait for what was begun."""
        found, self._found = self._found, []
        for done, facts in enumerate(chain.from_iterable(found), self._done + 1):
            self._done = done
            if self.progress is not None:
                self.progress(done, self.fresh)
            self._take(facts)
            if done == 1 and self.fresh > few():  # others are at work
                from builder.render.sheets import fontmerge

                fontmerge.load()


@dataclass
class Renderer(TemplateFiller):
    """Sets faces of one pack, with so many `workers`, and shares them with other machines where it is told to."""

    workers: int = 2
    shared: Shared | None = None
    _drawn_on: set[bytes] = field(default_factory=set, init=False)

    @cached_property
    def cache(self) -> FaceCache:
        """Where set faces are kept."""
        return FaceCache(self.places.cache)

    @property
    def setup(self) -> EngineSetup:
        """What sets this pack's faces."""
        return EngineSetup(self.places, self.fonts, self.engine)

    def render(
        self, jobs: Iterable[FaceJob], progress: Progress | None = None, first: Collection[str] = frozenset()
    ) -> Rendered:
        """Set all wanted faces: of a card both, since they agree on sizes. Every face is tried; the findings of all are
        given together.

        Faces of the cards `first` are begun with before the others are even looked for: those just edited, say.
        """
        wanted = list(dict.fromkeys(jobs))
        early = [job for job in wanted if job.card in first]
        with Workers(self.setup, self.workers) as workers:
            job = RenderJob(self, self.cache, self.setup, workers, progress, self.shared)
            # What is far away is asked once, and many are best set all together.
            if not self.shared and len(early) <= few():
                job.begin(early)
            job.begin(wanted)
            job.finish()
            job.agree()
        keys = job.keys
        self._drawn_on |= job.drawn_on
        told = (*job.findings, *job.crowded(), *adapter(self.engine).findings)
        findings = folded((*self.icons.findings, *self.typefaces.findings, *told))
        return Rendered(keys, Faces(keys, self.cache), findings, job.fresh, job.known)

    @property
    def drawn_on(self) -> str:
        """A hash of the files and other cards that all faces set so far drew on: no face's address tells them."""
        return digest(*sorted(each.hex() for each in self._drawn_on))

    def warm(self, jobs: Iterable[FaceJob]) -> None:
        """Set faces in this process and keep nothing: what is set next is set as fast as can be."""
        for job in jobs:
            html = self.fill(job, self.key(job), [])
            if html is not None:
                open_engine(self.setup).set_batch(Batch(self.style(job), (html,)))
