"""Imported packs are private: no command publishes their cards, and an order needs a confirmation."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from builder.packs.pack_files import PackFiles
from builder.packs.privacy import PublicProject, is_imported
from builder.packs.project import Project
from builder.usecases.release.new import ReleaseRequest, make_release
from tests.interchange.systems import make_skirmish, write_xml
from tests.program import run
from tests.usecases.toy import toy_project

DAY = date(2026, 4, 1)
PUBLISHING = {
    "publish": ("release", "publish", "--no-pdf"),
    "notes": ("release", "notes", "1.0.0", "--output", "notes"),
    "site": ("site", "site", "--pack", "lanterns"),
    "site of all packs": ("site", "site"),
    "site of the edited files": ("site", "site", "--work", "--pack", "lanterns"),
    "gallery": ("screens", "lanterns", "--as", "gallery"),
    "simulated table": (
        "screens",
        "lanterns",
        "--as",
        "tabletop",
        "--url",
        "https://a.example",
    ),
    "order": ("build", "lanterns", "--profile", "shop:drivethrucards"),
    "order of a release": (
        "build",
        "--as-of",
        "1.0.0",
        "--profile",
        "shop:drivethrucards",
    ),
}


@pytest.fixture
def private(tmp_path: Path) -> Project:
    """Return a project with an imported pack that has a release."""
    project = Project(toy_project(tmp_path, known=False))
    assert make_release(
        PackFiles(project), "lanterns", ReleaseRequest("1.0.0", DAY, DAY)
    ).frozen
    mark_imported(project)
    return project


def mark_imported(project: Project, line: str = "imported: true\n") -> None:
    manifest = project.get_cards_dir("lanterns") / "pack.yaml"
    manifest.write_text(manifest.read_text(encoding="utf-8") + line, encoding="utf-8")


@pytest.mark.parametrize("command", PUBLISHING)
def test_no_command_publishes_the_cards(private: Project, command: str) -> None:
    before = sorted(private.root.rglob("*"))
    process = run(private.root, *PUBLISHING[command])
    assert process.returncode == 2, process.stdout + process.stderr
    assert "lanterns is imported" in process.stderr
    written = set(private.root.rglob("*")) - set(before)
    assert not [path for path in written if ".cache" not in path.parts]


def test_the_owner_may_order_after_a_warning(private: Project) -> None:
    words = ("build", "lanterns", "--profile", "shop:drivethrucards")
    refused = run(private.root, *words)
    assert "texts and names belong to the publisher" in refused.stderr
    assert "--own-use" in refused.stderr
    ordered = run(private.root, *words, "--own-use")
    assert "belong to the publisher" not in ordered.stderr
    assert ordered.returncode != 2, ordered.stderr


def test_print_names_the_way_to_an_order(tmp_path: Path) -> None:
    (tmp_path / "list.ros").write_bytes(write_xml(make_skirmish()))
    process = run(tmp_path, "print", "list.ros", "--profile", "shop:drivethrucards")
    assert process.returncode == 2
    assert "squadpress build --profile shop:drivethrucards --own-use" in process.stderr


def test_an_imported_pack_is_private(tmp_path: Path) -> None:
    (tmp_path / "list.ros").write_bytes(write_xml(make_skirmish()))
    assert run(tmp_path, "import", "list.ros", "--into", "lists").returncode == 0
    project = Project(tmp_path / "lists")
    assert PublicProject(project.root).list_packs() == ()
    (pack,) = project.list_packs()
    process = run(project.root, "screens", pack, "--as", "gallery")
    assert process.returncode == 2, process.stderr


def test_the_owner_may_print_and_draw_pictures(private: Project) -> None:
    for words in (("check", "lanterns"), ("screens", "lanterns", "--lang", "en")):
        process = run(private.root, *words)
        assert process.returncode == 0, process.stdout + process.stderr


@pytest.mark.parametrize(
    ("line", "is_private"),
    [
        ("imported: true\n", True),
        ('"imported": yes\n', True),
        ("imported: true  # 2026\n", True),
        ("imported: [\n", True),
        ("imported: false\n", False),
        ("# imported by hand\n", False),
    ],
)
def test_a_pack_is_private_if_its_manifest_may_say_so(
    tmp_path: Path, line: str, is_private: bool
) -> None:
    project = Project(toy_project(tmp_path, known=False))
    mark_imported(project, line)
    assert is_imported(project, "lanterns") is is_private
    assert PublicProject(project.root).list_packs() == (
        () if is_private else ("lanterns",)
    )


def test_a_pack_of_a_table_is_not_private(tmp_path: Path) -> None:
    (tmp_path / "cards.csv").write_text(
        "name,cost\nOld wick,3\nDusk moth,4\n", encoding="utf-8"
    )
    assert run(tmp_path, "new", "mygame", "--from", "cards.csv").returncode == 0
    assert not is_imported(Project(tmp_path / "mygame"), "mygame")


def test_a_public_server_does_not_show_private_packs(
    private: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SQUADPRESS_ORIGIN", "https://squads.example.org")
    process = run(private.root, "serve", "--private")
    assert process.returncode == 2
    assert "not for a server with a public address" in process.stderr
