"""`preflight` as a person starts it: any PDF, any folder, any format."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.checks.preflight.make import GROUND, TEXT, File, Sheet, write
from tests.cli.test_check_command import run

OFFSET_SOUND = File(intent="Offset")


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is in no project."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.slow
def test_a_sound_file_ends_with_zero(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], elsewhere: Path
) -> None:
    write(elsewhere / "a.pdf", OFFSET_SOUND)
    assert run(monkeypatch, "preflight", "a.pdf", "--preset", "offset") == 0
    assert " error " not in capsys.readouterr().out


@pytest.mark.slow
def test_errors_end_with_one_and_say_where_on_the_page(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], elsewhere: Path
) -> None:
    write(
        elsewhere / "a.pdf",
        File((Sheet(f"{GROUND} {TEXT} 1 0 0 rg 10 10 5 5 re f"), Sheet())),
    )
    assert run(monkeypatch, "preflight", "a.pdf", "--preset", "offset") == 1
    assert (
        "a.pdf:page 1 at 10.0,79.0 mm: error preflight/rgb: " in capsys.readouterr().out
    )
    assert (
        run(monkeypatch, "preflight", "a.pdf", "--preset", "offset", "--format", "json")
        == 1
    )
    found = json.loads(capsys.readouterr().out)["findings"]
    place = next(one["location"] for one in found if one["code"] == "preflight/rgb")
    assert (place["page"], round(place["box"]["x"], 1)) == (1, 10.0)


@pytest.mark.slow
def test_the_report_draws_the_pages_that_have_findings(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], elsewhere: Path
) -> None:
    write(
        elsewhere / "a.pdf", File((Sheet(), Sheet(f"{GROUND} 1 0 0 rg 10 10 5 5 re f")))
    )
    assert (
        run(
            monkeypatch,
            "preflight",
            "a.pdf",
            "--preset",
            "offset",
            "--html",
            "report.html",
        )
        == 1
    )
    page = (elsewhere / "report.html").read_text("utf-8")
    assert "Page 2" in page
    assert "Page 1" not in page
    assert page.count("data:image/jpeg;base64,") == 1
    assert 'x="10.000" y="79.000"' in page
    capsys.readouterr()


def test_what_is_no_pdf_and_no_preset_is_reported_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], elsewhere: Path
) -> None:
    (elsewhere / "a.pdf").write_text("no pdf", "utf-8")
    assert run(monkeypatch, "preflight", "a.pdf", "--preset", "offset") == 3
    assert run(monkeypatch, "preflight", "missing.pdf", "--preset", "offset") == 3
    assert run(monkeypatch, "preflight", "a.pdf", "--preset", "ofset") == 2
    assert "offset" in capsys.readouterr().err


@pytest.mark.slow
def test_fronts_and_backs_of_two_files_are_paired(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], elsewhere: Path
) -> None:
    sound, one = (
        File((Sheet(), Sheet()), intent="Offset"),
        File((Sheet(), Sheet(), Sheet()), intent="Offset"),
    )
    write(elsewhere / "deck-fronts.pdf", sound)
    write(elsewhere / "deck-backs.pdf", one)
    write(elsewhere / "order.pdf", File(()))
    said = {}
    for words in (["deck-fronts.pdf", "--backs", "deck-backs.pdf"], ["."]):
        assert run(monkeypatch, "preflight", *words, "--preset", "offset") == 1
        said[words[0]] = capsys.readouterr().out
    for text in said.values():
        assert (
            "deck-backs.pdf:page 2: error preflight/odd-pages: 2 fronts, but 3 backs"
            in text
        )
        assert text.count("odd-pages") == 1
        assert "order.pdf" not in text
    assert (
        run(
            monkeypatch,
            "preflight",
            ".",
            "--backs",
            "deck-backs.pdf",
            "--preset",
            "offset",
        )
        == 2
    )
    capsys.readouterr()
