"""A face has the same bytes alone and in company, so that a cold build repeats itself."""

from __future__ import annotations

import random

import pytest

from builder.geometry.boxes import make_face_boxes
from builder.model.pack import Size
from builder.packs.loading import load_pack
from builder.render.cache import FaceCache
from builder.render.engines.weasyprint.engine import WeasyPrint
from builder.render.engines.weasyprint.patches.widths import Widths
from builder.render.filling import list_card_jobs
from builder.render.jobs import Style
from builder.render.renderer import Renderer
from builder.render.workers import EngineSetup, open_engine
from builder.usecases.build.build_options import get_render_folders

COLD = True


def records(project, pack_id, order, langs):
    loaded = load_pack(project, pack_id)
    renderer = Renderer(loaded.pack, get_render_folders(project, pack_id), workers=1)
    jobs = [
        job
        for lang in langs
        for card in loaded.pack.cards.values()
        for job in list_card_jobs(renderer, card, lang, "full")
    ]
    random.Random(order).shuffle(jobs)
    faces = renderer.render(jobs).faces
    cache = FaceCache(project.cache_dir)
    return {job: cache.record(facts.key).dump() for job, facts in faces.items()}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("pack_id", "langs"), [("lanterns", ("en", "de")), ("brigade", ("fr", "en"))]
)
def test_faces_do_not_depend_on_their_company(
    request, tmp_path, monkeypatch, pack_id, langs
):
    project = request.getfixturevalue(pack_id)
    together = records(project, pack_id, 0, langs)
    for batch, order in ((1, 1), (3, 2)):
        project.cache_dir.rename(tmp_path / f"cache-{batch}")
        monkeypatch.setattr(
            "builder.render.renderer.choose_batch_size", lambda *_, size=batch: size
        )
        assert records(project, pack_id, order, langs) == together


TEXT = "вместо этого охотник сам подтягивается к ней. Ловушка. Gate, AVATAR, Tolstoy; 1234567890"
SHEET = (
    "@page{size:70mm "
    "40mm;margin:0}body{margin:0;font-family:Manrope}section+section{break-before:page}"
)


def last_of(project, *sections):
    """Return the record of the last of some pages."""
    spot = get_render_folders(project, "lanterns")
    engine = open_engine(EngineSetup(spot))
    assert isinstance(engine, WeasyPrint)
    style = Style(
        repr(sections),
        (("page", SHEET),),
        make_face_boxes(Size(width=70, height=40, bleed=0)),
        {},
        "ru",
    )
    return engine.draw_pages(
        style, [layout.page for layout in engine.lay_out_faces(style, sections)[0]]
    )[0][-1]


@pytest.mark.slow
@pytest.mark.parametrize("size", [6.5, 6.8, 7.2, 7.6, 8.4])
def test_a_letter_is_measured_by_its_file_and_not_by_its_first_use(lanterns, size):
    small, large = (
        f'<section style="font-size:{points}pt">{TEXT}</section>'
        for points in (size, 13.5)
    )
    assert last_of(lanterns, small).content == last_of(lanterns, large, small).content


GROUP = (
    '<svg viewBox="0 0 60 20"><g opacity="0.5"><text x="4" '
    'y="9">Marsh</text><rect '
    'width="9" '
    'height="9"/></g></svg>'
)


@pytest.mark.slow
@pytest.mark.parametrize("inside", [GROUP, '<div style="opacity:0.5">Marsh</div>'])
def test_a_drawing_within_a_face_keeps_nothing_of_its_company(lanterns, inside):
    face, other = (
        f"<section>{inside}</section>",
        f'<section style="font-weight:800">{TEXT}</section>',
    )
    alone = last_of(lanterns, face).dump()
    assert b"/Group" in alone
    assert last_of(lanterns, other, face).dump() == alone


def test_a_width_is_kept_once_it_was_asked_for():
    widths = Widths({0: 500, 1: 600})
    assert (1 in widths, widths[1], 5 in widths, dict(widths)) == (
        True,
        600,
        False,
        {1: 600},
    )
