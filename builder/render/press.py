"""From wanted faces to set faces: what the cache has is taken from it, the rest is filled in, batched and set."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Any

from builder.findings import Finding, Location, has_errors
from builder.model.base import Json
from builder.model.pack import Pack
from builder.model.shared import Shared
from builder.render import codes
from builder.render.cache import FaceCache
from builder.render.iconfont import IconFont, icon_font
from builder.render.jobs import Batch, FaceFacts, FaceHtml, FaceJob, Places, Style
from builder.render.keys import card_hash, digest, engine_hash, words_hash
from builder.render.lending import Lending
from builder.render.problems import folded, template_finding
from builder.render.stylesheet import file_hash, style_of
from builder.render.templates import TemplateSet
from builder.render.view import View, card_view, frozen
from builder.render.words import Words

BATCH = 16
"""Faces a document: fewer waste start-up, more waste memory."""

_SOURCE = re.compile(r"""(?:src|href|xlink:href)=["']([^"'#][^"']*)["']|url\(\s*['"]?([^'")#][^'")]*)""")

FEW = 2 * BATCH
"""So many faces are begun with while the others are still looked for."""

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Pressed:
    """The outcome: facts by job for faces that are set, findings of all, how many were set and how many known."""

    faces: Mapping[FaceJob, FaceFacts]
    findings: tuple[Finding, ...]
    fresh: int
    known: int


@dataclass
class Press:
    """Sets faces of one pack. `files` says for (card, language) where its text lies, for findings."""

    pack: Pack
    places: Places
    files: Mapping[tuple[str, str], str] = field(default_factory=dict)
    workers: int = 2
    slim: bool = True
    shared: Shared | None = None
    _words: dict[str, Words] = field(default_factory=dict)
    _styles: dict[tuple[str, str, str], Style] = field(default_factory=dict)
    _hashes: dict[tuple[str, str], str] = field(default_factory=dict)
    _drawn_on: set[str] = field(default_factory=set)

    @cached_property
    def templates(self) -> TemplateSet:
        """The pack's templates."""
        return TemplateSet(self.places.templates, self.places.base)

    @cached_property
    def icons(self) -> IconFont:
        """The pack's icon font."""
        folder = self.places.templates / "icons"
        return icon_font(folder, self.places.cache, self.places.shown(folder))

    @cached_property
    def cache(self) -> FaceCache:
        """Where set faces are kept."""
        return FaceCache(self.places.cache)

    @cached_property
    def shared_hash(self) -> str:
        """The part of every key that all faces of the pack share."""
        return digest(engine_hash(), words_hash(self.pack), self.icons.hash, "slim" if self.slim else "stock")

    def words(self, lang: str) -> Words:
        """The words of a language."""
        if lang not in self._words:
            self._words[lang] = Words(self.pack, lang, self.icons.glyphs)
        return self._words[lang]

    def style(self, job: FaceJob) -> Style:
        """The style a face is set in."""
        key = (job.kind, job.lang, job.variant)
        if key not in self._styles:
            self._styles[key] = style_of(self.places, job.kind, self.pack.manifest.kinds[job.kind], *key[1:])
        return self._styles[key]

    def template(self, job: FaceJob) -> str:
        """The name of a face's template."""
        return f"{job.kind}/{job.side}.{'frame.' if job.frame is not None else ''}html.j2"

    def key(self, job: FaceJob) -> str:
        """The face's address in the cache."""
        own = self.hash_of(job.card, job.lang) if job.card else repr(job.frame)
        parts = (job.kind, job.side, job.lang, job.variant, own)
        return digest(self.shared_hash, self.style(job).key, self.templates.hash(self.template(job)), *parts)

    def hash_of(self, card: str, lang: str) -> str:
        """The hash of a card's data in a language, worked out once."""
        if (card, lang) not in self._hashes:
            self._hashes[card, lang] = card_hash(self.pack, self.pack.cards[card], lang)
        return self._hashes[card, lang]

    def press(
        self, jobs: Iterable[FaceJob], progress: Progress | None = None, first: Collection[str] = frozenset()
    ) -> Pressed:
        """Set all wanted faces. Every face is tried; the findings of all are given together.

        Faces of the cards `first` are begun with before the others are even looked for: those just edited, say.
        """
        work = _Work(self, progress, Lending(self.shared, self.cache) if self.shared else None)
        wanted = list(dict.fromkeys(jobs))
        self.cache.recall(self._name(wanted))
        early = [job for job in wanted if job.card in first]
        if not self.shared and len(early) <= FEW:  # what is far away is asked once, and many are best set all together
            work.begin(early)
        work.begin(wanted)
        work.finish()
        self.cache.note(self._name(wanted), work.faces.values())
        self._drawn_on.update(
            repr((facts.key, sorted(facts.deps.items()))) for facts in work.faces.values() if facts.deps
        )
        findings = [*self.icons.findings, *work.findings]
        findings += [finding for facts in work.faces.values() for finding in facts.findings]
        findings += work.lending.findings if work.lending else ()
        return Pressed(work.faces, folded(findings), work.fresh, work.known)

    @property
    def drawn_on(self) -> str:
        """A hash of the files and other cards that all faces pressed so far drew on: no face's address tells them."""
        return digest(*sorted(self._drawn_on))

    def _name(self, jobs: Iterable[FaceJob]) -> str:
        """Under which name the facts of these faces are noted."""
        sorts = sorted({(job.kind, job.lang, job.variant) for job in jobs})
        return f"{self.pack.id}-{digest(repr(sorts))[:16]}"

    def warm(self, jobs: Iterable[FaceJob]) -> None:
        """Set faces in this process and keep nothing: what is set next is set as fast as can be."""
        from builder.render.fit import set_batch
        from builder.render.pool import engine

        for job in jobs:
            html = self._fill(job, self.key(job), [])
            if html is not None:
                set_batch(engine(self.places, self.icons.path, self.slim), Batch(self.style(job), (html,)))

    def current(self, facts: FaceFacts, lang: str) -> bool:
        """True if everything the face drew on besides its own card is still the same."""
        return all(self._dependency(name, lang) == value for name, value in facts.deps.items())

    def _dependency(self, name: str, lang: str) -> str:
        """The present hash of another card (`card:ID`) or a file (`file:NAME`)."""
        group, _, rest = name.partition(":")
        if group == "card":
            return self.hash_of(rest, lang) if rest in self.pack.cards else "none"
        return file_hash(self.places, rest)

    def _fill(self, job: FaceJob, key: str, findings: list[Finding]) -> FaceHtml | None:
        """The face's HTML; None with a finding where its template is missing or broken."""
        name = self.template(job)
        path = self.templates.find(name)
        shown = self.places.shown(self.places.templates / name)
        if path is None:
            findings.append(codes.NO_TEMPLATE.finding(f"the template {name} is missing", Location(file=shown)))
            return None
        words = self.words(job.lang)
        words.used.clear()
        try:
            html = self.templates.render(name, self._context(job, words))
        except Exception as error:
            findings.append(template_finding(error, job.label, shown, self.places))
            return None
        deps = {f"card:{card}": self.hash_of(card, job.lang) for card in sorted(words.used - {job.card})}
        sources = {found for match in _SOURCE.finditer(html) for found in match.groups() if found}
        deps |= {
            f"file:{name}": file_hash(self.places, name) for name in sorted(sources) if not name.startswith("data:")
        }
        file = self.files.get((job.card or "", job.lang), shown)
        return FaceHtml(key, self._wrap(job, html), job.label, job.card, file, shown, deps)

    def _context(self, job: FaceJob, words: Words) -> dict[str, Any]:
        """What the template may use."""
        context: dict[str, Any] = {
            "lang": job.lang,
            "pack": View({"id": self.pack.id, "name": words.pack_name}),
            "face": job.side,
            "variant": job.variant,
        }
        self.templates.use(words)
        faction = dict(job.frame or ()).get("faction")
        if job.card:
            card = self.pack.cards[job.card]
            faction = card.faction
            context["card"] = card_view(self.pack, card, job.lang)
        elif job.frame is not None:
            values = self._frame_values(job)
            context["card"] = View({name.split(".")[0]: value for name, value in values.items()})
        context["faction"] = words.faction(faction)
        return context

    def _frame_values(self, job: FaceJob) -> dict[str, Any]:
        """The fields a frame may see, of any card that has these values."""
        fields = self.pack.manifest.kinds[job.kind].frame_by
        for card in self.pack.of_kind(job.kind):
            if frame_of(self.pack, job.kind, card.id) == job.frame:
                return {name: frozen(card.field(name)) for name in fields if card.field(name) is not None}
        return {}

    def _wrap(self, job: FaceJob, html: str) -> str:
        """The section every face stands in."""
        faction = self.pack.cards[job.card].faction if job.card else dict(job.frame or ()).get("faction")
        classes = ["face", job.side, f"kind-{job.kind}", f"lang-{job.lang}", f"variant-{job.variant}"]
        classes += [f"faction-{faction}"] * bool(faction) + ["frame"] * (job.frame is not None)
        return f'<section class="{" ".join(classes)}">{html}</section>'

    def _batches(self, todo: Iterable[tuple[FaceJob, FaceHtml]]) -> list[Batch]:
        """Faces by style, a few together."""
        groups: dict[str, tuple[Style, list[FaceHtml]]] = {}
        for job, html in todo:
            style = self.style(job)
            groups.setdefault(style.key, (style, []))[1].append(html)
        return [
            Batch(style, tuple(faces[start : start + BATCH]))
            for style, faces in groups.values()
            for start in range(0, len(faces), BATCH)
        ]


@dataclass
class _Work:
    """What is found, begun and finished of some wanted faces."""

    press: Press
    progress: Progress | None
    lending: Lending | None
    faces: dict[FaceJob, FaceFacts] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    fresh: int = 0
    known: int = 0
    _keys: dict[FaceJob, str] = field(default_factory=dict)
    _begun: set[str] = field(default_factory=set)
    _found: list[Iterator[FaceFacts]] = field(default_factory=list)

    def begin(self, jobs: Iterable[FaceJob]) -> None:
        """Take from the cache what it has, and have the rest set."""
        press, todo = self.press, list[tuple[FaceJob, FaceHtml]]()
        for job in jobs:
            if job in self._keys:
                continue
            key = self._keys[job] = press.key(job)
            known = press.cache.facts(key)
            if known is not None and not press.current(known, job.lang):
                known = press.cache.facts(key, noted=False)  # it may have been set since all facts were noted
            if known is not None and press.current(known, job.lang):
                self.faces[job] = known
                self.known += 1
            elif key not in self._begun and (html := press._fill(job, key, self.findings)) is not None:
                self._begun.add(key)
                todo.append((job, html))
        if self.lending and todo:
            borrowed = {facts.key: facts for facts in self.lending.borrow(html for _, html in todo)}
            self.faces |= {job: borrowed[key] for job, key in self._keys.items() if key in borrowed}
            self.known += len(borrowed)
            todo = [(job, html) for job, html in todo if html.key not in borrowed]
        self.fresh += len(todo)
        if todo:
            self._found.append(self._set(press._batches(todo)))

    def _set(self, batches: Sequence[Batch]) -> Iterator[FaceFacts]:
        """Set batches, over processes or a cluster."""
        from builder.render.ahead import set_all

        press, lending = self.press, self.lending
        if lending and lending.wants_cluster(batches):
            return lending.set_all(batches, press.places, press.icons.path, slim=press.slim, progress=None)
        made = set_all(batches, press.places, press.icons.path, press.workers, press.slim)
        return lending.lend(batches, made) if lending else made

    def finish(self) -> None:
        """Wait for what was begun. Meanwhile the drawings of all others are read: they will be asked for."""
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


def frame_of(pack: Pack, kind: str, card: str) -> tuple[tuple[str, str], ...]:
    """The values a card's frame is set for."""
    fields = pack.manifest.kinds[kind].frame_by
    return tuple((name, _shown(pack.cards[card].field(name))) for name in fields)


def _shown(value: Json) -> str:
    """A field as text; nothing for a missing one."""
    return "" if value is None else str(value)
