"""The wanted faces of one pressing: which are known, which are being filled in and set, and what has come of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from builder.findings import Finding, has_errors
from builder.render.batches import few, in_batches
from builder.render.cache import FaceCache
from builder.render.jobs import FaceFacts, FaceHtml, FaceJob, Places, Style

if TYPE_CHECKING:
    from builder.render.shared.lending import Lending


class Source(Protocol):
    """Where faces come from: what is asked of a press."""

    places: Places
    workers: int
    slim: bool

    @property
    def cache(self) -> FaceCache:
        """Where set faces are kept."""

    @property
    def fonts(self) -> tuple[Path, ...]:
        """The pack's own font files."""

    def key(self, job: FaceJob) -> str:
        """The face's address in the cache."""

    def style(self, job: FaceJob) -> Style:
        """The style a face is set in."""

    def current(self, facts: FaceFacts, lang: str) -> bool:
        """True if a face that was set is still up to date."""

    def fill(self, job: FaceJob, key: str, findings: list[Finding]) -> FaceHtml | None:
        """The face's HTML; None with a finding where there is none."""


@dataclass
class Work:
    """What is found, begun and finished of some wanted faces."""

    press: Source
    progress: Callable[[int, int], None] | None
    lending: Lending | None
    faces: dict[FaceJob, FaceFacts] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    fresh: int = 0
    known: int = 0
    _keys: dict[FaceJob, str] = field(default_factory=dict)
    _begun: set[str] = field(default_factory=set)
    _found: list[Iterator[FaceFacts]] = field(default_factory=list)

    def begin(self, jobs: Iterable[FaceJob]) -> None:
        """Take from the cache what it has, and have the rest set: a few at once, many from when `finish` asks."""
        todo = [job for job in jobs if job not in self._keys and not self._is_known(job)]
        self.fresh += len(todo)
        if todo:
            filled = self._filled(todo)
            self._found.append(self._shared(list(filled)) if self.lending else self._set(filled, len(todo)))

    def _is_known(self, job: FaceJob) -> bool:
        """True where nothing is to be done for a face: it lies in the cache, or is begun under the same address."""
        press = self.press
        key = self._keys[job] = press.key(job)
        known = press.cache.facts(key)
        if known is not None and not press.current(known, job.lang):
            known = press.cache.facts(key, noted=False)  # it may have been set since all facts were noted
        if known is not None and press.current(known, job.lang):
            self.faces[job] = known
            self.known += 1
            return True
        begun = key in self._begun
        self._begun.add(key)
        return begun

    def _filled(self, todo: Sequence[FaceJob]) -> Iterator[tuple[Style, FaceHtml]]:
        """Fill the faces' templates in; a broken one leaves its findings."""
        for job in todo:
            html = self.press.fill(job, self._keys[job], self.findings)
            if html is None:
                self.fresh -= 1
            else:
                yield self.press.style(job), html

    def _set(self, filled: Iterable[tuple[Style, FaceHtml]], most: int) -> Iterator[FaceFacts]:
        """Set faces here, or in other processes that begin while the last are still being filled in."""
        from builder.render.ahead import set_all

        press = self.press
        batches = in_batches(filled, most, press.workers)
        return set_all(batches, press.places, press.fonts, press.workers, press.slim)

    def _shared(self, filled: Sequence[tuple[Style, FaceHtml]]) -> Iterator[FaceFacts]:
        """Take from the store what it has; set the rest, or have a cluster do it. All is asked for at once."""
        press, lending = self.press, self.lending
        assert lending is not None
        borrowed = {facts.key: facts for facts in lending.borrow(html for _, html in filled)}
        self.faces |= {job: borrowed[key] for job, key in self._keys.items() if key in borrowed}
        self.known += len(borrowed)
        self.fresh -= len(borrowed)
        rest = [(style, html) for style, html in filled if html.key not in borrowed]
        batches = list(in_batches(rest, len(rest), press.workers))
        if lending.wants_cluster(batches):
            return lending.set_all(batches, press.places, press.fonts, slim=press.slim, progress=None)
        return lending.lend(batches, self._set(rest, len(rest)))

    def finish(self) -> None:
        """Wait for what was begun. Meanwhile what will be asked for is made ready."""
        jobs: dict[str, list[FaceJob]] = {}
        for job, key in self._keys.items():
            jobs.setdefault(key, []).append(job)
        if self._found:
            from builder.render.ahead import at_work

            if at_work():
                self.press.cache.fetch([facts.key for facts in self.faces.values()])
        for done, facts in enumerate(chain.from_iterable(self._found), 1):
            if self.progress is not None:
                self.progress(done, self.fresh)
            if has_errors(facts.findings):
                self.findings.extend(facts.findings)
            else:
                self.faces |= dict.fromkeys(jobs[facts.key], facts)
                if self.fresh > few():  # others are at work
                    self._make_ready(facts, done == 1)

    def _make_ready(self, facts: FaceFacts, first: bool) -> None:
        """Read the drawing of a face, and load what puts them together."""
        if first:
            from builder.render import fontmerge, sheets  # noqa: F401

            fontmerge.load()
        self.press.cache.fetch([facts.key])
