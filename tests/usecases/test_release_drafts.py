"""A release is planned, an urgent one goes in between, and the plan is brought onto it."""

from __future__ import annotations

import shutil
from datetime import date
from pathlib import Path

import pytest

from builder.errata.difference import compare_states
from builder.errata.snapshot import Snapshot
from builder.errors import UsageError
from builder.model.loaded import LoadedPack
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.usecases.build.faces import PrintProof, ProvePrint
from builder.usecases.pack_states import load_named_state
from builder.usecases.release.new import ReleaseRequest, make_release, rebase_draft
from tests.house.source import ROOT
from tests.program import run
from tests.usecases.toy import bump, edit, toy_project

FIRST, FEBRUARY, MARCH = date(2026, 4, 1), date(2027, 2, 1), date(2027, 3, 1)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A release, and one that is staged for March: Reed Mother costs 5, and has another lumen."""
    project = Project(toy_project(tmp_path))
    packs = PackFiles(project)
    first = make_release(packs, "lanterns", ReleaseRequest("1.0.0", FIRST, FIRST))
    assert first.frozen, first.findings
    edit(spirit(project, "reed-mother"), "cost: 4", "cost: 5")
    bump(project, "reed-mother", {"en": "Costs 5.", "de": "Kostet 5."}, MARCH)
    staged = make_release(
        packs, "lanterns", ReleaseRequest("2.0.0", MARCH, MARCH, draft=True)
    )
    assert staged.frozen, staged.findings
    return project


def spirit(project: Project, card: str) -> Path:
    return project.get_cards_dir("lanterns") / "spirit" / f"{card}.yaml"


def urgent(project: Project, card: str, old: str, new: str) -> None:
    """Release one card in February, while the files hold the plan."""
    edit(spirit(project, card), old, new)
    bump(project, card, {"en": "Mended.", "de": "Berichtigt."}, FEBRUARY)
    release_result = make_release(
        PackFiles(project),
        "lanterns",
        ReleaseRequest("1.1.0", FEBRUARY, FEBRUARY, only=[card]),
    )
    assert release_result.frozen, release_result.findings


def test_a_renamed_card_is_released_with_its_migration(project: Project) -> None:
    cards = project.get_cards_dir("lanterns")
    for path in [*cards.rglob("*.yaml")]:
        if "releases" not in path.parts:
            text = path.read_text(encoding="utf-8")
            path.write_text(text.replace("two-stumps", "old-stumps"), encoding="utf-8")
        if path.name == "two-stumps.yaml":
            path.rename(path.with_name("old-stumps.yaml"))
    line = f"{{old: two-stumps, new: old-stumps, type: rename, date: {MARCH}}}"
    (cards / "migrations.yaml").write_text(f"migrations:\n  - {line}\n")
    bump(project, "old-stumps", {"en": "Renamed.", "de": "Umbenannt."}, MARCH)
    packs = PackFiles(project)
    request = ReleaseRequest("2.0.0", MARCH, MARCH, only=["old-stumps"])
    made = make_release(packs, "lanterns", request)
    assert made.frozen, made.findings
    state = packs.open_releases("lanterns").load_state("2.0.0")[0]
    assert "old-stumps" in state.cards
    assert "two-stumps" not in state.cards
    assert [step.old for step in state.migrations] == ["two-stumps"]
    line = line.replace("rename", "split").replace(
        "old-stumps", "[old-stumps, new-stumps]"
    )
    (cards / "migrations.yaml").write_text(f"migrations:\n  - {line}\n")
    text = (cards / "clearing" / "old-stumps.yaml").read_text()
    (cards / "clearing" / "new-stumps.yaml").write_text(
        text.replace("old-stumps", "new-stumps")
    )
    shutil.rmtree(packs.open_releases("lanterns").find_path("2.0.0"))
    with pytest.raises(UsageError, match="new-stumps is not selected"):
        make_release(packs, "lanterns", request)


def test_a_draft_is_no_part_of_history(project: Project) -> None:
    packs = PackFiles(project)
    releases = packs.open_releases("lanterns")
    assert [listed_release.version for listed_release in releases.list_releases()] == [
        "1.0.0"
    ]
    assert releases.find_damage(thorough=True) == ()
    assert load_named_state(packs, "lanterns", "2027-04-01")[0].label == "1.0.0"
    draft, findings = load_named_state(packs, "lanterns", "draft:2.0.0")
    assert findings == ()
    assert draft.cards["reed-mother"]["cost"] == 5
    release_result = make_release(
        packs, "lanterns", ReleaseRequest("2.0.0", MARCH, MARCH, draft=True)
    )
    assert release_result.frozen, "a draft may be staged again"


def test_an_urgent_release_goes_in_between_and_the_draft_is_brought_onto_it(
    project: Project,
) -> None:
    packs = PackFiles(project)
    releases = packs.open_releases("lanterns")
    urgent(project, "old-wick", "cost: 5", "cost: 6")
    emergency = releases.load_state(releases.list_releases()[-1].version)[0]
    assert emergency.cards["reed-mother"]["cost"] == 4, (
        "what is planned stays out of it"
    )
    refused = make_release(
        packs, "lanterns", ReleaseRequest("2.0.0", MARCH, MARCH, staged=True)
    )
    assert "release/draft-outdated" in {finding.code for finding in refused.findings}
    rebased_draft = rebase_draft(releases, "2.0.0")
    assert rebased_draft.findings == ()
    changes = compare_states(rebased_draft.before, rebased_draft.after).cards
    assert [
        (card.id, [field.path for field in card.fields if not field.lang])
        for card in changes
    ] == [("old-wick", ["cost"])]
    published = make_release(
        packs, "lanterns", ReleaseRequest("2.0.0", MARCH, MARCH, staged=True)
    )
    assert published.frozen, published.findings
    last = releases.load_state("2.0.0")[0]
    assert (last.cards["reed-mother"]["cost"], last.cards["old-wick"]["cost"]) == (5, 6)
    assert releases.drafts.list_releases() == ()


def test_other_fields_of_one_card_are_merged_and_its_planned_revision_follows(
    project: Project,
) -> None:
    releases = PackFiles(project).open_releases("lanterns")
    shutil.copy(
        ROOT / "tests/toys/lanterns/cards/lanterns/spirit/reed-mother.yaml",
        spirit(project, "reed-mother"),
    )
    urgent(project, "reed-mother", "lumen: 3", "lumen: 2")
    rebased_draft = rebase_draft(releases, "2.0.0")
    assert rebased_draft.findings == ()
    card, history = (
        rebased_draft.after.cards["reed-mother"],
        rebased_draft.after.cards["reed-mother"]["history"],
    )
    assert isinstance(history, list)
    assert [entry["revision"] for entry in history if isinstance(entry, dict)] == [
        1,
        2,
        3,
        4,
    ]
    assert (card["cost"], card["revision"], card["released"]) == (5, 4, str(MARCH))
    assert card["lumen"] == 2


def test_what_both_changed_otherwise_is_a_conflict_and_leaves_the_draft(
    project: Project,
) -> None:
    releases = PackFiles(project).open_releases("lanterns")
    shutil.copy(
        ROOT / "tests/toys/lanterns/cards/lanterns/spirit/reed-mother.yaml",
        spirit(project, "reed-mother"),
    )
    urgent(project, "reed-mother", "cost: 4", "cost: 3")
    before = releases.drafts.read_parts("2.0.0")
    rebased_draft = rebase_draft(releases, "2.0.0")
    assert [
        (finding.code, finding.location.path) for finding in rebased_draft.findings
    ] == [("release/conflict", "cards.reed-mother.cost")]
    assert (
        "has 3, the draft 5, and the earlier release 4"
        in rebased_draft.findings[0].message
    )
    assert releases.drafts.read_parts("2.0.0") == before


def test_the_commands_tell_the_story(project: Project) -> None:
    edit(spirit(project, "old-wick"), "cost: 5", "cost: 6")
    bump(project, "old-wick", {"en": "Mended.", "de": "Berichtigt."}, FEBRUARY)
    new = ("release", "new", "--no-pictures", "--lang", "en")
    process = run(
        project.root, *new, "1.1.0", "--effective", str(FEBRUARY), "--only", "old-wick"
    )
    assert process.returncode == 0, process.stdout + process.stderr
    listed = run(
        project.root, "release", "list", "--lang", "en", "--on", "2027-02-15"
    ).stdout
    assert "1.1.0  2027-02-01  2027-02-01  in force" in listed
    assert "2.0.0  2027-03-01  2027-03-01  draft, based on 1.0.0" in listed
    second_process = run(project.root, "release", "rebase", "2.0.0", "--lang", "en")
    assert (second_process.returncode, "5 -> 6" in second_process.stdout) == (0, True)
    last = run(project.root, *new, "2.0.0", "--from-draft")
    assert (last.returncode, "2.0.0 released" in last.stdout) == (0, True)


def prove(stamp: str) -> ProvePrint:
    """Return a proof in which the digest of each face ends with the same stamp."""

    def prove_print(loaded: LoadedPack) -> PrintProof:
        digests = {f"en/{card}/front": f"{card} {stamp}" for card in loaded.whole.cards}
        return PrintProof({**digests, "rasteriser": "x", "engine": "y"}, ())

    return prove_print


def test_a_release_of_one_card_announces_no_new_look_of_the_others(
    tmp_path: Path,
) -> None:
    project = Project(toy_project(tmp_path))
    packs = PackFiles(project)

    def release(version: str, day: date, stamp: str, *only: str) -> Snapshot:
        request = ReleaseRequest(version, day, day, only=only)
        result = make_release(packs, "lanterns", request, prove(stamp))
        assert result.frozen, result.findings
        return packs.open_releases("lanterns").load_state(version)[0]

    first = release("1.0.0", FIRST, "old")
    style = project.root / "templates/lanterns/spirit/card.css"
    style.write_text(style.read_text("utf-8") + "\n/* new */\n", "utf-8")
    edit(spirit(project, "old-wick"), "cost: 5", "cost: 6")
    bump(project, "old-wick", {"en": "Fixed.", "de": "Berichtigt."}, FEBRUARY)
    single = release("1.1.0", FEBRUARY, "new", "old-wick")
    difference = compare_states(first, single)
    assert [card.id for card in difference.cards] == ["old-wick"]
    assert (difference.restyled, difference.parts) == ({}, ())
    # The next whole release brings the template. The card that was taken has it already.
    whole = release("1.2.0", MARCH, "new")
    restyled = compare_states(single, whole).restyled
    assert "reed-mother" in restyled
    assert "old-wick" not in restyled


def test_a_release_warns_about_sample_squads_with_another_result(
    project: Project,
) -> None:
    edit(spirit(project, "old-wick"), "cost: 5", "cost: 12")
    bump(project, "old-wick", {"en": "Fixed.", "de": "Berichtigt."}, FEBRUARY)
    command = ("release", "new", "1.1.0", "--no-pictures", "--lang", "en")
    result = run(
        project.root, *command, "--effective", str(FEBRUARY), "--only", "old-wick"
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert "rosters/marsh-walk.yaml:" in result.stdout
    assert "the sample squad should be legal, but is illegal" in result.stdout
    assert "`squadpress check lanterns` reports this as an error" in result.stdout
    assert run(project.root, "check", "lanterns").returncode == 1


def test_sample_squads_are_checked_in_the_cards_that_are_released(
    project: Project,
) -> None:
    for card, old, new in (("old-wick", 5, 12), ("dusk-moth", 1, 0)):
        edit(spirit(project, card), f"cost: {old}", f"cost: {new}")
        bump(project, card, {"en": "Fixed.", "de": "Berichtigt."}, FEBRUARY)
    command = ("release", "new", "1.1.0", "--no-pictures", "--lang", "en", "--dry-run")
    days = ("--effective", str(FEBRUARY))
    words = "the sample squad should be legal, but is illegal"
    # The working files would break the sample squad, the release of one card does not.
    only_moth = run(project.root, *command, *days, "--only", "dusk-moth")
    assert only_moth.returncode == 0, only_moth.stdout + only_moth.stderr
    assert words not in only_moth.stdout
    assert words in run(project.root, *command, *days, "--only", "old-wick").stdout
