"""Whatever a file names and the program turns into a path stays inside.

Nothing but ordinary files is opened.
"""

from __future__ import annotations

import json
import os
import shutil
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from builder.errors import OutputNotWritten
from builder.model.base import InnerPath
from builder.packs.loading import load_pack
from builder.packs.project import Project
from builder.packs.releases.package import open_package
from builder.render.html.templates import TemplateSet
from builder.usecases.build.records import BuildRecord
from builder.usecases.check_pack import check_packs
from tests.hostile.attacks import call, everything, forge, put, released
from tests.usecases.toy import toy_project

LANGS = [
    "../../../../escaped",
    "/tmp/escaped",
    "..",
    "e\x1b[31m",
    "en/../../x",
    "x" * 300,
    "",
    3,
    None,
]


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize(
    "words", [("release", "publish", "--no-pdf"), ("release", "notes", "1.0.0")]
)
def test_a_language_of_a_release_names_no_path(
    tmp_path: Path, lang: Any, words: tuple[str, ...]
) -> None:
    outer = tmp_path / "outer"
    release = released(outer / "a" / "project")
    forge(
        release, "pack.json", lambda pack: pack["languages"].update(translations=[lang])
    )
    project = outer / "a" / "project"
    before = everything(tmp_path)
    call(project, *words, "--output", outer / "a" / "out")
    written = set(everything(tmp_path)) - set(before)
    assert all(
        path.startswith(("outer/a/out", "outer/a/project/.cache")) for path in written
    ), written


@pytest.mark.parametrize(
    "name",
    ["../../../../../pack.yaml", "/etc/hostname", "../1.0.0/cards.json", "a\0b", "./x"],
)
def test_a_manifest_names_no_file_elsewhere(tmp_path: Path, name: str) -> None:
    release = released(tmp_path)
    forge(
        release,
        "manifest.json",
        lambda all_: put(all_["files"], {"path": name, "bytes": 1, "sha256": "0" * 64}),
    )
    assert call(tmp_path, "release", "publish", "--no-pdf")[0] in (1, 2)
    assert not (tmp_path / "output").exists()
    said = call(tmp_path, "release", "diff", "1.0.0")[1]
    assert "the manifest cannot be read" in said


def test_a_manifest_that_names_a_device_or_a_pipe_is_refused_at_once(
    tmp_path: Path,
) -> None:
    release = released(tmp_path)
    for name, kind in (("zero.json", Path("/dev/zero")), ("pipe.json", None)):
        path = release / name
        path.symlink_to(kind) if kind else os.mkfifo(path)
        forge(
            release,
            "manifest.json",
            lambda all_, name=name: put(  # type: ignore[misc]
                all_["files"], {"path": name, "bytes": 10**15, "sha256": "0" * 64}
            ),
        )
        said = call(tmp_path, "release", "diff", "1.0.0")[1]
        assert f"{name}: error release/unreadable" in said
        path.unlink()


@pytest.mark.parametrize(
    "version", ["../../..", "..", ".", "/", "1.0.0/../../../x", "1.0.0\n", "١.٠.٠"]
)
def test_a_version_names_no_path(tmp_path: Path, version: str) -> None:
    released(tmp_path)
    roster = tmp_path / "squad.yaml"
    source = next(iter((tmp_path / "cards/lanterns/rosters").glob("*.yaml"))).read_text(
        encoding="utf-8"
    )
    roster.write_text(f"version: {json.dumps(version)}\n{source}", encoding="utf-8")
    code, said = call(tmp_path, "roster", "check", roster)
    assert code == 1
    assert "version" in said
    before = everything(tmp_path)
    assert call(
        tmp_path,
        "release",
        "new",
        version,
        "--effective",
        "2026-05-01",
        "--no-pictures",
    )[0] in (1, 2)
    assert everything(tmp_path).keys() - before.keys() <= {"nothing"}


@pytest.mark.parametrize(
    "name", ["../../secret.json", "/etc/passwd", "..", "a/../../b.json", ""]
)
def test_a_schema_lies_among_the_schemas(tmp_path: Path, name: str) -> None:
    project = toy_project(tmp_path)
    manifest = project / "cards/lanterns/pack.yaml"
    manifest.write_text(
        f"{manifest.read_text(encoding='utf-8')}\nschemas: {{spirit: {json.dumps(name)}}}\n"
    )
    loaded = load_pack(Project(project), "lanterns")
    assert loaded.pack is None
    assert any(
        "schemas" in (finding.location.path or "") for finding in loaded.findings
    )


LINKS = [
    "cards/lanterns/spirit",
    "cards/lanterns/i18n",
    "cards/lanterns/spirit/more",
    "cards/lanterns/art",
    "templates/lanterns/icons",
    "schemas/lanterns",
    "templates/lanterns/spirit",
]


@pytest.mark.parametrize("place", LINKS)
def test_a_linked_folder_does_not_lead_out_of_the_project(
    tmp_path: Path, place: str
) -> None:
    project, outside = toy_project(tmp_path / "project"), tmp_path / "outside"
    there = project / place
    if there.is_dir():
        shutil.move(there, outside)
    else:
        (outside / "x").mkdir(parents=True)
        (outside / "secret.yaml").write_text("id: secret\nkind: spirit\nname: SECRET\n")
    if place.endswith(
        "schemas/lanterns"
    ):  # the folders of a pack itself may be links: who set it up made them
        place, there = (
            "schemas/lanterns/spirit.schema.json",
            project / "schemas/lanterns/spirit.schema.json",
        )
        there.parent.mkdir()
        outside = outside / "spirit.schema.json"
    there.symlink_to(outside)
    code, said = call(project, "check", "lanterns")
    loaded = load_pack(Project(project), "lanterns")
    outer = {path.stem for path in tmp_path.glob("outside/*")}
    if "art" in place or "more" in place:
        assert not {Path(name).stem for name in loaded.art} & outer
        assert "secret" not in said
    elif "spirit" in place and "cards" in place:
        assert code == 1
        assert "a folder outside the project" in said
        assert loaded.pack is not None
        assert not any(card.kind == "spirit" for card in loaded.pack.cards.values())
    elif place == "templates/lanterns/spirit":
        assert not TemplateSet(
            project / "templates/lanterns", Project(project).base_templates
        ).exists("spirit/front.html.j2")
    else:
        assert code == 1 or (loaded.pack is not None and not loaded.pack.icons)


@pytest.mark.parametrize(
    "place",
    [
        "cards/lanterns/spirit",
        "cards/lanterns/i18n",
        "cards/lanterns/i18n/fr",
        "cards/lanterns/spirit/more",
        "cards/lanterns/art",
        "cards/lanterns/rosters",
        "templates/lanterns/icons",
        "templates/lanterns/fonts",
        "templates/lanterns/spirit",
    ],
)
def test_a_linked_folder_is_one_error_and_is_not_searched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    project, outside = toy_project(tmp_path / "project"), tmp_path / "outside"
    (outside / "inner").mkdir(parents=True)
    for name in ("one.yaml", "two.yaml", "picture.svg", "type.ttf", "three.yml"):
        (outside / name).write_text("no card")
        (outside / "inner" / name).write_text("no card")
    shutil.rmtree(project / place, ignore_errors=True)
    (project / place).symlink_to(outside)
    searched: list[str] = []
    scandir = os.scandir

    def watch_scandir(path: str | os.PathLike[str] = ".") -> object:
        searched.append(os.path.realpath(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", watch_scandir)
    findings = check_packs(Project(project), "lanterns")
    BuildRecord(Project(project), "lanterns", {})
    assert [(one.code, one.location.file) for one in findings] == [
        ("pack/linked-folder", place)
    ]
    assert str(project / "cards/lanterns") in searched
    assert not [path for path in searched if path.startswith(str(outside))]


def test_a_linked_folder_inside_the_project_is_no_error(tmp_path: Path) -> None:
    project = toy_project(tmp_path)
    (project / "cards/lanterns/spirit").rename(project / "spirits")
    (project / "cards/lanterns/spirit").symlink_to(project / "spirits")
    (project / "cards/lanterns/art").mkdir(exist_ok=True)
    (project / "cards/lanterns/art/circle").symlink_to(project / "cards")
    assert not [
        one
        for one in check_packs(Project(project), "lanterns")
        if one.code == "pack/linked-folder"
    ]
    assert BuildRecord(Project(project), "lanterns", {}).inputs


def test_a_link_in_a_pack_leads_to_no_file_outside(tmp_path: Path) -> None:
    project = toy_project(tmp_path / "project")
    secret = tmp_path / "secret.yaml"
    secret.write_text("user: SECRET\n: x")
    (project / "cards/lanterns/spirit/evil.yaml").symlink_to(secret)
    code, said = call(project, "check", "lanterns")
    assert code == 1
    assert "SECRET" not in said
    assert "leads out" in said


@pytest.mark.parametrize(
    "place",
    [
        "cards/lanterns/spirit/pipe.yaml",
        "cards/lanterns/i18n/de/spirit/pipe.yaml",
        "cards/lanterns/migrations.yaml",
        "cards/lanterns/gauges.yaml",
        "cards/lanterns/art/pipe.svg",
        "templates/lanterns/icons/pipe.svg",
        "templates/lanterns/fonts/pipe.ttf",
        "templates/presets/pipe.yaml",
        "cards/lanterns/rosters/pipe.yaml",
        "templates/lanterns/pack.css",
    ],
)
def test_nobody_waits_for_a_pipe(tmp_path: Path, place: str) -> None:
    project = toy_project(tmp_path)
    path = project / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    for words in (
        ("check", "lanterns"),
        ("release", "diff", "work", "work"),
        ("roster", "check", path.parent),
    ):
        try:
            assert call(project, *words)[0] in (0, 1, 2, 3)
        except BaseException as error:
            raise AssertionError(words) from error


def test_a_pipe_named_as_input_is_refused(tmp_path: Path) -> None:
    project, pipe = toy_project(tmp_path / "project"), tmp_path / "pipe"
    os.mkfifo(pipe)
    for words in (
        ("roster", "check", pipe),
        ("roster", "open", f"@{pipe}"),
        ("roster", "reveal", pipe),
        ("roster", "verify", pipe),
        ("translations", "--take", pipe),
        ("preflight", pipe, "--preset", "drivethrucards"),
        ("roster", "show", pipe),
    ):
        assert call(project, *words)[0] in (1, 2, 3), words


GOOD = ["a.json", "i18n/de.json", "ö/ü.txt", "a b.c", "x" * 255]
BAD = [
    "",
    "/a",
    "a/",
    "a//b",
    "..",
    "a/../b",
    "./a",
    "a\\b",
    "c:/x",
    "a\nb",
    "a\0b",
    "x" * 256,
    "ü" * 128,
    "a\u202eb",
    "/".join("a" * 17),
    "\x1b[2J",
]


def test_an_inner_path_leads_nowhere_else() -> None:
    inner = TypeAdapter(InnerPath)
    for path in GOOD:
        assert inner.validate_python(path) == path
    for path in BAD:
        with pytest.raises(ValidationError):
            inner.validate_python(path)


def fill(folder: Path, **files: bytes) -> bool:
    with open_package(folder) as box:
        for name, data in files.items():
            box.write_file(name.replace("_", "/"), data)
        box.write_sums()
    return box.changed


def test_a_package_removes_only_what_its_own_list_names(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert fill(out, v1_a=b"a", v1_b=b"b")
    (out / "v1" / "mine.txt").write_text("mine")
    (out / "v1" / "b").write_text("edited")
    (out / "v1" / "c").mkdir()
    (out / "v1" / "way").symlink_to(tmp_path)
    mine = {"v1/b", "v1/mine.txt", "v1/c", "v1/way"}
    assert fill(out, v1_a=b"a")
    assert {*everything(out)} == {"SHA256SUMS", "v1", "v1/a", *mine}
    assert fill(out, v2_a=b"a")
    assert not fill(out, v2_a=b"a")
    assert {*everything(out)} == {"SHA256SUMS", "v1", "v2", "v2/a", *mine}


def test_a_package_overwrites_nothing_that_it_did_not_write(tmp_path: Path) -> None:
    (tmp_path / "index").write_text("my home page")
    for there in ("index", "SHA256SUMS"):
        with pytest.raises(OutputNotWritten):
            fill(tmp_path, index=b"x")
        assert (tmp_path / there).read_text() == "my home page"
        assert {*everything(tmp_path)} == {there}
        (tmp_path / there).rename(tmp_path / "SHA256SUMS")


@pytest.mark.parametrize(
    "listed", ["../precious", "/etc/hostname", "v1/../../precious", "link/precious"]
)
def test_a_forged_list_removes_nothing_elsewhere(tmp_path: Path, listed: str) -> None:
    precious, out = tmp_path / "precious", tmp_path / "out"
    precious.write_text(listed)
    out.mkdir()
    (out / "link").symlink_to(tmp_path)
    (out / "SHA256SUMS").write_text(
        f"{sha256(listed.encode()).hexdigest()}  {listed}\n"
    )
    with suppress(OutputNotWritten):
        fill(out, a=b"a")
    assert precious.exists()


def test_a_package_does_not_follow_a_link_out(tmp_path: Path) -> None:
    out, home = tmp_path / "out", tmp_path / "home"
    out.mkdir()
    home.mkdir()
    (out / "v1").symlink_to(home)
    with pytest.raises(OutputNotWritten, match="leads out"):
        fill(out, v1_a=b"a")
    assert not any(home.iterdir())


def test_a_release_that_cannot_be_read_is_not_passed_over(tmp_path: Path) -> None:
    release = released(tmp_path)
    assert (
        call(tmp_path, "release", "publish", "--no-pdf", "--output", tmp_path / "out")[
            0
        ]
        == 0
    )
    before = everything(tmp_path / "out")
    shutil.copytree(release, release.with_name("1.1.0"))
    (release / "manifest.json").write_text("{")
    for words in (
        ("publish", "--no-pdf", "--output", tmp_path / "out"),
        ("diff", "2030-01-01"),
        ("new", "1.2.0", "--effective", "2031-01-01"),
    ):
        code, told = call(tmp_path, "release", *words)
        assert code == 1 or words[0] == "diff"
        assert "releases/1.0.0/manifest.json:" in told
        assert "the manifest cannot be read" in told
    assert everything(tmp_path / "out") == before
    assert not (release.with_name("1.2.0")).exists()
