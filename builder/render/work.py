"""The wanted faces of one pressing: which are known, which are being filled in and set, and what has come of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from builder.diskmap import Shelf
from builder.errors import OutputNotWritten
from builder.findings import Finding, has_errors
from builder.messages import gettext as _
from builder.render.batches import few, in_batches
from builder.render.cache import FaceCache
from builder.render.jobs import FaceFacts, FaceHtml, FaceJob, Places, Style

if TYPE_CHECKING:
    from builder.render.cluster.lending import Lending


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


class Faces(Mapping[FaceJob, FaceFacts]):
    """The facts of set faces, read from the cache whenever they are asked for."""

    def __init__(self, keys: Mapping[FaceJob, str], cache: FaceCache) -> None:
        self._keys, self._cache = keys, cache

    def __getitem__(self, job: FaceJob) -> FaceFacts:
        facts = self._cache.facts(self._keys[job], noted=False)
        if facts is None:
            raise OutputNotWritten(_("faces kept in the cache are gone"), _("Run again to set them anew."))
        return facts

    def __iter__(self) -> Iterator[FaceJob]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)


@dataclass
class Work:
    """What is found, begun and finished of some wanted faces. Of each only its address stays in memory.

    `drawn_on` has a digest for each face that drew on other files or cards, of what these held.
    """

    press: Source
    progress: Callable[[int, int], None] | None
    lending: Lending | None
    findings: list[Finding] = field(default_factory=list)
    drawn_on: set[bytes] = field(default_factory=set)
    fresh: int = 0
    known: int = 0
    _keys: dict[FaceJob, str] = field(default_factory=dict)
    _unset: set[str] = field(default_factory=set)
    """Addresses that are begun, and not set yet."""
    _found: list[Iterator[FaceFacts]] = field(default_factory=list)

    @property
    def keys(self) -> dict[FaceJob, str]:
        """Where all faces are kept that are set by now."""
        return {job: key for job, key in self._keys.items() if key not in self._unset}

    def begin(self, jobs: Iterable[FaceJob]) -> None:
        """Take from the cache what it has, and have the rest set: a few at once, many from when `finish` asks."""
        todo = [job for job in jobs if job not in self._keys and not self._is_known(job)]
        self.fresh += len(todo)
        if todo:
            self._found.append(self._shared(todo) if self.lending else self._set(self._filled(todo), len(todo)))

    def _is_known(self, job: FaceJob) -> bool:
        """True where nothing is to be done for a face: it lies in the cache, or is begun under the same address."""
        press = self.press
        key = self._keys[job] = press.key(job)
        known = press.cache.facts(key)
        if known is not None and not press.current(known, job.lang):
            known = press.cache.facts(key, noted=False)  # it may have been set since all facts were noted
        if known is not None and press.current(known, job.lang):
            self._take(known)
            self.known += 1
            return True
        begun = key in self._unset
        self._unset.add(key)
        return begun

    def _take(self, facts: FaceFacts) -> None:
        """Take in what is known of a face. One that could not be set counts as begun for good."""
        self.findings.extend(facts.findings)
        if not has_errors(facts.findings):
            self._unset.discard(facts.key)
            if facts.deps:
                self.drawn_on.add(sha256(repr((facts.key, sorted(facts.deps.items()))).encode()).digest())

    def _filled(self, todo: Iterable[FaceJob]) -> Iterator[tuple[Style, FaceHtml]]:
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

    def _shared(self, todo: Sequence[FaceJob]) -> Iterator[FaceFacts]:
        """Take from the store what it has; set the rest, or have a cluster do it. All is asked for at once."""
        from builder.render.pool import ALONE

        press, lending = self.press, self.lending
        assert lending is not None
        rest: Shelf[str, FaceHtml] = Shelf()
        for html, facts in lending.borrow(html for _unused, html in self._filled(todo)):
            if facts is None:
                rest[html.key] = html
            else:
                self._take(facts)
                self.known += 1
                self.fresh -= 1
        filled = [job for job in todo if self._keys[job] in rest]
        batches = in_batches(self._again(filled, rest), len(rest), press.workers)
        first = list(islice(batches, ALONE + 1))
        if lending.wants_cluster(first):
            return lending.set_all(chain(first, batches), press.places, press.fonts, slim=press.slim)
        return lending.lend(rest, self._set(self._again(filled, rest), len(rest)))

    def _again(self, jobs: Iterable[FaceJob], filled: Mapping[str, FaceHtml]) -> Iterator[tuple[Style, FaceHtml]]:
        """Faces that are filled in already, with their styles."""
        for job in jobs:
            yield self.press.style(job), filled[self._keys[job]]

    def finish(self) -> None:
        """Wait for what was begun. Meanwhile what will be asked for is made ready."""
        if self._found:
            from builder.render.ahead import at_work

            if at_work():
                self.press.cache.fetch(self.keys.values())
        for done, facts in enumerate(chain.from_iterable(self._found), 1):
            if self.progress is not None:
                self.progress(done, self.fresh)
            self._take(facts)
            if self.fresh > few() and not has_errors(facts.findings):  # others are at work
                self._make_ready(facts, done == 1)

    def _make_ready(self, facts: FaceFacts, first: bool) -> None:
        """Read the drawing of a face, and load what puts them together."""
        if first:
            from builder.render.sheets import fontmerge

            fontmerge.load()
        self.press.cache.fetch([facts.key])
