"""Sample squads keep their word: the legal are legal, the others break what they say, and every rule has its sample."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from builder.model.pack import Pack
from builder.model.roster import Expectation, Roster
from builder.roster.resolve import resolve
from builder.rules.judge import Judge
from builder.rules.order import deployment
from builder.store.packs import load_pack
from builder.store.project import find_project
from builder.store.rosters import load_roster
from tests.house.source import ROOT

PROJECT = find_project(ROOT)
PACKS = [pack for pack in PROJECT.packs() if (PROJECT.cards_dir(pack) / "rosters").is_dir()]


@cache
def game(name: str) -> Pack:
    loaded = load_pack(PROJECT, name).pack
    assert loaded is not None
    return loaded


@cache
def judge(pack: str) -> Judge:
    return Judge(game(pack))


def read(path: Path, pack: str) -> Roster:
    loaded = load_roster(path, PROJECT, game(pack).manifest.roster)
    assert loaded.findings == ()
    assert loaded.roster is not None
    return loaded.roster


def promise(path: Path, pack: str) -> Expectation:
    said = read(path, pack).expect
    assert said is not None
    return said


def samples(pack: str) -> list[Path]:
    return sorted((PROJECT.cards_dir(pack) / "rosters").glob("*.yaml"))


SAMPLES = [pytest.param(pack, path, id=f"{pack}/{path.stem}") for pack in PACKS for path in samples(pack)]


@pytest.mark.parametrize(("pack", "path"), SAMPLES)
def test_a_sample_is_what_it_says(pack: str, path: Path) -> None:
    verdict = judge(pack).check(read(path, pack))
    said = promise(path, pack)
    assert verdict.problems == ()
    assert (verdict.legal, sorted(verdict.broken)) == (said.legal, sorted(said.breaks))


@pytest.mark.parametrize("pack", PACKS)
def test_every_rule_has_a_sample_that_breaks_only_it(pack: str) -> None:
    alone = {said.breaks[0] for path in samples(pack) if len((said := promise(path, pack)).breaks) == 1}
    assert alone == {rule.id for rule in game(pack).rules.rules}


@pytest.mark.parametrize(("pack", "path"), SAMPLES)
def test_a_sample_goes_to_the_table_whole(pack: str, path: Path) -> None:
    squad = resolve(read(path, pack), game(pack))
    copies = sum(pick.count for pick in (*squad.entries, *squad.attachments))
    assert len(deployment(squad, game(pack))) == copies
