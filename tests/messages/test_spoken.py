"""Every bad case of the collection told in Russian.

Nothing English is left but what a schema's author wrote.
"""

import json
from pathlib import Path

import pytest

from builder.checks.preflight.fineness import THIN
from builder.findings import Box, Finding, Location
from builder.messages import Message
from builder.report.findings import format_finding
from builder.usecases.check_pack import check_packs
from tests.checks.projects import CASES, lay_over
from tests.checks.test_card_cases import list_defined_codes
from tests.messages.speech import CYRILLIC, speaks_russian


@pytest.mark.parametrize("code", list_defined_codes())
def test_what_is_wrong_is_reported_in_russian(code: str, tmp_path: Path) -> None:
    for finding in check_packs(
        lay_over(CASES / code / "bad", tmp_path / "project"), None
    ):
        told = finding.translate("ru")
        assert CYRILLIC.search(told.message), told.message
        assert CYRILLIC.search(told.hint) or finding.code.startswith("schema/"), (
            told.hint
        )
        assert finding.translate("en") == finding


def test_what_was_kept_from_an_earlier_run_is_reported_in_russian_too() -> None:
    place = Location(file="a.pdf", page=2, box=Box(1, 2.5, 3, 4))
    found = THIN.finding(Message("a line is {wide:.2f} pt wide", wide=0.125), place)
    again = Finding.from_json(json.loads(json.dumps(found.to_json())))
    assert again == found
    assert speaks_russian(again)
    assert format_finding(again, "ru").startswith(
        "a.pdf:стр. 2 в точке 1,0; 2,5 мм: внимание preflight/thin-line: линия"
    )
