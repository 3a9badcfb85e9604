"""An attack's numbers as text.

What is nearly certain never looks certain, hits stand where they hang.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from builder.model.sheets import AttackTable, DamageTable, DuelLine, StatTable
from builder.report.stats_report import (
    ComparisonLine,
    format_percent,
    make_axis_steps,
    make_chart,
    make_comparison,
    make_stat_blocks,
)

NAMES = ("hit", "hits", "mean", "some", "foe", "dealt", "taken", "fells", "falls")
WORDS = {name: name for name in NAMES} | {"decimal": "."}
HALF, NONE = Fraction(1, 2), Fraction(0)
ONE = StatTable((), (), (None,), (None,), ((HALF,),))
ROW = StatTable(("DEF",), ("def",), (3, None), (None,), ((HALF,), (NONE,)))
GRID = StatTable(("EVA", "near"), ("eva", "given.near"), (7,), (-1, 2), ((HALF, NONE),))
NEAR = StatTable(
    ("near",), ("given.near",), (-1, 2), (None,), ((HALF,), (Fraction(1, 3),))
)
EVA = StatTable(("EVA",), ("eva",), (7,), (None,), ((HALF,),))


def attack(
    hits: StatTable,
    *damage: StatTable,
    rolled: bool = True,
    duels: tuple[DuelLine, ...] = (),
) -> AttackTable:
    tables = tuple(DamageTable("harm", table, table) for table in damage)
    return AttackTable("form", "", "Fox", "Bite", 2, rolled, hits, tables, duels)


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (Fraction(0), "0%"),
        (Fraction(1), "100%"),
        (Fraction(1, 300), "<1%"),
        (Fraction(299, 300), ">99%"),
        (Fraction(1, 3), "33%"),
    ],
)
def test_only_the_certain_looks_certain(value: Fraction, told: str) -> None:
    assert format_percent(value) == told


def lines(table: AttackTable) -> list[tuple[str, list[str]]]:
    (block,) = make_stat_blocks(table, WORDS)
    return [(line.head, [cell.text for cell in line.cells]) for line in block.lines]


def test_one_field_stands_across_with_mean_and_chance_below() -> None:
    assert lines(attack(ROW, ROW)) == [
        ("hit", ["50%", "0%"]),
        ("mean", ["0.50", "0.00"]),
        ("some", ["50%", "0%"]),
    ]
    (block,) = make_stat_blocks(attack(ONE, ROW, rolled=False), WORDS)
    assert block.columns == ("3", "—")
    assert block.facts == ("hits 0.50",)


def test_a_mean_has_the_decimal_sign_of_its_language() -> None:
    (block,) = make_stat_blocks(
        attack(ONE, ROW, rolled=False), {**WORDS, "decimal": ","}
    )
    assert block.facts == ("hits 0,50",)
    assert [cell.text for cell in block.lines[0].cells] == ["0,50", "0,00"]


def test_hits_stand_as_a_line_or_as_a_column_where_they_hang_on_one_field() -> None:
    assert lines(attack(NEAR, GRID)) == [
        ("hit", ["50%", "33%"]),
        ("7", ["0.50", "0.00"]),
    ]
    (block,) = make_stat_blocks(attack(EVA, GRID), WORDS)
    assert block.corner == "EVA ↓ near\u00a0→"
    assert block.columns == ("hit", "−1", "2")
    assert [cell.tone for cell in block.lines[0].cells] == [None, 8, 0]


def test_what_hangs_on_nothing_is_reported_in_words_and_hits_alone_are_a_table() -> (
    None
):
    (block,) = make_stat_blocks(attack(ONE, ONE), WORDS)
    assert block.facts == ("hit 50%", "mean 0.50", "some 50%")
    assert not block.columns
    assert lines(attack(EVA)) == [("hit", ["50%"])]
    (crossed,) = make_stat_blocks(attack(GRID), WORDS)
    assert crossed.title == "hit"


def test_foes_stand_in_the_order_of_what_is_gained() -> None:
    bad = DuelLine(("Owl: Beak",), NONE, Fraction(2), NONE, HALF)
    good = DuelLine(
        ("Mouse: Teeth", "Rat: Teeth"), Fraction(3), NONE, Fraction(1), NONE
    )
    assert lines(attack(ONE, rolled=False, duels=(bad, good))) == [
        ("Mouse: Teeth (+1)", ["3.00", "0.00", "100%", "0%"]),
        ("Owl: Beak", ["0.00", "2.00", "0%", "50%"]),
    ]


@pytest.mark.parametrize(
    ("top", "labels"),
    [
        (0.37, "0.0 0.1 0.2 0.3 0.4"),
        (1.94, "0.0 0.5 1.0 1.5 2.0"),
        (5.97, "0 2 4 6"),
        (1, "0.0 0.2 0.4 0.6 0.8 1.0"),
        (37, "0 10 20 30 40"),
    ],
)
def test_an_axis_has_round_numbers_and_ends_above_the_largest(
    top: float, labels: str
) -> None:
    steps = make_axis_steps(top)
    assert [label for _value, label in steps] == labels.split()
    assert steps[-1][0] >= top


def test_lines_that_would_hide_each_other_are_drawn_once_and_named_together() -> None:
    third = Fraction(1, 3)
    rows = ((NONE, HALF, HALF, HALF, third), (NONE, HALF, HALF, HALF, HALF))
    drawn = make_chart(
        StatTable(("EVA", "DEF"), ("eva", "def"), (6, 7), (2, 3, 4, 5, 6), rows), WORDS
    )
    assert [name for _points, name in drawn["lines"]] == ["2", "3\N{EN DASH}5", "6"]
    apart = make_chart(
        StatTable(
            ("EVA", "DEF"), ("eva", "def"), (6,), (2, 3, 4), ((HALF, NONE, HALF),)
        ),
        WORDS,
    )
    assert [name for _points, name in apart["lines"]] == ["2, 4", "3"]


def test_attacks_are_compared_over_all_targets_the_strongest_first() -> None:
    duel = DuelLine(("Owl", "Hare"), Fraction(2), NONE, HALF, NONE)
    weak_duel = DuelLine(("Bear",), HALF, NONE, HALF, NONE)
    attacks = (
        attack(ROW, ROW),
        attack(NEAR, NEAR),
        attack(ONE, duels=(duel, weak_duel)),
    )
    assert make_comparison(attacks) == (
        # Two targets with 2 damage and one with a half: their mean is 1.5.
        ComparisonLine("Fox: Bite ×2", 1.5, 0.5, 2.0),
        ComparisonLine(
            "Fox: Bite ×2", pytest.approx(5 / 12), pytest.approx(1 / 3), 0.5
        ),
        ComparisonLine("Fox: Bite ×2", 0.25, 0.0, 0.5),
    )


def test_one_attack_is_compared_with_nothing() -> None:
    assert make_comparison((attack(ROW, ROW),)) == ()
    assert make_comparison((attack(ROW), attack(ROW, ROW))) == ()
