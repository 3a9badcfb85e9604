"""The numbers of a card's actions stand in columns, however many damages a row has."""

import re

import pytest

from builder.packs.project import Project
from builder.pdfinfo.read import read_pdf
from builder.usecases.build.build import build_pack
from tests.checks.projects import ROOT
from tests.usecases.toy import build_options

pytestmark = pytest.mark.slow

CARDS = "captain-davis,director-nemoto,tripwire,cachalot,manta"
"""Cards with a row of two damages, or with artillery's two numbers."""
MAX_DISTANCE = 0.25
"""Mm by which two signs of one column may miss each other."""


def test_skills_stand_below_each_other(tmp_path):
    options = build_options(
        profile="screen",
        langs=("ru", "en"),
        only=(f"id={CARDS}",),
        output=tmp_path,
        workers=0,
    )
    result = build_pack(Project(ROOT), "hydrophilia", options)
    assert result.findings == ()
    rows = 0
    for file in result.files:
        for page in read_pdf(file.path).pages:
            skills = [
                text.box.x
                for text in page.texts
                if re.search(r"^\s*[+−]\d", text.text)
                and "Bold" in text.font
                and text.box.x > 30
            ]
            rows += len(skills)
            assert not skills or max(skills) - min(skills) < MAX_DISTANCE
    assert rows == 20
