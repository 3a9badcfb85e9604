"""However many faces are set, by whomever and in whatever portions.

The same bytes, the same findings.
"""

from __future__ import annotations

import shutil

import pytest

from builder.diskmap import DiskMap
from builder.model.profile import Shared
from builder.usecases.build.build import build_pack
from tests.usecases.toy import build_options

pytestmark = pytest.mark.slow
COLD = True


def outcome(project, **options):
    result = build_pack(project, "lanterns", build_options(**options))
    shutil.rmtree(project.cache_dir)
    data = [file.path.read_bytes() for file in result.files]
    shutil.rmtree(project.get_output_dir("lanterns"))
    return data, result.findings, result.rendered_count


@pytest.fixture
def portions(monkeypatch):
    """Return a small number for everything that is done so many at a time."""
    monkeypatch.setattr("builder.render.workers.MAX_FACES_PER_BATCH", 2)
    monkeypatch.setattr("builder.render.workers.MIN_FACES_PER_BATCH", 1)
    monkeypatch.setattr("builder.render.workers.MAX_BATCHES_PER_PROCESS", 3)
    monkeypatch.setattr("builder.render.workers.MAX_PENDING_BATCHES_PER_PROCESS", 1)
    monkeypatch.setattr("builder.render.shared_store.FACES_PER_CHUNK", 3)
    monkeypatch.setattr("builder.render.renderer.DiskMap", lambda *_: DiskMap(2))


@pytest.fixture
def loose(lanterns):
    """Return a project of whose faces something is to be told."""
    css = lanterns.get_templates_dir("lanterns") / "spirit" / "card.css"
    css.write_text(
        css.read_text(encoding="utf-8") + ".kind-spirit .title {left: 4mm}",
        encoding="utf-8",
    )
    return lanterns


def test_small_portions_change_nothing(loose, request, tmp_path):
    wanted = outcome(loose, workers=1)
    assert wanted[1]
    assert wanted[2] > 20
    request.getfixturevalue("portions")
    assert outcome(loose, workers=1) == wanted
    assert outcome(loose, workers=2) == wanted
    assert outcome(loose, workers=2, shared=Shared(str(tmp_path / "store"))) == wanted
    data, findings, fresh = outcome(
        loose, workers=2, shared=Shared(str(tmp_path / "store"))
    )
    assert (data, findings, fresh) == (*wanted[:2], 0)


def test_half_of_the_faces_in_a_store(loose, portions, tmp_path):
    wanted = outcome(loose, workers=1)
    shared = Shared(str(tmp_path / "store"))
    half = outcome(loose, workers=1, shared=shared, langs=("de",))[2]
    told = []
    asked = build_options(
        workers=2, shared=shared, progress=lambda *done: told.append(done)
    )
    result = build_pack(loose, "lanterns", asked)
    assert (result.cached_count, result.rendered_count) == (half, wanted[2] - half)
    assert told == [
        (done, result.rendered_count) for done in range(1, result.rendered_count + 1)
    ]
    assert [file.path.read_bytes() for file in result.files] == wanted[0]
