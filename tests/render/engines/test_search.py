"""The search for a size is exact: from any start it ends at the largest that fits."""

from __future__ import annotations

from hypothesis import example, given, strategies as st

from builder.findings import Box
from builder.render.engines.search import Block, Search

SIZES = (9.0, 8.4, 7.8, 7.2, 6.8, 6.5)


def block(fill: float) -> Block:
    over = max(0.0, fill - 1)
    return Block("x", True, over, 0.0, int(over > 0), fill, Box(0, 0, 10, 10))


@example(start=2, amount=0.98, jumps=[0.3, 0.008, 0.002, 0, 0, 0])
@given(
    st.integers(0, 5),
    st.floats(0.1, 2),
    st.lists(st.floats(0.0, 0.3), min_size=6, max_size=6),
)
def test_the_largest_size_that_fits_is_found_from_any_start(start, amount, jumps):
    """Fills grow with the size, but by how much is not known.

    Signs and gaps in mm do not grow with the type.
    """
    by_step = [amount + sum(jumps[step:]) for step in range(6)]
    search = Search(SIZES)
    search.add_measurement(start, block(by_step[start]))
    for _ in range(12):
        if search.is_finished:
            break
        search.add_measurement(search.step, block(by_step[search.step]))
    assert search.is_finished
    fitting = [step for step, fill in enumerate(by_step) if fill <= 1]
    assert search.step == (fitting[0] if fitting else len(SIZES) - 1)
