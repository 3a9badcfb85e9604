"""All faces of a pack as set drawings with addresses of their content: equal addresses print alike."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, TypeAlias

from builder.errata.snapshot import ReleaseEngine
from builder.findings import Finding
from builder.model.loaded import LoadedPack
from builder.model.pack import Size
from builder.model.profile import Profile
from builder.pdfinfo.pictures import hash_picture, render_pages
from builder.render.filling import layers, list_card_jobs
from builder.render.jobs import FaceFacts, FaceJob, Places, Variant
from builder.render.keys import digest
from builder.render.renderer import Renderer
from builder.roster.chosen import with_choice_keywords
from builder.usecases.build.build_options import EngineChoice, WorkerPool
from builder.usecases.build.engine_choice import with_chosen_engine
from builder.usecases.build.typeset import compose_face_pages

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

FaceName: TypeAlias = tuple[str, str, str]
"""Language, card, side."""

Stack: TypeAlias = tuple[str, ...]
BARE = Profile(
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
    """Set faces: for each the addresses of its layers' content, and where each drawing lies in the cache."""

    renderer: Renderer
    stacks: Mapping[FaceName, Stack]
    keys: Mapping[str, str]
    findings: tuple[Finding, ...]
    files: Mapping[str, Set[str]]
    """The files that each card's faces draw on, by card."""
    face_files: Mapping[FaceName, Set[str]]
    """The files that each face draws on."""

    def size(self, name: FaceName) -> Size:
        """The trimmed size of a face."""
        return self.renderer.pack.manifest.kinds[self.renderer.pack.cards[name[1]].kind].size

    def keep(self, names: Iterable[FaceName]) -> None:
        """Put the drawings of these faces into the cache under their content addresses, to be composed from there."""
        for address in dict.fromkeys(layer for name in names for layer in self.stacks[name]):
            if self.renderer.cache.facts(address) is None:
                self.renderer.cache.put(
                    FaceFacts(address, "kept"), self.renderer.cache.record(self.keys[address])
                )

    def pictures(self, names: Iterable[FaceName]) -> Iterator[Picture]:
        """These faces as pictures, in their order."""
        wanted = list(names)
        if wanted:
            self.keep(wanted)
            faces = [(self.stacks[name], self.size(name)) for name in wanted]
            with compose_face_pages(self.renderer, BARE, faces, "faces") as path:
                yield from render_pages(path)

    def digests(self, names: Collection[FaceName]) -> dict[FaceName, str]:
        """What tells these faces' pictures from others."""
        return {
            name: hash_picture(picture)
            for name, picture in zip(names, self.pictures(names), strict=True)
        }


def render_pack_faces(
    spots: Places, loaded: LoadedPack, langs: Iterable[str], workers: WorkerPool, variant: Variant = "full",
    only: Collection[str] | None = None,
) -> PackFaces:  # fmt: skip
    """Set every face of a pack in these languages, of some cards `only` if they are named. A face that cannot be set is
    missing, with its findings.
    """
    loaded = with_chosen_engine(spots, loaded)[0]
    pack = with_choice_keywords(loaded.whole)
    renderer = Renderer(pack, spots, workers=workers.count, shared=workers.shared)
    wanted = [
        (lang, card)
        for lang in langs
        for card in pack.cards.values()
        if only is None or card.id in only
    ]
    rendered = renderer.render(
        [job for lang, card in wanted for job in list_card_jobs(renderer, card, lang, variant)],
        workers.progress,
    )
    keys = dict.fromkeys(facts.key for facts in rendered.faces.values())
    address = {key: sha256(renderer.cache.record(key).dump()).hexdigest() for key in keys}
    stacks: dict[FaceName, Stack] = {}
    files: dict[str, set[str]] = {}
    face_files: dict[FaceName, set[str]] = {}
    for lang, card in wanted:
        for side in pack.manifest.kinds[card.kind].faces:
            found = [rendered.faces.get(job) for job in layers(renderer, card, side, lang, variant)]
            set_layers = [facts for facts in found if facts is not None]
            if len(set_layers) == len(found):
                stacks[lang, card.id, side] = tuple(address[facts.key] for facts in set_layers)
            names = {
                name for facts in set_layers for name in facts.deps if name.startswith("file:")
            }
            face_files[lang, card.id, side] = {name.removeprefix("file:") for name in names}
            files.setdefault(card.id, set()).update(face_files[lang, card.id, side])
    keys_by_content = {content: key for key, content in address.items()}
    return PackFaces(renderer, stacks, keys_by_content, rendered.findings, files, face_files)


MADE_BY, SHAPES, ENGINE = "rasteriser", "shapes 1", "engine"
"""Entries of faces.json: what made the digests, its value where no pixels were taken, and the engine."""


@dataclass(frozen=True, slots=True)
class PrintProof:
    """The print of a pack: a digest of every face by `lang/card/side`, the findings, and the engine."""

    digests: Mapping[str, str]
    findings: tuple[Finding, ...]
    engine: ReleaseEngine | None = None
    engine_choice: EngineChoice | None = None


ProvePrint: TypeAlias = Callable[[LoadedPack], PrintProof]


def shape_digests(
    renderer: Renderer, names: Iterable[FaceName]
) -> tuple[dict[FaceName, str], tuple[Finding, ...]]:
    """What tells the faces from others without setting them: templates filled in, styles, files drawn on, fonts."""
    findings: list[Finding] = []
    drawn: dict[FaceJob, str] = {}
    found, fonts = {}, (renderer.icons.hash, renderer.typefaces.hash)
    for lang, card, side in names:
        jobs = layers(renderer, renderer.pack.cards[card], side, lang, "full")
        for job in jobs:
            if job not in drawn and (filled := renderer.fill(job, "", findings)) is not None:
                files = (
                    f"{name} {value}"
                    for name, value in filled.deps.items()
                    if name.startswith("file:")
                )
                drawn[job] = digest(filled.html, renderer.style(job).key, *fonts, *files)
        if all(job in drawn for job in jobs):
            found[lang, card, side] = digest(*(drawn[job] for job in jobs))
    return found, tuple(dict.fromkeys(findings))


def named_digests(digests: Mapping[FaceName, str], made_by: str, engine: str) -> dict[str, str]:
    """Return digests as a release stores them, with entries for what made them and for the engine."""
    named = {"/".join(name): digest for name, digest in digests.items()}
    return {**named, MADE_BY: made_by, ENGINE: engine} if named else {}
