"""Render all faces of a pack. Faces with equal content addresses print the same."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from builder.errata.snapshot import FACES_ENGINE, FACES_PROGRAM, ReleaseEngine
from builder.findings import Finding
from builder.model.loaded import LoadedPack
from builder.model.pack import Size
from builder.model.profile import Profile
from builder.pdfinfo.pictures import hash_picture, render_pages
from builder.render.filling import list_layers
from builder.render.jobs import FaceFacts, FaceHtml, FaceJob, Places, Variant
from builder.render.keys import digest
from builder.render.renderer import Renderer, RenderResult, merge_drafts
from builder.roster.choice_keywords import add_choice_keywords
from builder.usecases.build.build_options import EngineChoice, WorkerPool
from builder.usecases.build.engine_choice import with_chosen_engine
from builder.usecases.build.typeset import compose_face_pages

if TYPE_CHECKING:
    from PIL.Image import Image as Picture


class FaceName(NamedTuple):
    """The key of a face: its language, its card's id, and its side."""

    lang: str
    card: str
    side: str


Stack: TypeAlias = tuple[str, ...]
"""Content addresses of the layers of a face, the lowest first."""
FILE_DEPENDENCY = "file:"
"""The prefix of a face's dependencies that are files."""
TRIMMED_FACES = Profile(
    id="bare",
    name={"en": "Bare faces"},
    layout="pages",
    bleed=0,
    marks=None,
    check_line=0,
    label=False,
)
"""One face a page, cut to its trim."""


@dataclass(frozen=True)
class PackFaces:
    """The rendered faces of a pack.

    `stacks` has the content addresses of each face's layers, `keys` the cache key of each content
    address, and `face_files` the files that each face draws. `is_draft` is True if faces are
    among them that do not fit.
    """

    renderer: Renderer
    stacks: Mapping[FaceName, Stack]
    keys: Mapping[str, str]
    findings: tuple[Finding, ...]
    face_files: Mapping[FaceName, Set[str]]
    is_draft: bool = False

    def find_size(self, name: FaceName) -> Size:
        """Return the trimmed size of a face."""
        pack = self.renderer.pack
        card = pack.cards[name.card]
        return pack.manifest.kinds[card.kind].size

    def cache_by_content(self, names: Iterable[FaceName]) -> None:
        """Cache the drawings of these faces under their content addresses for composition."""
        cache = self.renderer.cache
        for name in names:
            for address in self.stacks[name]:
                if cache.facts(address) is None:
                    drawing = cache.record(self.keys[address])
                    cache.store_face(FaceFacts(address, "kept"), drawing)

    def render_pictures(self, names: Iterable[FaceName]) -> Iterator[Picture]:
        """Yield the pictures of these faces in their order."""
        listed_names = list(names)
        if not listed_names:
            return
        self.cache_by_content(listed_names)
        faces = [(self.stacks[name], self.find_size(name)) for name in listed_names]
        with compose_face_pages(self.renderer, TRIMMED_FACES, faces, "faces") as path:
            yield from render_pages(path)

    def hash_pictures(self, names: Collection[FaceName]) -> dict[FaceName, str]:
        """Return a digest of each face's pixels."""
        # The pictures come one by one: all of them together do not fit in memory.
        pictures = self.render_pictures(names)
        return {
            name: hash_picture(picture)
            for name, picture in zip(names, pictures, strict=True)
        }


@dataclass(frozen=True, slots=True)
class FaceSelection:
    """The faces of a pack to render: all cards, or those with the ids `only`.

    With `drafts`, faces that do not fit are drawn, too.
    """

    langs: tuple[str, ...]
    variant: Variant = "full"
    only: Collection[str] | None = None
    drafts: bool = False


def render_pack_faces(
    places: Places, loaded: LoadedPack, selection: FaceSelection, workers: WorkerPool
) -> PackFaces:
    """Render faces of a pack. A face with an error is missing, and the findings say why."""
    loaded = with_chosen_engine(places, loaded)[0]
    pack = add_choice_keywords(loaded.whole)
    renderer = Renderer(
        pack,
        places,
        workers=workers.count,
        shared=workers.shared,
        draws_drafts=selection.drafts,
    )
    layer_jobs = _list_layer_jobs(renderer, selection)
    jobs: list[FaceJob] = []
    for layers in layer_jobs.values():
        jobs += layers
    rendered = renderer.render(jobs, workers.progress)
    if rendered.drafts:
        rendered = merge_drafts(renderer, rendered)
    addresses = _hash_records(renderer, rendered)
    stacks: dict[FaceName, Stack] = {}
    face_files: dict[FaceName, Set[str]] = {}
    for name, layers in layer_jobs.items():
        facts = [rendered.faces[job] for job in layers if job in rendered.faces]
        # Without one of its layers, a face would print only a part of the card.
        if len(facts) == len(layers):
            stacks[name] = tuple(addresses[rendered.keys[job]] for job in layers)
        face_files[name] = _find_drawn_files(facts)
    keys_by_address = {address: key for key, address in addresses.items()}
    is_draft = bool(rendered.drafts)
    return PackFaces(
        renderer, stacks, keys_by_address, rendered.findings, face_files, is_draft
    )


def _list_layer_jobs(
    renderer: Renderer, selection: FaceSelection
) -> dict[FaceName, list[FaceJob]]:
    """Return the layers of each printed face."""
    pack = renderer.pack
    layer_jobs: dict[FaceName, list[FaceJob]] = {}
    for lang in selection.langs:
        for card in pack.cards.values():
            if selection.only is not None and card.id not in selection.only:
                continue
            for side in pack.manifest.kinds[card.kind].list_faces(card):
                layers = list_layers(renderer, card, side, lang, selection.variant)
                layer_jobs[FaceName(lang, card.id, side)] = layers
    return layer_jobs


def _hash_records(renderer: Renderer, rendered: RenderResult) -> dict[str, str]:
    """Return the content address of each drawing by its cache key."""
    addresses: dict[str, str] = {}
    for key in rendered.keys.values():
        if key not in addresses:
            addresses[key] = sha256(renderer.cache.record(key).dump()).hexdigest()
    return addresses


def _find_drawn_files(layers: Iterable[FaceFacts]) -> Set[str]:
    """Return the names of the files that the layers of a face draw."""
    names: set[str] = set()
    for facts in layers:
        names.update(name for name in facts.deps if name.startswith(FILE_DEPENDENCY))
    return {name.removeprefix(FILE_DEPENDENCY) for name in names}


MADE_BY, SHAPES, ENGINE = FACES_PROGRAM, "shapes 1", FACES_ENGINE
"""Entries of faces.json: what made the digests, its value where no pixels were taken, and the
engine.
"""


@dataclass(frozen=True, slots=True)
class PrintProof:
    """The proof that a pack can be printed.

    It has a digest of each face by `lang/card/side`, the findings, and the engine.
    """

    digests: Mapping[str, str]
    findings: tuple[Finding, ...]
    engine: ReleaseEngine | None = None
    engine_choice: EngineChoice | None = None


ProvePrint: TypeAlias = Callable[[LoadedPack], PrintProof]


def hash_shapes(
    renderer: Renderer, names: Iterable[FaceName]
) -> tuple[dict[FaceName, str], tuple[Finding, ...]]:
    """Return a digest of each face's inputs, without rendering, and the findings.

    The inputs are filled templates, styles, files and fonts.
    """
    findings: list[Finding] = []
    layer_hashes: dict[FaceJob, str] = {}
    shapes: dict[FaceName, str] = {}
    for name in names:
        card = renderer.pack.cards[name.card]
        jobs = list_layers(renderer, card, name.side, name.lang, "full")
        for job in jobs:
            # Many cards share the layers of a common frame or back.
            if job not in layer_hashes:
                filled = renderer.fill(job, "", findings)
                if filled is not None:
                    layer_hashes[job] = _hash_layer(renderer, job, filled)
        # A face whose template cannot be filled has findings instead of a digest.
        if all(job in layer_hashes for job in jobs):
            shapes[name] = digest(*(layer_hashes[job] for job in jobs))
    return shapes, tuple(dict.fromkeys(findings))


def _hash_layer(renderer: Renderer, job: FaceJob, filled: FaceHtml) -> str:
    fonts = (renderer.icons.hash, renderer.typefaces.hash)
    files = [
        f"{name} {value}"
        for name, value in filled.deps.items()
        if name.startswith(FILE_DEPENDENCY)
    ]
    return digest(filled.html, renderer.get_style(job).key, *fonts, *files)


def name_digests(
    digests: Mapping[FaceName, str], made_by: str, engine: str
) -> dict[str, str]:
    """Return digests as a release stores them, with entries for sources and engine."""
    if not digests:
        return {}
    digests_by_path = {"/".join(name): digest for name, digest in digests.items()}
    return {**digests_by_path, MADE_BY: made_by, ENGINE: engine}
