"""Releases of a new pack, from the command line: what was wrong once, with the right result."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.usecases.pack_states import load_named_state
from builder.usecases.release.impact import compare_roster, make_comparison
from builder.usecases.roster.roster_files import RosterFiles
from tests.house.source import ROOT
from tests.program import run
from tests.usecases.toy import edit


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new pack with one release, made once for all tests."""
    folder = tmp_path_factory.mktemp("begun")
    assert run(folder, "new", "q", "--layout", "poker").returncode == 0
    process = run(
        folder / "q",
        "release",
        "new",
        "1.0.0",
        "--effective",
        "2026-11-27",
        "--lang",
        "en",
    )
    assert process.returncode == 0, process.stdout
    return folder / "q"


@pytest.fixture
def pack(begun: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(begun, tmp_path / "q"))


FOX = "cards/q/fighter/old-fox.yaml"


def test_a_new_picture_is_art_and_is_shown(pack: Path) -> None:
    picture = pack / "cards/q/art/old-fox.svg"
    edit(picture, "</svg>", '<rect width="300" height="300" fill="#f0f"/></svg>')
    words = (
        "--type",
        "art",
        "--note",
        "New art",
        "--note",
        "ru=Новая",
        "--released",
        "2026-12-05",
    )
    assert run(pack, "card", "bump", "old-fox", *words).returncode == 0
    command = ("release", "new", "1.0.1", "--effective", "2026-12-05", "--lang", "en")
    text = (pack / FOX).read_text()
    (pack / FOX).write_text(text.replace("type: art", "type: rules"))
    refused = run(pack, *command)
    assert (refused.returncode, "release/history-mismatch" in refused.stdout) == (
        1,
        True,
    )
    (pack / FOX).write_text(text)
    assert run(pack, *command).returncode == 0
    process = run(
        pack,
        "release",
        "notes",
        "1.0.0",
        "1.0.1",
        "--lang",
        "en",
        "--html",
        "--output",
        "notes",
    )
    assert process.returncode == 0
    notes = (pack / "notes/q-1.0.1-notes-en.md").read_text()
    assert "- Looks different: Old Fox" in notes
    assert "- *Art.* New art" in notes
    assert "misprint" not in notes
    notes_html = (pack / "notes/q-1.0.1-notes-en.html").read_text()
    assert (
        len(re.findall(r"background:url\(data:image/webp", notes_html)) == 1
    )  # the new face alone: the old picture is gone
    difference = run(pack, "release", "diff", "1.0.0", "1.0.1", "--lang", "en").stdout
    assert "revision 1 -> 2: looks different" in difference


def test_a_dropped_language_is_not_in_a_patch(pack: Path) -> None:
    manifest = pack / "cards/q/pack.yaml"
    edit(manifest, "  translations:\n    - ru\n", "")
    shutil.rmtree(pack / "cards/q/i18n")
    for version, status in (("1.0.1", 1), ("1.1.0", 0)):
        process = run(
            pack, "release", "new", version, "--effective", "2026-12-05", "--lang", "en"
        )
        assert process.returncode == status, process.stdout
        assert (
            status == 0
            or "the language Russian was removed, a minor change" in process.stdout
        )
    notes = run(pack, "release", "notes", "1.0.0", "1.1.0", "--lang", "ru").stdout
    assert "Old Fox" not in notes
    assert (
        len(re.findall("^- ", notes, re.MULTILINE)) == 1
    )  # the language, and nothing else


DAVIS = """pack: hydrophilia
name: Davis and two drones
size: 30
mode: competitive
entries:
  - captain-davis
  - {card: dispatcher, id: desk}
  - {card: falcon, count: 2, controller: desk}
  - {card: patrolman, count: 3}
  - shieldbearer
"""


@pytest.mark.parametrize("old", ["1.0.0", "2.0.0"])
def test_an_old_id_does_not_cost_nothing(old: str, tmp_path: Path) -> None:
    squad, project = tmp_path / "davis.yaml", Project(ROOT)
    squad.write_text(DAVIS, encoding="utf-8")
    states = [
        load_named_state(PackFiles(project), "hydrophilia", version)[0]
        for version in (old, "3.0.0")
    ]
    impact = compare_roster(
        make_comparison(states[0], states[1], "en"),
        RosterFiles(project).load(str(squad)),
    )
    assert (impact.points_before, impact.points_after) == (29, 29)


FORMS: tuple[tuple[str, ...], ...] = (
    (),
    ("--dry-run",),
    ("--pictures",),
    ("--pictures", "--dry-run"),
)


def test_what_cannot_be_printed_is_refused_in_every_form(pack: Path) -> None:
    style = pack / "templates/q/fighter/card.css"
    style.write_text(
        f"{style.read_text()}\n.face * {{ letter-spacing: 4mm !important }}\n"
    )
    results = set()
    for form in FORMS:
        process = run(
            pack,
            "release",
            "new",
            "1.0.1",
            "--effective",
            "2026-12-05",
            "--lang",
            "en",
            *form,
        )
        results.add((process.returncode, process.stdout))
        assert "1.0.1 was not created." in process.stderr
    ((status, output),) = results
    assert (status, "render/overflow" in output) == (1, True)
    assert not (pack / "cards/q/releases/1.0.1").exists()
    draft = (
        "release",
        "new",
        "1.0.1",
        "--effective",
        "2026-12-05",
        "--lang",
        "en",
        "--draft",
    )
    process = run(pack, *draft)
    assert (process.returncode, "render/overflow" in process.stdout) == (1, True)
    assert "Draft 1.0.1 created" in process.stdout
    assert (pack / "cards/q/releases/.drafts/1.0.1").is_dir()
    last = run(pack, "release", "new", "1.0.1", "--from-draft", "--lang", "en")
    assert (last.returncode, "1.0.1 was not created." in last.stderr) == (1, True)


def test_a_dry_run_ends_as_the_real_run_would(pack: Path) -> None:
    edit(pack / FOX, "cost: 5", "cost: 6")
    words = (
        "--type",
        "balance",
        "--note",
        "More expensive",
        "--note",
        "ru=Дороже",
        "--released",
        "2026-12-05",
    )
    assert run(pack, "card", "bump", "old-fox", *words).returncode == 0
    command = ("release", "new", "1.1.0", "--effective", "2026-12-05", "--lang", "en")
    target = pack / "cards/q/releases/1.1.0"
    target.write_text("in the way")
    ends = [
        (process.returncode, process.stdout, process.stderr)
        for form in FORMS[:2]
        if (process := run(pack, *command, *form))
    ]
    assert ends[0] == ends[1]
    assert ends[0][0] == 5
    target.unlink()
    dry, real = (run(pack, *command, *form) for form in (FORMS[1], FORMS[0]))
    assert (dry.returncode, real.returncode) == (0, 0)
    assert dry.stdout.splitlines()[:-1] == real.stdout.splitlines()[:-1]  # the findings
    assert (pack / "cards/q/releases/1.1.0").is_dir()
