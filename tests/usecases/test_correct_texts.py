"""`check --fix` corrects texts; `--since` and a baseline file hide what is not new."""

from __future__ import annotations

import subprocess
from datetime import date
from pathlib import Path

import pytest

from builder.errors import OutputNotWritten
from builder.findings import Finding, Location
from builder.model.typography import correct_text
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.report.baseline import (
    drop_known_findings,
    dump_baseline,
    load_baseline,
    make_finding_key,
)
from builder.usecases.build.build_options import WorkerPool
from builder.usecases.check_pack import check_packs
from builder.usecases.correct_texts import find_corrections, write_corrections
from builder.usecases.release.new import ReleaseRequest, make_release
from builder.usecases.release.printing import check_print
from tests.program import run
from tests.usecases.toy import bump, edit, toy_project

QUILL = "cards/lanterns/charm/heron-quill.yaml"
GERMAN_QUILL = "cards/lanterns/i18n/de/charm/heron-quill.yaml"
DAY = date(2026, 4, 1)


@pytest.mark.parametrize(
    ("text", "lang", "corrected"),
    [
        ('a "good" day', "en", "a “good” day"),
        ('ein "guter" Tag', "de", "ein „guter“ Tag"),
        ('"да"', "ru", "«да»"),
        ('6" and 3"', "en", '6" and 3"'),
        ('one " only', "en", 'one " only'),
        ("it's the spirits' turn", "en", "it’s the spirits’ turn"),
        ("move - then stop", "en", "move – then stop"),
        ("ход - стой", "ru", "ход — стой"),
        ("2-3 hits, -1 to all", "en", "2–3 hits, −1 to all"),
        ("one-off", "en", "one-off"),
        ("two  spaces ", "en", "two spaces"),
        ("first\n  second", "en", "first\n  second"),
        ("roll 2D6-1 now", "en", "roll {dice:2d6-1} now"),
        ("roll D20", "en", "roll {dice:d20}"),
        ("roll 2d6", "en", "roll 2d6"),
        ("{key:a-1|it's} {dist:2-3}", "en", "{key:a-1|it’s} {dist:2-3}"),
    ],
)
def test_a_text_with_markup_is_corrected(text: str, lang: str, corrected: str) -> None:
    assert correct_text(text, lang, "d", is_marked_up=True) == corrected
    assert correct_text(corrected, lang, "d", is_marked_up=True) == corrected


def test_dice_in_a_plain_text_take_the_letter_of_the_pack() -> None:
    assert correct_text("2d6", "de", "W", is_marked_up=False) == "2W6"


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(toy_project(tmp_path))


def make_mistake(project: Project) -> None:
    """Give a card a text to correct; its translation stays current."""
    edit(
        project.root / QUILL, "Subtract 1 from {stat:waft}.", "It's 1 less {stat:waft}."
    )
    hashes = [
        finding.hint
        for finding in check_packs(project, "lanterns")
        if finding.code == "i18n/stale"
    ]
    edit(project.root / GERMAN_QUILL, "062373a8", hashes[0].split('"')[1])


def list_codes(project: Project) -> list[str]:
    return [finding.code for finding in check_packs(project, "lanterns")]


def test_a_correction_keeps_a_current_translation_current(project: Project) -> None:
    make_mistake(project)
    assert list_codes(project) == ["text/typography"]
    packs = PackFiles(project)
    corrections = find_corrections(packs, "lanterns")
    assert [item.after for item in corrections.corrections] == [
        "It’s 1 less {stat:waft}."
    ]
    assert list_codes(project) == ["text/typography"]  # nothing was written
    files = write_corrections(packs, "lanterns", corrections, bump=False, released=DAY)
    assert set(files) == {QUILL, GERMAN_QUILL}
    assert list_codes(project) == []


SHARED = {
    "vocabulary.yaml": ("en: Waft", "en: It's a waft"),
    "products.yaml": ("en: The Marsh Box", 'en: "The - Marsh Box"'),
    "pack.yaml": ("en: Lanterns", "en: It's Lanterns"),
}


def spoil_shared_texts(project: Project) -> dict[str, str]:
    """Put mistakes into files that belong to no card. Return the files with the right texts."""
    right_texts: dict[str, str] = {}
    folder = project.get_cards_dir("lanterns")
    rules = folder / "rules.yaml"
    rules.write_text(
        rules.read_text("utf-8").replace("title: {en: ", "title: {en: It's ", 1),
        "utf-8",
    )
    right_texts["rules.yaml"] = "title: {en: It’s "
    for name, (before, after) in SHARED.items():
        edit(folder / name, before, after)
        right_texts[name] = (
            after.replace("'", "’").replace(" - ", " – ").replace('"', "")
        )
    return right_texts


def test_words_names_rules_and_products_are_corrected(project: Project) -> None:
    right_texts = spoil_shared_texts(project)
    packs = PackFiles(project)
    corrections = find_corrections(packs, "lanterns")
    assert {item.card for item in corrections.corrections} == {""}
    files = write_corrections(packs, "lanterns", corrections, bump=False, released=DAY)
    folder = project.get_cards_dir("lanterns")
    assert {Path(file).name for file in files} == right_texts.keys()
    for name, text in right_texts.items():
        assert text in (folder / name).read_text("utf-8").replace('"', "")
    assert find_corrections(packs, "lanterns").corrections == ()


def test_a_full_disk_leaves_all_files_as_they_were(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoil_shared_texts(project)
    folder = project.get_cards_dir("lanterns")
    before = {path: path.read_bytes() for path in folder.rglob("*.yaml")}
    packs = PackFiles(project)
    corrections = find_corrections(packs, "lanterns")
    replaced: list[Path] = []
    replace_file = Path.replace

    def fail_on_third(path: Path, target: Path) -> Path:
        replaced.append(path)
        if len(replaced) == 3 * 2:  # each draft is written next to itself first
            raise OSError(28, "no space left on device")
        return replace_file(path, target)

    monkeypatch.setattr(Path, "replace", fail_on_third)
    with pytest.raises(OutputNotWritten):
        write_corrections(packs, "lanterns", corrections, bump=False, released=DAY)
    assert {path: path.read_bytes() for path in folder.rglob("*.yaml")} == before
    assert not list(folder.glob(".*"))


def test_the_note_of_a_change_is_corrected_until_it_is_released(
    project: Project,
) -> None:
    bump(project, "heron-quill", {"en": "It's new.", "de": "Neu."}, date(2026, 5, 1))
    (correction,) = find_corrections(PackFiles(project), "lanterns").corrections
    assert (correction.card, correction.before, correction.after) == (
        "heron-quill",
        "It's new.",
        "It’s new.",
    )


@pytest.mark.slow
def test_words_of_released_cards_change_only_on_request(project: Project) -> None:
    packs = PackFiles(project)
    proof = check_print(project, "lanterns", WorkerPool(1), pixels=False)
    assert make_release(
        packs, "lanterns", ReleaseRequest("1.0.0", DAY, DAY), pictures=proof
    ).frozen
    edit(
        project.get_cards_dir("lanterns") / "vocabulary.yaml",
        *SHARED["vocabulary.yaml"],
    )
    corrections = find_corrections(packs, "lanterns")
    assert (
        write_corrections(packs, "lanterns", corrections, bump=False, released=DAY)
        == ()
    )
    process = run(
        project.root, "check", "lanterns", "--fix", "--write", "--bump", "misprint"
    )
    assert process.returncode == 0, process.stderr
    assert "cards/lanterns/vocabulary.yaml: corrected" in process.stdout
    assert "squadpress card bump --changed-since VERSION --printed" in process.stdout


def test_a_stale_translation_stays_stale(project: Project) -> None:
    edit(
        project.root / QUILL, "Subtract 1 from {stat:waft}.", "It's 1 less {stat:waft}."
    )
    packs = PackFiles(project)
    corrections = find_corrections(packs, "lanterns")
    assert write_corrections(
        packs, "lanterns", corrections, bump=False, released=DAY
    ) == (QUILL,)
    assert list_codes(project) == ["i18n/stale"]


@pytest.mark.slow
def test_a_released_card_changes_only_with_a_new_revision(project: Project) -> None:
    make_mistake(project)
    packs = PackFiles(project)
    proof = check_print(project, "lanterns", WorkerPool(1), pixels=False)
    assert make_release(
        packs, "lanterns", ReleaseRequest("1.0.0", DAY, DAY), pictures=proof
    ).frozen
    corrections = find_corrections(packs, "lanterns")
    before = (project.root / QUILL).read_text("utf-8")
    assert (
        write_corrections(packs, "lanterns", corrections, bump=False, released=DAY)
        == ()
    )
    assert (project.root / QUILL).read_text("utf-8") == before
    write_corrections(
        packs, "lanterns", corrections, bump=True, released=date(2026, 5, 1)
    )
    after = (project.root / QUILL).read_text("utf-8")
    assert "It’s 1 less" in after
    assert "revision: 2" in after
    assert "misprint" in after
    assert not [code for code in list_codes(project) if code != "text/typography"]
    assert find_corrections(packs, "lanterns").corrections == ()


def test_the_command_shows_then_writes(project: Project) -> None:
    make_mistake(project)
    check = ("check", "lanterns", "--fix")
    process = run(project.root, *check)
    assert (process.returncode, "  + It’s 1 less {stat:waft}." in process.stdout) == (
        1,
        True,
    )
    assert "It's" in (project.root / QUILL).read_text("utf-8")
    assert "lanterns: corrections of 1 text in 1 file (1 card)" in process.stdout
    assert run(project.root, *check, "--write").returncode == 0
    assert "It’s" in (project.root / QUILL).read_text("utf-8")
    assert run(project.root, *check).returncode == 0
    assert run(project.root, "check", "--write").returncode == 2


def test_only_findings_that_are_not_known_remain() -> None:
    known_finding = Finding(
        "text/number", "wrong", location=Location(file="a.yaml", line=3)
    )
    moved_finding = Finding(
        "text/number", "wrong", location=Location(file="a.yaml", line=9)
    )
    keys = load_baseline(dump_baseline([known_finding]))
    assert keys == [make_finding_key(moved_finding)]
    assert drop_known_findings([known_finding], keys) == ()
    assert drop_known_findings([known_finding, moved_finding], keys) == (moved_finding,)
    with pytest.raises(ValueError, match="not a baseline"):
        load_baseline(b"[]")


def test_a_baseline_file_hides_known_findings(project: Project) -> None:
    edit(project.root / QUILL, "waft}.", "wft}.")
    baseline = project.root / "known.json"
    assert run(project.root, "check", "--write-baseline", str(baseline)).returncode == 0
    hidden = run(project.root, "check", "--baseline", str(baseline))
    assert (hidden.returncode, "not new" in hidden.stderr) == (0, True)
    edit(project.root / QUILL, "cost: 1", "cost: many")
    assert run(project.root, "check", "--baseline", str(baseline)).returncode == 1
    baseline.write_text("{}", "utf-8")
    assert run(project.root, "check", "--baseline", str(baseline)).returncode == 3


def test_a_revision_of_git_hides_its_findings(project: Project) -> None:
    git = [
        "git",
        "-C",
        str(project.root),
        "-c",
        "user.name=a",
        "-c",
        "user.email=a@example.org",
    ]
    edit(project.root / QUILL, "waft}.", "wft}.")
    subprocess.run([*git, "init", "--quiet"], check=True)
    subprocess.run([*git, "add", "cards", "schemas", "templates"], check=True)
    subprocess.run([*git, "commit", "--quiet", "-m", "first"], check=True)
    assert run(project.root, "check").returncode == 1
    assert run(project.root, "check", "--since", "HEAD").returncode == 0
    edit(project.root / QUILL, "cost: 1", "cost: many")
    assert run(project.root, "check", "--since", "HEAD").returncode == 1
    assert run(project.root, "check", "--since", "nowhere").returncode == 2
    assert run(project.root, "check", "--since=--output=x").returncode == 2
