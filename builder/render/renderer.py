"""From wanted faces to set faces: what the cache has is taken from it, the rest is filled in, batched and set."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, islice

from builder.diskmap import DiskMap
from builder.errors import OutputNotWritten
from builder.findings import Finding, Location, has_errors
from builder.geometry.contrast import (
    WHITE,
    Colour,
    LowContrast,
    PaintedText,
    describe_lowest,
    measure_contrast,
)
from builder.geometry.spacing import crowded
from builder.messages import gettext as _
from builder.model.profile import Shared
from builder.render import render_codes
from builder.render.cache import FaceCache, RightFaces
from builder.render.engines import adapter
from builder.render.filling import TemplateFiller
from builder.render.html.problems import at_named_file, folded, of_face
from builder.render.jobs import Batch, FaceFacts, FaceHtml, FaceJob, Style, agreed
from builder.render.keys import digest
from builder.render.painting import Painting, background_of_box, read_painting
from builder.render.workers import FEW, EngineSetup, Workers, few, in_batches, open_engine

Progress = Callable[[int, int], None]

SETTLED = 500
"""Cards of which is kept together that nothing is wrong with them."""
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
            raise OutputNotWritten(
                _("faces kept in the cache are gone"), _("Run again to set them anew.")
            )
        return facts

    def __iter__(self) -> Iterator[FaceJob]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)


@dataclass(frozen=True, slots=True)
class CardFaces:
    """A card's faces, their addresses and those of the frames below them, and a hash `of` all that."""

    jobs: tuple[FaceJob, ...]
    keys: tuple[str, ...]
    below: tuple[str, ...]
    of: str


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
    drawn_on: set[str] = field(default_factory=set)
    fresh: int = 0
    known: int = 0
    told: DiskMap[str, FaceFacts] = field(default_factory=lambda: DiskMap(ROOM))
    _keys: dict[FaceJob, str] = field(default_factory=dict)
    _unset: set[str] = field(default_factory=set)
    """Addresses that are begun, and not set yet."""
    _found: list[Iterator[FaceFacts]] = field(default_factory=list)
    _done: int = 0
    _repeated: set[str] = field(default_factory=set)
    """Addresses of faces that are set a second time: what is wrong with them was said."""
    _lots: list[tuple[str, list[CardFaces], dict[str, RightFaces]]] = field(default_factory=list)
    """Cards that are kept together, by what name, and what is kept of them."""
    _quiet: set[FaceJob] = field(default_factory=set)
    """Faces that are known to be right."""
    _crowded: set[FaceJob] = field(default_factory=set)
    _low_contrast: set[FaceJob] = field(default_factory=set)
    _paintings: dict[str, Painting] = field(default_factory=dict)
    """What frames paint, by their addresses."""

    @property
    def keys(self) -> dict[FaceJob, str]:
        """Where all faces are kept that are set by now."""
        return {job: key for job, key in self._keys.items() if key not in self._unset}

    def begin(self, jobs: Iterable[FaceJob]) -> None:
        """Take from the cache what it has, and have the rest set: a few at once, many from when `finish` asks."""
        todo = [job for job in jobs if job not in self._keys and not self._is_known(job)]
        self.fresh += len(todo)
        if todo:
            batches = in_batches(
                self._filled(todo), len(todo), self.workers.count, agree=not self.shared
            )
            self._found.append(
                self._shared(todo, self.shared) if self.shared else self.workers.set_all(batches)
            )

    def _is_known(self, job: FaceJob) -> bool:
        """True where nothing is to be done for a face: it lies in the cache, or is begun under the same address."""
        filler, cache = self.filler, self.cache
        key = self._keys[job] = filler.key(job)
        known = cache.facts(key)
        if known is not None and filler.current(known.deps, job.lang):
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
        self.told[facts.key] = facts
        if not has_errors(facts.findings):
            self._unset.discard(facts.key)
            self.drawn_on.update({_drawn(facts)} - {""})

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
        again = (
            (self.filler.style(job), rest[self._keys[job]])
            for job in todo
            if self._keys[job] in rest
        )
        batches = in_batches(again, len(rest), self.workers.count)
        first = list(islice(batches, FEW + 1))
        if shared.cluster and len(first) > FEW:
            return Cluster(shared.cluster, store, self.findings).set_all(
                chain(first, batches), self.setup
            )
        # A few faces are set here while others would be asked; but a wrong address is told before it matters.
        if shared.cluster and first and (why := absent(shared.cluster)):
            self.findings.append(render_codes.CLUSTER.finding(why))
        return store.give(rest, self.workers.set_all(chain(first, batches)), self.cache)

    def agree(self) -> None:
        """Set faces anew where the card's other face needs a block of the same name smaller: a card has one voice."""
        keys, known = self.keys, self.known
        loud = (job for job in keys if job not in self._quiet)
        again = {job: other for job in loud if (other := self._alike(job, keys)) != job}
        self._repeated = {self.filler.key(other) for other in again.values()}
        self.begin(again.values())
        self.finish()
        self.known = known  # they were counted
        self._keys |= {job: self._keys.pop(other) for job, other in again.items()}

    def _alike(self, job: FaceJob, keys: Mapping[FaceJob, str]) -> FaceJob:
        """A face no larger in any block than the other face of its card."""
        other = (
            keys.get(replace(job, side="back" if job.side == "front" else "front"))
            if job.card
            else None
        )
        facts = self.told[keys[job]]
        least = agreed(facts.blocks, self.told[other].blocks if other else ())
        return (
            job if facts.pages and least == agreed(facts.blocks, ()) else replace(job, least=least)
        )

    def crowded(self) -> Iterator[Finding]:
        """Blocks of printed faces, frames below them, that stand too near each other."""
        for job, key in self.keys.items():
            if job.frame is not None or job in self._quiet:
                continue
            below = self._keys.get(self.filler.below(job), "")
            blocks = (
                *(self.told[below].painted if below in self.told else ()),
                *self.told[key].painted,
            )
            for what, box in crowded(blocks, self.filler.pack.manifest.kinds[job.kind].gap):
                self._crowded.add(job)
                template = self.filler.places.shown(
                    self.filler.places.templates / self.filler.template(job)
                )
                yield render_codes.CROWDED.finding(
                    of_face(job.label, what), Location(file=template, box=box)
                )

    def low_contrast(self) -> Iterator[Finding]:
        """Yield a finding for each face with texts that stand out too little. Other variants are not for reading."""
        for job, key in self.keys.items():
            if job.variant != "full" or job in self._quiet or not self.told[key].texts:
                continue
            found = [
                low
                for text in self.told[key].texts
                if (low := self._contrast_of(job, text)) is not None
            ]
            if not found:
                continue
            self._low_contrast.add(job)
            what, box = describe_lowest(found, self.told[key].painted)
            template = self.filler.places.shown(
                self.filler.places.templates / self.filler.template(job)
            )
            yield render_codes.CONTRAST.finding(
                of_face(job.label, what), Location(file=template, box=box)
            )

    def _contrast_of(self, job: FaceJob, text: PaintedText) -> LowContrast | None:
        """Return what is wrong with a text on what lies below it; None too where that is not known."""
        background = text.background or self._background_of(job, text)
        return measure_contrast(text, background) if background is not None else None

    def _background_of(self, job: FaceJob, text: PaintedText) -> Colour | None:
        """Return the colour of the frame or of the paper below a text; None if it is not a plain one."""
        if job.frame is not None or not self.filler.has_frame(job):
            return WHITE
        key = self._keys.get(self.filler.below(job), "")
        if key not in self.told or key in self._unset:
            return None
        if key not in self._paintings:
            self._paintings[key] = read_painting(self.cache.record(key))
        return background_of_box(self._paintings[key], text.box, text.size)

    def recall(self, jobs: Iterable[FaceJob]) -> None:
        """Take the faces of cards that are as they were, and with which nothing was wrong, neither alone nor together:
        their facts are not asked for.
        """
        cards: dict[tuple[str, str], list[FaceJob]] = {}
        frames = {job: self.filler.key(job) for job in jobs if job.frame is not None}
        for job in jobs:
            if job.card:
                cards.setdefault((job.card, job.lang), []).append(job)
        coming = iter(cards.values())
        while some := [self._faces(own, frames) for own in islice(coming, SETTLED)]:
            name = digest(
                self.filler.pack.id,
                *(f"{job.label} {job.variant}" for one in some for job in one.jobs),
            )
            kept = self.cache.settled(name)
            self._lots.append((name, some, kept))
            there = self.cache.digests([key for right in kept.values() for key in right.keys])
            for one in some:
                right = kept.get(one.of)
                if (
                    right
                    and right.holds == _held(right.keys, there)
                    and one.jobs[0] not in self._keys
                ):
                    self._settle(one, right)

    def _settle(self, one: CardFaces, right: RightFaces) -> None:
        if self.filler.current(right.deps, one.jobs[0].lang) and len(right.keys) == len(
            one.jobs
        ) + len(one.below):
            self._keys |= zip(one.jobs, right.keys, strict=False)
            self._quiet.update(one.jobs)
            self.drawn_on.update(right.drawn)
            self.known += len(one.jobs)

    def _faces(self, jobs: Sequence[FaceJob], frames: Mapping[FaceJob, str]) -> CardFaces:
        """A card's faces, and the frames below them."""
        filler, keys = self.filler, tuple(map(self.filler.key, jobs))
        below = (
            tuple(frames[frame] for frame in map(filler.below, jobs) if frame in frames)
            if frames
            else ()
        )
        gap = filler.pack.manifest.kinds[jobs[0].kind].gap
        return CardFaces(tuple(jobs), keys, below, digest(str(gap), *keys, *below))

    def note(self) -> None:
        """Keep with which cards nothing is wrong."""
        for name, cards, kept in self._lots:
            made = {one.of: kept[one.of] for one in cards if self._quiet.issuperset(one.jobs)}
            fresh = {
                one.of: keys for one in cards if one.of not in made and (keys := self._right(one))
            }
            there = self.cache.digests([key for keys in fresh.values() for key in keys])
            for of, keys in fresh.items():
                facts = [self.told[key] for key in keys]
                deps = {name: value for one in facts for name, value in one.deps.items()}
                made[of] = RightFaces(
                    keys, _held(keys, there), deps, [*filter(None, map(_drawn, facts))]
                )
            if fresh:
                self.cache.settle(name, made)

    def _right(self, one: CardFaces) -> list[str]:
        """Where the faces of a card and the frames below them are kept; nothing where something is wrong with one."""
        keys = [*(self._keys[job] for job in one.jobs), *one.below]
        told = [
            self.told[key]
            for key in (*one.keys, *keys)
            if key in self.told and key not in self._unset
        ]
        right = len(told) == len(one.keys) + len(keys)
        right = (
            right and self._crowded.isdisjoint(one.jobs) and self._low_contrast.isdisjoint(one.jobs)
        )
        return keys if right and not any(facts.findings for facts in told) else []

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


def _drawn(facts: FaceFacts) -> str:
    """A hash of what a face drew on; nothing where that is only its card."""
    return digest(facts.key, repr(sorted(facts.deps.items()))) if facts.deps else ""


def _held(keys: Sequence[str], there: Mapping[str, str]) -> str:
    """What the cache holds of some faces, as one hash."""
    return digest(*(there.get(key, "") for key in keys))


@dataclass
class Renderer(TemplateFiller):
    """Sets faces of one pack, with so many `workers`, and shares them with other machines where it is told to."""

    workers: int = 2
    shared: Shared | None = None
    _drawn_on: set[str] = field(default_factory=set, init=False)

    @cached_property
    def cache(self) -> FaceCache:
        """Where set faces are kept."""
        return FaceCache(self.places.cache)

    @property
    def setup(self) -> EngineSetup:
        """What sets this pack's faces."""
        return EngineSetup(self.places, self.fonts, self.engine)

    def render(
        self,
        jobs: Iterable[FaceJob],
        progress: Progress | None = None,
        first: Collection[str] = frozenset(),
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
            job.recall(wanted)
            job.begin(wanted)
            job.finish()
            job.agree()
        keys = job.keys
        self._drawn_on |= job.drawn_on
        set_findings = (at_named_file(finding, self.places) for finding in job.findings)
        told = (*set_findings, *job.crowded(), *job.low_contrast(), *adapter(self.engine).findings)
        job.note()
        findings = folded((*self.icons.findings, *self.typefaces.findings, *told))
        return Rendered(keys, Faces(keys, self.cache), findings, job.fresh, job.known)

    @property
    def drawn_on(self) -> str:
        """A hash of the files and other cards that all faces set so far drew on: no face's address tells them."""
        return digest(*sorted(self._drawn_on))

    def warm(self, jobs: Iterable[FaceJob]) -> None:
        """Set faces in this process and keep nothing: what is set next is set as fast as can be."""
        for job in jobs:
            html = self.fill(job, self.key(job), [])
            if html is not None:
                open_engine(self.setup).set_batch(Batch(self.style(job), (html,)))
