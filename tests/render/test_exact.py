"""A face has the same bytes alone and in company, so that a cold build repeats itself."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from builder.model.pack import Size
from builder.render import pool
from builder.render import press as press_module
from builder.render.cache import FaceCache
from builder.render.engine import Engine
from builder.render.exact import Widths
from builder.render.jobs import FaceHtml, Style
from builder.render.press import Press
from builder.store.packs import load_pack
from builder.usecases.compose import jobs_of
from builder.usecases.setting import places


def records(project, pack_id, order, langs):
    loaded = load_pack(project, pack_id)
    press = Press(loaded.pack, places(project, pack_id), workers=1)
    jobs = [job for lang in langs for card in loaded.pack.cards.values() for job in jobs_of(press, card, lang, "full")]
    random.Random(order).shuffle(jobs)
    faces = press.press(jobs).faces
    cache = FaceCache(project.cache_dir)
    return {job: cache.record(facts.key).dump() for job, facts in faces.items()}


@pytest.mark.slow
@pytest.mark.parametrize(("pack_id", "langs"), [("lanterns", ("en", "de")), ("brigade", ("fr", "en"))])
def test_faces_do_not_depend_on_their_company(request, tmp_path, monkeypatch, pack_id, langs):
    project = request.getfixturevalue(pack_id)
    together = records(project, pack_id, 0, langs)
    for batch, order in ((1, 1), (3, 2)):
        project.cache_dir.rename(tmp_path / f"cache-{batch}")
        monkeypatch.setattr(press_module, "BATCH", batch)
        assert records(project, pack_id, order, langs) == together


TEXT = "вместо этого охотник сам подтягивается к ней. Ловушка. Gate, AVATAR, Tolstoy; 1234567890"
SHEET = "@page{size:70mm 40mm;margin:0}body{margin:0;font-family:Manrope}"


@pytest.mark.slow
@pytest.mark.parametrize("size", [6.5, 6.8, 7.2, 7.6, 8.4])
def test_a_letter_is_measured_by_its_file_and_not_by_its_first_use(lanterns, size):
    spot = places(lanterns, "lanterns")
    pool.start(spot, None, True)
    engine = Engine(spot)
    engine.start()
    style = Style(f"exact-{size}", (("page", SHEET),), Size(width=70, height=40, bleed=0), {}, "ru")

    def page(points: float) -> FaceHtml:
        return FaceHtml("", f'<section style="font-size:{points}pt">{TEXT}</section>', "", None, "")

    def drawn(*sizes: float) -> bytes:
        pages = [(page(points) if index == 0 else _on_new_page(page(points)), {}) for index, points in enumerate(sizes)]
        laid = engine.lay(style, pages)
        return engine.draw(style, laid, range(len(laid.measured)))[0][-1].content

    assert drawn(size) == drawn(13.5, size)


GROUP = '<svg viewBox="0 0 60 20"><g opacity="0.5"><text x="4" y="9">Marsh</text><rect width="9" height="9"/></g></svg>'


@pytest.mark.slow
def test_a_drawing_within_a_face_keeps_nothing_of_its_company(lanterns):
    spot = places(lanterns, "lanterns")
    pool.start(spot, None, True)
    engine = Engine(spot)
    engine.start()
    style = Style("group", (("page", SHEET),), Size(width=70, height=40, bleed=0), {}, "en")

    def drawn(*bodies: str) -> bytes:
        pages = [FaceHtml("", f'<section style="font-weight:400">{body}</section>', "", None, "") for body in bodies]
        laid = engine.lay(style, [(_on_new_page(page) if index else page, {}) for index, page in enumerate(pages)])
        return engine.draw(style, laid, range(len(laid.measured)))[0][-1].dump()

    alone = drawn(GROUP)
    assert b"/Group" in alone
    assert drawn(f"<b>{TEXT}</b>", GROUP) == alone


def _on_new_page(face: FaceHtml) -> FaceHtml:
    return replace(face, html=face.html.replace('style="', 'style="break-before:page;'))


def test_a_width_is_kept_once_it_was_asked_for():
    widths = Widths((500, 600))
    assert (1 in widths, widths[1], 5 in widths, dict(widths)) == (True, 600, False, {1: 600})
