"""Ten releases of five hundred cards, replayed.

Every counted fact is the one in the maintainer's own ledger.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from builder.errata.difference import compare_states
from builder.errata.release import find_release_in_force
from builder.errata.snapshot import Snapshot, hash_data
from builder.usecases.pack_states import load_named_state, read_working_pack
from builder.usecases.release.cards import measure_coverages
from builder.usecases.release.impact import (
    compare_roster,
    count_by_card,
    make_comparison,
)
from builder.usecases.release.notes import compose_release_notes
from builder.usecases.release.publish import publish_releases
from builder.usecases.roster.roster_files import RosterFiles, list_roster_files
from tests.usecases.errata_desk import COMPLETE, PACK, PARTIAL, Step
from tests.usecases.errata_story import BEFORE, DAYS, EMBERS, History, replayed
from tests.usecases.toy import edit

LANGUAGES = ("en", *COMPLETE, *PARTIAL)


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> History:
    return replayed(tmp_path_factory.mktemp("history"))


@pytest.fixture(scope="module")
def state(history: History) -> Any:
    return cache(history.state)


@pytest.fixture(scope="module")
def published(history: History) -> Mapping[str, bytes]:
    files, findings = publish_releases(history.releases, PACK, day=date(2027, 12, 1))
    assert {finding.code for finding in findings} <= {"release/withdrawn"}
    return files


def test_every_release_holds_what_stood_in_the_files(
    history: History, state: Any
) -> None:
    for version, desk in history.at.items():
        frozen: Snapshot = state(version)
        assert frozen.cards == desk.cards
        assert frozen.translations == desk.texts, version
        assert frozen.introduced == desk.born
    assert compare_states(
        state("2.2.0"), read_working_pack(history.packs, PACK)[0]
    ).empty


def told(step: Step) -> dict[str, tuple[str, set[tuple[str, str]]]]:
    """Return what became of each card, and the fields that are others, as the ledger has it."""
    found = {card: ("changed", set(changes)) for card, changes in step.fields.items()}
    found |= {
        new: ("renamed", set(step.fields.get(new, ()))) for new in step.renamed.values()
    }
    return (
        found
        | {card: ("added", set()) for card in step.added}
        | {card: ("deleted", set()) for card in step.deleted}
    )


def test_every_difference_names_the_cards_and_fields_that_were_edited(
    history: History, state: Any
) -> None:
    for version, before in BEFORE.items():
        changes = compare_states(state(before), state(version)).cards
        found = {
            change.id: (
                change.status.value,
                {(field.lang or "", field.path) for field in change.fields},
            )
            for change in changes
        }
        assert found == told(history.steps[version]), version
    counts = {version: len(told(step)) for version, step in history.steps.items()}
    assert counts == {
        "1.0.0": 500,
        "1.1.0": 80,
        "1.0.1": 5,
        "1.2.0": 95,
        "1.3.0": 20,
        "1.4.0": 3,
        "2.0.0": 107,
        "2.0.1": 100,
        "2.1.0": 0,
        "2.2.0": 45,
    }


def test_the_draft_was_brought_onto_the_emergency_and_nothing_else(
    history: History,
) -> None:
    assert history.rebased is not None
    shown = compare_states(history.rebased.before, history.rebased.after).cards
    assert {one.id for one in shown} == history.urgent
    assert len(history.urgent) == 3


COST = re.compile(r"^\| .+ \| .* \| (\d+) \| \*\*(\d+)\*\* \| .*\|$", re.MULTILINE)
NAMED = re.compile(r"^\*\*(.+?)\*\*(?: \(revision \d+\))?$", re.MULTILINE)


def test_notes_tell_each_change_once_in_the_languages_it_concerns(
    history: History, state: Any, published: Mapping[str, bytes]
) -> None:
    for version, before in BEFORE.items():
        step, desk, old = (
            history.steps[version],
            history.at[version],
            history.at[before],
        )
        for one in compose_release_notes(state(before), state(version), LANGUAGES):
            concerned = {
                card
                for card, (sort, changes) in told(step).items()
                if sort != "changed"
                or any(lang in ("", one.lang) for lang, _path in changes)
            }
            assert {note.card for note in one.cards} == concerned, (version, one.lang)
        text = published[f"v1/{version}/en/CHANGES.md"].decode()
        costs = step.own("cost")
        assert Counter(COST.findall(text)) == Counter(
            (str(was), str(now)) for was, now in costs.values()
        )
        everyone = {**old.cards, **desk.cards}
        named = [
            card
            for card, (sort, changes) in told(step).items()
            if sort != "changed" or any(not lang for lang, _path in changes)
        ]
        names = Counter(everyone[card]["name"] for card in named)
        shown = Counter[str]()  # cards with the same note share it
        for line in NAMED.findall(text):
            # Cards with the same name are distinguished by their kind.
            shown.update(re.sub(r" \(\w+\)$", "", name) for name in line.split(", "))
        assert shown == names, version
        rows = [
            line
            for line in text.splitlines()
            if line.startswith("| ") and "** | " in line
        ]
        assert len(rows) == len(costs) + len(step.added) + len(step.deleted)


def stands(
    history: History, version: str, name: str, card: str, day: date
) -> tuple[str, int | None]:
    """Return what a play format says of a card on a day, and how many copies, by the log."""
    form, born = history.at[version].formats[name], history.at[version].born

    def holds(part: Mapping[str, Any]) -> bool:
        return part.get("from", "0") <= str(day) <= part.get("to", "9")

    if "pool" in form and not any(
        holds(part) and born[card] in part["releases"] for part in form["pool"]
    ):
        return "not-legal", None
    if any(holds(part) and card in part["cards"] for part in form.get("banned", ())):
        return "banned", None
    most = min(
        (
            part["max"]
            for part in form.get("restricted", ())
            if holds(part) and card in part["cards"]
        ),
        default=None,
    )
    return ("restricted", most) if most else ("legal", None)


def days(form: Mapping[str, Any], start: date) -> list[date]:
    """Return the first day, and every later one on which something begins or has ended."""
    parts = [
        part
        for key in ("pool", "banned", "restricted", "points")
        for part in form.get(key, ())
    ]
    begins = [date.fromisoformat(part["from"]) for part in parts if "from" in part]
    ends = [
        date.fromisoformat(part["to"]) + timedelta(1) for part in parts if "to" in part
    ]
    return sorted({start, *(day for day in (*begins, *ends) if day > start)})


def test_the_published_legality_is_right_for_every_card_format_and_day(
    history: History, published: Mapping[str, bytes]
) -> None:
    for version, desk in history.at.items():
        listed = json.loads(published[f"v1/{version}/legality.json"])
        assert {
            card: said["since"] for card, said in listed["legal"].items()
        } == desk.born
        for name, form in desk.formats.items():
            files = {item["from"]: item["path"] for item in listed["formats"][name]}
            assert list(files) == list(map(str, days(form, DAYS[version])))
            for day, path in files.items():
                cards = json.loads(published[path])["cards"]
                found = {
                    card: (said["legality"], said.get("max"))
                    for card, said in cards.items()
                }
                on = date.fromisoformat(day)
                assert found == {
                    card: stands(history, version, name, card, on)
                    for card in desk.cards
                }
    last = json.loads(published["v1/2.2.0/legality.json"])["withdrawn"]
    plan = history.steps["2.0.0"]
    assert {card: said["type"] for card, said in last.items()} == {
        **dict.fromkeys(plan.deleted, "delete"),
        **dict.fromkeys(plan.renamed, "rename"),
    }


def flaws(
    history: History, version: str, squad: list[str], played: tuple[str, date] | None
) -> Iterator[tuple[str, str]]:
    """Yield the rules that a list breaks, with the card if it is one card's, by the log."""
    cards = history.at[version].cards
    yield from (("gone", card) for card in set(squad) if card not in cards)
    there = [card for card in squad if card in cards]
    points = sum(cards[card]["cost"] for card in there)
    if points > EMBERS:
        yield "embers", ""
    if sum("kindler" in cards[card]["keywords"] for card in there) != 1:
        yield "one-kindler", ""
    if played is None:
        return
    name, day = played
    limits = history.at[version].formats[name].get("points", ())
    if points > min(
        (
            part["max"]
            for part in limits
            if part.get("from", "0") <= str(day) <= part.get("to", "9")
        ),
        default=99,
    ):
        yield "points", ""
    for card, count in Counter(there).items():
        legality, most = stands(history, version, name, card, day)
        if legality in ("banned", "not-legal") or (most is not None and count > most):
            yield legality, card


STEPS = [
    ("1.0.0", "1.1.0", None),
    ("1.4.0", "2.0.0", None),
    ("2.0.1", "2.1.0", ("duel", date(2027, 5, 1))),
]


@pytest.mark.parametrize(("old", "new", "played"), STEPS)
def test_a_hundred_lists_are_checked_and_counted_by_card(
    history: History, state: Any, old: str, new: str, played: tuple[str, date] | None
) -> None:
    comparison = make_comparison(
        state(old), state(new), "en", *(played or (None, None))
    )
    roster_files = RosterFiles(
        history.desk.project, list_roster_files([history.folder / "squads"])
    )
    ids, step = (
        history.steps["2.0.0"].renamed if new != "1.1.0" else {},
        history.steps[new],
    )
    judged, uses, breaks = [], Counter[str](), Counter[str]()
    raised = {card for card, (was, now) in step.own("cost").items() if now > was}
    for name in roster_files.list_names():
        judged.append(one := compare_roster(comparison, roster_files.load(name), name))
        before = (
            [ids.get(card, card) for card in history.squads[name]]
            if old == "2.0.1"
            else history.squads[name]
        )
        after = [ids.get(card, card) for card in before]
        was, now = (
            set(flaws(history, old, before, played)),
            set(flaws(history, new, after, played)),
        )
        assert (one.legal_before, one.legal_after) == (not was, not now), name
        points = (
            sum(cards[card]["cost"] for card in squad)
            if cards.keys() >= {*squad}
            else None
            for cards, squad in (
                (history.at[old].cards, before),
                (history.at[new].cards, after),
            )
        )
        assert (one.points_before, one.points_after) == tuple(points)
        broken = {card for rule, card in now - was if card}
        broken |= raised.intersection(after) if ("embers", "") in now - was else set()
        uses.update(
            {
                card
                for card in after
                if card in {**step.own("cost"), **dict.fromkeys(step.deleted)}
            }
            | broken
        )
        breaks.update(broken)
    assert {one.card: (one.squads, one.broken) for one in count_by_card(judged)} == {
        card: (uses[card], breaks[card]) for card in uses
    }
    assert 0 < sum(one.worse for one in judged) < len(judged) == 100


def test_the_progress_of_every_language_is_counted(
    history: History, published: Mapping[str, bytes]
) -> None:
    listed = {
        one["version"]: one
        for one in json.loads(published["v1/index.json"])["releases"]
    }
    for version, desk in history.at.items():
        assert listed[version]["languages"] == {
            lang: desk.progress(lang) for lang in LANGUAGES[1:]
        }
    now = {one.lang: len(one.open) for one in measure_coverages(history.packs, PACK)}
    assert now == {
        lang: (found := history.desk.progress(lang))["texts"] - found["fresh"]
        for lang in LANGUAGES[1:]
    }
    assert now["de"] == now["fr"] == 0 < now["es"] < now["pl"]


def test_each_day_has_its_release(
    history: History, published: Mapping[str, bytes]
) -> None:
    known = history.releases.list_releases()
    on = {
        "2026-01-31": None,
        "2026-05-20": "1.1.0",
        "2026-08-09": "1.2.0",
        "2026-08-10": "1.3.0",
        "2026-12-31": "1.4.0",
        "2027-01-01": "2.0.0",
        "2027-03-31": "2.0.1",
        "2027-12-01": "2.2.0",
    }
    for day, version in on.items():
        found = find_release_in_force(known, date.fromisoformat(day))
        assert (found.version if found else None) == version
    listed = {
        one["version"]: one
        for one in json.loads(published["v1/index.json"])["releases"]
    }
    assert list(listed) == list(DAYS)
    assert {
        version: item["previous"]
        for version, item in listed.items()
        if item["previous"]
    } == BEFORE
    assert [version for version, item in listed.items() if item["withdrawn"]] == [
        "1.2.0"
    ]
    assert json.loads(published["v1/latest.json"])["version"] == "2.2.0"
    notice = "> **Withdrawn on 2026-08-10: Half of the numbers are wrong. Use 1.3.0 instead.**"
    marked = [
        path
        for path, data in published.items()
        if path.endswith("en/CHANGES.md") and notice in data.decode()
    ]
    assert marked == ["v1/1.2.0/en/CHANGES.md"]
    assert listed["1.0.1"]["until"] == "2026-05-15", (
        "the correction of an older line is never in force"
    )
    _state, findings = load_named_state(history.packs, PACK, "1.2.0")
    assert [
        "1.3.0" in str(finding.hint)
        for finding in findings
        if finding.code == "release/withdrawn"
    ] == [True]


def test_the_chain_names_every_release_but_the_last(history: History) -> None:
    releases = history.releases
    manifests = {
        version: releases.folder / version / "manifest.json" for version in DAYS
    }
    named = {}
    for version, path in manifests.items():
        for one in json.loads(path.read_text())["predecessors"]:
            named[one["version"]] = one["sha256"]
        assert version not in named
    assert named == {
        version: hash_data(path.read_bytes())
        for version, path in manifests.items()
        if version != "2.2.0"
    }
    assert releases.find_damage(thorough=True) == ()
    edit(manifests["1.2.0"], '"released": "2026-08-01"', '"released": "2026-08-02"')
    assert [finding.code for finding in releases.find_damage()] == ["release/altered"]
    edit(manifests["1.2.0"], '"released": "2026-08-02"', '"released": "2026-08-01"')
    aside = (releases.folder / "1.0.1").rename(history.folder / "1.0.1")
    assert {finding.code for finding in releases.find_damage()} == {"release/removed"}
    aside.rename(releases.folder / "1.0.1")


def test_the_publication_holds_these_files_and_no_other(
    history: History, published: Mapping[str, bytes]
) -> None:
    wanted = {"index.html", "v1/index.json", "v1/latest.json"}
    wanted |= {f"index.{lang}.html" for lang in LANGUAGES}
    wanted |= {
        f"feed.{lang}.{ending}" for lang in LANGUAGES for ending in ("atom", "json")
    }
    wanted |= {f"v1/schemas/{name}" for name in history.releases.load_schemas()}
    for version, desk in history.at.items():
        root = f"v1/{version}"
        parts = {
            path.relative_to(history.releases.folder).as_posix(): path.read_bytes()
            for path in Path(history.releases.folder / version).rglob("*.json")
        }
        assert {
            f"v1/{name}": data for name, data in parts.items()
        }.items() <= published.items()
        wanted |= {f"v1/{name}" for name in parts} | {
            f"{root}/legality.json",
            f"{root}/changes.json",
        }
        wanted |= {f"v1/badges/{version}.{ending}" for ending in ("json", "svg")}
        wanted |= {f"{root}/{lang}/cards.json" for lang in LANGUAGES}
        wanted |= {
            f"{root}/legality/{name}/{day}.json"
            for name, form in desk.formats.items()
            for day in days(form, DAYS[version])
        }
        if version in BEFORE:
            wanted |= {
                f"{root}/CHANGES.md",
                *(f"{root}/{lang}/CHANGES.md" for lang in LANGUAGES),
            }
    assert published.keys() == wanted


@pytest.mark.parametrize(
    ("day", "current", "badges"),
    [
        ("2026-01-31", None, {"1.0.0": "1.0.0 planned for 2026-02-01"}),
        ("2026-08-09", "1.2.0", {"1.0.0": "1.0.0 \u2192 1.2.0", "1.2.0": "1.2.0"}),
        (
            "2026-08-10",
            "1.3.0",
            {
                "1.2.0": "1.2.0 withdrawn \u2192 1.3.0",
                "1.4.0": "1.4.0 planned for 2026-11-01",
            },
        ),
        (
            "2026-12-31",
            "1.4.0",
            {"1.3.0": "1.3.0 \u2192 1.4.0", "2.0.0": "2.0.0 planned for 2027-01-01"},
        ),
    ],
)
def test_a_planned_release_is_not_published_as_current(
    history: History, day: str, current: str | None, badges: dict[str, str]
) -> None:
    files, _findings = publish_releases(
        history.releases, PACK, day=date.fromisoformat(day)
    )
    latest = (
        json.loads(files["v1/latest.json"])["version"]
        if "v1/latest.json" in files
        else None
    )
    assert latest == current
    assert {
        version: json.loads(files[f"v1/badges/{version}.json"])["message"]
        for version in badges
    } == badges
    page = files["index.html"].decode()
    assert f"2.2.0 <small>planned for {DAYS['2.2.0']}" in page
    assert (f"{current} <small>in force" in page) is (current is not None)
