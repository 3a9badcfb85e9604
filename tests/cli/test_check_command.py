"""`check`, `explain` and `new` as a person starts them, in this process.

Exit codes and messages.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from builder.cli.main import main
from builder.packs.project import FORMER_CODES
from builder.usecases.explain_code import load_codes
from tests.checks.projects import ROOT, lay_over


def run(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr("sys.argv", ["squadpress", *words])
    with pytest.raises(SystemExit) as left:
        main()
    return int(left.value.code or 0)


def test_a_clean_pack_ends_with_zero(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "check", "--project", str(ROOT / "tests/toys/brigade")) == 0
    assert capsys.readouterr().out == "no errors or warnings\n"


def test_findings_end_with_one_in_every_format(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    project = lay_over(ROOT / "tests/cases/yaml/tab/bad-1.yaml", tmp_path / "p")
    assert run(monkeypatch, "check", "lanterns", "--project", str(project.root)) == 1
    assert capsys.readouterr().out.splitlines()[0] == (
        "cards/lanterns/spirit/old-wick.yaml:18:1: error yaml/tab: the line is indented with a tab"
    )
    assert (
        run(monkeypatch, "check", "--format", "json", "--project", str(project.root))
        == 1
    )
    assert json.loads(capsys.readouterr().out)["findings"][0]["code"] == "yaml/tab"


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (
            ("check", "lantrens", "--project", "tests/toys/lanterns"),
            2,
            "Did you mean lanterns?",
        ),
        (("check", "--project", "/"), 2, "cards/"),
        (("check", "--format", "xml"), 2, "is not one of 'text'"),
        (("explain", "yaml/tabs"), 2, "Did you mean yaml/tab?"),
        (
            ("explain", "render/bugdet"),
            2,
            "Did you mean render/limits?",
        ),  # it was render/budget once
        (("explain", ""), 2, "there is no code"),
        (("explain", "cards"), 2, "Groups:"),
        (("new", "builder"), 2, "already exists"),
        (("chekc",), 2, "chekc"),
    ],
)
def test_a_slip_on_the_command_line_is_answered(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    status: int,
    said: str,
) -> None:
    monkeypatch.chdir(ROOT)
    assert run(monkeypatch, *words) == status
    assert said in capsys.readouterr().err


def test_explain_lists_and_explains(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "explain") == 0
    listed = [line.split()[0] for line in capsys.readouterr().out.splitlines() if line]
    assert {"yaml/tab", "cards/file-name", "i18n/stale"} <= set(listed)
    assert run(monkeypatch, "explain", "stale") == 0
    assert "Why it matters" in capsys.readouterr().out


def test_a_code_that_was_merged_with_others_leads_to_the_one_it_is_now(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "explain", "preflight/coarse-image") == 0
    captured = capsys.readouterr().out
    assert captured.startswith(
        "preflight/coarse-image is now called preflight/low-resolution.\n\npreflight/low-"
    )
    former, known = json.loads(FORMER_CODES.read_text("utf-8")), load_codes()
    assert len(former) == 56
    assert former.keys().isdisjoint(known)
    assert set(former.values()) <= known.keys()


def test_new_then_check(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(monkeypatch, "new", "mygame") == 0
    assert "squadpress build --pack mygame" in capsys.readouterr().out
    assert run(monkeypatch, "check", "--project", "mygame") == 0


def test_every_code_says_why_and_what_to_do() -> None:
    for code in load_codes().values():
        assert len(code.why) > 20, code.code
        assert len(code.remedy) > 10, code.code
        assert code.title[0].isupper(), code.code


def test_an_unknown_command_is_answered_with_the_nearest(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "chek") == 2
    assert "Did you mean check?" in capsys.readouterr().err
    assert run(monkeypatch, "zzz") == 2
    assert "Commands: build, " in capsys.readouterr().err
