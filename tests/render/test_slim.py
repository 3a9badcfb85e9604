"""The slim style sheet may only save time: pages must come out the same as with the engine's own."""

from __future__ import annotations

import pytest

from builder.render import slim
from builder.render.cache import FaceCache
from builder.render.press import Press
from builder.store.packs import load_pack
from builder.usecases.compose import jobs_of
from builder.usecases.setting import places

pytestmark = pytest.mark.slow


def records(project, pack_id, *, lean: bool):
    loaded = load_pack(project, pack_id)
    press = Press(loaded.pack, places(project, pack_id), workers=1, slim=lean)
    jobs = [job for card in loaded.pack.cards.values() for job in jobs_of(press, card, "en", "full")]
    faces = press.press(jobs).faces
    cache = FaceCache(project.cache_dir)
    return {job: cache.record(facts.key).dump() for job, facts in faces.items()}


def test_the_slim_sheet_is_made_for_the_installed_engine():
    assert slim.available()


@pytest.mark.parametrize("pack_id", ["lanterns", "brigade"])
def test_faces_are_the_same_with_and_without(request, pack_id):
    project = request.getfixturevalue(pack_id)
    assert records(project, pack_id, lean=True) == records(project, pack_id, lean=False)


def test_another_engine_gets_its_own_sheet(monkeypatch):
    import weasyprint

    monkeypatch.setattr(slim, "TRIED_WITH", "0.0")
    slim.html_class.cache_clear()
    assert slim.html_class(True) is weasyprint.HTML
    slim.html_class.cache_clear()
