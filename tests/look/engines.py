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
from builder.usecases.build.build_options import get_render_folders
from builder.usecases.build.typeset import TRIM, compose_face_pages
from tests.checks.projects import ROOT

ENGINES = ("weasyprint", "plutoprint")
DPI = 150
MAX_PIXEL_SHARE = 0.015
MIN_VISIBLE_STEP = 40
"""So many of 255 steps of grey are seen."""


@dataclass(frozen=True)
class FaceComparison:
    """One face: the share of differing pixels, shrinking blocks, and those of another size."""

    label: str
    pixels: float
    blocks: int
    resized_blocks: tuple[str, ...]


def list_card_jobs(renderer: Renderer, max_cards: int | None = None) -> list[FaceJob]:
    """Return all faces of a pack in all its languages.

    Of each kind only those of so many cards, where a number is given.
    """
    pack, jobs_in_order = renderer.pack, dict[FaceJob, None]()
    for kind, about in pack.manifest.kinds.items():
        for card in list(pack.list_cards_of_kind(kind))[:max_cards]:
            for lang in pack.manifest.languages.all:
                for side in about.faces:
                    jobs_in_order |= dict.fromkeys(
                        list_layers(renderer, card, side, lang, "full")
                    )
    return list(jobs_in_order)


def compare_engines(
    pack: Pack, cache: Path, max_cards: int | None = None
) -> Iterator[FaceComparison]:
    """Faces of a pack, set by both; those that lie in the cache are set already."""
    where = replace(get_render_folders(Project(ROOT), pack.id), cache=cache)
    renderers = [Renderer(pack, where, engine=engine) for engine in ENGINES]
    jobs = list_card_jobs(renderers[0], max_cards)
    first, second = (renderer.render(jobs) for renderer in renderers)
    rendered_jobs = [job for job in jobs if job in first.keys and job in second.keys]
    for start in range(0, len(rendered_jobs), 50):
        batch = rendered_jobs[start : start + 50]
        pictures = zip(
            *(draw_faces(renderer, batch) for renderer in renderers), strict=True
        )
        for job, (first_picture, second_picture) in zip(batch, pictures, strict=True):
            sizes = [
                {block.name: block for block in result.faces[job].blocks}
                for result in (first, second)
            ]
            yield FaceComparison(
                job.label,
                measure_difference(first_picture, second_picture),
                len(sizes[0]),
                tuple(list_resized_blocks(*sizes)),
            )
    yield from (
        FaceComparison(job.label, 1.0, 0, ("not set by both",))
        for job in jobs
        if job not in rendered_jobs
    )


def list_resized_blocks(
    first_blocks: dict[str, BlockFact], second_blocks: dict[str, BlockFact]
) -> Iterator[str]:
    """Blocks of another size."""
    for name, block in first_blocks.items():
        if name not in second_blocks or second_blocks[name].step != block.step:
            yield f"{name} {block.size:g} pt, {second_blocks[name].size if name in second_blocks else 0:g} pt"


def draw_faces(renderer: Renderer, jobs: Sequence[FaceJob]) -> list[Image.Image]:
    """Pictures of faces in grey."""
    keys = renderer.render(jobs).keys
    kinds = renderer.pack.manifest.kinds
    faces = [((keys[job],), kinds[job.kind].size) for job in jobs]
    with (
        compose_face_pages(renderer, TRIM, faces, "compared") as path,
        open_document(path) as document,
    ):
        return [page.render(scale=DPI / 72).to_pil().convert("L") for page in document]


def measure_difference(
    first_picture: Image.Image, second_picture: Image.Image
) -> float:
    """The share of pixels without an equal one in the other picture, there or one beside."""
    parts = []
    for picture, reference in (
        (first_picture, second_picture),
        (second_picture, first_picture),
    ):
        brighter = ImageChops.subtract(
            picture, reference.filter(ImageFilter.MaxFilter(3))
        )
        darker = ImageChops.subtract(
            reference.filter(ImageFilter.MinFilter(3)), picture
        )
        seen = ImageChops.lighter(brighter, darker).point(
            [255 * (step > MIN_VISIBLE_STEP) for step in range(256)]
        )
        parts.append(
            seen.histogram()[255] / (first_picture.width * first_picture.height)
        )
    return max(parts)


def main(pack_names: Sequence[str]) -> None:
    """Print what differs."""
    blocks = others = faces = outliers = 0
    for name in pack_names or Project(ROOT).list_packs():
        pack = load_pack(Project(ROOT), name).pack
        assert pack is not None
        with TemporaryDirectory() as folder:
            comparisons = list(compare_engines(pack, Path(folder)))
        for comparison in comparisons:
            if comparison.pixels > MAX_PIXEL_SHARE or comparison.resized_blocks:
                resized = "; ".join(comparison.resized_blocks)
                print(
                    f"{name}: {comparison.label}: {100 * comparison.pixels:.2f} % {resized}"
                )
        mean = (
            100
            * sum(comparison.pixels for comparison in comparisons)
            / len(comparisons)
        )
        print(
            f"{name}: {len(comparisons)} faces, {mean:.3f} % of pixels on average",
            flush=True,
        )
        faces, blocks = (
            faces + len(comparisons),
            blocks + sum(comparison.blocks for comparison in comparisons),
        )
        others += sum(len(comparison.resized_blocks) for comparison in comparisons)
        outliers += sum(
            comparison.pixels > MAX_PIXEL_SHARE for comparison in comparisons
        )
    print(
        f"{faces} faces, {outliers} differ in more than {100 * MAX_PIXEL_SHARE:g} % of their pixels"
    )
    print(f"{blocks} blocks, {others} of another size")


if __name__ == "__main__":
    main(sys.argv[1:])
