"""Tokens and texts: what goes out comes back, and what was tampered with is refused with its reason."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from builder.cli.main import squadpress
from builder.errors import UsageError
from builder.model.roster import Roster
from builder.store.project import Project
from builder.store.roster_dump import dump
from builder.store.token import pack, unpack
from builder.usecases.roster_check import judge_rosters
from builder.usecases.roster_share import opened, token
from tests.cli.every_pack import FIRST, ROOT
from tests.rules.orchard import pack as orchard
from tests.rules.strategies import rosters

LANTERNS = ROOT / "tests" / "packs" / "lanterns"
ROSTERS = LANTERNS / "cards/lanterns/rosters"
WALK = ROSTERS / "marsh-walk.yaml"


def run(*args: str | Path, project: Path = LANTERNS) -> Result:
    words = ["roster", *map(str, args), "--project", str(project)]
    return CliRunner().invoke(squadpress, words, standalone_mode=False, catch_exceptions=False)


@pytest.mark.parametrize(("project", "file"), FIRST, ids=lambda value: value.name)
def test_a_token_of_every_pack_gives_the_squad_back(project: Path, file: Path) -> None:
    judged = next(iter(judge_rosters(Project(project), (file,))))
    assert judged.roster is not None
    text = token(judged)
    back, remarks = opened(Project(project), text)
    assert back == judged.roster.model_copy(update={"expect": None})
    assert remarks == ()
    assert len(text) < 1500


@settings(max_examples=60, deadline=None)
@given(rosters(orchard()))
def test_any_roster_survives_token_and_json(roster: Roster) -> None:
    value = roster.model_dump(mode="json", exclude_defaults=True)
    assert Roster.model_validate(unpack(pack(value))) == roster


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_a_damaged_token_is_refused(data: st.DataObject) -> None:
    whole = pack({"r": {"pack": "lanterns", "entries": [{"card": "old-wick"}]}})
    place = data.draw(st.integers(5, len(whole) - 1))
    other = data.draw(st.sampled_from([c for c in "ABCxyz019-_!" if c != whole[place]]))
    damaged = data.draw(st.sampled_from([whole[:place] + other + whole[place + 1 :], whole[:place]]))
    with suppress(UsageError):
        assert unpack(damaged) == unpack(whole)  # only the spare bits of the last letter may differ


@pytest.mark.parametrize(
    ("text", "told"),
    [("hello", "not a squad's token"), ("SQP9.abc", "version"), ("SQP1." + "A" * 30_000, "longer"),
     ("SQP1.", "checksum|unpacked|damaged"), (pack([1]), "no roster"),
     (pack({"r": {"pack": "elsewhere"}}), "elsewhere"),
     (pack({"r": {"pack": "lanterns", "entries": 3}}), "no roster"), (pack("x" * 300_000), "more than")],
    ids=range(8),
)  # fmt: skip
def test_a_foreign_huge_or_empty_token_is_refused_with_a_reason(text: str, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        opened(Project(LANTERNS), text)


def test_a_token_built_with_other_data_says_so() -> None:
    text = pack({"r": {"pack": "lanterns"}, "d": "0" * 12})
    assert "other cards or rules" in opened(Project(LANTERNS), text)[1][0]


def test_open_writes_a_new_file_only(tmp_path: Path) -> None:
    text = run("share", WALK).output.strip()
    target = tmp_path / "back.yaml"
    assert "legal" in run("open", text, "--output", target).output
    with pytest.raises(UsageError, match="there already"):
        run("open", text, "--output", target)


def test_lists_to_read_and_json(tmp_path: Path) -> None:
    told = run("share", WALK, "--as", "text").output
    assert "Old Wick (5) — Mask: Heron\n  + Amber Brooch" in told
    assert "2× Dusk Moth (2) — Host: Reed Mother" in told
    assert run("share", WALK, "--as", "markdown").output.startswith("# A walk in the marsh\n")
    file = tmp_path / "squad.json"
    file.write_text(run("share", WALK, "--as", "json").output, encoding="utf-8")
    assert run("open", f"@{file}").output == run("open", run("share", WALK).output).output


def test_a_qr_code_is_an_svg(tmp_path: Path) -> None:
    run("share", WALK, "--as", "qr", "--output", tmp_path / "code.svg")
    assert (tmp_path / "code.svg").read_bytes().startswith(b"<svg")


@settings(max_examples=40, deadline=None)
@given(rosters(orchard(), most=3))
def test_what_is_dumped_names_every_part(roster: Roster) -> None:
    text = dump(roster)
    assert all(item.card in text for entry in roster.entries for item in entry.attachments)
