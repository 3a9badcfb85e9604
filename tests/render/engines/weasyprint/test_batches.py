"""A face has the same drawing alone and in a batch, whatever its process set before."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from builder.packs.loading import load_pack
from builder.packs.project import Project
from builder.render.cache import FaceCache
from builder.render.filling import list_card_jobs
from builder.render.jobs import FaceFacts, FaceJob
from builder.render.renderer import Renderer
from builder.usecases.build.build_options import get_render_folders
from tests.house.source import ROOT

pytestmark = pytest.mark.slow
COLD = True

PACKS = sorted(path.name for path in (ROOT / "cards").iterdir())


def list_jobs(renderer: Renderer) -> list[list[FaceJob]]:
    """List the faces of one card of each kind, in the languages of the pack by turns."""
    langs = renderer.pack.manifest.languages.all
    cards = {card.kind: card for card in renderer.pack.cards.values()}
    return [
        list_card_jobs(renderer, card, langs[index % len(langs)], "full")
        for index, card in enumerate(cards.values())
    ]


def render_pack_faces(
    project: Project, pack_id: str, *, alone: bool
) -> dict[FaceJob, bytes]:
    """Set the faces in one go, or each card by itself: the faces of a card agree on sizes."""
    renderer = Renderer(
        load_pack(project, pack_id).pack,
        get_render_folders(project, pack_id),
        workers=1,
        engine="weasyprint",
    )
    shutil.rmtree(renderer.places.cache, ignore_errors=True)
    jobs = list_jobs(renderer)
    faces: dict[FaceJob, FaceFacts] = {}
    for part in jobs if alone else [[job for each in jobs for job in each]]:
        faces |= renderer.render(part).faces
    cache = FaceCache(renderer.places.cache)
    return {job: cache.record(facts.key).dump() for job, facts in faces.items()}


@pytest.mark.parametrize("pack_id", PACKS)
def test_faces_of_every_kind_do_not_depend_on_their_batch(
    tmp_path: Path, pack_id: str
) -> None:
    for part in (f"cards/{pack_id}", "schemas", "templates"):
        shutil.copytree(ROOT / part, tmp_path / part)
    together = render_pack_faces(Project(tmp_path), pack_id, alone=False)
    assert len(together) > 1
    assert render_pack_faces(Project(tmp_path), pack_id, alone=True) == together
