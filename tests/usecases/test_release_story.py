"""The errata maintainer's work on a toy pack: release, change, compare, judge squads, look back."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from builder.errata.difference import compare_states
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.packs.releases.folders import Releases
from builder.usecases.check_pack import check_packs
from builder.usecases.pack_states import load_named_state
from builder.usecases.release.impact import (
    CardCount,
    compare_roster,
    count_by_card,
    make_comparison,
)
from builder.usecases.release.new import ReleaseRequest, make_release
from builder.usecases.roster.roster_files import RosterFiles, check_roster_files
from tests.program import run
from tests.usecases.toy import bump, edit, toy_project

FIRST, SECOND, THIRD = date(2026, 4, 1), date(2026, 6, 1), date(2026, 9, 1)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """The pack released twice: a dearer card, a renamed card, a deleted card."""
    folder = toy_project(tmp_path)
    project = Project(folder)
    release_result = make_release(
        PackFiles(project), "lanterns", ReleaseRequest("1.0.0", FIRST, FIRST)
    )
    assert release_result.frozen, release_result.findings
    cards = folder / "cards" / "lanterns"
    edit(cards / "spirit" / "reed-mother.yaml", "cost: 4", "cost: 6")
    rename(cards, "dusk-moth", "night-moth")
    edit(cards / "spirit" / "reed-mother.yaml", "card:dusk-moth", "card:night-moth")
    edit(
        cards / "i18n" / "de" / "spirit" / "reed-mother.yaml",
        "card:dusk-moth",
        "card:night-moth",
    )
    edit(cards / "products.yaml", "card: dusk-moth", "card: night-moth")
    notes = {"en": "Costs 6 instead of 4.", "de": "Kostet 6 statt 4."}
    bump(project, "reed-mother", notes, SECOND)
    (cards / "migrations.yaml").write_text(
        f"migrations:\n  - {{old: dusk-moth, new: night-moth, type: rename, date: {SECOND}}}\n"
    )
    return project


def rename(cards: Path, old: str, new: str) -> None:
    for path in (
        cards / "spirit" / f"{old}.yaml",
        cards / "i18n" / "de" / "spirit" / f"{old}.yaml",
    ):
        edit(path, f"id: {old}", f"id: {new}")
        path.rename(path.with_stem(new))


def released(project: Project) -> None:
    """Make the second release; the German text's source hash follows the renamed reference."""
    from builder.model.card import hash_source

    cards = project.get_cards_dir("lanterns")
    path = cards / "i18n" / "de" / "spirit" / "reed-mother.yaml"
    old = hash_source(
        "Place one {card:dusk-moth} within {dist:3}.\nIt is **not** {term:dimmed}."
    )
    new = hash_source(
        "Place one {card:night-moth} within {dist:3}.\nIt is **not** {term:dimmed}."
    )
    edit(path, old, new)
    release_result = make_release(
        PackFiles(project), "lanterns", ReleaseRequest("2.0.0", SECOND, SECOND)
    )
    assert release_result.frozen, release_result.findings


def test_a_release_with_findings_writes_nothing(project: Project) -> None:
    release_result = make_release(
        PackFiles(project), "lanterns", ReleaseRequest("1.1.0", SECOND, SECOND)
    )
    assert not release_result.frozen
    assert {"i18n/stale", "release/bump-too-small"} <= {
        finding.code for finding in release_result.findings
    }
    assert [
        release.version for release in Releases(project, "lanterns").list_releases()
    ] == ["1.0.0"]


def test_the_difference_names_what_changed_and_not_what_was_only_renamed(
    project: Project,
) -> None:
    released(project)
    old, new = (
        load_named_state(PackFiles(project), "lanterns", version)[0]
        for version in ("1.0.0", "2.0.0")
    )
    changes_by_card = {
        card.id: (card.status.value, [field.path for field in card.fields])
        for card in compare_states(old, new).cards
    }
    assert changes_by_card == {
        "night-moth": ("renamed", []),
        "reed-mother": ("changed", ["cost"]),
    }


def test_squads_are_checked_moved_and_fixed(project: Project) -> None:
    released(project)
    roster = project.get_cards_dir("lanterns") / "rosters" / "marsh-walk.yaml"
    before = roster.read_text(encoding="utf-8")
    states = [
        load_named_state(PackFiles(project), "lanterns", version)[0]
        for version in ("1.0.0", "2.0.0")
    ]
    roster_files = RosterFiles(project)
    impact = compare_roster(
        make_comparison(states[0], states[1], None), roster_files.load(str(roster))
    )
    assert (impact.legal_before, impact.legal_after) == (True, False)
    assert impact.points_after - impact.points_before == 2
    assert [(item.rule, item.cards) for item in impact.broken] == [
        ("embers", ("reed-mother",))
    ]  # the other is renamed alone
    assert impact.broken[0].hint
    assert impact.migrated is not None
    assert roster_files.migrate(str(roster), impact.migrated, "2.0.0")
    assert roster.read_text(encoding="utf-8") == before.replace(
        "card: dusk-moth", "card: night-moth"
    )


def test_yesterdays_squad_is_checked_by_yesterdays_cards(project: Project) -> None:
    released(project)
    roster = project.get_cards_dir("lanterns") / "rosters" / "marsh-walk.yaml"

    def legal(as_of: str | None) -> bool:
        (checked_squad,) = check_roster_files(project, [roster], None, as_of)
        return checked_squad.legal

    assert [legal(day) for day in ("1.0.0", "2026-05-31", "2026-06-01", None)] == [
        True,
        True,
        False,
        False,
    ]
    roster.write_text(
        "version: 1.0.0\n" + roster.read_text(encoding="utf-8"), encoding="utf-8"
    )
    (pinned,) = check_roster_files(project, [roster])
    assert pinned.legal
    assert [finding.code for finding in pinned.findings] == ["release/newer"]
    edit(roster, "version: 1.0.0", "version: 1.0.1")
    (unknown,) = check_roster_files(project, [roster])
    assert [finding.code for finding in unknown.findings] == ["release/unknown"]


def test_a_card_that_cannot_be_parsed_is_a_finding_and_not_gone(
    project: Project,
) -> None:
    released(project)
    edit(
        project.get_cards_dir("lanterns") / "spirit" / "reed-mother.yaml",
        "cost: 6",
        "cost: [",
    )
    frozen = load_named_state(PackFiles(project), "lanterns", "2.0.0")[0]
    work, findings = load_named_state(PackFiles(project), "lanterns", "work")
    assert "yaml/syntax" in {finding.code for finding in findings}
    assert [
        card.id
        for card in (
            *compare_states(frozen, work).cards,
            *compare_states(work, frozen).cards,
        )
    ] == []


def test_a_release_is_checked_as_a_whole_pack(project: Project) -> None:
    released(project)
    for state in ("1.0.0", "2026-05-31", "2.0.0"):
        assert check_packs(project, "lanterns", state) == ()
    frozen = (
        project.get_cards_dir("lanterns") / "releases" / "1.0.0" / "i18n" / "de.json"
    )
    strings = json.loads(frozen.read_text(encoding="utf-8"))
    del strings["reed-mother"]["name"]
    frozen.write_text(json.dumps(strings), encoding="utf-8")
    files_by_code = {
        finding.code: finding.location.file
        for finding in check_packs(project, "lanterns", "1.0.0")
    }
    assert files_by_code["i18n/missing"] == "cards/lanterns/releases/1.0.0/i18n/de.json"


def test_a_card_that_breaks_hides_no_other(project: Project) -> None:
    edit(
        project.get_cards_dir("lanterns") / "spirit" / "old-wick.yaml",
        "cost: 5",
        "cost: many",
    )
    old, new = (
        load_named_state(PackFiles(project), "lanterns", "1.0.0")[0],
        load_named_state(PackFiles(project), "lanterns", "work"),
    )
    assert new[1]
    changed = compare_states(old, new[0]).find_card("old-wick")
    assert changed is not None
    assert [(field.path, field.new) for field in changed.fields] == [("cost", "many")]


@pytest.mark.slow
def test_the_commands_say_it_too(project: Project) -> None:
    released(project)
    text = run(project.root, "release", "diff", "1.0.0", "2.0.0")
    assert "          cost: 4 -> 6 (loss)\n" in text.stdout
    data = json.loads(
        run(
            project.root, "release", "diff", "1.0.0", "2.0.0", "--format", "json"
        ).stdout
    )
    assert {card["id"] for card in data["cards"]} == {"night-moth", "reed-mother"}
    risks = run(project.root, "release", "impact", "1.0.0", "2.0.0")
    assert "embers · Reed Mother: cost: 4 -> 6" in risks.stdout
    broken = run(
        project.root,
        "release",
        "impact",
        "1.0.0",
        "2.0.0",
        "cards/lanterns/rosters/marsh-walk.yaml",
    )
    assert broken.returncode == 1
    assert "BROKEN" in broken.stdout
    unknown = run(project.root, "release", "diff", "1.0.1")
    assert (unknown.returncode, "1.0.0" in unknown.stderr) == (2, True)


def test_a_damaged_release_is_reported_and_never_said_to_be_the_same(
    project: Project,
) -> None:
    released(project)
    folder = project.get_cards_dir("lanterns") / "releases"
    (folder / "2.0.0" / "cards.json").write_text("{", encoding="utf-8")
    process = run(project.root, "release", "diff", "2.0.0", "2.0.0")
    assert (process.returncode, process.stdout) == (1, "")
    assert process.stderr.count("2.0.0/cards.json: error release/unreadable") == 1
    assert run(project.root, "release", "notes", "1.0.0", "2.0.0").returncode == 1
    (folder / "2.0.0" / "manifest.json").unlink()
    listed = run(project.root, "release", "list")
    assert (listed.returncode, "1.0.0" in listed.stdout) == (1, True)
    assert "2.0.0/manifest.json: error release/unreadable" in listed.stderr


def test_what_a_history_entry_lacks_is_named(project: Project) -> None:
    process = run(project.root, "card", "bump", "reed-mother", *WORDS[:-2])
    assert (process.returncode, "released is missing" in process.stderr) == (2, True)


def test_a_revision_that_check_refuses_is_reported_at_once(tmp_path: Path) -> None:
    folder = toy_project(tmp_path)
    words = ("--type", "art", "--note", "New.", "--released", "2001-01-01")
    before = (folder / "cards/lanterns/spirit/reed-mother.yaml").read_text()
    refused = run(folder, "card", "bump", "reed-mother", *words)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "reed-mother: the note is missing in de" in refused.stderr
    assert (folder / "cards/lanterns/spirit/reed-mother.yaml").read_text() == before
    lost = run(
        folder,
        "card",
        "bump",
        "reed-mother",
        *words,
        "--note",
        "de=N",
        "--note",
        "xx=c",
    )
    assert (lost.returncode, "two texts in en: 'New.' and 'xx=c'" in lost.stderr) == (
        2,
        True,
    )
    assert (folder / "cards/lanterns/spirit/reed-mother.yaml").read_text() == before
    process = run(folder, "card", "bump", "reed-mother", *words, "--note", "de=Neu.")
    assert process.returncode == 1
    assert "spirit/reed-mother.yaml: revision " in process.stdout
    assert "cards/date-order: 2001-01-01 is before " in process.stderr


WORDS = (
    "--type",
    "art",
    "--note",
    "en=New.",
    "--note",
    "de=Neu.",
    "--released",
    "2026-09-01",
)


def revisions(folder: Path) -> dict[str, int]:
    """The revision of each card of the pack."""
    loaded = PackFiles(Project(folder)).load_pack("lanterns")
    assert loaded.pack is not None
    return {card.id: card.revision for card in loaded.pack.cards.values()}


def test_all_that_changed_and_kept_its_revision_is_revised(project: Project) -> None:
    released(project)
    cards = project.root / "cards" / "lanterns"
    before = revisions(project.root)
    edit(cards / "spirit" / "night-moth.yaml", "cost: 1", "cost: 2")
    edit(cards / "spirit" / "reed-mother.yaml", "cost: 6", "cost: 5")
    second_process = run(
        project.root,
        "card",
        "bump",
        "--changed-since",
        "2.0.0",
        "--only",
        "night-*,reed-*",
        *WORDS,
    )
    assert (second_process.returncode, second_process.stdout.splitlines()[-1]) == (
        0,
        "2 cards have a new revision",
    )
    after = revisions(project.root)
    assert {card for card in after if after[card] != before[card]} == {
        "night-moth",
        "reed-mother",
    }
    process = run(project.root, "card", "bump", "--changed-since", "2.0.0", *WORDS)
    assert (process.returncode, process.stdout) == (0, "0 cards have a new revision\n")


@pytest.mark.slow
def test_what_only_looks_otherwise_is_revised_too_if_asked(project: Project) -> None:
    released(project)
    before = revisions(project.root)
    sheet = project.root / "templates" / "lanterns" / "spirit" / "card.css"
    sheet.write_text(
        sheet.read_text(encoding="utf-8") + "\n.face{background:#123456 !important}\n",
        encoding="utf-8",
    )
    process = run(project.root, "card", "bump", "--changed-since", "2.0.0", *WORDS)
    assert process.stdout == "0 cards have a new revision\n"
    second_process = run(
        project.root, "card", "bump", "--changed-since", "2.0.0", "--printed", *WORDS
    )
    after = revisions(project.root)
    raised = {card for card in after if after[card] != before[card]}
    assert raised
    assert {
        PackFiles(project).load_pack("lanterns").pack.cards[card].kind
        for card in raised
    } == {"spirit"}  # type: ignore[union-attr]
    assert second_process.stdout.count("revision ") == len(raised)
    codes = {
        finding.code
        for finding in make_release(
            PackFiles(project), "lanterns", ReleaseRequest("2.0.1", THIRD, THIRD)
        ).findings
    }
    assert "release/idle-revision" not in codes


def test_each_card_has_its_own_note_from_a_table(
    project: Project, tmp_path: Path
) -> None:
    table = tmp_path / "notes.csv"
    rows = [
        "id;type;de;note",
        "night-moth;wording;Klarer gesagt.;Said more clearly; shorter.",
        "reed-mother;;;",
    ]
    table.write_text(
        "\ufeff" + "\r\n".join(rows).replace("clearly; s", "clearly, s"),
        encoding="utf-8",
    )
    common = ("--type", "balance", "--note", "Costs less.", "--released", "2026-09-01")
    refused = run(project.root, "card", "bump", "--from", str(table), *common)
    assert (refused.returncode, refused.stdout) == (
        2,
        "",
    )  # one note says nothing in German
    common = (*common, "--note", "de=Kostet weniger.")
    assert (
        run(project.root, "card", "bump", "--from", str(table), *common).returncode == 0
    )
    loaded = PackFiles(project).load_pack("lanterns").pack
    assert loaded is not None
    moth, mother = (
        loaded.cards[card].history[-1] for card in ("night-moth", "reed-mother")
    )
    assert (moth.type, dict(moth.note)) == (
        "wording",
        {"en": "Said more clearly, shorter.", "de": "Klarer gesagt."},
    )
    assert (mother.type, dict(mother.note)) == (
        "balance",
        {"en": "Costs less.", "de": "Kostet weniger."},
    )


@pytest.mark.parametrize(
    ("rows", "place"),
    [
        (["id,typo", "night-moth,art"], ":1: "),
        (["id,type", "night-moth,painted"], ":2: "),
        (["id,type", "night-moth,art", "night-moth,art"], ":3: "),
        (["id,type", "night-moth,art,more"], ":2: "),
        (["id,released", "night-moth,soon"], ":2: "),
        (["id,type", ",art"], ":2: "),
        (["id,type", '"night-moth,art'], "unexpected end of data"),
        (["id,type", "reed-mother,art", "moth,art"], "no card moth"),
    ],
)
def test_a_table_that_is_wrong_changes_nothing(
    project: Project, tmp_path: Path, rows: list[str], place: str
) -> None:
    table, before = tmp_path / "notes.csv", revisions(project.root)
    table.write_text("\n".join(rows) + "\n", encoding="utf-8")
    process = run(project.root, "card", "bump", "--from", str(table), *WORDS)
    assert (process.returncode, process.stdout) == (
        3 if "unexpected" in place else 2,
        "",
    )
    assert place in process.stderr
    assert revisions(project.root) == before


@pytest.mark.parametrize(
    "asked",
    [
        (),
        ("night-moth", "--from", "x.csv"),
        ("--only", "kind=nothing"),
        ("moth",),
        ("--changed-since", "9.9.9"),
    ],
)
def test_cards_that_are_not_said_clearly_are_refused(
    project: Project, asked: tuple[str, ...]
) -> None:
    process = run(project.root, "card", "bump", *asked, *WORDS)
    assert (process.returncode, process.stdout) == (2, "")
    assert "squadpress: error: " in process.stderr


def test_one_card_that_cannot_be_edited_leaves_all_as_they_are(
    project: Project,
) -> None:
    spirits = project.root / "cards" / "lanterns" / "spirit"
    mother = spirits / "reed-mother.yaml"
    mother.write_text(
        mother.read_text(encoding="utf-8").replace("revision:", "edition:"),
        encoding="utf-8",
    )
    before = (spirits / "night-moth.yaml").read_bytes()
    process = run(project.root, "card", "bump", "night-moth", "reed-mother", *WORDS)
    assert (process.returncode, process.stdout) == (3, "")
    assert "reed-mother.yaml was not edited: it has no revision" in process.stderr
    assert (spirits / "night-moth.yaml").read_bytes() == before


def test_who_is_checked_by_a_withdrawn_release_is_reported_so(project: Project) -> None:
    released(project)
    roster = project.get_cards_dir("lanterns") / "rosters" / "marsh-walk.yaml"
    for wrong_options in (
        ("--reason", " "),
        ("--reason", "Torn.", "--successor", "1.0.0"),
    ):
        assert (
            run(project.root, "release", "withdraw", "1.0.0", *wrong_options).returncode
            == 2
        )
    command = (
        "release",
        "withdraw",
        "1.0.0",
        "--reason",
        "Torn.",
        "--reason",
        "de=Kaputt.",
        "--successor",
        "2.0.0",
    )
    assert run(project.root, *command, "--date", "2026-07-01").returncode == 0
    for as_of, lines in (("1.0.0", ""), (None, "version: 1.0.0\n")):
        roster.write_text(lines + roster.read_text(encoding="utf-8"), encoding="utf-8")
        (checked_squad,) = check_roster_files(project, [roster], None, as_of)
        assert checked_squad.legal, "withdrawn, and still what the squad was built by"
        (finding,) = checked_squad.findings
        assert (finding.code, "Torn." in finding.message, "2.0.0" in finding.hint) == (
            "release/withdrawn",
            True,
            True,
        )
    assert (
        "withdrawn; use 2.0.0"
        in run(project.root, "release", "list", "--lang", "en").stdout
    )
    process = run(project.root, *command)
    assert (process.returncode, "already withdrawn" in process.stderr) == (2, True)


def test_a_withdrawal_before_the_release_is_refused(project: Project) -> None:
    released(project)
    command = (
        "release",
        "withdraw",
        "2.0.0",
        "--reason",
        "Torn.",
        "--reason",
        "de=Kaputt.",
    )
    process = run(project.root, *command, "--date", "2020-01-01", "--lang", "en")
    expected = "2.0.0 was only released on"
    assert (process.returncode, expected in process.stderr) == (2, True), process.stderr
    assert not (
        project.get_cards_dir("lanterns") / "releases" / "withdrawn.yaml"
    ).exists()


def test_an_older_line_is_corrected_and_a_revision_that_is_taken_is_reported(
    project: Project,
) -> None:
    released(project)
    cards = project.get_cards_dir("lanterns")
    edit(cards / "spirit" / "old-wick.yaml", "cost: 5", "cost: 6")
    bump(project, "old-wick", {"en": "Six.", "de": "Sechs."}, THIRD)
    packs = PackFiles(project)
    release_result = make_release(
        packs, "lanterns", ReleaseRequest("1.1.0", THIRD, THIRD, only=["old-wick"])
    )
    assert release_result.frozen, release_result.findings
    last = packs.open_releases("lanterns").list_releases()[-1]
    assert (last.version, last.previous) == ("1.1.0", "1.0.0")
    edit(cards / "spirit" / "reed-mother.yaml", "cost: 6", "cost: 3")
    release_result = make_release(
        packs, "lanterns", ReleaseRequest("1.2.0", THIRD, THIRD, only=["reed-mother"])
    )
    assert "release/revision-taken" in {
        finding.code for finding in release_result.findings
    }
    removed = cards / "releases" / "2.0.0"  # the last one made names it
    removed.rename(cards / "elsewhere")
    release_result = make_release(
        packs, "lanterns", ReleaseRequest("1.3.0", THIRD, THIRD, only=["reed-mother"])
    )
    assert (
        release_result.frozen,
        "release/removed" in {finding.code for finding in release_result.findings},
    ) == (False, True)


def test_a_successor_that_keeps_withdrawn_values_is_reported(project: Project) -> None:
    released(project)
    edit(
        project.get_cards_dir("lanterns") / "spirit" / "old-wick.yaml",
        "cost: 5",
        "cost: 6",
    )
    bump(project, "old-wick", {"en": "Six.", "de": "Sechs."}, THIRD)
    packs = PackFiles(project)
    assert make_release(packs, "lanterns", ReleaseRequest("2.1.0", THIRD, THIRD)).frozen
    command = (
        "release",
        "withdraw",
        "2.0.0",
        "--reason",
        "Too dear.",
        "--reason",
        "de=Zu teuer.",
        "--lang",
        "en",
    )
    second_process = run(project.root, *command, "--successor", "2.1.0")
    assert (
        "reed-mother: cost still has the value of the withdrawn release 2.0.0: 6"
        in second_process.stderr
    )
    assert second_process.returncode == 0
    process = run(
        project.root,
        "release",
        "withdraw",
        "2.1.0",
        "--reason",
        "Torn.",
        "--successor",
        "2.0.0",
        "--lang",
        "en",
    )
    assert (process.returncode, "2.0.0 is itself withdrawn" in process.stderr) == (
        2,
        True,
    )
    refused = run(
        project.root,
        "release",
        "new",
        "2.0.1",
        "--effective",
        str(THIRD),
        "--lang",
        "en",
    )
    assert (refused.returncode, "release/continues-withdrawn" in refused.stdout) == (
        1,
        True,
    )


@pytest.mark.parametrize("old", ["1.0.0", "2.0.0"])
@pytest.mark.parametrize("card", ["dusk-moth", "night-moth"])
def test_a_squad_costs_the_same_before_and_after_a_rename_by_either_name(
    project: Project, tmp_path: Path, old: str, card: str
) -> None:
    released(project)
    squad = tmp_path / "squad.yaml"
    squad.write_text(
        f"pack: lanterns\nname: Moths\nembers: 12\nentries: [{{card: {card}, count: 2}}]\n"
    )
    states = [
        load_named_state(PackFiles(project), "lanterns", version)[0]
        for version in (old, "2.0.0")
    ]
    impact = compare_roster(
        make_comparison(states[0], states[1], None),
        RosterFiles(project).load(str(squad)),
    )
    assert impact.points_before == impact.points_after != 0


def test_a_renamed_card_that_breaks_a_squad_is_counted_once(
    project: Project, tmp_path: Path
) -> None:
    edit(
        project.get_cards_dir("lanterns") / "spirit" / "night-moth.yaml",
        "cost: 1",
        "cost: 9",
    )
    squad = tmp_path / "squad.yaml"
    states = [
        load_named_state(PackFiles(project), "lanterns", version)[0]
        for version in ("1.0.0", "work")
    ]
    comparison = make_comparison(states[0], states[1], None)
    impacts = []
    for card in ("dusk-moth", "night-moth"):
        squad.write_text(
            f"pack: lanterns\nname: Moths\nembers: 12\nentries: [{{card: {card}, count: 3}}]\n"
        )
        impacts.append(
            compare_roster(comparison, RosterFiles(project).load(str(squad)))
        )
    assert count_by_card(impacts) == (CardCount("night-moth", 2, 2),)


@pytest.mark.parametrize("name", ["", " "])
@pytest.mark.parametrize("command", ["diff", "impact", "notes", "check"])
def test_an_empty_name_of_a_state_is_refused(
    project: Project, command: str, name: str
) -> None:
    words = {
        "diff": ("release", "diff", name),
        "impact": ("release", "impact", "1.0.0", name),
        "notes": ("release", "notes", "1.0.0", name),
        "check": (
            "roster",
            "check",
            "cards/lanterns/rosters/marsh-walk.yaml",
            "--as-of",
            name,
        ),
    }
    refused = run(project.root, *words[command], "--lang", "en")
    assert (refused.returncode, "is empty" in refused.stderr) == (2, True), refused


def test_a_cost_that_cannot_be_computed_is_unknown_and_not_zero(
    project: Project,
) -> None:
    released(project)
    squad = project.root / "squad.yaml"
    squad.write_text(
        "pack: lanterns\nname: Lost\nembers: 12\nentries: [{card: reed-mother}, {card: owl}]\n"
    )
    process = run(
        project.root,
        "release",
        "impact",
        "1.0.0",
        "2.0.0",
        "squad.yaml",
        "--lang",
        "en",
    )
    assert "Lost  unknown" in process.stdout
