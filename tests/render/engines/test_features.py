"""The table of docs/engines.md is what the engines do."""

from __future__ import annotations

import pytest

from tests.checks.projects import ROOT
from tests.render.engines.features import rows

pytestmark = pytest.mark.slow


def test_the_table_reports_what_each_engine_knows() -> None:
    text = (ROOT / "docs" / "engines.md").read_text(encoding="utf-8")
    assert text.partition("| feature | weasyprint | plutoprint |\n|---|---|---|\n")[
        2
    ].splitlines() == rows(("weasyprint", "plutoprint"))
