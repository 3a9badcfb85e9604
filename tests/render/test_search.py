"""The search for a size is exact: whatever it starts from, it ends at the largest size that fits."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from builder.findings import Box
from builder.render.measure import Block
from builder.render.search import Search, letters_of

SIZES = (9.0, 8.4, 7.8, 7.2, 6.8, 6.5)


def block(fill: float) -> Block:
    over = max(0.0, fill - 1)
    return Block("x", True, over, 0.0, int(over > 0), fill, Box(0, 0, 10, 10))


@given(st.integers(0, 5), st.floats(0.2, 3), st.lists(st.floats(0.0, 0.08), min_size=6, max_size=6))
def test_the_largest_size_that_fits_is_found_from_any_start(start, amount, jumps):
    """Fills grow with the size at least as fast as the type itself, by whole lines besides."""
    fills = []
    for size, jump in zip(reversed(SIZES), jumps, strict=True):
        least = fills[-1][1] * size / fills[-1][0] if fills else amount * 0.5
        fills.append((size, least + jump))
    by_step = [fill for _, fill in reversed(fills)]
    search = Search(SIZES, start)
    for _ in range(12):
        if search.settled:
            break
        search.learn(search.step, block(by_step[search.step]))
    assert search.settled
    fitting = [step for step, fill in enumerate(by_step) if fill <= 1]
    assert search.step == (fitting[0] if fitting else len(SIZES) - 1)


def test_letters_are_counted_per_block():
    html = '<p>x</p><div class="fit fit-a"><b>one</b> two</div><div class="t fit fit-b">three</div>'
    counts = letters_of(html)
    assert list(counts) == ["a", "b"]
    assert counts["a"] >= 6
    assert letters_of("<p>none</p>") == {}
