"""A verdict made into findings.

Code, place in the file, the rule's id, what was counted, what mends it.
"""

from __future__ import annotations

import re
from pathlib import Path

from builder.checks.registry import run_checks
from builder.checks.roster.verdict import PROBLEMS, RosterVerdict, report_problem
from builder.findings import Finding, Position
from builder.model.loaded import Document
from builder.model.roster import Expectation, Roster
from builder.roster import resolve
from builder.rules.checker import RosterChecker
from builder.usecases.roster.roster_files import check_roster_files
from tests.checks.projects import lay_over
from tests.rules.orchard import pack, roster

CHECKER = RosterChecker(pack())
DOCUMENT = Document(
    "rosters/x.yaml",
    {"entries": ["ada", {"card": "cy", "attachments": ["pail", "sack"]}]},
    {
        ("entries", 0): Position(4, 5),
        ("entries", 1): Position(5, 5),
        ("entries", 1, "attachments", 1): Position(7, 9),
    },
)


def check_squad(squad: Roster) -> tuple[Finding, ...]:
    return run_checks(
        "roster", RosterVerdict(CHECKER.check(squad), squad, CHECKER, "en", DOCUMENT)
    )


def test_a_broken_rule_is_found_at_the_line_that_breaks_it() -> None:
    (finding,) = check_squad(
        roster("ada", {"card": "cy", "attachments": ["pail", "sack"]})
    )
    assert finding.code == "roster/rule-broken"
    assert (finding.location.line, finding.location.column) == (7, 9)
    assert finding.message.startswith("hands (Hands; § 5): no slot for Sack")
    assert "attach Sack to Ada instead" in finding.hint


def test_an_unknown_card_is_reported_with_the_nearest_spelling() -> None:
    (finding,) = check_squad(roster("ada", "kyte"))
    assert (finding.code, finding.location.line) == ("roster/unknown-card", 5)
    assert finding.hint == "Did you mean kite?"


def test_a_card_that_no_roster_has_is_reported() -> None:
    problem = resolve.Problem("wrong-role", ("entries", 0), "map", ("none", "entry"))
    finding = report_problem(problem, DOCUMENT, str)
    assert finding.code == "roster/wrong-role"
    assert (
        str(finding.message)
        == "map cannot be part of a roster, but an entry is expected here"
    )


def test_a_sample_is_held_to_what_it_expects() -> None:
    wrong_roster = roster("ada").model_copy(
        update={"expect": Expectation(legal=False, breaks=("points",))}
    )
    assert [finding.code for finding in check_squad(wrong_roster)] == [
        "roster/expectation"
    ] * 2
    legal_roster = roster("ada").model_copy(update={"expect": Expectation(legal=True)})
    assert check_squad(legal_roster) == ()


def test_problems_that_are_fixed_alike_have_one_code() -> None:
    lines = (
        {"card": "ada", "links": {"owner": "cy"}, "choices": {"hat": "red"}},
        {"card": "bo", "choices": {"job": "king"}},
        {"card": "cy", "links": {"holder": "ada"}},
    )
    codes = {finding.code for finding in check_squad(roster(*lines))}
    assert {"roster/idle", "roster/undeclared", "roster/wrong-value"} <= codes


def test_every_problem_has_a_code() -> None:
    for module in (resolve, resolve):
        source = Path(str(module.__file__)).read_text(encoding="utf-8")
        assert set(re.findall(r'Problem\("([a-z-]+)"', source)) <= PROBLEMS.keys()


def test_errors_of_a_pack_that_change_no_verdict_are_reported_beside_it(
    tmp_path: Path,
) -> None:
    codes = {}
    for name in ("sound", "broken"):
        project = lay_over(tmp_path / "no case", tmp_path / name)
        if name == "broken":
            (project.root / "cards/lanterns/products.yaml").write_text(
                "products: [", encoding="utf-8"
            )
        (checked_roster,) = check_roster_files(
            project, [project.root / "cards/lanterns/rosters/lost-moth.yaml"]
        )
        codes[name] = {finding.code for finding in checked_roster.findings}
    assert codes["broken"] - codes["sound"] == {"roster/pack-has-errors"}
