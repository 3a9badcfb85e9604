"""Tokens, texts and seals: what goes out comes back, and what was tampered with is refused with its reason."""

from __future__ import annotations

import json
import shutil
from contextlib import suppress
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from builder.cli.main import squadpress
from builder.errors import SquadpressError, UsageError
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


@pytest.fixture
def sealed(tmp_path: Path) -> Path:
    shutil.copy(WALK, tmp_path / "walk.yaml")
    assert run("seal", tmp_path / "walk.yaml").return_value == 0
    return tmp_path


def test_the_opponents_copy_hides_what_is_carried(sealed: Path) -> None:
    text = (sealed / "walk.sealed.json").read_text(encoding="utf-8")
    assert "old-wick" in text
    assert "amber-brooch" not in text


def test_one_secret_is_revealed_without_the_others_and_then_the_whole(sealed: Path) -> None:
    proof = sealed / "proof.json"
    for names, told in ((["--open", "#1.1"], "amber-brooch"), ([], "the whole squad")):
        proof.write_text(run("reveal", sealed / "walk.key.json", *names).output, encoding="utf-8")
        result = run("reveal", sealed / "walk.sealed.json", "--proof", proof)
        assert result.return_value == 0
        assert f"{told}" in result.output


def test_what_was_changed_is_found(sealed: Path) -> None:
    disclosed = json.loads(run("reveal", sealed / "walk.key.json", "--open", "#1.1").output)
    disclosed["opened"]["#1.1"]["value"]["card"] = "heron-quill"
    (sealed / "proof.json").write_text(json.dumps(disclosed), encoding="utf-8")
    result = run("reveal", sealed / "walk.sealed.json", "--proof", sealed / "proof.json")
    assert result.return_value == 1
    assert "NOT SEALED" in result.output


def test_models_swapped_in_the_copy_are_found_by_the_whole(sealed: Path) -> None:
    copy = sealed / "walk.sealed.json"
    copy.write_text(copy.read_text(encoding="utf-8").replace("reed-mother", "old-wick"), encoding="utf-8")
    (sealed / "proof.json").write_text(run("reveal", sealed / "walk.key.json").output, encoding="utf-8")
    assert run("reveal", copy, "--proof", sealed / "proof.json").return_value == 1


@pytest.mark.parametrize("text", ["", "[]", '{"format": 1}', '{"format": 1, "opened": {"whole": 3}}'])
def test_a_disclosure_that_is_none_proves_nothing(sealed: Path, text: str) -> None:
    (sealed / "proof.json").write_text(text, encoding="utf-8")
    with suppress(SquadpressError):
        assert run("reveal", sealed / "walk.sealed.json", "--proof", sealed / "proof.json").return_value == 1


def test_only_a_legal_squad_is_sealed_and_a_key_is_never_overwritten(sealed: Path) -> None:
    with pytest.raises(UsageError, match="there already"):
        run("seal", sealed / "walk.yaml")
    shutil.copy(ROSTERS / "too-bright.yaml", sealed)
    with pytest.raises(UsageError, match="not a legal"):
        run("seal", sealed / "too-bright.yaml")
