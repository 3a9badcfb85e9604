"""Whatever a file names and the program turns into a path stays inside; nothing but ordinary files is opened."""

from __future__ import annotations

import json
import os
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from builder.errors import OutputNotWritten
from builder.model.base import InnerPath
from builder.render.html.templates import TemplateSet
from builder.store.packs import load_pack
from builder.store.project import Project
from builder.usecases.files import write_tree
from tests.hostile.attacks import call, everything, forge, put, released
from tests.usecases.toy import edit, toy_project

LANGS = ["../../../../escaped", "/tmp/escaped", "..", "e\x1b[31m", "en/../../x", "x" * 300, "", 3, None]


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("words", [("release", "publish", "--no-pdf"), ("release", "notes", "1.0.0")])
def test_a_language_of_a_release_names_no_path(tmp_path: Path, lang: Any, words: tuple[str, ...]) -> None:
    outer = tmp_path / "outer"
    release = released(outer / "a" / "project")
    forge(release, "pack.json", lambda pack: pack["languages"].update(translations=[lang]))
    project = outer / "a" / "project"
    before = everything(tmp_path)
    call(project, *words, "--output", outer / "a" / "out")
    written = set(everything(tmp_path)) - set(before)
    assert all(path.startswith(("outer/a/out", "outer/a/project/.cache")) for path in written), written


@pytest.mark.parametrize("name", ["../../../../../pack.yaml", "/etc/hostname", "../1.0.0/cards.json", "a\0b", "./x"])
def test_a_manifest_names_no_file_elsewhere(tmp_path: Path, name: str) -> None:
    release = released(tmp_path)
    forge(release, "manifest.json", lambda all_: put(all_["files"], {"path": name, "bytes": 1, "sha256": "0" * 64}))
    assert call(tmp_path, "release", "publish", "--no-pdf")[0] in (1, 2)
    assert not (tmp_path / "output").exists()
    said = call(tmp_path, "release", "diff", "1.0.0")[1]
    assert "the manifest cannot be read" in said


def test_a_manifest_that_names_a_device_or_a_pipe_is_refused_at_once(tmp_path: Path) -> None:
    release = released(tmp_path)
    for name, kind in (("zero.json", Path("/dev/zero")), ("pipe.json", None)):
        path = release / name
        path.symlink_to(kind) if kind else os.mkfifo(path)
        forge(release, "manifest.json", lambda all_, name=name: put(  # type: ignore[misc]
            all_["files"], {"path": name, "bytes": 10**15, "sha256": "0" * 64}))  # fmt: skip
        said = call(tmp_path, "release", "diff", "1.0.0")[1]
        assert f"{name}: error release/unreadable" in said
        path.unlink()


@pytest.mark.parametrize("version", ["../../..", "..", ".", "/", "1.0.0/../../../x", "1.0.0\n", "١.٠.٠"])
def test_a_version_names_no_path(tmp_path: Path, version: str) -> None:
    released(tmp_path)
    roster = tmp_path / "squad.yaml"
    source = next(iter((tmp_path / "cards/lanterns/rosters").glob("*.yaml"))).read_text(encoding="utf-8")
    roster.write_text(f"version: {json.dumps(version)}\n{source}", encoding="utf-8")
    code, said = call(tmp_path, "roster", "check", roster)
    assert code == 1
    assert "version" in said
    before = everything(tmp_path)
    assert call(tmp_path, "release", "new", version, "--effective", "2026-05-01", "--no-pictures")[0] in (1, 2)
    assert everything(tmp_path).keys() - before.keys() <= {"nothing"}


@pytest.mark.parametrize("name", ["../../secret.json", "/etc/passwd", "..", "a/../../b.json", ""])
def test_a_schema_lies_among_the_schemas(tmp_path: Path, name: str) -> None:
    project = toy_project(tmp_path)
    manifest = project / "cards/lanterns/pack.yaml"
    manifest.write_text(f"{manifest.read_text(encoding='utf-8')}\nschemas: {{spirit: {json.dumps(name)}}}\n")
    loaded = load_pack(Project(project), "lanterns")
    assert loaded.pack is None
    assert any("schemas" in (finding.location.path or "") for finding in loaded.findings)


LINKS = ["cards/lanterns/spirit", "cards/lanterns/i18n", "cards/lanterns/spirit/more", "cards/lanterns/art",
         "templates/lanterns/icons", "schemas/lanterns", "templates/lanterns/spirit"]  # fmt: skip


@pytest.mark.parametrize("place", LINKS)
def test_a_linked_folder_does_not_lead_out_of_the_project(tmp_path: Path, place: str) -> None:
    project, outside = toy_project(tmp_path / "project"), tmp_path / "outside"
    there = project / place
    if there.is_dir():
        shutil.move(there, outside)
    else:
        (outside / "x").mkdir(parents=True)
        (outside / "secret.yaml").write_text("id: secret\nkind: spirit\nname: SECRET\n")
    if place.endswith("schemas/lanterns"):  # the folders of a pack itself may be links: who set it up made them
        place, there = "schemas/lanterns/spirit.schema.json", project / "schemas/lanterns/spirit.schema.json"
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
        assert "leads out" in said
        assert loaded.pack is not None
        assert not any(card.kind == "spirit" for card in loaded.pack.cards.values())
    elif place == "templates/lanterns/spirit":
        assert not TemplateSet(project / "templates/lanterns", Project(project).base_templates).exists(
            "spirit/front.html.j2"
        )
    else:
        assert code == 1 or (loaded.pack is not None and not loaded.pack.icons)


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
    ["cards/lanterns/spirit/pipe.yaml", "cards/lanterns/i18n/de/spirit/pipe.yaml", "cards/lanterns/migrations.yaml",
     "cards/lanterns/gauges.yaml", "cards/lanterns/art/pipe.svg", "templates/lanterns/icons/pipe.svg",
     "templates/lanterns/fonts/pipe.ttf", "templates/presets/pipe.yaml", "cards/lanterns/rosters/pipe.yaml",
     "templates/lanterns/pack.css"],
)  # fmt: skip
def test_nobody_waits_for_a_pipe(tmp_path: Path, place: str) -> None:
    project = toy_project(tmp_path)
    path = project / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    for words in (("check", "lanterns"), ("release", "diff", "work", "work"), ("roster", "check", path.parent)):
        try:
            assert call(project, *words)[0] in (0, 1, 2, 3)
        except BaseException as error:
            raise AssertionError(words) from error


def test_a_pipe_named_as_input_is_refused(tmp_path: Path) -> None:
    project, pipe = toy_project(tmp_path / "project"), tmp_path / "pipe"
    os.mkfifo(pipe)
    for words in (
        ("roster", "check", pipe), ("roster", "open", f"@{pipe}"), ("roster", "reveal", pipe),
        ("roster", "verify", pipe), ("translations", "--take", pipe), ("preflight", pipe, "--preset", "drivethrucards"),
        ("roster", "show", pipe),
    ):  # fmt: skip
        assert call(project, *words)[0] in (1, 2, 3), words


GOOD = ["a.json", "i18n/de.json", "ö/ü.txt", "a b.c", "x" * 255]
BAD = ["", "/a", "a/", "a//b", "..", "a/../b", "./a", "a\\b", "c:/x", "a\nb", "a\0b", "x" * 256, "ü" * 128, "a\u202eb",
       "/".join("a" * 17), "\x1b[2J"]  # fmt: skip


def test_an_inner_path_leads_nowhere_else() -> None:
    inner = TypeAdapter(InnerPath)
    for path in GOOD:
        assert inner.validate_python(path) == path
    for path in BAD:
        with pytest.raises(ValidationError):
            inner.validate_python(path)


def test_publishing_removes_only_what_its_own_list_names(tmp_path: Path) -> None:
    out = tmp_path / "out"
    write_tree(out, {"SUMS": _sums("v1/a", "v1/b"), "v1/a": b"v1/a", "v1/b": b"v1/b"}, "SUMS")
    (out / "v1" / "mine.txt").write_text("mine")
    (out / "v1" / "b").write_text("edited")
    (out / "v1" / "c").mkdir()
    write_tree(out, {"SUMS": _sums("v1/a"), "v1/a": b"v1/a"}, "SUMS")
    assert {*everything(out)} == {"SUMS", "v1", "v1/a", "v1/b", "v1/mine.txt", "v1/c"}
    write_tree(out, {"SUMS": _sums("v2/a"), "v2/a": b"v2/a"}, "SUMS")
    assert {*everything(out)} == {"SUMS", "v1", "v1/b", "v1/mine.txt", "v1/c", "v2", "v2/a"}


def test_publishing_overwrites_nothing_that_it_did_not_write(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("my home page")
    for there in ("index.html", "SUMS"):
        with pytest.raises(OutputNotWritten):
            write_tree(tmp_path, {"SUMS": _sums("index.html"), "index.html": b"x"}, "SUMS")
        assert (tmp_path / there).read_text() == "my home page"
        (tmp_path / there).rename(tmp_path / "SUMS")


@pytest.mark.parametrize("listed", ["../precious", "/etc/hostname", "v1/../../precious", "link/precious"])
def test_a_forged_list_removes_nothing_elsewhere(tmp_path: Path, listed: str) -> None:
    precious, out = tmp_path / "precious", tmp_path / "out"
    precious.write_text(listed)
    out.mkdir()
    (out / "link").symlink_to(tmp_path)
    (out / "SUMS").write_bytes(_sums(listed))
    with suppress(OutputNotWritten):
        write_tree(out, {"SUMS": _sums("a"), "a": b"a"}, "SUMS")
    assert precious.exists()


def test_publishing_does_not_follow_a_link_out(tmp_path: Path) -> None:
    out, home = tmp_path / "out", tmp_path / "home"
    out.mkdir()
    home.mkdir()
    (out / "v1").symlink_to(home)
    with pytest.raises(OutputNotWritten, match="leads out"):
        write_tree(out, {"SUMS": _sums("v1/a"), "v1/a": b"v1/a"}, "SUMS")
    assert not any(home.iterdir())


def _sums(*paths: str) -> bytes:
    from hashlib import sha256

    return "".join(f"{sha256(path.encode()).hexdigest()}  {path}\n" for path in paths).encode()


@pytest.mark.parametrize(
    "name", ["{pack.__class__}", "{0}", "{pack!r}", "{lang:>9999999}", "../x", "{pack", "a/b", "{x}"]
)
def test_a_shop_names_its_files_by_five_words_alone(tmp_path: Path, name: str) -> None:
    project = toy_project(tmp_path)
    shop = project / "templates/presets/evil.yaml"
    shop.parent.mkdir(parents=True, exist_ok=True)
    shop.write_text(f"id: evil\nname: {{en: Evil}}\nbleed: 3\ncolour: {{space: rgb}}\nfile_name: {json.dumps(name)}\n")
    code, said = call(project, "preflight", project / "cards", "--preset", "evil")
    assert code == 3
    assert "file_name" in said


def test_a_form_of_a_translator_writes_only_translations(tmp_path: Path) -> None:
    project = toy_project(tmp_path / "a" / "b" / "project")
    form = tmp_path / "form.yaml"
    form.write_text("lang: ../../../x\ncards: {dusk-moth: {name: {source: x, text: y}}}\n")
    before = everything(tmp_path / "a")
    assert call(project, "translations", "--take", form)[0] == 2
    assert everything(tmp_path / "a").keys() - before.keys() <= {
        path for path in everything(tmp_path / "a") if ".cache" in path
    }


def test_a_translation_is_not_written_through_a_link(tmp_path: Path) -> None:
    project = toy_project(tmp_path / "project")
    home = tmp_path / "home"
    shutil.move(project / "cards/lanterns/i18n/de/spirit", home)
    (project / "cards/lanterns/i18n/de/spirit").symlink_to(home)
    before = everything(home)
    assert call(project, "translations", "--lang", "de", "--template", tmp_path)[0] == 1
    form = tmp_path / "lanterns-de.yaml"
    text = form.read_text(encoding="utf-8").replace('text: ""', "text: Neu").replace("text: ''", "text: Neu")
    form.write_text(text, encoding="utf-8")
    code, _said = call(project, "translations", "--take", form)
    assert code == 5
    assert everything(home) == before


def test_a_card_is_not_edited_through_a_link(tmp_path: Path) -> None:
    project = toy_project(tmp_path / "project")
    edit(project / "cards/lanterns/pack.yaml", "id: lanterns", "id: lanterns")
    home = tmp_path / "home"
    shutil.move(project / "cards/lanterns/spirit", home)
    (project / "cards/lanterns/spirit").symlink_to(home)
    before = everything(home)
    code, _said = call(
        project, "card", "bump", "dusk-moth", "--type", "rules", "--released", "2026-05-01", "--note", "en=x"
    )
    assert code != 0
    assert everything(home) == before
