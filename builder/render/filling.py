"""Fill in the templates of faces, and compute their cache keys."""

import re
import zlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from builder.cache import Cache, cache_at
from builder.findings import Finding, Location
from builder.messages import gettext as _
from builder.model.card import Card
from builder.model.loaded import MAX_CELL_SPAN, find_wide_spans
from builder.model.pack import Pack
from builder.render import render_codes
from builder.render.cache import RESULTS
from builder.render.html.icons import IconFont, load_icon_font
from builder.render.html.packfonts import PackFonts, load_pack_fonts
from builder.render.html.problems import add_face_label, report_template_error
from builder.render.html.templates import TemplateSet, hash_pack_file, load_style
from builder.render.html.view import (
    TemplateView,
    TemplateWords,
    collect_card_values,
    collect_pack_values,
    freeze_value,
    make_card_view,
)
from builder.render.jobs import (
    FaceHtml,
    FaceJob,
    Frame,
    Places,
    SideName,
    Style,
    Variant,
    add_steps_to_key,
)
from builder.render.keys import digest, hash_engine, hash_program

_QUOTED = r"""=["']([^"'#][^"']*)["']"""
_SOURCES = tuple(
    re.compile(way)
    for way in ("src" + _QUOTED, "href" + _QUOTED, r"""url\(\s*['"]?([^'")#][^'")]*)""")
)
"""Patterns that name a file. Their first letters differ, so that other text is skipped fast."""


@dataclass
class TemplateFiller:
    """Fills in the templates of a pack's card faces.

    `file_of` returns the file with the text of a card in a language, for findings. `engine`
    renders the faces. Empty for the pack's own engine.
    """

    pack: Pack
    places: Places
    file_of: Callable[[str, str], str | None] = lambda _card, _lang: None
    engine: str = ""
    writes_fonts: bool = True
    """False if nothing is rendered: then no font file is written, and a full disk is no error."""
    _words: dict[str, TemplateWords] = field(default_factory=dict, init=False)
    _styles: dict[tuple[str, str, str], Style] = field(default_factory=dict, init=False)
    _hashes: dict[tuple[str, str], str] = field(default_factory=dict, init=False)
    _file_hashes: dict[str, str] = field(default_factory=dict, init=False)
    _frame_hashes: dict[FaceJob, str] = field(default_factory=dict, init=False)
    _framed: dict[str, Frame] = field(default_factory=dict, init=False)
    _frames: dict[tuple[str, SideName, str, Variant, Frame], FaceJob] = field(
        default_factory=dict, init=False
    )

    def __post_init__(self) -> None:
        self.engine = self.engine or self.pack.manifest.engine

    @cached_property
    def templates(self) -> TemplateSet:
        """The templates of the pack."""
        return TemplateSet(self.places.templates, self.places.base)

    @cached_property
    def icons(self) -> IconFont:
        """The pack's icon font."""
        folder = self.places.templates / "icons"
        return load_icon_font(
            folder,
            self.places.cache,
            self.places.format_path(folder),
            self.writes_fonts,
        )

    @cached_property
    def typefaces(self) -> PackFonts:
        """The fonts that the pack has of its own."""
        return load_pack_fonts(self.places, self.writes_fonts)

    @property
    def fonts(self) -> tuple[Path, ...]:
        """The pack's own font files, including the icon font."""
        if self.icons.path is None:
            return self.typefaces.paths
        return (self.icons.path, *self.typefaces.paths)

    @cached_property
    def content_hash(self) -> str:
        """A hash of what all faces of the pack depend on, except the engine."""
        pack = collect_pack_values(self.pack).hash_fields()
        return digest(hash_program(), pack, self.icons.hash, self.typefaces.hash)

    @cached_property
    def shared_hash(self) -> str:
        """A hash of what all faces of the pack depend on, including the engine."""
        return digest(hash_engine(self.engine), self.content_hash)

    def get_words(self, lang: str) -> TemplateWords:
        """Return the names and labels of the pack in a language."""
        if lang not in self._words:
            self._words[lang] = TemplateWords(self.pack, lang, self.icons.glyphs)
        return self._words[lang]

    def get_style(self, job: FaceJob) -> Style:
        """Return the style sheets and sizes for a face."""
        key = (job.kind, job.lang, job.variant)
        if key not in self._styles:
            kind = self.pack.manifest.kinds[job.kind]
            families = sorted(self.typefaces.families)
            self._styles[key] = load_style(
                self.places, job.kind, kind, job.lang, job.variant, families
            )
        return self._styles[key]

    def name_template(self, job: FaceJob) -> str:
        """Return the name of a face's template."""
        ending = "html.j2" if job.frame is None else "frame.html.j2"
        return f"{job.kind}/{job.side}.{ending}"

    def make_key(self, job: FaceJob) -> str:
        """Return the cache key of a face: a hash of everything it depends on."""
        key = digest(
            self.get_style(job).key, self.shared_hash, *self._list_key_parts(job)
        )
        return add_steps_to_key(key, job.min_steps)

    def make_html_key(self, job: FaceJob) -> str:
        """Return the cache key of a face's HTML, which does not depend on the engine."""
        return digest("html", *self._list_key_parts(job))

    def _list_key_parts(self, job: FaceJob) -> tuple[str, ...]:
        """Return everything that the HTML of a face depends on, except other cards."""
        values_hash = (
            self.hash_card(job.card, job.lang) if job.card else self._hash_frame(job)
        )
        template_hash = self.templates.hash(self.name_template(job))
        # Type sizes are not part of the HTML.
        job_without_sizes = replace(job, min_steps=()) if job.min_steps else job
        return self.content_hash, template_hash, repr(job_without_sizes), values_hash

    def _hash_frame(self, job: FaceJob) -> str:
        """Return a hash of the values that a frame or a common back can read."""
        if job.frame is None:
            return ""
        if job not in self._frame_hashes:
            self._frame_hashes[job] = digest(repr(self._find_frame_fields(job)))
        return self._frame_hashes[job]

    def find_frame_job(self, job: FaceJob) -> FaceJob:
        """Return the job that renders the frame below a face. Cards with equal values share it."""
        values: Frame = ()
        if job.card:
            if job.card not in self._framed:
                self._framed[job.card] = find_frame_values(
                    self.pack, job.kind, job.card
                )
            values = self._framed[job.card]
        face = (job.kind, job.side, job.lang, job.variant)
        # One object for all cards: equal frames would fill the memory.
        return self._frames.setdefault((*face, values), FaceJob(*face, frame=values))

    def has_frame(self, job: FaceJob) -> bool:
        """Return True if the face is printed on top of a frame."""
        return self.templates.exists(f"{job.kind}/{job.side}.frame.html.j2")

    def hash_card(self, card: str, lang: str) -> str:
        """Return a hash of a card's data in a language."""
        if (card, lang) not in self._hashes:
            self._hashes[card, lang] = collect_card_values(
                self.pack, self.pack.cards[card], lang
            ).hash_fields()
        return self._hashes[card, lang]

    def are_current(self, deps: Mapping[str, str], lang: str) -> bool:
        """Return True if the other cards and the files that a face uses have not changed."""
        return all(
            self._hash_dependency(name, lang) == value for name, value in deps.items()
        )

    def _hash_dependency(self, name: str, lang: str) -> str:
        """Return the current hash of another card ("card:ID") or of a file ("file:NAME")."""
        group, _unused, rest = name.partition(":")
        if group == "card":
            return self.hash_card(rest, lang) if rest in self.pack.cards else "none"
        return self._hash_file(rest)

    def _hash_file(self, name: str) -> str:
        """Return the hash of a file. It is stored, because faces share files."""
        if name not in self._file_hashes:
            self._file_hashes[name] = hash_pack_file(self.places, name)
        return self._file_hashes[name]

    def fill(self, job: FaceJob, key: str, findings: list[Finding]) -> FaceHtml | None:
        """Return the HTML of a face. None, with a finding, if its template is missing or broken."""
        name = self.name_template(job)
        template = self.places.format_path(self.places.templates / name)
        if self.templates.find(name) is None:
            message = _("the template {name} does not exist", name=name)
            findings.append(
                render_codes.NO_TEMPLATE.finding(message, Location(file=template))
            )
            return None
        try:
            html, cards = self._render_html(job, name)
        except Exception as error:
            findings.append(
                report_template_error(error, job.label, template, self.places)
            )
            return None
        for attribute, number, _offset in find_wide_spans(html):
            form = _("a cell spans {listed}; the maximum is {most}")
            what = _(form, listed=f'{attribute}="{number}"', most=MAX_CELL_SPAN)
            message = add_face_label(job.label, what)
            findings.append(
                render_codes.LIMITS.finding(message, Location(file=template))
            )
            return None
        deps = dict(cards)
        for source in _list_sources(html):
            deps[f"file:{source}"] = self._hash_file(source)
        return FaceHtml(
            key=key,
            html=self._wrap_face(job, html),
            label=job.label,
            card=job.card,
            file=self.file_of(job.card or "", job.lang) or template,
            template=template,
            deps=deps,
            min_steps=dict(job.min_steps),
        )

    def _render_html(self, job: FaceJob, name: str) -> tuple[str, Mapping[str, str]]:
        """Return a face's HTML, and the hashes of the other cards that it prints.

        It is cached: a change of a style sheet does not change it.
        """
        cache = cache_at(self.places.cache)
        key = self.make_html_key(job)
        cached_html = self._load_html(cache, key, job.lang)
        if cached_html is not None:
            return cached_html
        words = self.get_words(job.lang)
        # From here on, the words collect the cards that this face prints.
        words.used.clear()
        html = self.templates.render(name, self._make_context(job, words))
        other_cards = sorted(words.used - {job.card})
        deps = {f"card:{card}": self.hash_card(card, job.lang) for card in other_cards}
        cache.write(RESULTS, key, {**deps}, zlib.compress(html.encode(), 1))
        return html, deps

    def _load_html(
        self, cache: Cache, key: str, lang: str
    ) -> tuple[str, Mapping[str, str]] | None:
        """Return cached HTML, with the hashes of the other cards that it depends on.

        None if it is not cached, is damaged, or one of these cards changed.
        """
        stored = cache.value(RESULTS, key)
        if stored is None:
            return None
        deps = {name: str(value) for name, value in stored.items()}
        if not self.are_current(deps, lang):
            return None
        with suppress(zlib.error, UnicodeDecodeError):
            data = cache.data(RESULTS, key)
            if data:
                return zlib.decompress(data).decode(), deps
        return None

    def _make_context(self, job: FaceJob, words: TemplateWords) -> dict[str, object]:
        context: dict[str, object] = {
            "lang": job.lang,
            "pack": TemplateView({"id": words.pack.id, "name": words.pack_name}),
            "face": job.side,
            "variant": job.variant,
        }
        self.templates.use(words)
        faction = dict(job.frame or ()).get("faction")
        if job.card:
            card = self.pack.cards[job.card]
            faction = card.faction
            values = collect_card_values(self.pack, card, job.lang)
            context["card"] = make_card_view(values, words.pack, job.lang)
        elif job.frame is not None:
            fields = self._find_frame_fields(job)
            values_by_name = {
                name.split(".")[0]: value for name, value in fields.items()
            }
            context["card"] = TemplateView(values_by_name)
        context["faction"] = words.faction(faction)
        return context

    def _find_frame_fields(self, job: FaceJob) -> dict[str, object]:
        """Return the fields that a frame can read, from the first card that has this frame."""
        names = self.pack.manifest.kinds[job.kind].frame_by
        for card in self.pack.list_cards_of_kind(job.kind):
            if find_frame_values(self.pack, job.kind, card.id) == job.frame:
                fields = {name: card.get_field(name) for name in names}
                # A missing field is undefined in templates, and not None.
                return {
                    name: freeze_value(value)
                    for name, value in fields.items()
                    if value is not None
                }
        return {}

    def _wrap_face(self, job: FaceJob, html: str) -> str:
        """Return the HTML of a face inside its `section` element."""
        faction = dict(job.frame or ()).get("faction")
        if job.card:
            faction = self.pack.cards[job.card].faction
        classes = [
            "face",
            job.side,
            f"kind-{job.kind}",
            f"lang-{job.lang}",
            f"variant-{job.variant}",
        ]
        if faction:
            classes.append(f"faction-{faction}")
        if job.frame is not None:
            classes.append("frame")
        return f'<section class="{" ".join(classes)}">{html}</section>'


def _list_sources(html: str) -> list[str]:
    """Return the addresses of the files that the HTML of a face uses."""
    sources: set[str] = set()
    for pattern in _SOURCES:
        sources.update(pattern.findall(html))
    return sorted(source for source in sources if not source.startswith("data:"))


def find_frame_values(pack: Pack, kind: str, card: str) -> Frame:
    """Return the values of a card that its frame can read.

    Cards with equal values share a frame.
    """
    values: list[tuple[str, str]] = []
    for name in pack.manifest.kinds[kind].frame_by:
        value = pack.cards[card].get_field(name)
        values.append((name, "" if value is None else str(value)))
    return tuple(values)


def list_card_jobs(
    filler: TemplateFiller, card: Card, lang: str, variant: Variant
) -> list[FaceJob]:
    """Return everything to be rendered for a card: its faces, their frames, and a common back."""
    jobs: list[FaceJob] = []
    for side in filler.pack.manifest.kinds[card.kind].list_faces(card):
        jobs += list_layers(filler, card, side, lang, variant)
    return jobs


def list_layers(
    filler: TemplateFiller, card: Card, side: str, lang: str, variant: Variant
) -> list[FaceJob]:
    """Return what is printed on top of each other for one side of a card, the lowest first."""
    name: SideName = "back" if side == "back" else "front"
    common = name == "back" and filler.pack.manifest.kinds[card.kind].back == "common"
    face = FaceJob(card.kind, name, lang, variant, card=None if common else card.id)
    return [filler.find_frame_job(face), face] if filler.has_frame(face) else [face]
