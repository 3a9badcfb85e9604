"""Every card of every pack, set by the quick engine.

Blocks keep their distance, a kind has one voice, and no line ends or begins with what belongs to
its neighbour. The reference engine's turn is test_every_face.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import NamedTuple

import pytest

from builder.model.pack import Pack
from builder.model.pdf import Page, PdfText
from builder.packs.loading import load_pack
from builder.packs.project import Project
from builder.pdfinfo.read import read_pdf
from builder.render.filling import list_card_jobs
from builder.render.renderer import Renderer, RenderResult
from builder.units import MM_PER_INCH
from builder.usecases.build.build_options import get_render_folders
from builder.usecases.build.typeset import TRIM, compose_face_pages
from tests.checks.projects import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.second]
pytest.importorskip("plutoprint")

MM_PER_POINT = MM_PER_INCH / 72
ENGINE = "plutoprint"
PACKS = Project(ROOT).list_packs()
_WORDS = "во до за из ко на не ни но об от по со без для при над под".split()  # noqa: SIM905
SHORT = re.compile(
    rf"(?:^|\s)(?:[авикосуя]|{'|'.join(f'[{word[0]}{word[0].upper()}]{word[1:]}' for word in _WORDS)})$"
)
"""A short preposition or particle at the end of a line."""
STARTS = re.compile(r"^[—–×]\s+\S")
"""A dash or a sign of multiplication before a word."""
BROKEN = re.compile(r"(?:^|\s)[A-ZА-ЯЁ]\w+[-\u2011]$")
"""A name that is broken at its hyphen."""
NUMBER = re.compile(r"\w\s[+−]?\d+$")
UNIT = re.compile(
    r"(?:мм|см|дюйм\w*|ОД|ОЗ|ПО|ПД|очк\w+|пункт\w*|AP|HP|VP|MP|pts|mm|inch\w*)\b"
)
"""A line that ends on a number, and what the next begins with where it is its unit."""
DESCENT = 0.25
"""About how far a font reaches below its base line, in type sizes."""
SAME_LINE_MM = 0.6
"""Mm by which base lines of one line differ: icons stand lower."""
GAP = 0.9
"""Words so many type sizes apart stand in different columns."""


@cache
def render_pack(name: str) -> tuple[Renderer, Pack, RenderResult]:
    """Return all faces of a pack in all languages."""
    pack = load_pack(Project(ROOT), name).pack
    assert pack is not None
    renderer = Renderer(
        pack, get_render_folders(Project(ROOT), name), engine=ENGINE, workers=2
    )
    langs = pack.manifest.languages.all
    cards = list(pack.cards.values())
    jobs = [
        job
        for lang in langs
        for card in cards
        for job in list_card_jobs(renderer, card, lang, "full")
    ]
    return renderer, pack, renderer.render(jobs)


@pytest.mark.parametrize("name", PACKS)
def test_blocks_keep_their_distance(name: str) -> None:
    _renderer, pack, result = render_pack(name)
    assert [
        f"{finding.location.file}: {finding.message}" for finding in result.findings
    ] == []
    declared = {
        facts.label.split("/")[0]
        for facts in result.faces.values()
        if len(facts.painted) > 1
    }
    assert declared == set(pack.manifest.kinds)


def collect_sizes(pack: Pack, result: RenderResult) -> dict[str, set[float]]:
    """Return the sizes of running text of each kind."""
    sizes_by_kind: dict[str, set[float]] = {}
    for job, facts in result.faces.items():
        fit = pack.manifest.kinds[job.kind].fit
        sizes_by_kind.setdefault(job.kind, set()).update(
            block.size for block in facts.blocks if not fit[block.name].heading
        )
    return sizes_by_kind


@pytest.mark.parametrize("name", PACKS)
def test_a_kind_has_one_voice(name: str) -> None:
    _renderer, pack, result = render_pack(name)
    for kind, sizes in collect_sizes(pack, result).items():
        assert len(sizes) <= 3, kind
        assert not sizes or max(sizes) <= 1.35 * min(sizes), kind
    for job, facts in result.faces.items():
        back_facts = result.faces.get(replace(job, side="back"))
        if job.side == "front" and job.card and back_facts is not None:
            back_sizes = {block.name: block.size for block in back_facts.blocks}
            assert all(
                back_sizes.get(block.name, block.size) == block.size
                for block in facts.blocks
            ), facts.label


class SetLine(NamedTuple):
    """A line of one column: its words, and where it stands."""

    text: str
    left: float
    base: float
    size: float


def list_lines(page: Page) -> list[SetLine]:
    """Return the lines of a page: words on one baseline without wide gaps between them."""
    rows: dict[float, list[PdfText]] = {}
    for word in (text for text in page.texts if text.visible and not text.angle):
        base = word.box.y + word.box.height - DESCENT * word.size * MM_PER_POINT
        base_of_row = next(
            (row_base for row_base in rows if abs(row_base - base) < SAME_LINE_MM), base
        )
        rows.setdefault(base_of_row, []).append(word)
    lines = []
    for base, row in rows.items():
        row.sort(key=lambda word: word.box.x)
        line, start, end = "", row[0], 0.0
        for word in row:
            em = word.size * MM_PER_POINT
            if line and word.box.x - end > GAP * em:
                lines.append(SetLine(line.strip(), start.box.x, base, start.size))
                line = ""
            start = word if not line else start
            line += " " * (bool(line) and word.box.x - end > 0.12 * em) + word.text
            end = word.box.x + word.box.width
        lines.append(SetLine(line.strip(), start.box.x, base, start.size))
    return lines


def find_torn_lines(lines: Sequence[SetLine]) -> Iterator[str]:
    """Lines that end or begin with what belongs to their neighbour."""
    for line in lines:
        reach = 1.6 * line.size * MM_PER_POINT
        lines_below = (
            other_line
            for other_line in lines
            if 0 < other_line.base - line.base < reach
            and abs(other_line.left - line.left) < 6
        )
        texts_below = [other_line.text for other_line in lines_below]
        unit = NUMBER.search(line.text) and any(map(UNIT.match, texts_below))
        name = BROKEN.search(line.text) and any(
            text[:1].isupper() for text in texts_below
        )
        if SHORT.search(line.text) or STARTS.match(line.text) or unit or name:
            yield line.text


@pytest.mark.parametrize("name", PACKS)
def test_no_line_is_torn_from_its_neighbour(name: str) -> None:
    renderer, pack, result = render_pack(name)
    kinds = pack.manifest.kinds
    jobs = [job for job in result.keys if job.card]
    stacks = [((result.keys[job],), kinds[job.kind].size) for job in jobs]
    torn_lines: list[str] = []
    with compose_face_pages(renderer, TRIM, stacks, "lines") as path:
        for job, page in zip(jobs, read_pdf(path).pages, strict=True):
            torn_lines += [
                f"{job.label}: {line}" for line in find_torn_lines(list_lines(page))
            ]
    assert torn_lines == []


def test_torn_lines_are_seen() -> None:
    text = [
        "Модель уходит в",
        "— Никого",
        "Пси-",
        "Тест тратит 2",
        "ОД на это",
        "× 2 кубика",
        "Модель",
        "—",
        "5",
    ]
    lines = [SetLine(line, 4.0, 3.0 * number, 7.0) for number, line in enumerate(text)]
    assert list(find_torn_lines(lines)) == [
        "Модель уходит в",
        "— Никого",
        "Пси-",
        "Тест тратит 2",
        "× 2 кубика",
    ]
