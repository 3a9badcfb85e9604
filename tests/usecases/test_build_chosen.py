"""A chosen keyword is printed in place of the bracketed one, in every language.

Without a roster the brackets stay.
"""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest

from builder.packs.project import Project
from builder.usecases.build.build import build_pack
from builder.usecases.build.build_options import BuildResult
from tests.house.source import ROOT
from tests.usecases.toy import build_options

pytestmark = pytest.mark.slow
NAMES = {
    "ru": ("ПОСЛЕДНЯЯ СВЕЧА", "<ОРДЕН>"),
    "en": ("LAST CANDLE", "<ORDER>"),
}


def words(result: BuildResult, lang: str) -> str:
    """Return all text of one language's cards, in capitals, on one line."""
    path = next(file.path for file in result.files if f"-{lang}-" in file.path.name)
    pages = [
        page.get_textpage().get_text_bounded() for page in pypdfium2.PdfDocument(path)
    ]
    return " ".join(" ".join(pages).upper().split())


@pytest.mark.parametrize("lang", NAMES)
def test_the_roster_fills_the_brackets(tmp_path: Path, lang: str) -> None:
    project = Project(ROOT)
    squad = project.get_cards_dir("killteam") / "rosters" / "legal-last-candle.yaml"
    options = build_options(
        langs=(lang,), roster=squad, profile="proof", output=tmp_path, workers=1
    )
    text = words(build_pack(project, "killteam", options), lang)
    heading, brackets = NAMES[lang]
    assert heading in text
    assert brackets not in text
    only = build_options(
        langs=(lang,), only=("oath-*",), profile="proof", output=tmp_path, workers=1
    )
    text = words(build_pack(project, "killteam", only), lang)
    assert brackets in text
    assert heading not in text
