"""Play formats from the file to the verdict: the example of docs/formats.md on a toy pack."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from builder.errata.difference import compare_states
from builder.errata.notes import compose_notes
from builder.errata.snapshot import Snapshot
from builder.errors import UsageError
from builder.model.formats import FormatCard, FormatDay, FormatSet, Legality
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.packs.rosters import format_roster
from builder.usecases.check_pack import check_packs
from builder.usecases.pack_states import load_named_state
from builder.usecases.release.impact import (
    compare_roster,
    count_by_card,
    make_comparison,
)
from builder.usecases.release.new import ReleaseRequest, make_release
from builder.usecases.release.publish import publish_releases
from builder.usecases.roster.check_roster import CheckedRoster, RosterCheckers
from builder.usecases.roster.choices import Offers
from builder.usecases.roster.reading import read_squad
from builder.usecases.roster.roster_files import RosterFiles, check_roster_files
from builder.usecases.roster.share import (
    format_json,
    format_text,
    make_token,
    parse_token,
)
from tests.house.source import ROOT
from tests.program import run
from tests.usecases.toy import edit, toy_project

EXAMPLE = re.compile(r"^```yaml formats\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    example = EXAMPLE.search((ROOT / "docs" / "formats.md").read_text("utf-8"))
    assert example is not None
    project = Project(toy_project(tmp_path))
    (project.get_cards_dir("lanterns") / "formats.yaml").write_text(example[1], "utf-8")
    return project


@pytest.fixture
def released(project: Project) -> Project:
    """Return the pack with a first release, in which all its cards are new."""
    release_result = make_release(
        PackFiles(project),
        "lanterns",
        ReleaseRequest("1.0.0", date(2026, 4, 1), date(2026, 4, 1)),
    )
    assert release_result.frozen, release_result.findings
    return project


def check_by_format(project: Project, name: str, day: str) -> CheckedRoster:
    roster = project.get_cards_dir("lanterns") / "rosters" / "marsh-walk.yaml"
    played = FormatDay(name, date.fromisoformat(day))
    return next(check_roster_files(project, [roster], None, None, format_day=played))


def broken(project: Project, name: str, day: str) -> list[str]:
    verdict = check_by_format(project, name, day).verdict
    assert verdict is not None
    return sorted(verdict.broken)


def test_the_example_is_right(project: Project) -> None:
    assert check_packs(project, "lanterns") == ()


@pytest.mark.parametrize(
    ("day", "rules"),
    [
        ("2026-11-30", []),
        ("2026-12-01", ["standard:restricted-dusk-moth"]),
        (
            "2027-01-10",
            ["standard:banned-amber-brooch", "standard:restricted-dusk-moth"],
        ),
        ("2027-03-01", ["standard:points-2", "standard:restricted-dusk-moth"]),
        ("2027-06-01", ["standard:not-legal", "standard:points-2"]),
    ],
)
def test_a_squad_is_checked_by_the_format_of_a_day(
    released: Project, day: str, rules: list[str]
) -> None:
    assert broken(released, "standard", day) == rules
    assert broken(released, "open", day) == []


def test_repairs_and_refusals_know_the_format(project: Project) -> None:
    checked_squad = check_by_format(project, "standard", "2027-01-10")
    finding = next(
        item for item in checked_squad.findings if "banned" in item.message
    ).translate("en")
    assert (
        "standard:banned-amber-brooch (Banned in Standard; "
        "Standard, from "
        "2027-01-10, until 2027-02-28)"
    ) in finding.message
    assert "Nobody left home without it." in finding.hint
    assert "remove Amber Brooch" in finding.hint
    offered = Offers(check_by_format(project, "standard", "2026-11-30"))
    assert not offered["heron-quill"].open
    assert "Not in the pool of Standard" in str(offered["heron-quill"].notes)


def test_a_pool_of_a_release_holds_what_was_new_in_it_whatever_it_was_called_then(
    project: Project,
) -> None:
    cards = project.get_cards_dir("lanterns")
    quill_files = [
        (cards / part / "charm" / "heron-quill.yaml") for part in (".", "i18n/de")
    ]
    texts = [path.read_text("utf-8") for path in quill_files]
    products = (cards / "products.yaml").read_text("utf-8")
    (cards / "products.yaml").unlink()
    rosters = {path: path.read_text("utf-8") for path in (cards / "rosters").iterdir()}
    for path in (*quill_files, *rosters):
        path.unlink()
    first = make_release(
        PackFiles(project),
        "lanterns",
        ReleaseRequest("1.0.0", date(2026, 4, 1), date(2026, 4, 1)),
    )
    assert first.frozen, first.findings
    for path, text in zip(quill_files, texts, strict=True):
        path.write_text(text.replace("2026-01-10", "2026-06-01"), "utf-8")
    (cards / "products.yaml").write_text(products, "utf-8")
    for path, text in rosters.items():
        path.write_text(text, "utf-8")
    edit(
        cards / "rosters" / "marsh-walk.yaml",
        "attachments: [amber-brooch]",
        "attachments: [heron-quill]",
    )
    assert "standard:not-legal" in broken(project, "standard", "2026-11-30")
    assert "standard:not-legal" not in broken(project, "standard", "2026-12-01"), (
        "it will be new in 1.1.0"
    )
    second = make_release(
        PackFiles(project),
        "lanterns",
        ReleaseRequest("1.1.0", date(2026, 6, 1), date(2026, 6, 1)),
    )
    assert second.frozen, second.findings
    assert "standard:not-legal" not in broken(project, "standard", "2026-12-01")
    edit(cards / "formats.yaml", "releases: [1.1.0]", "releases: [1.0.1, 1.2.0]")
    findings = [
        finding
        for finding in check_packs(project, "lanterns")
        if finding.code == "pack/unknown-name"
    ]
    assert [finding.message for finding in findings] == [
        "release 1.0.1 does not exist"
    ], "1.2.0 may be yet to come"


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("cards: [old-wick,", "cards: [old-wik,", "cards/unknown-card"),
        ("factions: [moorland]", "factions: [moor]", "cards/unknown-faction"),
        ("kinds: [spirit]", "kinds: [ghost]", "pack/unknown-name"),
        (
            "cards: [dusk-moth], max: 1",
            "cards: [dusk-moth, amber-brooch], max: 1",
            "formats/listed-twice",
        ),
        (
            "to: 2027-02-28\n        reason",
            "to: 2026-02-28\n        reason",
            "schema/model",
        ),
        ("{en: Open, de: Offen}", "{en: Open}", "i18n/missing-word"),
        (
            (
                "      - {cards: [old-wick, "
                "amber-brooch]}\n      - {releases: "
                "[1.1.0], from: 2026-12-01}"
            ),
            "     ",
            "formats/empty-pool",
        ),
    ],
)
def test_what_is_wrong_in_the_file_is_found(
    project: Project, old: str, new: str, code: str
) -> None:
    edit(project.get_cards_dir("lanterns") / "formats.yaml", old, new)
    findings = check_packs(project, "lanterns")
    assert code in {finding.code for finding in findings}
    assert {finding.location.file for finding in findings} == {
        "cards/lanterns/formats.yaml"
    }


def test_of_two_entries_the_stricter_one_counts_and_every_change_has_its_day() -> None:
    limits = [
        {"cards": ["a"], "max": 3},
        {"cards": ["a"], "max": 2, "to": "2026-05-01"},
    ]
    form = FormatSet.model_validate(
        {"formats": {"f": {"name": {"en": "F"}, "restricted": limits}}}
    ).formats["f"]
    days = form.list_days(date(2026, 1, 1))
    assert [str(day) for day in days] == ["2026-01-01", "2026-05-02"]
    standings = [form.find_card_legality(FormatCard("a", "k"), day) for day in days]
    assert [(standing.legality, standing.maximum) for standing in standings] == [
        (Legality.RESTRICTED, 2),
        (Legality.RESTRICTED, 3),
    ]


def test_the_command_checks_by_a_format_and_its_verdict_can_be_repeated(
    project: Project,
) -> None:
    roster = "cards/lanterns/rosters/marsh-walk.yaml"
    options = ("--play-format", "standard", "--on", "2026-12-24", "--lang", "en")
    process = run(project.root, "roster", "check", roster, *options, "--verdict")
    assert process.returncode == 1
    assert "At most 1 of each in Standard" in process.stdout
    verdict = roster.replace(".yaml", ".verdict.json")
    assert (
        run(project.root, "roster", "verify", verdict, "--lang", "en").returncode == 0
    )
    edit(project.root / verdict, "2026-12-24", "2026-11-24")
    assert (
        run(project.root, "roster", "verify", verdict, "--lang", "en").returncode == 1
    )
    unknown = run(
        project.root,
        "roster",
        "check",
        roster,
        "--play-format",
        "standart",
        "--lang",
        "en",
    )
    assert (unknown.returncode, "Did you mean standard?" in unknown.stderr) == (2, True)
    with pytest.raises(UsageError):
        check_by_format(project, "none", "2026-12-24")


def keeping(project: Project, form: str) -> Path:
    """Return the sample that names a play format itself."""
    roster = project.get_cards_dir("lanterns") / "rosters" / "marsh-walk.yaml"
    edit(roster, "pack: lanterns", f"pack: lanterns\nplay_format: {form}")
    return roster


def test_a_squad_is_checked_by_the_format_it_names_and_takes_it_along(
    project: Project,
) -> None:
    packs, roster = PackFiles(project), keeping(project, "standard")
    first, second = (
        next(
            check_roster_files(
                project,
                [roster],
                "en",
                format_day=FormatDay("", date.fromisoformat(day)),
            )
        )
        for day in ("2026-11-30", "2026-12-24")
    )
    assert (first.legal, second.legal) == (True, False)
    assert next(
        check_roster_files(
            project, [roster], format_day=FormatDay("open", date(2026, 12, 24))
        )
    ).legal, "or by another"
    squad = first.roster
    assert squad is not None
    shared_texts = (
        make_token(first),
        format_json(first),
        format_roster(squad),
        format_text(first),
        format_text(first, markdown=True),
    )
    games = [RosterCheckers(packs).get_checker("lanterns").pack]
    assert {
        read_squad(packs, text, games).roster.play_format for text in shared_texts
    } == {"standard"}
    assert parse_token(packs, make_token(first)) == (
        squad.model_copy(update={"expect": None}),
        (),
    )
    checked_squad = next(
        check_roster_files(project, [keeping(project, "bygone")], "en")
    )
    assert not checked_squad.legal


@pytest.mark.parametrize(
    "name", ["Small, quick", "Small,quick", "Cup: 2026", "Standard, small"]
)
def test_a_list_keeps_a_format_whatever_its_name(project: Project, name: str) -> None:
    edit(
        project.get_cards_dir("lanterns") / "formats.yaml",
        "{en: Open, de: Offen}",
        f'{{en: "{name}", de: Offen}}',
    )
    packs, roster = PackFiles(project), keeping(project, "open")
    checked_squad = next(check_roster_files(project, [roster], "en"))
    pack = packs.load_pack("lanterns").pack
    assert checked_squad.roster is not None
    assert pack is not None
    for markdown in (False, True):
        squad = read_squad(
            packs,
            format_text(checked_squad, markdown).upper()
            if markdown
            else format_text(checked_squad),
            [pack],
        )
        assert (squad.roster.play_format, squad.roster.params["embers"]) == (
            "open",
            checked_squad.roster.params["embers"],
        )
        assert squad.unread == () or markdown


def test_what_was_handed_on_before_play_formats_still_opens(project: Project) -> None:
    old = "SQP1.c_MSY6tWSlGyUjJQ0lEqUrKqVipITM4G8nMS80pSi_KKlWprAQ"
    assert parse_token(PackFiles(project), old)[0].play_format is None


def changed(project: Project, old: str, new: str) -> tuple[Snapshot, Snapshot]:
    """Return the first release, and the work after a change of formats.yaml."""
    edit(project.get_cards_dir("lanterns") / "formats.yaml", old, new)
    packs = PackFiles(project)
    return load_named_state(packs, "lanterns", "1.0.0")[0], load_named_state(
        packs, "lanterns", "work"
    )[0]


BAN = (
    "    banned:\n",
    "    banned:\n      - {cards: [reed-mother], from: 2026-07-01, reason: {en: Too dear., de: Zu teuer.}}\n",
)


def test_notes_name_each_card_that_a_format_treats_otherwise(released: Project) -> None:
    old, new = changed(released, *BAN)
    notes = compose_notes(old, new, compare_states(old, new), "en")
    rule_notes = [
        (rule.title, rule.source, rule.summary, rule.cards) for rule in notes.rules
    ]
    assert rule_notes == [
        (
            "Banned in Standard: Reed Mother",
            "from 2026-07-01",
            "Too dear.",
            ("reed-mother",),
        )
    ]
    german = compose_notes(old, new, compare_states(old, new), "de").rules[0]
    assert (german.title, german.summary) == (
        "Verboten in Standard: Schilfmutter",
        "Zu teuer.",
    )


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (
            "max: 1, from: 2026-12-01",
            "max: 2, from: 2026-12-01",
            "At most 2 of each in Standard: Dusk Moth",
        ),
        (
            "to: 2027-05-31",
            "to: 2027-04-30",
            "Not in the pool of Standard: Dusk Moth, Reed Mother",
        ),
        (
            "- {max: 10, from: 2027-03-01}",
            "- {max: 9, from: 2027-03-01}",
            "At most 9 points in Standard",
        ),
        (
            "      - cards: [amber-brooch]\n        from: 2027-01-10",
            "      - cards: [heron-quill]",
            "Allowed in Standard: Amber Brooch",
        ),
    ],
)
def test_every_sort_of_change_is_reported(
    released: Project, old: str, new: str, told: str
) -> None:
    before, after = changed(released, old, new)
    assert told in [
        rule.title
        for rule in compose_notes(
            before, after, compare_states(before, after), "en"
        ).rules
    ]


def test_impact_counts_by_card_and_names_cards_without_squads(
    released: Project,
) -> None:
    comparison = make_comparison(
        *changed(released, *BAN), "en", "standard", date(2026, 8, 1)
    )
    assert [(risk.rule, risk.card) for risk in comparison.risks] == [
        ("standard:banned", "reed-mother")
    ]
    roster = released.get_cards_dir("lanterns") / "rosters" / "marsh-walk.yaml"
    roster_files = RosterFiles(released, (roster, roster))
    impacts = [
        compare_roster(comparison, roster_files.load(str(roster)))
        for _twice in range(2)
    ]
    assert [impact.worse for impact in impacts] == [True, True]
    assert [
        (count.card, count.squads, count.broken) for count in count_by_card(impacts)
    ] == [("reed-mother", 2, 2)]


def test_impact_checks_a_squad_by_the_format_it_names(released: Project) -> None:
    second_squad = RosterFiles(released).load(
        str(released.get_cards_dir("lanterns") / "rosters" / "marsh-walk.yaml")
    )
    squad = RosterFiles(released).load(str(keeping(released, "standard")))
    comparison = replace(
        make_comparison(*changed(released, *BAN), "en"), day=date(2026, 8, 1)
    )
    assert [
        compare_roster(comparison, checked_squad).worse
        for checked_squad in (second_squad, squad)
    ] == [False, True]
    assert "Too dear." in compare_roster(comparison, squad).broken[0].hint


def test_impact_reports_of_a_format_that_is_gone_and_of_one_that_comes(
    released: Project,
) -> None:
    squad = RosterFiles(released).load(str(keeping(released, "standard")))
    before, after = changed(released, *BAN)
    without_formats, come = (replace(state, formats={}) for state in (after, before))
    impact = compare_roster(
        replace(make_comparison(before, without_formats, "en"), day=date(2026, 8, 1)),
        squad,
    )
    assert (impact.worse, [finding.message for finding in impact.broken]) == (
        True,
        ["standard is not a play format of this game"],
    )
    impact = compare_roster(
        replace(make_comparison(come, after, "en"), day=date(2026, 8, 1)), squad
    )
    assert (impact.worse, [broken.rule for broken in impact.broken]) == (
        True,
        ["standard:banned-reed-mother"],
    )
    neither = compare_roster(make_comparison(come, without_formats, "en"), squad)
    assert (neither.worse, neither.broken) == (False, ())


def test_the_published_legality_of_a_format_has_a_file_for_every_day_of_change(
    released: Project,
) -> None:
    files, findings = publish_releases(
        PackFiles(released).open_releases("lanterns"), "lanterns"
    )
    assert findings == ()
    listed = json.loads(files["v1/1.0.0/legality.json"])["formats"]["standard"]
    assert [item["from"] for item in listed] == [
        "2026-04-01",
        "2026-12-01",
        "2027-01-10",
        "2027-03-01",
        "2027-06-01",
    ]
    assert listed[0]["to"] == "2026-11-30"
    third = json.loads(files[listed[2]["path"]])
    assert third["points"] == 12
    legality_by_card = {
        card: entry["legality"] for card, entry in third["cards"].items()
    }
    assert legality_by_card == {
        "amber-brooch": "banned",
        "dusk-moth": "restricted",
        "heron-quill": "not-legal",
        "old-wick": "legal",
        "reed-mother": "legal",
        "willow-flute": "not-legal",
    }
    assert (
        third["cards"]["amber-brooch"]["reason"]["en"] == "Nobody left home without it."
    )


def test_a_frozen_format_checks_as_of_its_release(released: Project) -> None:
    changed(released, *BAN)
    roster = released.get_cards_dir("lanterns") / "rosters" / "marsh-walk.yaml"
    played = FormatDay("standard", date(2026, 8, 1))
    legal = [
        next(
            check_roster_files(released, [roster], None, as_of, format_day=played)
        ).legal
        for as_of in ("1.0.0", None)
    ]
    assert legal == [True, False]
