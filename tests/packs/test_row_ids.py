"""Inserting, sorting or deleting rows never changes the id of a card."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given, strategies as st

from builder.packs.tables.row_ids import CardRows, IdAssigner, IdResult, KnownIds

Values = tuple[int, ...]
NAMES = st.sampled_from(["", "Goblin", "Owl", "Ёж", "★", "#1", "Goblin #12345678"])
VALUES = st.integers(0, 10**6).map(
    lambda number: (4 * number, -4 * number, 4 * number + 1, 4 * number + 2)
)
ROWS = st.lists(
    st.tuples(NAMES, VALUES), unique_by=lambda row: row[1][0] // 4, max_size=8
)
"""Rows with a name and values, of which no two are alike."""


def identify(rows: Sequence[tuple[str, Values]]) -> list[CardRows]:
    """Return rows as the cards of a table. The hash of a row is made from its name and values."""
    cards = []
    for index, (name, values) in enumerate(rows):
        row_hash = f"{abs(hash((name, values))) % 16**8:08x}"
        cards.append(CardRows((index,), "", name, row_hash))
    return cards


def assign(
    rows: Sequence[tuple[str, Values]],
    stored: dict[str, str],
    old_values: dict[str, tuple[str, Values]],
) -> tuple[IdResult, dict[tuple[str, Values], str]]:
    """Assign ids. Return the result, and the id of each row."""

    def compare(card: CardRows, card_id: str) -> tuple[float, int]:
        old = old_values.get(card_id)
        values = rows[card.rows[0]][1]
        count = (
            sum(left == right for left, right in zip(values, old[1], strict=True))
            if old
            else 0
        )
        return count / len(values), count

    names: dict[str, list[str]] = {}
    for card_id, (name, _values) in old_values.items():
        names.setdefault(name, []).append(card_id)
    known = KnownIds(stored, names, {*old_values, *stored.values()}, "card", compare)
    known.is_new_pack = not stored
    result = IdAssigner(known).assign_ids(identify(rows))
    ids = {rows[card.rows[0]]: card_id for card_id, card in result.rows_by_id.items()}
    return result, ids


@given(ROWS, st.data())
def test_other_orders_and_missing_rows_change_no_id(
    rows: list[tuple[str, Values]], data: st.DataObject
) -> None:
    first, ids = assign(rows, {}, {})
    assert len(ids) == len(rows)
    stored = {key: card_id for card_id, key in first.keys_by_id.items()}
    old_values = {card_id: row for row, card_id in ids.items()}
    assert len(stored) == len(rows)
    kept_rows = data.draw(st.permutations(rows))[: data.draw(st.integers(0, len(rows)))]
    second, kept_ids = assign(kept_rows, stored, old_values)
    assert not second.unclear_rows
    assert kept_ids == {row: ids[row] for row in kept_rows}


@given(ROWS, ROWS, st.data())
def test_new_rows_get_new_ids_and_change_no_other(
    rows: list[tuple[str, Values]],
    new_rows: list[tuple[str, Values]],
    data: st.DataObject,
) -> None:
    moved_rows = [
        (name, tuple(value + 10**7 for value in values)) for name, values in new_rows
    ]
    first, ids = assign(rows, {}, {})
    stored = {key: card_id for card_id, key in first.keys_by_id.items()}
    old_values = {card_id: row for row, card_id in ids.items()}
    all_rows = data.draw(st.permutations([*rows, *moved_rows]))
    second, all_ids = assign(all_rows, stored, old_values)
    assert not second.unclear_rows
    assert len(set(all_ids.values())) == len(all_rows)
    assert {row: all_ids[row] for row in rows} == ids


def test_an_edited_row_without_a_name_keeps_its_id() -> None:
    rows: list[tuple[str, Values]] = [("", (1, 2, 3, 4)), ("", (5, 6, 7, 8))]
    first, ids = assign(rows, {}, {})
    assert list(ids.values()) == ["card-1", "card-2"]
    stored = {key: card_id for card_id, key in first.keys_by_id.items()}
    old_values = {card_id: row for row, card_id in ids.items()}
    edited_rows: list[tuple[str, Values]] = [("", (5, 6, 7, 9)), ("", (1, 2, 3, 4))]
    assert assign(edited_rows, stored, old_values)[1] == {
        edited_rows[0]: "card-2",
        edited_rows[1]: "card-1",
    }


def test_a_row_that_may_be_two_cards_is_an_error() -> None:
    rows: list[tuple[str, Values]] = [("", (1, 2, 3, 4)), ("", (1, 2, 3, 8))]
    first, ids = assign(rows, {}, {})
    stored = {key: card_id for card_id, key in first.keys_by_id.items()}
    old_values = {card_id: row for row, card_id in ids.items()}
    result, _ids = assign([("", (1, 2, 3, 5))], stored, old_values)
    ((_card, message),) = result.unclear_rows
    assert (
        str(message)
        == "this row may be one of these cards, or a new one: card-1, card-2"
    )


def test_a_renamed_row_is_an_error_that_names_the_card() -> None:
    rows: list[tuple[str, Values]] = [("Gobln", (1, 2, 3, 4)), ("Owl", (5, 6, 7, 8))]
    first, ids = assign(rows, {}, {})
    stored = {key: card_id for card_id, key in first.keys_by_id.items()}
    old_values = {card_id: row for row, card_id in ids.items()}
    result, _ids = assign([("Goblin", (1, 2, 3, 4)), rows[1]], stored, old_values)
    ((_card, message),) = result.unclear_rows
    assert "gobln" in str(message)
