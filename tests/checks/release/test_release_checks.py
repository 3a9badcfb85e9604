"""Each reason to refuse a release: a release that has only that reason, and one that has none."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from builder.checks.registry import run_checks
from builder.errata.release import Proposal
from builder.errata.snapshot import Snapshot
from tests.errata.states import entry, fox, gone, state
from tests.messages.speech import CYRILLIC

DAY = "2026-04-01"


def make_second_fox(kind: str = "balance", **changes: Any) -> dict[str, Any]:
    """Return the fox in its second revision, rightly announced."""
    note = {"ru": "Правка.", "en": "Change."}
    history = [entry(1, "rules"), entry(2, kind, DAY, note=note)]
    return fox(revision=2, released=DAY, history=history, **changes)


def list_codes(
    new: Snapshot,
    version: str = "1.1.0",
    released: str = DAY,
    effective: str = DAY,
    old: Snapshot | None = None,
) -> set[str]:
    days = date.fromisoformat(released), date.fromisoformat(effective)
    old = old or state(fox(), fox(id="wolf"))
    findings = run_checks(
        "release", Proposal(version, *days, new, old, ("0.9.0", "1.0.0"))
    )
    return {finding.code.removeprefix("release/") for finding in findings}


WOLF = fox(id="wolf")
OWL = fox(
    id="owl",
    released=DAY,
    history=[entry(1, "rules", DAY, note={"ru": "1", "en": "1"})],
)
NUMBER_IN_TEXT = {
    "bite": {"name": "Укус", "text": "Бросьте {dice:d6}: на 5 цель {key:slow}."}
}
REWORDED = {"bite": {"name": "Укус", "text": "Киньте {dice:d6}: на 4 цель {key:slow}."}}
PUNCTUATED = {
    "bite": {"name": "Укус", "text": "Бросьте {dice:d6} — на 4 цель {key:slow}!"}
}


def test_a_right_release_has_nothing_against_it() -> None:
    assert list_codes(state(make_second_fox(cost=4), WOLF)) == set()


@pytest.mark.parametrize(
    ("code", "cards"),
    [
        (
            "no-revision",
            [fox(cost=4, released=DAY, history=[entry(1, "rules", DAY)]), WOLF],
        ),
        ("idle-revision", [make_second_fox(), fox(id="wolf"), OWL]),
        ("no-revision", [fox(cost=4), WOLF]),  # nor its date: both come with the bump
        ("number-in-misprint", [make_second_fox("misprint", cost=4), WOLF]),
        (
            "number-in-misprint",
            [make_second_fox("wording", tricks=NUMBER_IN_TEXT), WOLF],
        ),
        ("wrong-date", [{**make_second_fox(cost=4), "released": "2026-03-31"}, WOLF]),
        ("id-vanished", [make_second_fox(cost=4)]),
        (
            "note-untranslated",
            [
                {
                    **make_second_fox(cost=4),
                    "history": [entry(1), entry(2, "balance", DAY)],
                },
                WOLF,
            ],
        ),
    ],
)
def test_each_slip_of_the_cards_is_found_alone(
    code: str, cards: list[dict[str, Any]]
) -> None:
    version = "2.0.0" if code == "id-vanished" else "1.1.0"
    assert list_codes(state(*cards), version) == {code}


def test_marks_and_punctuation_pass_as_a_misprint_in_a_patch() -> None:
    for kind in ("misprint", "wording"):
        assert (
            list_codes(state(make_second_fox(kind, tricks=PUNCTUATED), WOLF), "1.0.1")
            == set()
        )


@pytest.mark.parametrize("kind", ["misprint", "wording", "art"])
@pytest.mark.parametrize(
    "change",
    [
        {"tricks": REWORDED},
        {"keywords": ["swift", "slow"]},
        {"faction": "field"},
        {"pockets": []},
    ],
)
def test_a_change_of_play_is_not_announced_as_harmless(
    kind: str, change: dict[str, Any]
) -> None:
    assert "history-mismatch" in list_codes(
        state(make_second_fox(kind, **change), WOLF)
    )


ART = {"cards/woods/art/fox.png": "901e4efc" * 8}
REPAINTED = {"cards/woods/art/fox.png": "12345678" * 8}


def test_a_new_picture_is_art_and_holds_no_number() -> None:
    old = state(fox(art="fox.png"), WOLF, files=ART)
    for kind, expected in (
        ("art", set()),
        ("rules", {"history-mismatch", "bump-too-small"}),
    ):
        new = state(make_second_fox(kind, art="fox.png"), WOLF, files=REPAINTED)
        assert list_codes(new, "1.0.1", old=old) == expected
    renamed = state(make_second_fox("art", art="fox-2.png"), WOLF, files=ART)
    assert list_codes(renamed, "1.0.1", old=old) == set()


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("rules", {"name": "Барсук"}),
        ("balance", {"name": "Барсук"}),
        ("art", {"name": "Барсук"}),
    ],
)
def test_an_entry_that_announces_more_than_changed_is_refused(
    kind: str, change: dict[str, Any]
) -> None:
    assert "history-mismatch" in list_codes(
        state(make_second_fox(kind, **change), WOLF)
    )


def test_a_new_name_beside_a_new_picture_is_announced_too() -> None:
    old = state(fox(art="fox.png"), WOLF)
    new_state = state(make_second_fox("art", art="vixen.png", name="Лисица"), WOLF)
    assert list_codes(new_state, "1.0.1", old=old) == {"history-mismatch"}
    assert (
        list_codes(
            state(make_second_fox("wording", art="vixen.png", name="Лисица"), WOLF),
            "1.0.1",
            old=old,
        )
        == set()
    )


@pytest.mark.parametrize("kind", ["rules", "balance"])
def test_a_patch_holds_no_entry_that_announces_rules(kind: str) -> None:
    changed = make_second_fox(
        kind, tricks=PUNCTUATED
    )  # even one that changes marks alone
    assert list_codes(state(changed, WOLF), "1.0.1") == {"bump-too-small"}
    assert list_codes(state(changed, WOLF), "1.1.0") == set()


@pytest.mark.parametrize(
    ("code", "version", "released", "effective"),
    [
        ("version", "1.1", DAY, DAY),
        ("version", "0.9.0", DAY, DAY),
        ("bump-too-small", "1.0.1", DAY, DAY),
        ("bump-too-small", "1.0.0-1", DAY, DAY),
        ("dates-out-of-order", "1.1.0", DAY, "2026-03-31"),
    ],
)
def test_each_slip_of_the_release_is_found_alone(
    code: str, version: str, released: str, effective: str
) -> None:
    expected = "version" if "-" in version else code
    assert list_codes(
        state(make_second_fox(cost=4), WOLF), version, released, effective
    ) == {expected}


def test_a_release_does_not_precede_the_one_before() -> None:
    later = replace(
        state(fox(), WOLF), released=date(2026, 5, 1), effective=date(2026, 5, 1)
    )
    assert list_codes(state(make_second_fox(cost=4), WOLF), old=later) == {
        "dates-out-of-order"
    }


def test_an_unchanged_pack_is_not_released() -> None:
    assert list_codes(state(fox(), WOLF)) == {"nothing-changed"}


@pytest.mark.parametrize(
    ("new", "version"),
    [
        (state(make_second_fox(cost=4), WOLF), "1.1.0"),
        (state(make_second_fox("wording", tricks=PUNCTUATED), WOLF), "1.0.1"),
        (state(fox(), migrations=(gone("wolf", kind="delete"),)), "2.0.0"),
        (state(fox(), WOLF, files={"schemas/woods/beast.schema.json": "aa"}), "2.0.0"),
    ],
)
def test_the_smallest_step_that_passes(new: Snapshot, version: str) -> None:
    assert list_codes(new, version) == set()
    if version != "1.0.1":
        assert list_codes(new, "1.0.1") == {"bump-too-small"}


def test_migrations_lead_somewhere_and_ids_do_not_come_back() -> None:
    lost = state(fox(), migrations=(gone("wolf", "lynx"),))
    assert list_codes(lost, "2.0.0") == {"migration"}
    late = state(fox(), migrations=(gone("wolf", kind="delete", day="2026-04-02"),))
    assert list_codes(late, "2.0.0") == {"migration"}
    reused_state = state(
        make_second_fox(cost=4), WOLF, migrations=(gone("wolf", kind="delete"),)
    )
    assert list_codes(reused_state, "2.0.0") == {"id-reused"}


def test_every_refusal_has_russian_words() -> None:
    changed = state(
        make_second_fox("misprint", cost=4, tricks=REWORDED),
        migrations=(gone("pike", "lynx"),),
    )
    renamed = state(
        make_second_fox("rules", name="Барсук"), {**WOLF, "keywords": []}, OWL
    )
    for new in (changed, renamed):
        proposal = Proposal(
            "1.0.1",
            date(2026, 5, 1),
            date(2026, 4, 1),
            new,
            state(fox(), WOLF),
            ("1.0.0",),
        )
        findings = [
            finding.translate("ru") for finding in run_checks("release", proposal)
        ]
        assert len({finding.code for finding in findings}) > 4
        assert all(
            CYRILLIC.search(finding.message) and CYRILLIC.search(finding.hint)
            for finding in findings
        ), findings


def test_a_first_release_may_gather_older_cards() -> None:
    proposal = Proposal("1.0.0", date(2026, 4, 1), date(2026, 4, 1), state(fox()), None)
    assert {finding.code for finding in run_checks("release", proposal)} == {
        "release/note-untranslated"
    }


def find_outliers(
    old: list[dict[str, Any]], new: list[dict[str, Any]]
) -> list[str | None]:
    """Return the paths of the values that are reported as outliers."""
    proposal = Proposal(
        "1.1.0",
        date(2026, 4, 1),
        date(2026, 4, 1),
        state(*new),
        state(*old),
        ("1.0.0",),
    )
    findings = run_checks("release", proposal)
    return [
        finding.location.path
        for finding in findings
        if finding.code == "release/value-outlier"
    ]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([(8, 78), (8, 9), (7, 6)], 1),
        ([(8, 78)], 1),  # alone: no other card costs as much
        ([(8, 9), (7, 6), (20, 22)], 0),
        ([(2, 8), (3, 9), (4, 10)], 0),  # all change alike
        ([(8, 0), (8, 9), (7, 6)], 1),
        ([(1, 2), (8, 9)], 0),
        ([(0, 40), (8, 9)], 1),
    ],
)
def test_a_value_that_changes_far_more_than_others_is_reported(
    values: list[tuple[int, int]], expected: int
) -> None:
    old = [
        fox(id=f"card-{number}", cost=was) for number, (was, _now) in enumerate(values)
    ]
    new = [
        make_second_fox(id=f"card-{number}", cost=now)
        for number, (_was, now) in enumerate(values)
    ]
    assert len(find_outliers(old, new)) == expected
    speeds = [
        [{**card, "speed": card["cost"], "cost": 3} for card in cards]
        for cards in (old, new)
    ]
    assert len(find_outliers(*speeds)) == expected


def test_a_number_in_a_text_may_be_an_outlier_too() -> None:
    def bite(distance: int) -> dict[str, Any]:
        return {"bite": {"name": "Укус", "text": f"Дальность {{dist:{distance}}}."}}

    old, new = (
        [fox(tricks=bite(6)), fox(id="wolf", tricks=bite(4))],
        [make_second_fox(tricks=bite(60)), make_second_fox(id="wolf", tricks=bite(5))],
    )
    assert find_outliers(old, new) == ["tricks.bite.text"]


def test_a_withdrawn_release_is_continued_only_on_request_and_its_values_are_reported() -> (
    None
):
    valid, withdrawn = (
        state(fox(), WOLF),
        state(make_second_fox(cost=9, speed=9), WOLF, label="1.1.0"),
    )
    third = {**make_second_fox(cost=4, speed=9), "revision": 3}
    third["history"] = [
        *third["history"],
        entry(3, "balance", DAY, note={"ru": "3", "en": "3"}),
    ]
    day = date(2026, 4, 1)
    proposal = Proposal(
        "1.2.0",
        day,
        day,
        state(third, WOLF),
        withdrawn,
        ("1.0.0", "1.1.0"),
        previous_withdrawn=True,
        last_valid=valid,
    )
    findings = run_checks("release", proposal)
    assert {finding.code for finding in findings} == {
        "release/continues-withdrawn",
        "release/keeps-withdrawn-value",
    }
    assert [
        finding.location.path for finding in findings if finding.severity == "warning"
    ] == ["speed"]
    confirmed = run_checks("release", replace(proposal, continues_withdrawn=True))
    assert {finding.code for finding in confirmed} == {"release/keeps-withdrawn-value"}
    assert run_checks("release", replace(proposal, previous_withdrawn=False)) == ()
