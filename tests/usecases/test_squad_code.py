"""A squad's sheet on paper: its code, read as a telephone would, gives the squad back.

Nothing of the squad is lost.
"""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pypdfium2
import pytest
import zxingcpp

from builder.model.profile import Paper
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.render.renderer import Renderer
from builder.render.sheets.sheets import Composer
from builder.usecases.build.build_options import get_render_folders
from builder.usecases.build.engine_choice import fix_engine
from builder.usecases.build.faces import TRIMMED_FACES
from builder.usecases.build.select import load_squad_cards
from builder.usecases.build.squad import fit_squad_sheet, make_squad_sheet
from builder.usecases.roster.roster_files import check_roster_files
from builder.usecases.roster.share import make_token, parse_token
from tests.cli.every_pack import PACKS
from tests.house.source import ROOT

DPI = 150
"""Coarser than any home printer and any telephone's camera."""


@pytest.mark.slow
@pytest.mark.parametrize(("project", "pack"), PACKS, ids=lambda value: value.name)
def test_the_code_on_the_sheet_of_the_largest_squad_is_read_off_the_paper(
    project: Path, pack: Path
) -> None:
    home = Project(project)
    checked_squad = max(
        check_roster_files(home, sorted((pack / "rosters").glob("*.yaml"))),
        key=lambda squad: len(make_token(squad)),
    )
    sheet = make_squad_sheet(checked_squad)
    assert checked_squad.checker is not None
    assert checked_squad.roster is not None
    assert sheet is not None
    fielded, _ = load_squad_cards(
        home, checked_squad.checker.pack, project / checked_squad.file
    )
    spots = get_render_folders(home, pack.name)
    renderer = Renderer(fix_engine(spots, fielded), spots, workers=1)
    flow = fit_squad_sheet(
        renderer, sheet, Paper(width=210, height=297), checked_squad.lang
    )
    assert flow.findings == ()
    pdf_stream = BytesIO()
    Composer(
        renderer.cache, home.cache_dir, renderer.fonts, TRIMMED_FACES, "squad"
    ).compose(pdf_stream, (), flow.keys)
    pages = pypdfium2.PdfDocument(pdf_stream.getvalue())
    codes = [
        code.text
        for page in pages
        for code in zxingcpp.read_barcodes(page.render(scale=DPI / 72).to_pil())
    ]
    assert len(codes) == 1
    roster, remarks = parse_token(PackFiles(home), codes[0])
    assert roster == checked_squad.roster.model_copy(update={"expect": None})
    assert remarks == ()


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["weasyprint", "plutoprint"])
@pytest.mark.parametrize(
    ("pack", "squad"),
    [("killteam", "legal-whole-mob"), ("zod", "legal-zastava-patrol")],
)
def test_nothing_of_a_squad_is_lost_between_columns_and_pages(
    engine: str, pack: str, squad: str
) -> None:
    pytest.importorskip(engine)
    home = Project(ROOT)
    path = home.get_cards_dir(pack) / "rosters" / f"{squad}.yaml"
    (checked_squad,) = check_roster_files(home, [path])
    sheet = make_squad_sheet(checked_squad)
    assert checked_squad.checker is not None
    assert sheet is not None
    fielded, _ = load_squad_cards(home, checked_squad.checker.pack, path)
    fielded = replace(
        fielded, manifest=fielded.manifest.model_copy(update={"engine": engine})
    )
    renderer = Renderer(fielded, get_render_folders(home, pack), workers=1)
    flow = fit_squad_sheet(
        renderer, sheet, Paper(width=210, height=297), checked_squad.lang
    )
    pdf_stream = BytesIO()
    Composer(
        renderer.cache, home.cache_dir, renderer.fonts, TRIMMED_FACES, "squad"
    ).compose(pdf_stream, (), flow.keys)
    pages = pypdfium2.PdfDocument(pdf_stream.getvalue())
    page_text = " ".join(
        " ".join(page.get_textpage().get_text_bounded() for page in pages).split()
    ).casefold()
    rules = [item.name for model in sheet.models for item in model.reminders]
    for name in (
        *rules,
        *(card.name for card in sheet.deck),
        *(model.name for model in sheet.models),
    ):
        assert name.casefold() in page_text
