"""Tokens and texts return what was shared; altered ones are refused with the reason."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from jsonschema import Draft202012Validator

from builder.errors import SquadpressError, UsageError
from builder.model.roster import Roster
from builder.packs.exchange import decode_token, encode_token
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.packs.rosters import format_roster
from builder.usecases.roster.check_roster import RosterCheckers
from builder.usecases.roster.reading import read_roster_text
from builder.usecases.roster.roster_files import check_roster_files
from builder.usecases.roster.share import format_json, make_token, parse_token
from builder.usecases.roster.verdict import hash_pack_data
from tests.cli.every_pack import FIRST, PACKS, ROOT
from tests.cli.lanterns import LANTERNS, ROSTERS, run
from tests.rules.orchard import pack as orchard
from tests.rules.strategies import rosters

WALK = ROSTERS / "marsh-walk.yaml"


@pytest.mark.parametrize(("project", "file"), FIRST, ids=lambda value: value.name)
def test_a_token_of_every_pack_gives_the_squad_back(project: Path, file: Path) -> None:
    checked_squad = next(iter(check_roster_files(Project(project), (file,))))
    assert checked_squad.roster is not None
    text = make_token(checked_squad)
    back, remarks = parse_token(PackFiles(Project(project)), text)
    assert back == checked_squad.roster.model_copy(update={"expect": None})
    assert remarks == ()
    assert len(text) < 1500


@given(rosters(orchard()))
def test_any_roster_survives_token_and_json(roster: Roster) -> None:
    value = roster.model_dump(mode="json", exclude_defaults=True)
    assert Roster.model_validate(decode_token(encode_token(value))) == roster


WHOLE = encode_token(
    {"r": {"pack": "lanterns", "entries": [{"card": "old-wick"}]}, "d": "0" * 12}
)
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=.!é"


@pytest.mark.parametrize("other", LETTERS)
def test_a_token_with_any_one_letter_exchanged_is_refused_with_a_reason(
    other: str,
) -> None:
    for place in (place for place in range(len(WHOLE)) if WHOLE[place] != other):
        with pytest.raises(UsageError) as caught:
            decode_token(WHOLE[:place] + other + WHOLE[place + 1 :])
        assert caught.value.remedy


@given(st.data())
def test_a_token_that_was_cut_grown_or_shuffled_is_refused(data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(WHOLE)))
    end = data.draw(st.integers(start, len(WHOLE)))
    inner = data.draw(st.text(st.sampled_from(LETTERS), max_size=12))
    damaged = WHOLE[:start] + inner + WHOLE[end:]
    if "".join(damaged.split()) != WHOLE:
        with pytest.raises(UsageError):
            decode_token(damaged)


@given(st.text(max_size=60))
def test_any_foreign_text_is_refused(text: str) -> None:
    for token_ in (text, f"SQP1.{text}"):
        with pytest.raises(UsageError):
            decode_token(token_)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("hello", "not a squad token"),
        ("SQP9.abc", "version"),
        ("SQP1." + "A" * 30_000, "longer"),
        ("SQP1.", "checksum|unpacked|damaged"),
        (encode_token([1]), "no roster"),
        (encode_token({"r": {"pack": "elsewhere"}}), "elsewhere"),
        (encode_token({"r": {"pack": "lanterns", "entries": 3}}), "no roster"),
        (encode_token("x" * 300_000), "larger than"),
    ],
    ids=range(8),
)
def test_a_foreign_huge_or_empty_token_is_refused_with_a_reason(
    text: str, told: str
) -> None:
    with pytest.raises(UsageError, match=told):
        parse_token(PackFiles(Project(LANTERNS)), text)


def test_a_token_built_with_other_data_says_so() -> None:
    text = encode_token({"r": {"pack": "lanterns"}, "d": "0" * 12})
    assert (
        "other cards or rules" in parse_token(PackFiles(Project(LANTERNS)), text)[1][0]
    )


def test_open_writes_a_new_file_only(tmp_path: Path) -> None:
    text = run("share", WALK).output.strip()
    target = tmp_path / "back.yaml"
    assert "legal" in run("open", text, "--output", target).output
    target.write_text("# my own\n" + target.read_text("utf-8"), "utf-8")
    with pytest.raises(UsageError, match="already exists"):
        run("open", text, "--output", target)


def test_lists_to_read_and_json(tmp_path: Path) -> None:
    output = run("share", WALK, "--as", "text").output
    assert "Old Wick (5) — Mask: Heron\n  + Amber Brooch" in output
    assert "2× Dusk Moth (2) — Host: Reed Mother" in output
    assert run("share", WALK, "--as", "markdown").output.startswith(
        "# A walk in the marsh\n"
    )
    file = tmp_path / "squad.json"
    file.write_text(run("share", WALK, "--as", "json").output, encoding="utf-8")
    assert (
        run("open", f"@{file}").output == run("open", run("share", WALK).output).output
    )


SCHEMA = Draft202012Validator(
    json.loads((ROOT / "schemas/core/roster.schema.json").read_text(encoding="utf-8"))
)


@pytest.mark.parametrize(("project", "folder"), PACKS, ids=lambda value: value.name)
def test_the_json_of_every_squad_of_every_pack_keeps_to_the_schema_and_comes_back(
    project: Path, folder: Path
) -> None:
    home = Project(project)
    for judged in check_roster_files(home, sorted((folder / "rosters").glob("*.yaml"))):
        assert judged.roster is not None
        assert list(SCHEMA.iter_errors(json.loads(format_json(judged)))) == []
        back = read_roster_text(PackFiles(home), format_json(judged), "squad.json")
        assert back.remarks == ()
        assert back.roster == judged.roster.model_copy(update={"expect": None})


def test_json_in_the_short_forms_of_the_schema_is_read() -> None:
    value = {
        "pack": "lanterns",
        "embers": 12,
        "entries": ["reed-mother", {"card": "old-wick", "mask": "heron"}],
    }
    assert list(SCHEMA.iter_errors(value)) == []
    roster = read_roster_text(
        PackFiles(Project(LANTERNS)), json.dumps(value), "squad.json"
    ).roster
    assert roster.params["embers"] == 12
    assert [(entry.card, dict(entry.choices)) for entry in roster.entries] == [
        ("reed-mother", {}),
        ("old-wick", {"mask": "heron"}),
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "no roster"),
        ("[" * 99_999, "no roster"),
        ("[1]", "no roster"),
        ("{}", "pack is missing"),
        ('{"pack": "nowhere"}', "does not exist"),
        ('{"pack": "lanterns", "entries": 3}', "no roster"),
        ('{"pack": "lanterns", "name": "x', "no roster"),
    ],
    ids=range(7),
)
def test_json_that_is_no_roster_is_refused_with_a_reason(
    tmp_path: Path, text: str, told: str
) -> None:
    file = tmp_path / "squad.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(SquadpressError, match=told):
        run("open", f"@{file}")


def test_a_token_of_an_earlier_release_says_of_which() -> None:
    home = Project(ROOT)
    checker = RosterCheckers(PackFiles(home)).get_checker("hydrophilia", "1.0.0")
    assert checker is not None
    text = encode_token(
        {"r": {"pack": "hydrophilia"}, "d": hash_pack_data(checker.pack)[:12]}
    )
    assert "built with release 1.0.0" in parse_token(PackFiles(home), text)[1][1]


@pytest.mark.parametrize("form", ["token", "text", "markdown", "json"])
def test_every_form_is_written_into_a_file_if_one_is_named(
    form: str, tmp_path: Path
) -> None:
    output = run("share", WALK, "--as", form, "--lang", "en").output
    assert run(
        "share", WALK, "--as", form, "--lang", "en", "--output", tmp_path / "out"
    ).output.startswith("written")
    assert (tmp_path / "out").read_text(encoding="utf-8") == output


def test_a_qr_code_is_an_svg(tmp_path: Path) -> None:
    run("share", WALK, "--as", "qr", "--output", tmp_path / "code.svg")
    assert (tmp_path / "code.svg").read_bytes().startswith(b"<svg")
    with pytest.raises(UsageError, match="unknown extension"):
        run("share", WALK, "--as", "qr", "--output", tmp_path / "code.png")
    assert not (tmp_path / "code.png").exists()


@given(rosters(orchard(), most=3))
def test_what_is_dumped_names_every_part(roster: Roster) -> None:
    text = format_roster(roster)
    assert all(
        item.card in text for entry in roster.entries for item in entry.attachments
    )


def test_a_list_is_opened_and_what_it_says_besides_is_named(tmp_path: Path) -> None:
    file = tmp_path / "squad.txt"
    file.write_text(
        run("share", WALK, "--as", "text").output + "Dragon (3)\n", encoding="utf-8"
    )
    opened = run("open", f"@{file}")
    assert "Dragon (3)" in opened.output
    file.write_text("nothing that is known", encoding="utf-8")
    with pytest.raises(UsageError, match="contains no card"):
        run("open", f"@{file}")
