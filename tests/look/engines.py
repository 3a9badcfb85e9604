"""Faces of the packs set by both engines, side by side.

How many pixels differ, which sizes were chosen.

`python -m tests.look.engines [PACK ...]` sets every face in every language and prints totals, and
each face that differs in more than `MOST` of its pixels, or in a size.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image, ImageChops, ImageFilter

from builder.model.pack import Pack
from builder.packs.loading import load_pack
from builder.packs.project import Project
from builder.render.filling import list_layers
from builder.render.jobs import BlockFact, FaceJob
from builder.render.prepress.raster import open_document
from builder.render.renderer import Renderer
from builder.usecases.build.build_options import make_places
from builder.usecases.build.screens import TRIM
from builder.usecases.build.typeset import compose_face_pages
from tests.checks.projects import ROOT

ENGINES = ("weasyprint", "plutoprint")
DPI = 150
MOST = 0.015
NOTICED = 40
"""So many of 255 steps of grey are seen."""


@dataclass(frozen=True)
class Compared:
    """One face: the share of differing pixels, shrinking blocks, and those of another size."""

    label: str
    pixels: float
    blocks: int
    other: tuple[str, ...]


def list_card_jobs(renderer: Renderer, most: int | None = None) -> list[FaceJob]:
    """Return all faces of a pack in all its languages.

    Of each kind only those of so many cards, where a number is given.
    """
    pack, found = renderer.pack, dict[FaceJob, None]()
    for kind, about in pack.manifest.kinds.items():
        for card in list(pack.list_cards_of_kind(kind))[:most]:
            for lang in pack.manifest.languages.all:
                for side in about.faces:
                    found |= dict.fromkeys(list_layers(renderer, card, side, lang, "full"))
    return list(found)


def compared(pack: Pack, cache: Path, most: int | None = None) -> Iterator[Compared]:
    """Faces of a pack, set by both; those that lie in the cache are set already."""
    where = replace(make_places(Project(ROOT), pack.id), cache=cache)
    both = [Renderer(pack, where, engine=engine) for engine in ENGINES]
    jobs = list_card_jobs(both[0], most)
    first, second = (renderer.render(jobs) for renderer in both)
    wanted = [job for job in jobs if job in first.keys and job in second.keys]
    for start in range(0, len(wanted), 50):
        some = wanted[start : start + 50]
        pictures = zip(*(drawn(renderer, some) for renderer in both), strict=True)
        for job, (one, other) in zip(some, pictures, strict=True):
            sizes = [
                {block.name: block for block in made.faces[job].blocks} for made in (first, second)
            ]
            yield Compared(job.label, differing(one, other), len(sizes[0]), tuple(changed(*sizes)))
    yield from (
        Compared(job.label, 1.0, 0, ("not set by both",)) for job in jobs if job not in wanted
    )


def changed(one: dict[str, BlockFact], other: dict[str, BlockFact]) -> Iterator[str]:
    """Blocks of another size."""
    for name, block in one.items():
        if name not in other or other[name].step != block.step:
            yield f"{name} {block.size:g} pt, {other[name].size if name in other else 0:g} pt"


def drawn(renderer: Renderer, jobs: Sequence[FaceJob]) -> list[Image.Image]:
    """Pictures of faces in grey."""
    keys = renderer.render(jobs).keys
    kinds = renderer.pack.manifest.kinds
    faces = [((keys[job],), kinds[job.kind].size) for job in jobs]
    with (
        compose_face_pages(renderer, TRIM, faces, "compared") as path,
        open_document(path) as document,
    ):
        return [page.render(scale=DPI / 72).to_pil().convert("L") for page in document]


def differing(one: Image.Image, other: Image.Image) -> float:
    """The share of pixels without an equal one in the other picture, there or one beside."""
    parts = []
    for here, there in ((one, other), (other, one)):
        above = ImageChops.subtract(here, there.filter(ImageFilter.MaxFilter(3)))
        below = ImageChops.subtract(there.filter(ImageFilter.MinFilter(3)), here)
        seen = ImageChops.lighter(above, below).point(
            [255 * (step > NOTICED) for step in range(256)]
        )
        parts.append(seen.histogram()[255] / (one.width * one.height))
    return max(parts)


def main(chosen: Sequence[str]) -> None:
    """Print what differs."""
    blocks = others = faces = outliers = 0
    for name in chosen or Project(ROOT).list_packs():
        pack = load_pack(Project(ROOT), name).pack
        assert pack is not None
        with TemporaryDirectory() as folder:
            found = list(compared(pack, Path(folder)))
        for each in found:
            if each.pixels > MOST or each.other:
                print(f"{name}: {each.label}: {100 * each.pixels:.2f} % {'; '.join(each.other)}")
        mean = 100 * sum(each.pixels for each in found) / len(found)
        print(f"{name}: {len(found)} faces, {mean:.3f} % of pixels on average", flush=True)
        faces, blocks = faces + len(found), blocks + sum(each.blocks for each in found)
        others += sum(len(each.other) for each in found)
        outliers += sum(each.pixels > MOST for each in found)
    print(f"{faces} faces, {outliers} differ in more than {100 * MOST:g} % of their pixels")
    print(f"{blocks} blocks, {others} of another size")


if __name__ == "__main__":
    main(sys.argv[1:])
