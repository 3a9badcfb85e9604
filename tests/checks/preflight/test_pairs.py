"""Fronts and backs in files of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from builder.checks.preflight import order
from builder.checks.preflight.job import FrontsAndBacks, PreflightJob
from builder.findings import Finding
from builder.pdfinfo.read import read_pdf
from tests.checks.preflight.cases import TALL, make_preset
from tests.checks.preflight.make import GROUND, File, Sheet, write
from tests.messages.speech import speaks_russian

FRONTS = [
    Sheet(),
    Sheet(f"{GROUND} 0 0 0 1 k 20 20 5 5 re f"),
    Sheet(f"{GROUND} 0 0 0 1 k 30 20 5 5 re f"),
]
BACK_SHEET = Sheet(f"{GROUND} 0 0 0 1 k 10 60 20 20 re f")
LYING = Sheet(
    "0.1 0 0 0 k 0 0 94 69 re f", (0, 0, 94, 69), (3, 3, 91, 66), (0, 0, 94, 69)
)


def check_pages(folder: Path, fronts: list[Sheet], backs: list[Sheet]) -> list[Finding]:
    jobs = [
        PreflightJob(
            read_pdf(write(folder / f"{name}.pdf", File(tuple(sheets)))),
            make_preset(order="apart"),
        )
        for name, sheets in (("fronts", fronts), ("backs", backs))
    ]
    return list(order.check(FrontsAndBacks(*jobs)))


@pytest.mark.parametrize(
    ("backs", "code", "page"),
    [
        ([BACK_SHEET, BACK_SHEET], "odd-pages", 2),
        ([BACK_SHEET] * 4, "odd-pages", 3),
        ([BACK_SHEET], "one-back", 1),
        ([BACK_SHEET, TALL, BACK_SHEET], "pair-sizes", 2),
        ([BACK_SHEET, BACK_SHEET, LYING], "pair-sizes", 3),
        (FRONTS, "fronts-for-backs", 1),
    ],
    ids=["too few", "too many", "one", "another size", "lying", "the same file"],
)
def test_what_does_not_pair_is_reported_at_its_page(
    tmp_path: Path, backs: list[Sheet], code: str, page: int
) -> None:
    (finding,) = check_pages(tmp_path, FRONTS, backs)
    assert speaks_russian(finding)
    assert (finding.code, finding.location.page) == (f"preflight/{code}", page)


def test_a_back_for_each_front_is_right(tmp_path: Path) -> None:
    assert check_pages(tmp_path, FRONTS, [BACK_SHEET] * 3) == []
    assert check_pages(tmp_path, [TALL], [TALL]) == []
