"""Measure the type sizes and the empty bands of a pack's rendered cards."""

from collections import Counter
from collections.abc import Iterable, Mapping

from builder.findings import Finding, has_errors
from builder.geometry.boxes import FaceBoxes
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.render.filling import list_layers
from builder.render.jobs import FaceJob
from builder.render.painting import MM_PER_POINT, count_characters, read_painting
from builder.render.prepress.empty_bands import measure_tallest_band
from builder.render.prepress.raster import open_document
from builder.render.renderer import Renderer
from builder.render.sheets.sheets import Stack
from builder.report.fit import FitReport
from builder.report.type_sizes import EmptyBand, KindSizes
from builder.usecases.build.build_options import Selection, WorkerPool
from builder.usecases.build.typeset import (
    TRIM,
    RenderedCards,
    compose_face_pages,
    list_fit_blocks,
    render_cards,
)
from builder.usecases.pack_states import load_pack_as_of

PIXELS_PER_MM = 4


def measure_sizes(
    project: Project, pack_id: str, select: Selection, workers: WorkerPool
) -> tuple[tuple[KindSizes, ...], tuple[Finding, ...]]:
    """Return the sizes of each kind and language of the selected cards, and the findings."""
    loaded = load_pack_as_of(PackFiles(project), pack_id, select.as_of)
    if loaded.pack is None or has_errors(loaded.findings):
        return (), loaded.findings
    rendered_cards = render_cards(project, loaded, select, workers)
    renderer = rendered_cards.renderer
    kinds: dict[tuple[str, str], KindSizes] = {}
    for lang in rendered_cards.orders:
        faces = _list_faces(rendered_cards, lang, select)
        for job, band in _measure_bands(renderer, faces):
            key = (job.kind, lang)
            if key not in kinds:
                declared_size = renderer.pack.manifest.kinds[job.kind].get_body_size(
                    lang
                )
                kinds[key] = KindSizes(job.kind, lang, declared_size)
            kinds[key].bands.append(band)
            for layer_key in faces[job]:
                kinds[key].letters_by_size += _count_letters(renderer, layer_key)
    report = FitReport(pack_id, list_fit_blocks(rendered_cards))
    for block in report.blocks:
        if not block.heading and (block.kind, block.lang) in kinds:
            kinds[block.kind, block.lang].blocks.append(block)
    return tuple(kinds.values()), rendered_cards.rendered.findings


def _list_faces(
    rendered_cards: RenderedCards, lang: str, select: Selection
) -> dict[FaceJob, Stack]:
    """Return the layers of each printed face. Leave out faces that could not be rendered."""
    renderer, keys = rendered_cards.renderer, rendered_cards.rendered.keys
    faces: dict[FaceJob, Stack] = {}
    for card in rendered_cards.list_cards(lang):
        for side in renderer.pack.manifest.kinds[card.kind].list_faces(card):
            layers = list_layers(renderer, card, side, lang, select.variant)
            if all(job in keys for job in layers):
                faces[layers[-1]] = tuple(keys[job] for job in layers)
    return faces


def _measure_bands(
    renderer: Renderer, faces: Mapping[FaceJob, Stack]
) -> Iterable[tuple[FaceJob, EmptyBand]]:
    """Yield each face with its tallest empty band inside the safe area."""
    kinds = renderer.pack.manifest.kinds
    stacks = [(stack, kinds[job.kind].size) for job, stack in faces.items()]
    with (
        compose_face_pages(renderer, TRIM, stacks, "faces") as path,
        open_document(path) as document,
    ):
        for index, job in enumerate(faces):
            page = document[index]
            image = page.render(scale=PIXELS_PER_MM * MM_PER_POINT).to_pil()
            # The pages of a large pack do not fit in memory together.
            page.close()
            boxes = renderer.get_style(job).boxes
            # Outside the safe area, frames are empty on purpose.
            row_count = measure_tallest_band(image.crop(_find_safe_pixels(boxes)))
            share = row_count / PIXELS_PER_MM / boxes.trim.height
            yield job, EmptyBand(f"{job.card or job.kind} {job.side}", share)


def _find_safe_pixels(boxes: FaceBoxes) -> tuple[int, int, int, int]:
    """Return the edges of the safe area on a picture of the trimmed face."""
    safe, trim = boxes.safe, boxes.trim

    def to_pixels(mm: float) -> int:
        return round(mm * PIXELS_PER_MM)

    return (
        to_pixels(safe.x - trim.x),
        to_pixels(safe.y - trim.y),
        to_pixels(safe.right - trim.x),
        to_pixels(safe.bottom - trim.y),
    )


def _count_letters(renderer: Renderer, key: str) -> Counter[float]:
    """Return the number of letters of a layer by type size in pt."""
    counts: Counter[float] = Counter()
    for run in read_painting(renderer.cache.record(key)).runs:
        counts[round(run.size / MM_PER_POINT, 1)] += count_characters(run.text)
    return counts
