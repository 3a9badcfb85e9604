"""Every bad case of the collection told in Russian: nothing English is left but what a schema's author wrote."""

import re
from pathlib import Path

import pytest

from builder.usecases.check import check_packs
from tests.checks.projects import lay_over
from tests.checks.test_card_cases import CASES, defined

CYRILLIC = re.compile("[а-яё]")


@pytest.mark.parametrize("code", defined())
def test_what_is_wrong_is_told_in_russian(code: str, tmp_path: Path) -> None:
    for finding in check_packs(lay_over(CASES / code / "bad", tmp_path / "project"), None):
        told = finding.in_words("ru")
        assert CYRILLIC.search(told.message), told.message
        assert CYRILLIC.search(told.hint) or finding.code.startswith("schema/"), told.hint
        assert finding.in_words("en") == finding
