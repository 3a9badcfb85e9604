"""Unreadable data is never empty data.

Without every file that a verdict depends on, no command gives one.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner

from builder.cli.main import squadpress
from builder.errors import SquadpressError
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.usecases.release.new import ReleaseRequest, make_release
from tests.house.source import ROOT
from tests.usecases.toy import edit, toy_project

PACK = "cards/lanterns"
NO_VERDICT_NEEDS = ("i18n/", "rosters/", "products.yaml", "stats.yaml", "gauges.yaml")
"""Files of this pack that change no verdict. Its play format asks which release a card was new in:
renames matter.
"""
FORMATS = """formats:
  standard:
    name: {en: Standard, de: Standard}
    pool: [{releases: [1.0.0]}]
  open:
    name: {en: Open, de: Offen}
"""


def break_syntax(path: Path) -> None:
    path.write_text('rules: [\n - "\n', encoding="utf-8")


def break_type(path: Path) -> None:
    path.write_text("12\n", encoding="utf-8")


def break_encoding(path: Path) -> None:
    path.write_bytes(b"\xff\xfe\x80 name")


def put_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def put_dead_link(path: Path) -> None:
    path.unlink()
    path.symlink_to("nowhere")


def empty(path: Path) -> None:
    path.write_bytes(b"")


def remove(path: Path) -> None:
    path.unlink()


NEEDED = (
    "rules.yaml",
    "pack.yaml",
    "vocabulary.yaml",
    "formats.yaml",
    "clearing/two-stumps.yaml",
)
"""A file of each sort; the card is in no squad."""
BROKEN = [break_syntax, break_type, break_encoding, put_folder]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a pack with play formats, statistics, migrations and one release.

    Legal squads, a verdict, a token.
    """
    root = toy_project(tmp_path_factory.mktemp("unreadable"), known=False)
    pack = root / PACK
    (pack / "formats.yaml").write_text(FORMATS, encoding="utf-8")
    (pack / "stats.yaml").write_text("attacks: []\n", encoding="utf-8")
    (pack / "migrations.yaml").write_text(
        "migrations: [{old: old-moth, new: dusk-moth, type: rename, date: 2026-04-01}]\n",
        encoding="utf-8",
    )
    release_result = make_release(
        PackFiles(Project(root)),
        "lanterns",
        ReleaseRequest("1.0.0", date(2026, 4, 1), date(2026, 4, 1)),
    )
    assert release_result.frozen, release_result.findings
    squads = root / "squads"
    squads.mkdir()
    text = (
        (pack / "rosters" / "marsh-walk.yaml")
        .read_text(encoding="utf-8")
        .replace("expect: {legal: true}\n", "")
    )
    (squads / "plain.yaml").write_text(text, encoding="utf-8")
    (root / "pinned.yaml").write_text(f"version: 1.0.0\n{text}", encoding="utf-8")
    (root / "format.yaml").write_text(
        f"play_format: standard\n{text}", encoding="utf-8"
    )
    for name in ("squads/plain.yaml", "pinned.yaml", "format.yaml"):
        assert run(root, "roster", "check", name)[0] == 0
    assert run(root, "roster", "check", "squads/plain.yaml", "--verdict")[0] == 0
    (squads / "plain.verdict.json").rename(root / "kept.json")
    return root


@pytest.fixture
def outside(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the same project, with the working folder in it."""
    monkeypatch.chdir(home)
    return home


def run(root: Path, *words: str) -> tuple[int, str]:
    """Return the exit code and all that a command printed."""
    here = Path.cwd()
    os.chdir(root)
    try:
        result = CliRunner().invoke(squadpress, words, standalone_mode=False)
    finally:
        os.chdir(here)
    error = result.exception
    if isinstance(error, SquadpressError):
        return error.exit_code, f"{result.output}{error.message}\n  {error.remedy}"
    assert error is None, (words, error)
    return result.return_value, result.output


@contextmanager
def changed(path: Path, change: object) -> Iterator[None]:
    """Change a file while the block runs."""
    before = path.read_bytes()
    assert callable(change)
    change(path)
    try:
        yield
    finally:
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
        path.write_bytes(before)


def files_of(root: Path) -> list[str]:
    """Return all files that the pack was written in."""
    folders = (root / PACK, root / "schemas" / "lanterns")
    paths = (
        path for folder in folders for path in folder.rglob("*.*") if path.is_file()
    )
    return sorted(path.relative_to(root).as_posix() for path in paths)


def is_needed(file: str, squad: str) -> bool:
    """Return True if the verdict on a squad depends on a file.

    A pinned one is judged by its release alone.
    """
    inside = file.removeprefix(f"{PACK}/")
    if squad == "pinned.yaml":
        return inside.startswith("releases/") or inside == "pack.yaml"
    return not inside.startswith(NO_VERDICT_NEEDS)


def is_legal_line(output: str) -> bool:
    return re.search(r"^legal\b", output, re.MULTILINE) is not None


@pytest.mark.parametrize("squad", ["squads/plain.yaml", "pinned.yaml"])
@pytest.mark.parametrize(
    "change", [*BROKEN, remove], ids=lambda change: change.__name__
)
def test_no_verdict_without_a_file_that_it_depends_on(
    home: Path, change: object, squad: str
) -> None:
    roster = home / squad
    verdict = roster.with_name(f"{roster.stem}.verdict.json")
    used = {"old-wick", "amber-brooch", "reed-mother", "dusk-moth"}
    for file in files_of(home):
        with changed(home / file, change):
            code, output = run(home, "roster", "check", squad, "--verdict")
        told = (file, output)
        is_card = (
            Path(file).parent.name in ("spirit", "charm", "clearing")
            and "i18n" not in file
        )
        if change is remove and is_card and squad != "pinned.yaml":
            # Nobody knows of a card that is not there: a squad that has it is told so, any other is
            # judged.
            assert code == (1 if Path(file).stem in used else 0), told
            assert not is_legal_line(output) or Path(file).stem not in used, told
        elif is_needed(file, squad):
            assert code == 3, told
            assert file in output, told
            assert not is_legal_line(output), told
            assert "ILLEGAL" not in output, told
            assert not verdict.exists(), told
        else:
            assert code == 0, told
        verdict.unlink(missing_ok=True)


@pytest.mark.parametrize(
    "change", [put_dead_link, empty], ids=lambda change: change.__name__
)
@pytest.mark.parametrize("squad", ["squads/plain.yaml", "format.yaml"])
def test_a_dead_link_and_an_empty_file_are_not_a_missing_file(
    home: Path, change: object, squad: str
) -> None:
    for name in (*NEEDED, "migrations.yaml", "releases/1.0.0/cards.json"):
        with changed(home / PACK / name, change):
            code, output = run(home, "roster", "check", squad)
        assert (code, f"{PACK}/{name}" in output, is_legal_line(output)) == (
            3,
            True,
            False,
        ), (
            name,
            output,
        )


COMMANDS = {
    "check --explain": ("roster", "check", "squads/plain.yaml", "--explain"),
    "check --format json": ("roster", "check", "squads/plain.yaml", "--format", "json"),
    "check of a folder": ("roster", "check", "squads", "--csv", "table.csv"),
    "complete": ("roster", "complete", "squads/plain.yaml", "--output", "made"),
    "choices": ("roster", "choices", "squads/plain.yaml"),
    "add": ("roster", "add", "squads/plain.yaml", "dusk-moth"),
    "equip": ("roster", "equip", "squads/plain.yaml", "1", "heron-quill"),
    "remove": ("roster", "remove", "squads/plain.yaml", "dusk-moth"),
    "rename": ("roster", "rename", "squads/plain.yaml", "Night"),
    "share": ("roster", "share", "squads/plain.yaml"),
    "share --as text": ("roster", "share", "squads/plain.yaml", "--as", "text"),
    "seal": ("roster", "seal", "squads/plain.yaml"),
    "show": ("roster", "show", "squads/plain.yaml"),
    "order": ("roster", "order", "squads/plain.yaml"),
    "stats": ("roster", "stats", "squads/plain.yaml"),
    "verify": ("roster", "verify", "kept.json"),
    "rules": ("roster", "rules"),
    "impact": ("release", "impact", "1.0.0", "work", "squads/plain.yaml"),
    "impact backwards": ("release", "impact", "work", "1.0.0", "squads/plain.yaml"),
    "impact without squads": ("release", "impact", "1.0.0", "work"),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_gives_a_verdict_without_rules_or_cards(
    home: Path, command: str
) -> None:
    squads = {path: path.read_bytes() for path in (home / "squads").iterdir()}
    assert len(squads) == 1
    for name in NEEDED:
        for change in (break_syntax, break_type, put_folder):
            with changed(home / PACK / name, change):
                code, output = run(home, *COMMANDS[command])
            told = (name, change.__name__, output)
            assert code == 3, told
            assert f"{PACK}/{name}" in output, told
            assert not is_legal_line(output), told
            assert {
                path: path.read_bytes() for path in (home / "squads").iterdir()
            } == squads, told
            assert not (home / "table.csv").exists(), told
            assert not (home / "made").exists(), told
    for name in ("rules.yaml", "pack.yaml", "vocabulary.yaml", "formats.yaml"):
        with changed(home / PACK / name, remove):
            code, output = run(home, *COMMANDS[command])
        assert code == 3, output
        assert name in output


@pytest.mark.parametrize(
    "words",
    [
        ("roster", "check", "pinned.yaml"),
        ("roster", "check", "squads/plain.yaml", "--as-of", "1.0.0"),
        ("roster", "check", "squads/plain.yaml", "--as-of", "2026-05-01"),
        ("roster", "choices", "pinned.yaml"),
        ("roster", "add", "pinned.yaml", "dusk-moth"),
        ("roster", "share", "pinned.yaml"),
        ("release", "impact", "1.0.0", "work", "squads/plain.yaml"),
        ("release", "impact", "work", "1.0.0", "squads/plain.yaml"),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize(
    "change", [break_syntax, break_type, remove], ids=lambda change: change.__name__
)
def test_no_verdict_by_a_release_that_cannot_be_read(
    home: Path, words: tuple[str, ...], change: object
) -> None:
    before = (home / "pinned.yaml").read_bytes()
    for name in (
        "rules.json",
        "cards.json",
        "pack.json",
        "vocabulary.json",
        "formats.json",
        "manifest.json",
    ):
        file = f"{PACK}/releases/1.0.0/{name}"
        with changed(home / file, change):
            code, output = run(home, *words)
        told = (name, output)
        assert not is_legal_line(output), told
        assert (home / "pinned.yaml").read_bytes() == before, told
        assert code == 3, told
        assert file in output, told


def test_a_release_that_is_gone_gives_no_verdict(home: Path) -> None:
    folder = home / PACK / "releases" / "1.0.0"
    folder.rename(home / "aside")
    try:
        for words in (
            ("roster", "check", "pinned.yaml"),
            ("roster", "choices", "pinned.yaml"),
        ):
            code, output = run(home, *words)
            assert code == 3
            assert "lanterns has no release 1.0.0" in output
            assert "pinned.yaml:1:10" in output
    finally:
        (home / "aside").rename(folder)


def test_the_list_of_withdrawn_releases_cannot_be_read(home: Path) -> None:
    file = home / PACK / "releases" / "withdrawn.yaml"
    file.write_text("withdrawn: [", encoding="utf-8")
    try:
        code, output = run(home, "roster", "check", "pinned.yaml")
        assert (code, "releases/withdrawn.yaml:" in output) == (3, True), output
    finally:
        file.unlink()


def test_a_squad_of_a_play_format_needs_formats(tmp_path: Path) -> None:
    root = toy_project(tmp_path, known=False)
    squad = root / PACK / "rosters" / "marsh-walk.yaml"
    squad.write_text(
        "play_format: open\n" + squad.read_text(encoding="utf-8"), encoding="utf-8"
    )
    code, output = run(root, "roster", "check", str(squad))
    assert (code, f"{PACK}/formats.yaml: error" in output) == (3, True), output
    assert "formats.yaml is missing, but the squad uses the play format open" in output


def test_a_pack_that_states_no_rules_is_checked_by_none(tmp_path: Path) -> None:
    root = toy_project(tmp_path, known=False)
    squad = f"{PACK}/rosters/marsh-walk.yaml"
    (root / PACK / "rules.yaml").unlink()
    code, output = run(root, "roster", "check", squad)
    assert (
        code,
        f"{PACK}/rules.yaml: error pack/missing-rules: rules.yaml is missing" in output,
    ) == (3, True), output
    code, output = run(root, "check")
    assert (code, f"{PACK}/rules.yaml: error pack/missing-rules" in output) == (
        1,
        True,
    ), output
    (root / PACK / "rules.yaml").write_text("rules: []\n", encoding="utf-8")
    assert run(root, "roster", "check", squad)[0] == 0


def test_a_pack_that_had_migrations_misses_them(home: Path) -> None:
    with changed(home / PACK / "migrations.yaml", remove):
        code, output = run(home, "check")
    assert code == 1, output
    assert (
        "migrations.yaml: error pack/missing-part: "
        "migrations.yaml is missing, but release 1.0.0 has it"
    ) in output


def test_a_folder_that_cannot_be_listed_holds_no_cards_nobody_knows(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real_scandir = os.scandir

    def refuse(path: object) -> object:
        if str(path).endswith("spirit"):
            raise PermissionError(13, "Permission denied", str(path))
        return real_scandir(path)  # type: ignore[call-overload]

    monkeypatch.setattr(os, "scandir", refuse)
    code, output = run(home, "roster", "check", "squads/plain.yaml")
    assert (code, f"{PACK}/spirit: error yaml/unreadable" in output) == (3, True), (
        output
    )


def test_a_folder_of_cards_that_is_a_dead_link_gives_no_verdict(home: Path) -> None:
    folder = home / PACK / "clearing"
    folder.rename(home / "aside")
    folder.symlink_to("nowhere")
    try:
        code, output = run(home, "roster", "check", "squads/plain.yaml")
        assert (code, "the link clearing is broken" in output) == (3, True), output
    finally:
        folder.unlink()
        (home / "aside").rename(folder)


def test_a_token_of_a_broken_pack_is_not_opened(home: Path) -> None:
    token = run(home, "roster", "share", "squads/plain.yaml")[1].strip()
    listed = run(home, "roster", "share", "squads/plain.yaml", "--as", "text")[1]
    (home / "list.txt").write_text(listed, encoding="utf-8")
    with changed(home / PACK / "rules.yaml", break_syntax):
        for words in ((token,), ("@list.txt",), (token, "--output", "opened.yaml")):
            code, output = run(home, "roster", "open", *words)
            assert (code, f"{PACK}/rules.yaml:" in output) == (3, True), output
    assert not (home / "opened.yaml").exists()


def test_an_update_does_not_check_by_a_broken_release(
    home: Path, tmp_path: Path
) -> None:
    player = tmp_path / "player"
    shutil.copytree(home, player)
    edit(home / PACK / "spirit" / "reed-mother.yaml", "cost: 4", "cost: 4 # as before")
    code, output = run(
        home,
        "release",
        "publish",
        "--pack",
        "lanterns",
        "--output",
        str(tmp_path / "public"),
    )
    assert code == 0, output
    with changed(player / PACK / "releases/1.0.0/rules.json", break_syntax):
        code, output = run(
            player, "update", str(tmp_path / "public"), "squads/plain.yaml"
        )
    assert (code, "releases/1.0.0/rules.json" in output) == (3, True), output


def test_the_broken_rules_of_a_new_pack(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(tmp_path, "new", "g2")[0] == 0
    root = tmp_path / "g2"
    shutil.copy(
        ROOT / "tests/cases/unreadable/broken-rules.yaml", root / "cards/g2/rules.yaml"
    )
    (root / "squad.yaml").write_text(
        "pack: g2\nname: x\nsize: 12\nentries: [{card: cub, count: 40}]\n", "utf-8"
    )
    code, output = run(root, "roster", "check", "squad.yaml", "--verdict")
    assert code == 3
    assert "cards/g2/rules.yaml:52:3: error yaml/syntax" in output
    assert "no verdict  squad.yaml" in output
    assert not (root / "squad.verdict.json").exists()
    code, output = run(root, "check", "--format", "json")
    assert code == 1
    assert [item["code"] for item in json.loads(output)["findings"]] == ["yaml/syntax"]
