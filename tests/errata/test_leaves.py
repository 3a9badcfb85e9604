from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from builder.errata.leaves import ABSENT, LeafChange, changed_leaves, compose
from tests.errata.states import values

maps = st.dictionaries(st.sampled_from("xyz"), values, max_size=3)


@given(maps)
def test_nothing_differs_from_itself(value: dict) -> None:
    assert changed_leaves(value, value) == ()


@given(maps, maps, maps)
def test_two_steps_agree_with_one(a: dict, b: dict, c: dict) -> None:
    def plain(changes: tuple[LeafChange, ...]) -> set[str]:
        return {repr(change) for change in changes}

    assert plain(compose(changed_leaves(a, b), changed_leaves(b, c))) == plain(changed_leaves(a, c))


def test_null_is_not_absent_and_true_is_not_one() -> None:
    assert changed_leaves({"x": None}, {}) == (LeafChange(("x",), None, ABSENT),)
    assert changed_leaves({"x": 1}, {"x": True}) == (LeafChange(("x",), 1, True),)


def test_a_list_of_scalars_changes_as_a_whole() -> None:
    assert changed_leaves({"x": ["a", "b"]}, {"x": ["b"]}) == (LeafChange(("x",), ["a", "b"], ["b"]),)
