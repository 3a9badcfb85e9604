"""Seals as files: sealed, disclosed step by step, proved.

What is no file of a seal is refused with its reason.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from contextlib import suppress
from itertools import product
from pathlib import Path

import pytest
from click.testing import Result

from builder.errors import InputUnreadable, SquadpressError, UsageError
from builder.messages import translate
from builder.packs.pack_files import write_json
from builder.usecases.roster.seal import seal_roster
from builder.usecases.roster.sealing import REASONS
from tests.cli.every_pack import PACKS, ROOT, first_legal
from tests.cli.lanterns import ROSTERS, run


@pytest.fixture
def sealed(tmp_path: Path) -> Path:
    shutil.copy(ROSTERS / "marsh-walk.yaml", tmp_path / "walk.yaml")
    assert run("seal", tmp_path / "walk.yaml").return_value == 0
    return tmp_path


@pytest.fixture
def prove(sealed: Path) -> Callable[..., Result]:
    """Disclose the named secrets, spoil the disclosure if asked, and hold it against the copy."""

    def prove(*names: str, old: str = "", new: str = "") -> Result:
        words = [word for name in names for word in ("--open", name)]
        text = run("reveal", sealed / "walk.key.json", *words).output
        assert old in text
        (sealed / "proof.json").write_text(
            text.replace(old, new) if old else text, encoding="utf-8"
        )
        return run(
            "reveal", sealed / "walk.sealed.json", "--proof", sealed / "proof.json"
        )

    return prove


def test_the_opponents_copy_hides_what_is_carried(sealed: Path) -> None:
    text = (sealed / "walk.sealed.json").read_text(encoding="utf-8")
    assert "old-wick" in text
    assert "amber-brooch" not in text


def test_the_opponents_copy_is_a_list_to_read(sealed: Path) -> None:
    output = run("reveal", sealed / "walk.sealed.json", "--lang", "de").output
    assert "Alter Docht" in output
    assert "Bernstein" not in output
    assert "Fingerabdruck" in output
    (sealed / "key.json").write_text("{}", encoding="utf-8")
    with pytest.raises(InputUnreadable, match="not a key"):
        run("reveal", sealed / "key.json")


def test_one_secret_is_revealed_without_the_others_and_then_the_whole(
    prove: Callable[..., Result],
) -> None:
    output = prove("#1.1").output
    assert "as sealed  #1.1: Amber Brooch (amber-brooch)" in output
    assert "#1.2" not in output
    assert "#1.4: nothing" in prove("#1.4").output
    assert prove().return_value == 0
    assert "as sealed  whole: the whole squad" in prove().output
    assert "  + Amber Brooch" in prove().output


def test_what_was_changed_is_found_with_its_reason(
    prove: Callable[..., Result],
) -> None:
    result = prove("#1.1", old="amber-brooch", new="heron-quill")
    assert result.return_value == 1
    assert "NOT PROVED #1.1" in result.output
    assert "differs from what was sealed" in result.output


@pytest.mark.parametrize("names", [("#1.1",), ("deck.1",), ()], ids=str)
def test_models_swapped_in_the_copy_are_found_by_each_secret(
    sealed: Path, prove: Callable[..., Result], names: tuple[str, ...]
) -> None:
    copy = sealed / "walk.sealed.json"
    copy.write_text(
        copy.read_text(encoding="utf-8").replace("reed-mother", "old-wick"),
        encoding="utf-8",
    )
    result = prove(*names)
    assert result.return_value == 1
    assert "the visible part of the copy" in result.output


def test_seals_speak_the_language_that_is_asked_and_every_reason_has_its_words(
    tmp_path: Path,
) -> None:
    shutil.copy(
        ROOT / "cards/hydrophilia/rosters/legal-davis-cordon.yaml", tmp_path / "a.yaml"
    )
    assert "отпечаток копии" in run("seal", tmp_path / "a.yaml", project=ROOT).output
    (tmp_path / "p.json").write_text(
        run("reveal", tmp_path / "a.key.json").output.replace("patrolman", "marksman")
    )
    for lang, told in (
        ("ru", "запечатано было не это"),
        ("en", "this differs from what was sealed"),
    ):
        words = (
            "reveal",
            tmp_path / "a.sealed.json",
            "--proof",
            tmp_path / "p.json",
            "--lang",
            lang,
        )
        assert told in run(*words, project=ROOT).output
    source = (ROOT / "builder/usecases/roster/sealing.py").read_text(encoding="utf-8")
    for lang, key in product(("ru", "en"), re.findall(r'"(seal-[a-z-]+)"', source)):
        assert translate(REASONS[key], lang)


def test_both_players_see_the_same_fingerprint(tmp_path: Path) -> None:
    shutil.copy(ROSTERS / "marsh-walk.yaml", tmp_path / "walk.yaml")
    mark = (
        run("seal", tmp_path / "walk.yaml")
        .output.partition("fingerprint of the copy: ")[2]
        .strip()
    )
    (tmp_path / "proof.json").write_text(
        run("reveal", tmp_path / "walk.key.json").output, encoding="utf-8"
    )
    assert (
        mark
        in run(
            "reveal", tmp_path / "walk.sealed.json", "--proof", tmp_path / "proof.json"
        ).output
    )


@pytest.mark.slow
@pytest.mark.parametrize(("project", "pack"), PACKS, ids=lambda value: value.name)
def test_a_squad_of_every_pack_is_sealed_and_proved(
    project: Path, pack: Path, tmp_path: Path
) -> None:
    judged = first_legal(project, pack)
    sealed = seal_roster(judged)
    copy, key = tmp_path / "squad.sealed.json", tmp_path / "squad.key.json"
    write_json(copy, sealed.copy)
    write_json(key, sealed.key)
    secrets = [
        name
        for name in json.loads(key.read_text(encoding="utf-8"))["salts"]
        if name != "whole"
    ]
    for names in ([], secrets):
        words = [word for name in names for word in ("--open", name)]
        (tmp_path / "proof.json").write_text(
            run("reveal", key, *words, project=project).output, encoding="utf-8"
        )
        assert (
            run(
                "reveal", copy, "--proof", tmp_path / "proof.json", project=project
            ).return_value
            == 0
        )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"format": 2}',
        '{"format": 2, "opened": {"whole": 3}}',
        '{"format": 2, "opened": {}}',
        '{"format": 2, "opened": {"#1.1": {"salt": "\\ud800", "value": "\\ud800"}}}',
        '{"format": 2, "opened": {"#1.1": 1, "#1.1": 2}}',
        '{"format": 2, "opened": ' + "[" * 99_999,
    ],
    ids=range(8),
)
def test_a_disclosure_that_is_none_proves_nothing(sealed: Path, text: str) -> None:
    (sealed / "proof.json").write_text(text, encoding="utf-8")
    with suppress(SquadpressError):
        assert (
            run(
                "reveal", sealed / "walk.sealed.json", "--proof", sealed / "proof.json"
            ).return_value
            == 1
        )


def test_a_squad_of_an_earlier_release_is_shown_at_the_costs_of_that_release(
    tmp_path: Path,
) -> None:
    text = (ROOT / "cards/hydrophilia/rosters/legal-varga-drones.yaml").read_text(
        encoding="utf-8"
    )
    (tmp_path / "drones.yaml").write_text(f"{text}\nversion: 1.0.0\n", encoding="utf-8")
    assert run("seal", tmp_path / "drones.yaml", project=ROOT).return_value == 0
    proof = run("reveal", tmp_path / "drones.key.json", project=ROOT).output
    (tmp_path / "proof.json").write_text(proof, encoding="utf-8")
    output = run(
        "reveal",
        tmp_path / "drones.sealed.json",
        "--proof",
        tmp_path / "proof.json",
        project=ROOT,
    ).output
    listed = run("share", tmp_path / "drones.yaml", "--as", "text", project=ROOT).output
    assert listed in output


def test_files_in_each_others_place_or_of_another_version_are_refused(
    sealed: Path,
) -> None:
    copy, key = sealed / "walk.sealed.json", sealed / "walk.key.json"
    with pytest.raises(InputUnreadable, match="not a key"):
        run("reveal", copy, "--open", "#1.1")
    with pytest.raises(InputUnreadable, match="not a disclosure"):
        run("reveal", copy, "--proof", key)
    copy.write_text(
        copy.read_text(encoding="utf-8").replace('"format": 2', '"format": 1'),
        encoding="utf-8",
    )
    (sealed / "proof.json").write_text(run("reveal", key).output, encoding="utf-8")
    with pytest.raises(InputUnreadable, match="another version"):
        run("reveal", copy, "--proof", sealed / "proof.json")


def test_a_name_that_is_not_sealed_is_answered_with_those_that_are(
    sealed: Path,
) -> None:
    with pytest.raises(UsageError, match="there is no sealed #9") as caught:
        run("reveal", sealed / "walk.key.json", "--open", "#9.1")
    assert caught.value.remedy is not None
    assert "#1.1" in caught.value.remedy
    assert "#1.4" not in caught.value.remedy


def test_only_a_legal_squad_is_sealed_and_a_key_is_never_overwritten(
    sealed: Path,
) -> None:
    with pytest.raises(UsageError, match="already exists"):
        run("seal", sealed / "walk.yaml")
    shutil.copy(ROSTERS / "too-bright.yaml", sealed)
    with pytest.raises(UsageError, match="not a legal"):
        run("seal", sealed / "too-bright.yaml")
