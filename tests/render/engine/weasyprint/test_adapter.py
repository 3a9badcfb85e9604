"""An engine of a version that was not tried sets without patches of speed, under addresses of its own, and says so."""

from __future__ import annotations

import pytest

from builder.findings import Severity
from builder.render.engine import adapter
from builder.render.engine.weasyprint import adapter as module, patches
from builder.render.engine.weasyprint.patches.replacing import Patch
from builder.render.keys import engine_hash
from builder.render.workers import EngineSetup, open_engine
from builder.usecases.build.options import places

COLD = True


@pytest.fixture
def untried(monkeypatch):
    """The installed version, as if it were not among those tried."""
    engine_hash.cache_clear()
    monkeypatch.setattr(module, "TRIED", frozenset({"0.1"}))
    yield
    engine_hash.cache_clear()


def test_the_installed_version_was_tried():
    assert adapter().findings == ()


def test_an_untried_version_has_addresses_of_its_own(request):
    tried = engine_hash()
    request.getfixturevalue("untried")
    assert len({tried, engine_hash(), engine_hash("weasyprint-plain")}) == 3


@pytest.mark.slow
def test_an_untried_version_sets_without_patches_of_speed(lanterns, untried):
    engine = open_engine(EngineSetup(places(lanterns, "lanterns")))
    assert engine.patches == ()


@pytest.mark.slow
def test_an_untried_version_is_told_once_and_hinders_nothing(lanterns, build, untried):
    for _time in range(2):
        result = build(lanterns, langs=("en",))
        assert [(each.code, each.severity) for each in result.findings] == [("render/untried-engine", Severity.NOTE)]
        assert result.files


def test_who_asked_for_no_patches_is_told_nothing(untried):
    assert adapter("weasyprint-plain").findings == ()


@pytest.mark.slow
def test_a_version_that_cannot_be_corrected_is_told(lanterns, build, monkeypatch):
    def elsewhere():
        raise AttributeError("first_line")
        yield

    monkeypatch.setattr(patches, "CORRECT", (Patch("lines", elsewhere),))
    patches.install.cache_clear()
    try:
        result = build(lanterns, langs=("en",))
    finally:
        patches.install.cache_clear()
    assert {each.code for each in result.findings} == {"render/uncorrected-engine"}
    assert result.files
