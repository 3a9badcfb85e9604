"""Squads with linked copies by the command line.

Two machines of one line, their crews, and those they carry.
"""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path

import pytest

from builder.rules import packing
from tests.cli.every_pack import ROOT
from tests.cli.lanterns import run

HEAD = "pack: zod\nname: x\nsize: 500\nentries:\n"
CARRIED = """  - {card: laika, id: t, count: 2, seat: p}
  - {card: tank-crew-zastava, count: 2, id: p}
  - {card: zimnik, count: %d, transport: t}
"""
UNNAMED = """  - {card: laika, count: 2}
  - {card: tank-crew-zastava, count: 2}
  - {card: border-guards, count: 5}
"""
NAMED = """  - {card: laika, count: 2, seat: a}
  - {card: tank-crew-zastava, count: 2, id: a}
  - {card: border-guards, count: 5}
"""


def write(folder: Path, entries: str) -> Path:
    file = folder / "x.yaml"
    file.write_text(HEAD + entries, encoding="utf-8")
    return file


def test_five_riders_of_two_places_do_not_fit_into_two_machines_of_five(
    tmp_path: Path,
) -> None:
    result = run("check", write(tmp_path, CARRIED % 5), "--lang", "en", project=ROOT)
    assert result.return_value == 1
    assert (
        "Laika ×2: each can take 5, and loads cannot be split. These do not fit: Zimnik Mech "
        "Battalion ×5 = 10"
    ) in result.output
    assert "remove “In the troop bay” of Zimnik Mech Battalion" in result.output
    assert (
        "troop-bay"
        not in run(
            "check", write(tmp_path, CARRIED % 4), "--lang", "en", project=ROOT
        ).output
    )


@pytest.mark.parametrize("entries", [UNNAMED, NAMED])
def test_equal_machines_do_not_name_equal_crews(tmp_path: Path, entries: str) -> None:
    assert run("check", write(tmp_path, entries), project=ROOT).return_value == 0


def test_a_squad_of_two_machines_is_completed(tmp_path: Path) -> None:
    result = run(
        "complete",
        write(tmp_path, "  - {card: laika, count: 2}\n"),
        "--lang",
        "en",
        project=ROOT,
    )
    assert result.return_value == 0
    assert (
        "costs 500  (proved: no legal squad that contains these cards spends more)"
        in result.output
    )


@pytest.fixture
def crowded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a project in which a squad of 8 models is too large for a proof of the links."""
    for folder in ("cards/zod", "schemas/core", "schemas/zod", "templates/zod"):
        shutil.copytree(
            ROOT / folder,
            tmp_path / folder,
            ignore=shutil.ignore_patterns("releases", "rosters"),
        )
    for name, old, new in (
        ("schemas/zod/infantry.schema.json", '"const": 5', '"minimum": 1'),
        ("schemas/zod/infantry.schema.json", '"maximum": 3', '"maximum": 4'),
        ("cards/zod/machine/laika.yaml", "seats: 5", "seats: 10"),
        ("cards/zod/infantry/zimnik.yaml", "bulk: 2", "bulk: 4"),
        ("cards/zod/infantry/zimnik.yaml", "squad: 5", "squad: 2"),
        ("cards/zod/infantry/border-guards.yaml", "\nsquad: 5", "\nbulk: 3\nsquad: 4"),
    ):
        file = tmp_path / name
        file.write_text(
            file.read_text(encoding="utf-8").replace(old, new), encoding="utf-8"
        )
    (tmp_path / "squads").mkdir()
    riders = CARRIED % 2 + "  - {card: border-guards, count: 4, transport: t}\n"
    write(tmp_path / "squads", riders)
    monkeypatch.setattr(packing, "MAX_MODELS_TO_PACK", 7)
    return tmp_path


def test_a_squad_that_is_not_decided_is_called_so_everywhere(crowded: Path) -> None:
    file = crowded / "squads" / "x.yaml"
    result = run(
        "check", file, "--lang", "en", "--verdict", "--explain", project=crowded
    )
    assert result.return_value == 1
    assert "\nNOT DECIDED squads/x.yaml" in result.output, result.output
    assert "error roster/not-decided: troop-bay" in result.output
    assert "Not decided: troop-bay." in result.output
    value = json.loads(
        (crowded / "squads" / "x.verdict.json").read_text(encoding="utf-8")
    )
    assert (value["legal"], value["broken"], value["undecided"]) == (
        False,
        [],
        ["troop-bay"],
    )
    process = run("verify", crowded / "squads" / "x.verdict.json", project=crowded)
    assert process.return_value == 0
    assert "NOT DECIDED" in process.output
    found = json.loads(run("check", file, "--format", "json", project=crowded).output)
    assert "roster/not-decided" in json.dumps(found)
    (crowded / "squads" / "x.verdict.json").unlink()
    listed = run(
        "check",
        crowded / "squads",
        "--csv",
        crowded / "all.csv",
        "--lang",
        "en",
        project=crowded,
    )
    assert listed.return_value == 1
    assert "1 roster, 0 legal, 0 illegal" in listed.output
    assert "1 roster could not be decided" in listed.output
    with (crowded / "all.csv").open(encoding="utf-8") as stream:
        (row,) = csv.DictReader(stream)
    assert (row["legal"], row["broken"]) == ("NOT DECIDED", "roster/not-decided")


def test_a_verdict_that_hides_what_is_not_decided_is_refuted(crowded: Path) -> None:
    run("check", crowded / "squads" / "x.yaml", "--verdict", project=crowded)
    file = crowded / "squads" / "x.verdict.json"
    value = json.loads(file.read_text(encoding="utf-8"))
    del value["undecided"]
    file.write_text(json.dumps(value), encoding="utf-8")
    result = run("verify", file, project=crowded)
    assert result.return_value == 1
    assert "undecided" in result.output
