"""Every card of every pack, both faces, all languages, the ink-saving variant in one.

Nothing overflows, all can be read.
"""

from collections.abc import Iterable, Iterator
from ctypes import byref
from math import hypot

import pypdfium2
import pypdfium2.raw as pdfium
import pytest

from builder.packs.loading import load_pack
from builder.packs.project import Project
from builder.usecases.build.build import build_pack
from builder.usecases.build.build_options import BuiltFile
from tests.checks.projects import ROOT
from tests.usecases.toy import build_options

pytestmark = pytest.mark.slow

SMALLEST = 6.5
SYMBOLS = range(0xE000, 0xF900)
"""Letters of the icon fonts: signs within a line, not text."""
VISIBLE_MODES = range(3)
"""Modes in which letters are seen."""


def find_small_letters(files: Iterable[BuiltFile]) -> set[tuple[str, int, str, float]]:
    """Letters in finished files that are set smaller than legible, icons apart."""
    return {
        (file.path.name, number, letter, size)
        for file in files
        for number, page in enumerate(pypdfium2.PdfDocument(file.path), start=1)
        for letter, size in list_letters(page)
        if size < SMALLEST - 0.01 and ord(letter) not in SYMBOLS
    }


def list_letters(page: pypdfium2.PdfPage) -> Iterator[tuple[str, float]]:
    """Yield every letter that is seen, and its size in points."""
    text, placed = page.get_textpage(), pdfium.FS_MATRIX()
    for at in range(text.count_chars()):
        is_visible = (
            pdfium.FPDFTextObj_GetTextRenderMode(
                pdfium.FPDFText_GetTextObject(text, at)
            )
            in VISIBLE_MODES
        )
        if is_visible and not pdfium.FPDFText_IsGenerated(text, at):
            pdfium.FPDFText_GetMatrix(text, at, byref(placed))
            yield (
                chr(pdfium.FPDFText_GetUnicode(text, at)),
                pdfium.FPDFText_GetFontSize(text, at) * hypot(placed.c, placed.d),
            )


def select_fullest(
    project: Project, name: str, max_cards: int = 3
) -> dict[str, tuple[str, ...]]:
    """Return selectors of each kind's longest cards, in the language of their source."""
    pack = load_pack(project, name).pack
    assert pack is not None
    cards = sorted(pack.cards.values(), key=lambda card: len(repr(card)), reverse=True)
    fullest_ids = {
        card.id
        for kind in pack.manifest.kinds
        for card in [card for card in cards if card.kind == kind][:max_cards]
    }
    return {
        "langs": (pack.manifest.languages.source,),
        "only": (f"id={','.join(sorted(fullest_ids))}",),
    }


@pytest.mark.parametrize("variant", ["full", "ink"])
@pytest.mark.parametrize("pack", Project(ROOT).list_packs())
def test_every_face_sets_without_a_complaint(pack, variant, tmp_path):
    project, options = (
        Project(ROOT),
        {"profile": "screen", "variant": variant, "output": tmp_path, "workers": 2},
    )
    # The variant knows no language and no card: what it changes is seen in the language that all
    # others are measured
    # by, and on the fullest cards of each kind.
    options |= (
        {"langs": ("all",)} if variant == "full" else select_fullest(project, pack)
    )
    result = build_pack(project, pack, build_options(**options))
    assert [
        f"{finding.location.file}: {finding.message}" for finding in result.findings
    ] == []
    assert result.files
    assert find_small_letters(result.files) == set()


@pytest.mark.parametrize("name", ["legal-varga-drones", "rarity-sixth-patrolman"])
def test_a_squad_sets_without_a_complaint(name, tmp_path):
    roster = ROOT / "cards" / "hydrophilia" / "rosters" / f"{name}.yaml"
    result = build_pack(
        Project(ROOT),
        "hydrophilia",
        build_options(roster=roster, output=tmp_path, workers=1),
    )
    assert [
        finding.message
        for finding in result.findings
        if finding.code.startswith("render/")
    ] == []
    assert len(result.files) == 2
    assert find_small_letters(result.files) == set()
