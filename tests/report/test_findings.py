import json

from builder.findings import Box, Finding, Location, Severity
from builder.model.codes import define
from builder.packs import file_codes
from builder.report.findings import FORMATS, format_worklist

FINDINGS = [
    file_codes.TAB.finding(
        "a tab, 50% wide", Location(file="cards/я x.yaml", line=3, column=2, path="a.b")
    ),
    Finding(
        "render/overflow",
        "too long",
        severity=Severity.WARNING,
        location=Location(file="a.pdf", page=2),
    ),
    Finding(
        "roster/points",
        "too dear",
        "Leave one out.",
        location=Location(path="entries.0"),
    ),
]


def test_text_is_one_line_each_with_an_indented_hint_and_a_summary() -> None:
    assert FORMATS["text"](FINDINGS, "en").splitlines() == [
        "cards/я x.yaml:3:2: error yaml/tab: a tab, 50% wide",
        "    Replace the tab with two spaces per level.",
        "entries.0: error roster/points: too dear",
        "    Leave one out.",
        "a.pdf:page 2: warning render/overflow: too long",
        "2 errors, 1 warning",
    ]
    assert FORMATS["text"]([], "en") == "no errors or warnings\n"


def test_many_warnings_about_typography_are_one_line() -> None:
    typography = []
    for line in range(1, 8):
        place = Location(file=f"cards/{line % 2}.yaml", line=line)
        finding = Finding(
            "text/typography", "straight quotes", "", Severity.WARNING, place
        )
        typography.append(finding)
    assert FORMATS["text"](typography, "en").splitlines() == [
        "warning text/typography: 7 warnings about typography in 2 files",
        "    `squadpress check --fix` shows corrections; --format json lists all.",
        "7 warnings",
    ]
    few = FORMATS["text"](typography[:5], "en").splitlines()
    assert [line.partition(": ")[0] for line in few[:2]] == [
        "cards/1.yaml:1",
        "cards/0.yaml:2",
    ]
    assert len(json.loads(FORMATS["json"](typography, "en"))["findings"]) == 7


def test_json_holds_everything() -> None:
    report = json.loads(FORMATS["json"](FINDINGS, "en"))
    assert report["counts"] == {"error": 2, "warning": 1, "note": 0}
    assert report["findings"][0]["location"] == {
        "file": "cards/я x.yaml",
        "line": 3,
        "column": 2,
        "path": "a.b",
    }


def test_a_note_is_one_line_for_people_and_has_its_remedy_for_programs() -> None:
    note = define(
        "tasks/idle",
        "Nothing to do",
        "Because tests need a reason.",
        "Leave it so.",
        Severity.NOTE,
    ).finding("all is well")
    assert (
        FORMATS["text"]([note], "en").splitlines()[0] == "note tasks/idle: all is well"
    )
    assert len(FORMATS["text"]([note], "en").splitlines()) == 2
    assert (
        json.loads(FORMATS["json"]([note], "en"))["findings"][0]["hint"]
        == "Leave it so."
    )


def test_sarif_names_rules_and_regions() -> None:
    report = json.loads(FORMATS["sarif"](FINDINGS, "en"))
    run = report["runs"][0]
    assert report["version"] == "2.1.0"
    first = run["results"][0]
    assert run["tool"]["driver"]["rules"][first["ruleIndex"]]["id"] == "yaml/tab"
    physical = first["locations"][0]["physicalLocation"]
    assert physical["region"] == {"startLine": 3, "startColumn": 2}
    assert physical["artifactLocation"]["uri"] == "cards/%D1%8F%20x.yaml"
    assert "locations" not in run["results"][2]


def test_github_escapes_what_would_end_a_command() -> None:
    first, second, third = FORMATS["github"](FINDINGS, "en").splitlines()
    assert first.startswith(
        "::error file=cards/я x.yaml,line=3,col=2,title=yaml/tab::a tab, 50%25 wide%0A"
    )
    assert second.startswith("::warning file=a.pdf,title=render/overflow::")
    assert third == "::error title=roster/points::too dear%0ALeave one out."


def test_a_place_on_a_page_is_reported_in_every_format_that_has_no_field_for_it() -> (
    None
):
    finding = Finding(
        "preflight/rgb",
        "red",
        location=Location(file="a.pdf", page=2, box=Box(10, 20.25, 5, 5)),
    )
    assert FORMATS["text"]([finding], "en").startswith(
        "a.pdf:page 2 at 10.0,20.2 mm: error preflight/rgb: red"
    )
    assert FORMATS["github"]([finding], "en").endswith(
        "::page 2 at 10.0,20.2 mm: red\n"
    )
    assert "page 2 at 10.0,20.2 mm: red" in FORMATS["sarif"]([finding], "en")


def test_a_worklist_reports_each_task_once_and_every_place_below_it() -> None:
    code = define(
        "tasks/date",
        "A wrong date",
        "Because tests need a reason.",
        "Write the release's date.",
    )
    found = [
        code.finding(f"{card} is of another day", Location(f"{card}.yaml", 3, 1))
        for card in ("fox", "owl")
    ]
    found.append(Finding("tasks/free", "free", "", Severity.WARNING))
    assert format_worklist(found, "en").splitlines() == [
        "error tasks/date: A wrong date (2)",
        "    Write the release's date.",
        "  [ ] fox.yaml:3:1: fox is of another day",
        "  [ ] owl.yaml:3:1: owl is of another day",
        "warning tasks/free: tasks/free (1)",
        "  [ ] free",
        "2 errors, 1 warning",
    ]
