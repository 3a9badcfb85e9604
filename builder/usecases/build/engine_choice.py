"""Choose the engine that renders a pack, once per build. pack.yaml or a release may fix it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from pydantic import JsonValue

from builder.cache import Value, cache_at, fingerprint, installed
from builder.errata.snapshot import WORK, ReleaseEngine, Snapshot
from builder.errors import UsageError
from builder.files import find_files, read_limited
from builder.messages import gettext as _
from builder.model.base import get_map
from builder.model.engines import AUTO, EngineName
from builder.model.languages import get_text_direction
from builder.model.loaded import LoadedPack
from builder.model.pack import Pack
from builder.render.engines.complaints import Complaint
from builder.render.engines.plutoprint import unsupported
from builder.render.engines.support import is_measured, load_support
from builder.render.filling import TemplateFiller, list_card_jobs
from builder.render.jobs import FaceHtml, FaceJob, Places
from builder.roster.choice_keywords import add_choice_keywords
from builder.usecases.build.build_options import EngineChoice

CACHE_AREA = "engine"
MAX_SEARCHED_BYTES = 4_000_000
"""Bytes of a style sheet or drawing that is searched."""
Find: TypeAlias = Callable[[str], Iterator[Complaint]]
FINDERS: Mapping[str, Find] = {
    ".css": unsupported.find_in_style_sheet,
    ".svg": unsupported.find_in_drawing,
}
"""The functions that find unsupported features in a file, by the file's extension."""


@dataclass(frozen=True, slots=True)
class UnsupportedFeature:
    """A feature that PlutoPrint does not draw, and its place; line 0 if the line is unknown."""

    file: str
    line: int
    name: str


def with_engine(loaded: LoadedPack, engine: EngineName) -> LoadedPack:
    """Return the pack with an engine fixed."""
    manifest = loaded.whole.manifest.model_copy(update={"engine": engine})
    return replace(loaded, pack=replace(loaded.whole, manifest=manifest))


def get_fixed_engine(pack: Pack) -> EngineName:
    """Return the engine in the manifest of a pack, which must not be `auto`."""
    name = pack.manifest.engine
    assert name != AUTO
    return name


def fix_engine(places: Places, pack: Pack) -> Pack:
    """Return the pack with its engine fixed. If it is `auto`, choose one."""
    if pack.manifest.engine != AUTO:
        return pack
    engine = choose_engine(places, pack).engine
    return replace(pack, manifest=pack.manifest.model_copy(update={"engine": engine}))


def with_engine_of(pack: Pack, state: Snapshot) -> Snapshot:
    """Return a state with the engine of a pack."""
    return replace(state, engine=ReleaseEngine(name=get_fixed_engine(pack)))


def with_chosen_engine(
    places: Places, loaded: LoadedPack
) -> tuple[LoadedPack, EngineChoice | None]:
    """Return the pack with its engine fixed, and the choice.

    The choice is None if the pack fixes it.
    """
    if loaded.pack is None or loaded.pack.manifest.engine != AUTO:
        return loaded, None
    choice = choose_engine(places, loaded.pack)
    return with_engine(loaded, choice.engine), choice


def refuse_other_engine(
    loaded: LoadedPack, as_of: str | None, engine: str | None
) -> None:
    """Raise UsageError if a release is to be rendered with another engine than its own."""
    pack_engine = loaded.whole.manifest.engine
    if as_of not in (None, WORK) and engine not in (None, pack_engine):
        message = _(
            "{release} is rendered with {engine}", release=as_of, engine=pack_engine
        )
        raise UsageError(message, _("Omit --engine: a release keeps its engine."))


def choose_engine(places: Places, pack: Pack) -> EngineChoice:
    """Choose the engine for a whole pack, by all its files, cards and languages."""
    if installed("plutoprint") == "-":
        return EngineChoice("weasyprint", _("plutoprint is not installed"))
    for lang in pack.manifest.languages.all:
        if get_text_direction(lang) == "rtl":
            return EngineChoice(
                "plutoprint", _("language {lang} needs plutoprint", lang=lang)
            )
    if not is_measured("plutoprint"):
        version = installed("plutoprint")
        return EngineChoice(
            "weasyprint", _("plutoprint {version} was not tested", version=version)
        )
    feature = FeatureSearch(places, pack).find_first()
    if feature is None:
        return EngineChoice("plutoprint", _("it supports everything in the pack"))
    place = f"{feature.file}:{feature.line}" if feature.line else feature.file
    form = _("{place}: {feature} needs weasyprint")
    if load_support("weasyprint").is_declaration_dropped(
        feature.name.partition(":")[0], ()
    ):
        form = _("{place}: plutoprint does not support {feature}")
    return EngineChoice("weasyprint", _(form, place=place, feature=feature.name))


class FeatureSearch:
    """A search for the first feature of a pack that PlutoPrint does not draw.

    The cache remembers the result for each file and each face, so that only edited ones are read.
    """

    def __init__(self, places: Places, pack: Pack) -> None:
        self.places = places
        self.filler = TemplateFiller(
            add_choice_keywords(pack), places, writes_fonts=False
        )
        self.cache = cache_at(places.cache)
        self.made_by = [fingerprint("render/engines"), installed("plutoprint")]
        cached = self.cache.value(CACHE_AREA, pack.id) or {}
        if cached.get("made_by") != self.made_by:
            cached = {}
        self.cached_files = get_map(cached.get("files"))
        self.cached_faces = get_map(cached.get("faces"))
        self.files: dict[str, JsonValue] = {}
        self.faces: dict[str, JsonValue] = {}

    def find_first(self) -> UnsupportedFeature | None:
        """Return the first unsupported feature, or None if PlutoPrint draws everything."""
        feature = self._find_in_files() or self._find_in_faces()
        if (self.files, self.faces) != (self.cached_files, self.cached_faces):
            files, faces = self.files, self.faces
            if feature is not None:
                # The search ended early, so other files and faces keep their cached results.
                files = self.cached_files | files
                faces = self.cached_faces | faces
            value: Value = {"made_by": [*self.made_by], "files": files, "faces": faces}
            self.cache.write(CACHE_AREA, self.filler.pack.id, value)
        return feature

    def _find_in_files(self) -> UnsupportedFeature | None:
        """Return the first unsupported feature of the pack's style sheets and drawings."""
        patterns = ((self.places.templates, "**/*"), (self.places.data, "art/**/*"))
        for folder, pattern in patterns:
            if not folder.is_dir():
                continue
            for path in find_files(folder, pattern):
                find = FINDERS.get(path.suffix.lower())
                feature = self._find_in_file(path, find) if find is not None else None
                if feature is not None:
                    return feature
        return None

    def _find_in_file(self, path: Path, find: Find) -> UnsupportedFeature | None:
        file = self.places.format_path(path)
        status = path.stat()
        state: list[JsonValue] = [
            status.st_size,
            status.st_mtime_ns,
            status.st_ctime_ns,
        ]
        match self.cached_files.get(file):
            case [*cached_state, int(line), str(name)] if cached_state == state:
                pass  # the case has bound `line` and `name`
            case _:
                name, line = _find_first_feature(path, find)
        self.files[file] = [*state, line, name]
        return UnsupportedFeature(file, line, name) if name else None

    def _find_in_faces(self) -> UnsupportedFeature | None:
        """Return the first unsupported feature of the pack's filled templates, in all languages."""
        pack = self.filler.pack
        for lang in pack.manifest.languages.all:
            for card in pack.cards.values():
                for job in list_card_jobs(self.filler, card, lang, "full"):
                    feature = self._find_in_face(job)
                    if feature is not None:
                        return feature
        return None

    def _find_in_face(self, job: FaceJob) -> UnsupportedFeature | None:
        key = self.filler.make_html_key(job)
        if key in self.faces:  # a frame or a back that many cards share
            return None
        cards = self.cached_faces.get(key)
        if isinstance(cards, dict):
            # The key covers the template and the card, but not other cards whose texts it prints.
            digests = {name: str(value) for name, value in cards.items()}
            if self.filler.are_current(digests, job.lang):
                self.faces[key] = cards
                return None
        face = self.filler.fill(job, "", [])
        if face is None:  # the template is broken: the build reports it
            return None
        for complaint in unsupported.find_in_html(face.html):
            if complaint.feature:
                return self._find_line(face, complaint.feature)
        self.faces[key] = {
            name: value for name, value in face.deps.items() if name.startswith("card:")
        }
        return None

    def _find_line(self, face: FaceHtml, feature: str) -> UnsupportedFeature:
        """Return a feature of a filled template with its line in the template."""
        line = 0
        with suppress(OSError):
            text = (self.places.project / face.template).read_text("utf-8", "replace")
            # A feature is a declaration `name: value`, a `function()` or an `<element>`.
            offset = text.find(feature.partition(":")[0].strip("()<>"))
            if (
                offset >= 0
            ):  # a macro or a value of the card may have printed it instead
                line = text.count("\n", 0, offset) + 1
        return UnsupportedFeature(face.template, line, feature)


def _find_first_feature(path: Path, find: Find) -> tuple[str, int]:
    """Return the name and line of the first unsupported feature of a file.

    An empty name if there is none.

    Files that cannot be read or parsed have none: other checks report them.
    """
    # Deeply nested brackets end the parser.
    with suppress(OSError, RecursionError):
        text = read_limited(path, MAX_SEARCHED_BYTES).decode("utf-8", "replace")
        for complaint in find(text):
            if complaint.feature:
                line = complaint.at[0] if complaint.at else 0
                return complaint.feature, line
    return "", 0
