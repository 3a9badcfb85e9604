"""An engine version that is untested or cannot be corrected works, with a report."""

from __future__ import annotations

import pytest

from builder.findings import Severity
from builder.render.engines import find_adapter
from builder.render.engines.weasyprint import adapter as module, engine, patches

COLD = True


@pytest.fixture
def untried(monkeypatch):
    """Return the installed version, as if it were not among those tried."""
    monkeypatch.setattr(module, "TESTED_VERSIONS", frozenset({"0.1"}))


def test_the_installed_version_was_tried():
    assert find_adapter().findings == ()


@pytest.mark.slow
def test_an_untried_version_is_reported_once_and_hinders_nothing(
    lanterns, build, untried
):
    for _time in range(2):
        result = build(lanterns, langs=("en",))
        assert [(each.code, each.severity) for each in result.findings] == [
            ("render/untried-engine", Severity.NOTE)
        ]
        assert result.files


@pytest.mark.slow
def test_a_version_that_cannot_be_corrected_is_reported(lanterns, build, monkeypatch):
    def find_nothing():
        raise AttributeError("first_line")
        yield

    monkeypatch.setattr(patches, "CORRECTIONS", {"lines": find_nothing})
    monkeypatch.setattr(
        engine, "apply_corrections", patches.apply_corrections.__wrapped__
    )  # the engine of this process stays corrected
    result = build(lanterns, langs=("en",))
    assert {each.code for each in result.findings} == {"render/uncorrected-engine"}
    assert result.files
