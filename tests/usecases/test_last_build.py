"""A build with nothing to do loads nothing; whatever a build reads undoes that."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner
from pydantic import JsonValue

from builder.cache import installed
from builder.cli.build.build import build
from builder.packs.project import Project
from builder.usecases.build import records
from builder.usecases.build.build_options import BuildResult, BuiltFile
from builder.usecases.build.records import BuildRecord

TOY = Path(__file__).resolve().parents[1] / "toys" / "lanterns"
OUTCOME = {"lang": ("en",), "roster": None, "profile": "home-a4"}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    shutil.copytree(TOY, tmp_path / "project")
    (tmp_path / "settings").mkdir()
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    monkeypatch.setattr(records, "MIN_FILE_AGE_NS", -(10**18))
    return Project(tmp_path / "project")


def finish_build(project: Project) -> BuildResult:
    """A build of one file, remembered."""
    path = project.get_output_dir("lanterns") / "cards.pdf"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"%PDF-")
    result = BuildResult((BuiltFile(path, 3, 9, True),), (), 9, 2)
    BuildRecord(project, "lanterns", OUTCOME).save_result(result)
    return result


def test_the_outcome_stands_while_nothing_is_edited(project: Project) -> None:
    assert BuildRecord(project, "lanterns", OUTCOME).find_result() is None
    finish_build(project)
    recorded_result = BuildRecord(project, "lanterns", OUTCOME).find_result()
    assert recorded_result is not None
    assert (recorded_result.rendered_count, recorded_result.cached_count) == (0, 11)
    assert [
        (file.pages, file.cards, file.changed) for file in recorded_result.files
    ] == [(3, 9, False)]


@pytest.mark.parametrize(
    "place",
    [
        *(
            "cards/lanterns/spirit/old-wick.yaml",
            "cards/lanterns/pack.yaml",
            "cards/lanterns/i18n/de/new.yaml",
        ),
        *(
            "templates/lanterns/pack.css",
            "templates/profiles/mine.yaml",
            "schemas/lanterns/spirit.schema.json",
        ),
        *("output/lanterns/cards.pdf", "../settings/squadpress/printers.json"),
    ],
)
def test_any_edit_undoes_it(project: Project, place: str) -> None:
    finish_build(project)
    path = project.root / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes((path.read_bytes() if path.exists() else b"") + b"\n")
    assert BuildRecord(project, "lanterns", OUTCOME).find_result() is None


def test_a_file_exchanged_for_one_of_equal_size_and_time_is_an_edit(
    project: Project,
) -> None:
    path = project.get_cards_dir("lanterns") / "spirit" / "old-wick.yaml"
    before = path.stat()
    finish_build(project)
    path.write_bytes(path.read_bytes().replace(b"1", b"2"))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert BuildRecord(project, "lanterns", OUTCOME).find_result() is None


def test_a_link_that_leads_nowhere_hides_no_edit_of_its_neighbours(
    project: Project,
) -> None:
    """Emacs marks a file that is being edited with such a link beside it."""
    folder = project.get_cards_dir("lanterns") / "spirit"
    (folder / ".#old-wick.yaml").symlink_to("author@host.1234:5678")
    for path in sorted(folder.glob("[a-z]*.yaml")):
        finish_build(project)
        path.write_bytes(path.read_bytes() + b"\n")
        assert BuildRecord(project, "lanterns", OUTCOME).find_result() is None, (
            path.name
        )


def test_a_deleted_card_and_a_deleted_output_undo_it(project: Project) -> None:
    result = finish_build(project)
    result.files[0].path.unlink()
    assert BuildRecord(project, "lanterns", OUTCOME).find_result() is None
    shutil.rmtree(project.get_output_dir("lanterns"))
    finish_build(project)
    (project.get_cards_dir("lanterns") / "spirit" / "old-wick.yaml").unlink()
    assert BuildRecord(project, "lanterns", OUTCOME).find_result() is None


def test_other_options_are_another_build(project: Project) -> None:
    finish_build(project)
    assert (
        BuildRecord(project, "lanterns", {**OUTCOME, "lang": ("de",)}).find_result()
        is None
    )


def test_a_squad_outside_the_project_is_looked_at_too(
    project: Project, tmp_path: Path
) -> None:
    squad = tmp_path / "squad.yaml"
    squad.write_text("pack: lanterns\n", encoding="utf-8")
    outcome = {**OUTCOME, "roster": squad}
    BuildRecord(project, "lanterns", outcome).save_result(BuildResult())
    assert BuildRecord(project, "lanterns", outcome).find_result() is not None
    squad.write_text("pack: lanterns\nname: Other\n", encoding="utf-8")
    assert BuildRecord(project, "lanterns", outcome).find_result() is None


def test_what_was_edited_while_it_was_built_is_not_relied_on(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records, "MIN_FILE_AGE_NS", 10**18)
    finish_build(project)
    assert BuildRecord(project, "lanterns", OUTCOME).find_result() is None


@pytest.mark.parametrize(
    "damage",
    [
        {"files": None},
        {"files": [[]]},
        {"files": [["/", 1]]},
        {"known": "x"},
        {"findings": 1},
    ],
)
def test_what_is_kept_in_another_form_is_none(
    project: Project, damage: dict[str, JsonValue]
) -> None:
    finish_build(project)
    record = BuildRecord(project, "lanterns", OUTCOME)
    record_value = project.cache.value("builds", record.key)
    assert record_value is not None
    project.cache.write("builds", record.key, {**record_value, **damage})
    assert record.find_result() is None
    project.cache.write("builds", record.key, record_value)
    assert record.find_result() is not None


@pytest.mark.parametrize(
    "options",
    [
        ("--as-of", "work"),
        ("--profile", "shop:drivethrucards"),
        ("--changed-since", "1"),
    ],
)
def test_orders_and_other_states_are_always_built(
    project: Project, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...]
) -> None:
    """Their outcome does not lie in single files, or hangs on more than files."""
    monkeypatch.setattr("builder.usecases.build.records.BuildRecord", None)
    for name in (
        "builder.usecases.build.build.build_pack",
        "builder.usecases.build.changed.build_changed",
    ):
        monkeypatch.setattr(name, lambda *_: BuildResult())
    result = CliRunner().invoke(
        build, ["lanterns", "--project", str(project.root), "--workers", "1", *options]
    )
    assert (result.exit_code, result.exception) == (0, None)


@pytest.mark.slow
def test_the_command_loads_nothing_twice_and_repeats_its_warnings(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    css = project.get_templates_dir("lanterns") / "spirit" / "card.css"
    css.write_text(
        css.read_text(encoding="utf-8") + ".kind-spirit .title {left: 4mm}",
        encoding="utf-8",
    )
    command = [
        "lanterns",
        "--project",
        str(project.root),
        "--lang",
        "en",
        "--workers",
        "1",
    ]
    first = CliRunner().invoke(build, command)
    assert "render/unsafe" in first.output
    monkeypatch.setattr("builder.usecases.build.build.build_pack", None)
    result = CliRunner().invoke(build, command)
    assert result.exit_code == 0
    assert "render/unsafe" in result.output
    assert "unchanged" in result.output
    assert " 0 faces rendered" in result.output


@pytest.mark.slow
def test_the_packs_own_engine_is_named_in_no_file_and_a_failed_build_says_that_it_wrote_none(
    project: Project,
) -> None:
    command = [
        "lanterns",
        "--project",
        str(project.root),
        "--lang",
        "en",
        "--only",
        "kind=spirit",
        "--workers",
        "1",
    ]
    pack_engine = "plutoprint" if installed("plutoprint") != "-" else "weasyprint"
    for engine in ([], ["--engine", pack_engine]):
        assert (
            "lanterns-en-home-a4-kind-spirit.pdf"
            in CliRunner().invoke(build, [*command, *engine]).output
        )
    before = sorted(project.get_output_dir("lanterns").iterdir())
    assert len(before) == 1
    css = project.get_templates_dir("lanterns") / "spirit" / "card.css"
    css.write_text(
        css.read_text(encoding="utf-8") + ".title {colr: red}", encoding="utf-8"
    )
    result = CliRunner().invoke(build, command)
    assert "Did you mean color?" in result.output
    assert "lanterns: no file was written, because there are errors\n" in result.output
    assert sorted(project.get_output_dir("lanterns").iterdir()) == before


@pytest.mark.slow
def test_another_engine_than_the_packs_own_is_named_however_the_pack_writes_it(
    project: Project,
) -> None:
    manifest = project.get_cards_dir("lanterns") / "pack.yaml"
    manifest.write_text(
        manifest.read_text(encoding="utf-8") + '\n"engine": "plutoprint"\n',
        encoding="utf-8",
    )
    command = [
        "lanterns",
        "--project",
        str(project.root),
        "--lang",
        "en",
        "--only",
        "kind=spirit",
        "--workers",
        "1",
    ]
    assert (
        "lanterns-en-home-a4-weasyprint-kind"
        in CliRunner().invoke(build, [*command, "--engine", "weasyprint"]).output
    )
    assert (
        "lanterns-en-home-a4-kind"
        in CliRunner().invoke(build, [*command, "--engine", "plutoprint"]).output
    )
