"""Problems of the first rows of long tables are reported before all rows are imported."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from unittest.mock import patch

import pytest

from builder.findings import Finding
from builder.packs.tables.request import TableRequest
from builder.usecases.tables import new_pack
from builder.usecases.tables.new_pack import PackRequest, make_pack
from builder.usecases.tables.table_import import ImportMonitor
from tests.hostile.attacks import say


def write_table(folder: Path, row_count: int) -> Path:
    rows = ["My cards;;", "Name;Copies;Rules", "Fox;two;Runs."]
    rows += [f"Card {number};1;It is number {number}." for number in range(row_count)]
    rows.append("Last;three;Sleeps.")
    (folder / "cards.csv").write_text("\n".join(rows), "utf-8")
    return folder / "cards.csv"


@pytest.mark.parametrize(("row_count", "is_long"), [(150, True), (10, False)])
def test_first_rows_of_long_tables_are_reported_first(
    row_count: int, is_long: bool, tmp_path: Path
) -> None:
    steps: list[list[str] | str] = []

    def report(findings: Sequence[Finding]) -> None:
        steps.append([str(finding.message)[:7] for finding in findings])

    monitor = ImportMonitor(report, lambda message: steps.append(str(message)))
    request = PackRequest(
        tmp_path / "game", TableRequest((write_table(tmp_path, row_count),))
    )
    with patch.object(new_pack, "fit_design"):
        pack = make_pack(request, monitor)
    first_reports = [["rows ab", "B3: cop"]] if is_long else []
    assert steps == ["reading the tables", *first_reports, "importing cards: cards"]
    errors = [str(finding.message).split(":")[0] for finding in pack.findings]
    assert f"B{row_count + 4}" in errors


def test_each_finding_is_printed_once(tmp_path: Path) -> None:
    code, output = say("new", tmp_path / "game", "--from", write_table(tmp_path, 150))
    assert code == 1
    assert output.count("B3: copies") == output.count("B154: copies") == 1
    assert output.index("B3: copies") < output.index("B154: copies")
    assert output.count("rows above the names") == 1
