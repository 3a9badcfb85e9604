"""Patches of speed may only save time: faces must come out the same with and without them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from builder.render.cache import FaceCache
from builder.render.jobs import FaceFacts, FaceJob
from builder.render.renderer import Renderer
from builder.store.packs import load_pack
from builder.store.project import Project
from builder.usecases.build.options import places
from builder.usecases.build.typeset import jobs_of

pytestmark = pytest.mark.slow
COLD = True

REPOSITORY = Path(__file__).resolve().parents[5]


PACKS = sorted(path.name for path in (REPOSITORY / "cards").iterdir())


def jobs_in(renderer: Renderer, few: bool, alone: bool) -> list[list[FaceJob]]:
    """All faces of each card in each language; of a real pack those of one card a kind, in its languages by turns, and
    `alone` in the first of them.
    """
    langs = renderer.pack.manifest.languages.all
    cards = {card.kind: card for card in renderer.pack.cards.values()} if few else renderer.pack.cards
    pairs = [
        (card, lang)
        for place, card in enumerate(cards.values())
        for turn, lang in enumerate(langs)
        if not few or turn == place % len(langs)
    ]
    return [jobs_of(renderer, card, lang, "full") for card, lang in pairs if not alone or lang == langs[0]]


def records(
    project: Project, pack_id: str, *, lean: bool, alone: bool = False, few: bool = False
) -> dict[FaceJob, bytes]:
    """Every face as it was set, in one go or each card by itself: its faces agree on sizes."""
    engine = "weasyprint" if lean else "weasyprint-plain"
    renderer = Renderer(load_pack(project, pack_id).pack, places(project, pack_id), workers=1, engine=engine)
    shutil.rmtree(renderer.places.cache, ignore_errors=True)
    jobs = jobs_in(renderer, few, alone)
    faces: dict[FaceJob, FaceFacts] = {}
    for part in jobs if alone else [[job for each in jobs for job in each]]:
        faces |= renderer.render(part).faces
    cache = FaceCache(renderer.places.cache)
    return {job: cache.record(facts.key).dump() for job, facts in faces.items()}


@pytest.mark.parametrize("pack_id", ["lanterns", "brigade"])
def test_faces_are_the_same_with_and_without(request, pack_id):
    project = request.getfixturevalue(pack_id)
    assert records(project, pack_id, lean=True) == records(project, pack_id, lean=False)


@pytest.mark.parametrize("pack_id", PACKS)
def test_faces_of_every_kind_are_the_same_with_and_without(tmp_path, pack_id):
    """In its languages, and whatever was set before in this process; then, in one, each card by itself."""
    for part in (f"cards/{pack_id}", "schemas", "templates"):
        shutil.copytree(REPOSITORY / part, tmp_path / part)
    wanted = records(Project(tmp_path), pack_id, lean=False, few=True)
    assert len(wanted) > 1
    assert records(Project(tmp_path), pack_id, lean=True, few=True) == wanted
    assert records(Project(tmp_path), pack_id, lean=True, few=True, alone=True).items() <= wanted.items()
