"""Render faces: read them from the cache, or fill in templates and let workers render."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import ceil

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
from builder.geometry.spacing import find_spacing_faults
from builder.messages import gettext as _
from builder.model.profile import Shared
from builder.render import render_codes
from builder.render.cache import DRAFTS, DraftCache, FaceCache
from builder.render.drafts import (
    can_be_drawn,
    list_faults,
    locate_missing_pictures,
    mark_faults,
    show_missing_pictures,
)
from builder.render.engines import find_adapter
from builder.render.filling import TemplateFiller
from builder.render.html.problems import (
    add_face_label,
    group_findings,
    locate_named_file,
)
from builder.render.jobs import (
    Batch,
    FaceFacts,
    FaceHtml,
    FaceJob,
    SideName,
    Style,
    match_steps,
    split_into_chunks,
)
from builder.render.keys import digest
from builder.render.painting import Painting, find_box_background, read_painting
from builder.render.workers import (
    MIN_FACES_PER_BATCH,
    EngineSetup,
    Workers,
    choose_batch_size,
    make_batches,
    open_engine,
)

Progress = Callable[[int, int], None]

MAX_FACTS_IN_MEMORY = 10_000
"""Faces whose facts stay in memory, 2 kB each. The facts of other faces are in a file."""
FACES_PER_LOOKUP = 500
"""Faces that are looked up in the cache together."""


@dataclass(frozen=True, slots=True)
class RenderResult:
    """The result of rendering: the faces without errors, and all findings.

    `rendered_count` counts the faces rendered now, `cached_count` those found in the cache.
    `drafts` are the cache keys of faces with faults that are drawn with marks.
    """

    keys: Mapping[FaceJob, str]
    faces: Mapping[FaceJob, FaceFacts]
    findings: tuple[Finding, ...]
    rendered_count: int
    cached_count: int
    drafts: Mapping[FaceJob, str] = field(default_factory=dict)


class Faces(Mapping[FaceJob, FaceFacts]):
    """The facts of rendered faces, which are read from the cache when they are used."""

    def __init__(self, keys: Mapping[FaceJob, str], cache: FaceCache) -> None:
        self._keys = keys
        self._cache = cache

    def __getitem__(self, job: FaceJob) -> FaceFacts:
        facts = self._cache.facts(self._keys[job])
        if facts is None:
            raise OutputNotWritten(
                _("faces are missing in the cache"),
                _("Run the command again to render them."),
            )
        return facts

    def __iter__(self) -> Iterator[FaceJob]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)


def merge_drafts(renderer: "Renderer", rendered: RenderResult) -> RenderResult:
    """Return a result that also contains the drafts of faces with errors."""
    keys = {**rendered.keys, **rendered.drafts}
    return replace(rendered, keys=keys, faces=Faces(keys, renderer.cache))


@dataclass
class RenderJob:
    """One call of `Renderer.render`. Only the cache key of each face stays in memory."""

    filler: TemplateFiller
    cache: FaceCache
    setup: EngineSetup
    workers: Workers
    progress: Progress | None
    shared: Shared | None
    findings: list[Finding] = field(default_factory=list)
    rendered_count: int = 0
    cached_count: int = 0
    _facts: DiskMap[str, FaceFacts] = field(
        default_factory=lambda: DiskMap(MAX_FACTS_IN_MEMORY)
    )
    _keys: dict[FaceJob, str] = field(default_factory=dict)
    _unrendered_keys: set[str] = field(default_factory=set)
    """Keys of faces that are not rendered yet, or cannot be."""
    _repeated_keys: set[str] = field(default_factory=set)
    """Keys of faces that are rendered a second time: their warnings are reported already."""
    _finished_count: int = 0
    _paintings: dict[str, Painting] = field(default_factory=dict)
    """The paintings of frames, by their cache keys."""

    @property
    def keys(self) -> dict[FaceJob, str]:
        """The cache keys of all faces that are rendered."""
        return {
            job: key
            for job, key in self._keys.items()
            if key not in self._unrendered_keys
        }

    def render(self, jobs: Iterable[FaceJob]) -> None:
        """Load faces from the cache, and render the missing ones."""
        missing = self._find_missing(jobs)
        self.rendered_count += len(missing)
        if not missing:
            return
        results = (
            self._render_shared(missing)
            if self.shared
            else self._render_locally(missing)
        )
        for facts in results:
            self._finished_count += 1
            if self.progress is not None:
                self.progress(self._finished_count, self.rendered_count)
            self._add_facts(facts)

    def _find_missing(self, jobs: Iterable[FaceJob]) -> list[FaceJob]:
        """Return the faces that must be rendered, each key once."""
        missing = []
        for chunk in split_into_chunks(jobs, FACES_PER_LOOKUP):
            keys = [self.filler.make_key(job) for job in chunk]
            cached_facts = self.cache.load_facts(keys)
            for job, key in zip(chunk, keys, strict=True):
                self._keys[job] = key
                facts = cached_facts.get(key)
                if facts is not None and self.filler.are_current(facts.deps, job.lang):
                    if has_errors(facts.findings):  # a draft
                        self._unrendered_keys.add(key)
                    self._add_facts(facts)
                    self.cached_count += 1
                # Equal faces have one key, and are rendered once.
                elif key not in self._unrendered_keys:
                    self._unrendered_keys.add(key)
                    missing.append(job)
        return missing

    def _add_facts(self, facts: FaceFacts) -> None:
        """Add the facts of a face. A face with an error is not counted as rendered."""
        is_failed = has_errors(facts.findings)
        if is_failed or facts.key not in self._repeated_keys:
            self.findings.extend(facts.findings)
        self._facts[facts.key] = facts
        if not is_failed:
            self._unrendered_keys.discard(facts.key)

    def _fill_templates(
        self, jobs: Iterable[FaceJob]
    ) -> Iterator[tuple[Style, FaceHtml]]:
        """Fill in the templates of faces. A broken template adds its findings."""
        for job in jobs:
            html = self.filler.fill(job, self._keys[job], self.findings)
            if html is None:
                self.rendered_count -= 1
            else:
                yield self.filler.get_style(job), html

    def _render_locally(self, jobs: list[FaceJob]) -> Iterator[FaceFacts]:
        """Render faces with the worker processes of this machine."""
        size = choose_batch_size(len(jobs), self.workers.count)
        batches = make_batches(self._fill_templates(jobs), size, match_sizes=True)
        return self.workers.render(batches, processes=ceil(len(jobs) / size))

    def _render_shared(self, jobs: list[FaceJob]) -> Iterator[FaceFacts]:
        """Load faces from the shared store. Render missing ones on the cluster or this machine."""
        from builder.render.cluster.scheduler import Cluster, find_connection_error
        from builder.render.shared_store import open_store

        assert self.shared is not None
        store = open_store(self.shared.store, self.setup.engine)
        # On disk: the HTML of all faces may be larger than the memory.
        missing: DiskMap[str, FaceHtml] = DiskMap()
        filled_faces = (html for _style, html in self._fill_templates(jobs))
        for html, facts in store.load_into_cache(filled_faces, self.cache):
            if facts is None:
                missing[html.key] = html
            else:
                self._add_facts(facts)
                self.cached_count += 1
                self.rendered_count -= 1
        faces = (
            (self.filler.get_style(job), missing[self._keys[job]])
            for job in jobs
            if self._keys[job] in missing
        )
        size = choose_batch_size(len(missing), self.workers.count)
        if self.shared.cluster is not None:
            # A cluster may have many workers: give each of them something to do.
            size = MIN_FACES_PER_BATCH
        batches = make_batches(faces, size)
        processes = ceil(len(missing) / size)
        if self.shared.cluster and processes > 1:
            return Cluster(self.shared.cluster, store, self.findings).render_all(
                batches, self.setup
            )
        # A few faces are rendered here in less time than a cluster answers. Report a wrong address
        # all the same.
        if self.shared.cluster and missing:
            reason = find_connection_error(self.shared.cluster)
            if reason:
                self.findings.append(render_codes.CLUSTER.finding(reason))
        return store.store_from_cache(
            missing, self.workers.render(batches, processes), self.cache
        )

    def match_type_sizes(self) -> None:
        """Render faces again whose text is larger than the same text on the card's other face."""
        keys = self.keys
        cached_count = self.cached_count
        smaller_jobs = {}
        for job in keys:
            smaller_job = self._shrink_to_match(job, keys)
            if smaller_job != job:
                smaller_jobs[job] = smaller_job
        self._repeated_keys = {
            self.filler.make_key(job) for job in smaller_jobs.values()
        }
        self.render(smaller_jobs.values())
        self.cached_count = cached_count  # they are counted already
        # The smaller version of a face takes its place.
        for job, smaller_job in smaller_jobs.items():
            self._keys[job] = self._keys.pop(smaller_job)

    def _shrink_to_match(self, job: FaceJob, keys: Mapping[FaceJob, str]) -> FaceJob:
        """Return the job for a face whose text is no larger than on the card's other face."""
        other_side: SideName = "back" if job.side == "front" else "front"
        other_key = keys.get(replace(job, side=other_side)) if job.card else None
        facts = self._facts[keys[job]]
        other_blocks = self._facts[other_key].blocks if other_key else ()
        matched_blocks = self.filler.get_style(job).list_matched_blocks(other_blocks)
        min_steps = match_steps(facts.blocks, matched_blocks)
        if facts.pages and min_steps == match_steps(facts.blocks, ()):
            return job
        return replace(job, min_steps=min_steps)

    def draw_drafts(self) -> set[FaceJob]:
        """Draw the faces whose errors can be shown on a draft. Return their jobs."""
        cache = FaceCache(self.filler.places.cache, DRAFTS)
        failed_jobs = self._find_drawable_jobs()
        drawn_facts = cache.load_facts(list(failed_jobs))
        missing_jobs = []
        for key, job in failed_jobs.items():
            if key not in drawn_facts or drawn_facts[key].deps != self._facts[key].deps:
                missing_jobs.append(job)
        # A generator: each face is filled in when its batch is rendered.
        faces = (
            (style, show_missing_pictures(face))
            for style, face in self._fill_templates(missing_jobs)
        )
        batches = make_batches(faces, MIN_FACES_PER_BATCH, draft=True)
        for facts in self.workers.render(batches, self.workers.count):
            findings = self._facts[facts.key].findings
            located_facts = locate_missing_pictures(facts, findings)
            self.findings = [item for item in self.findings if item not in findings]
            self.findings += located_facts.findings
            # The worker stored the face before its missing pictures had places.
            if located_facts != facts:
                cache.store_face(located_facts, cache.record(facts.key))
            drawn_facts[facts.key] = located_facts
        for key, facts in drawn_facts.items():
            self._facts[key] = facts
        drawn_keys = cache.load_facts(list(failed_jobs))
        return {job for job, key in self._keys.items() if key in drawn_keys}

    def _find_drawable_jobs(self) -> dict[str, FaceJob]:
        """Return the faces whose errors can be shown on a draft, by cache key."""
        failed_jobs = {}
        for job, key in self._keys.items():
            facts = self._facts.get(key) if key in self._unrendered_keys else None
            if facts is not None and can_be_drawn(facts.findings):
                failed_jobs[key] = job
        return failed_jobs

    def mark_drafts(
        self, drafts: set[FaceJob], low_contrasts: Mapping[FaceJob, Finding]
    ) -> dict[FaceJob, str]:
        """Mark the errors on drafts. If there is any error, mark all other faces too.

        Return the keys of marked faces.
        """
        cache = DraftCache(self.filler.places.cache)
        marked_keys: dict[FaceJob, str] = {}
        if not drafts and not has_errors(low_contrasts.values()):
            return marked_keys
        for job, key in self._keys.items():
            facts = self._facts.get(key)
            if facts is None or (job not in drafts and key in self._unrendered_keys):
                continue
            findings = [*facts.findings]
            if job in low_contrasts:
                findings.append(low_contrasts[job])
            boxes = self.filler.get_style(job).boxes
            faults = list_faults(findings, boxes, job.lang)
            if faults:
                marked_key = digest("marked", key, repr(facts.deps), repr(faults))
                record = mark_faults(cache.record(key), faults, boxes)
                cache.store_face(replace(facts, key=marked_key), record)
                marked_keys[job] = marked_key
        return marked_keys

    def find_crowded_blocks(self) -> Iterator[Finding]:
        """Find blocks that are printed too close to each other, on a face or on its frame."""
        for job, key in self.keys.items():
            if job.frame is not None:
                continue
            frame_key = self._keys.get(self.filler.find_frame_job(job), "")
            blocks = self._facts[key].painted
            if frame_key in self._facts:
                blocks = (*self._facts[frame_key].painted, *blocks)
            min_gap = self.filler.pack.manifest.kinds[job.kind].gap
            for message, box in find_spacing_faults(blocks, min_gap):
                place = Location(file=self._format_template_path(job), box=box)
                yield render_codes.CROWDED.finding(
                    add_face_label(job.label, message), place
                )

    def find_low_contrast(self, drafts: Iterable[FaceJob]) -> dict[FaceJob, Finding]:
        """Return a finding for each face that has text with low contrast.

        Only the variant `full` is checked, because the others are not for reading.
        """
        findings = {}
        for job in (*self.keys, *drafts):
            key = self._keys[job]
            texts = self._facts[key].texts
            if job.variant != "full" or not texts:
                continue
            measured_texts = [self._measure_low_contrast(job, text) for text in texts]
            low_contrasts = [
                contrast for contrast in measured_texts if contrast is not None
            ]
            if low_contrasts:
                message, box = describe_lowest(low_contrasts, self._facts[key].painted)
                place = Location(file=self._format_template_path(job), box=box)
                label = add_face_label(job.label, message)
                findings[job] = render_codes.CONTRAST.finding(label, place)
        return findings

    def _format_template_path(self, job: FaceJob) -> str:
        """Return the path of a face's template as findings name it."""
        places = self.filler.places
        return places.format_path(places.templates / self.filler.name_template(job))

    def _measure_low_contrast(
        self, job: FaceJob, text: PaintedText
    ) -> LowContrast | None:
        """Return the contrast of a text, or None if it is high enough.

        None too if the colour below it is unknown.
        """
        background = text.background or self._find_background(job, text)
        return measure_contrast(text, background) if background is not None else None

    def _find_background(self, job: FaceJob, text: PaintedText) -> Colour | None:
        """Return the color below a text, which is the frame's or the paper's.

        None if it is not one plain colour.
        """
        if job.frame is not None or not self.filler.has_frame(job):
            return WHITE
        key = self._keys.get(self.filler.find_frame_job(job), "")
        if key not in self._facts or key in self._unrendered_keys:
            return None
        if key not in self._paintings:
            self._paintings[key] = read_painting(self.cache.record(key))
        return find_box_background(self._paintings[key], text.box, text.size)


@dataclass
class Renderer(TemplateFiller):
    """Renders the faces of one pack with several processes, or on other machines."""

    workers: int = 2
    shared: Shared | None = None
    draws_drafts: bool = False
    """True if faces that do not fit are drawn too, with their faults marked."""

    @cached_property
    def cache(self) -> FaceCache:
        """The cache of rendered faces."""
        folder = self.places.cache
        return DraftCache(folder) if self.draws_drafts else FaceCache(folder)

    @property
    def setup(self) -> EngineSetup:
        """The engine for this pack, with its folders and fonts."""
        return EngineSetup(self.places, self.fonts, self.engine)

    def render(
        self, jobs: Iterable[FaceJob], progress: Progress | None = None
    ) -> RenderResult:
        """Render faces. Return the result with all findings.

        Pass both faces of a card: they get equal type sizes.
        """
        requested_jobs = list(dict.fromkeys(jobs))
        with Workers(self.setup, self.workers) as workers:
            job = RenderJob(
                self, self.cache, self.setup, workers, progress, self.shared
            )
            job.render(requested_jobs)
            job.match_type_sizes()
            drafts = job.draw_drafts() if self.draws_drafts else set()
        keys = job.keys
        low_contrasts = job.find_low_contrast(drafts)
        findings = group_findings(
            (
                *self.icons.findings,
                *self.typefaces.findings,
                *(locate_named_file(finding, self.places) for finding in job.findings),
                *job.find_crowded_blocks(),
                *low_contrasts.values(),
                *find_adapter(self.engine).findings,
            )
        )
        return RenderResult(
            keys,
            Faces(keys, self.cache),
            findings,
            job.rendered_count,
            job.cached_count,
            job.mark_drafts(drafts, low_contrasts) if self.draws_drafts else {},
        )

    def warm_up(self, jobs: Iterable[FaceJob]) -> None:
        """Render faces in this process without caching, so that the next face starts at once."""
        for job in jobs:
            html = self.fill(job, self.make_key(job), [])
            if html is not None:
                open_engine(self.setup).render_batch(
                    Batch(self.get_style(job), (html,))
                )
