"""The sample squads of every pack.

Each is judged as it says, and every rule is broken alone by one of them.
"""

from __future__ import annotations

from datetime import date
from functools import cache
from pathlib import Path

import pytest

from builder.model.formats import FormatDay
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.usecases.roster.check_roster import (
    CheckedRoster,
    RosterCheckers,
    check_roster,
)
from builder.usecases.roster.roster_files import RosterFiles
from tests.rules.slowly import slowly

ROOT = Path(__file__).parents[2]
PROJECTS = (
    ROOT,
    *sorted(
        path
        for path in (ROOT / "tests" / "toys").iterdir()
        if (path / "cards").is_dir()
    ),
)
PACKS = [(root, pack) for root in PROJECTS for pack in Project(root).list_packs()]
SAMPLES = [
    (root, sample)
    for root, pack in PACKS
    for sample in sorted((root / "cards" / pack / "rosters").glob("*.yaml"))
]
LEAST_LEGAL = {True: 3, False: 1}
"""How many legal samples a pack has at least: a game of ours, and a toy of the tests."""


@cache
def checkers(root: Path) -> RosterCheckers:
    return RosterCheckers(PackFiles(Project(root)))


@cache
def judged(root: Path, sample: Path) -> CheckedRoster:
    return check_roster(checkers(root), RosterFiles(Project(root)).load(str(sample)))


@pytest.mark.parametrize(("root", "sample"), SAMPLES, ids=lambda value: value.stem)
def test_a_sample_is_checked_as_it_says(root: Path, sample: Path) -> None:
    one = judged(root, sample)
    assert one.roster is not None, one.findings
    assert one.roster.expect is not None, "a sample states what it expects"
    assert one.verdict is not None
    assert not one.verdict.problems
    assert one.verdict.legal == one.roster.expect.legal
    assert one.verdict.broken == set(one.roster.expect.breaks)
    assert {finding.code for finding in one.findings} <= {"roster/rule-broken"}


@pytest.mark.parametrize(
    ("root", "pack"), PACKS, ids=lambda value: value if isinstance(value, str) else ""
)
def test_every_rule_is_broken_alone_by_a_sample(root: Path, pack: str) -> None:
    checker = checkers(root).get_checker(pack)
    assert checker is not None
    verdicts = [
        one.verdict.broken for home, path in SAMPLES if home == root and path.parts[-3] == pack
        if (one := judged(root, path)).verdict is not None
    ]  # fmt: skip
    alone = {next(iter(broken)) for broken in verdicts if len(broken) == 1}
    played = [
        checker,
        *(
            checker.get_format_checker(FormatDay(form, date.today()))
            for form in checker.pack.formats
        ),
    ]
    assert alone == {rule.id for one in played for rule in one.pack.rules.rules}
    assert sum(not broken for broken in verdicts) >= LEAST_LEGAL[root == ROOT]


@pytest.mark.parametrize(("root", "sample"), SAMPLES, ids=lambda value: value.stem)
def test_the_fast_path_decides_a_sample_as_the_evaluator_does(
    root: Path, sample: Path
) -> None:
    one = judged(root, sample)
    assert one.checker is not None
    assert one.roster is not None
    assert one.checker.check(one.roster, repaired=False) == slowly(
        one.checker, one.roster
    )
