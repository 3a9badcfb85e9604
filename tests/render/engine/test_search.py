"""The search for a size is exact: whatever it starts from, it ends at the largest size that fits."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import example, given, strategies as st

from builder.findings import Box
from builder.render.engine.search import Block, Bulk, Experience, Search, bulk_of

SIZES = (9.0, 8.4, 7.8, 7.2, 6.8, 6.5)


def block(fill: float) -> Block:
    over = max(0.0, fill - 1)
    return Block("x", True, over, 0.0, int(over > 0), fill, Box(0, 0, 10, 10))


@example(start=2, amount=0.98, jumps=[0.3, 0.008, 0.002, 0, 0, 0])
@given(st.integers(0, 5), st.floats(0.1, 2), st.lists(st.floats(0.0, 0.3), min_size=6, max_size=6))
def test_the_largest_size_that_fits_is_found_from_any_start(start, amount, jumps):
    """Fills grow with the size, but by how much is not known: signs and gaps in mm do not grow with the type."""
    by_step = [amount + sum(jumps[step:]) for step in range(6)]
    search = Search(SIZES, start)
    for _ in range(12):
        if search.settled:
            break
        search.learn(search.step, block(by_step[search.step]))
    assert search.settled
    fitting = [step for step, fill in enumerate(by_step) if fill <= 1]
    assert search.step == (fitting[0] if fitting else len(SIZES) - 1)


def test_letters_and_breaks_are_counted_per_block():
    html = '<p>x</p><div class="fit fit-a"><b>one</b> two</div><div class="t fit fit-b"><p>three</p><p>four</p></div>'
    bulks = bulk_of(html)
    assert list(bulks) == ["a", "b"]
    assert bulks["a"].letters >= 6
    assert bulks["b"].breaks == 3
    assert bulk_of("<p>none</p>") == {}


def test_a_guess_tells_a_list_from_a_paragraph():
    """With as many letters, what is broken off more often needs smaller type."""
    experience = Experience()
    for letters, breaks in [(300, 1), (300, 9), (200, 4), (500, 2), (250, 8)]:
        fill = letters * 64 * 2e-5 + breaks * 8 * 8e-3
        experience.learn("s", replace(block(fill), count=12), Bulk(letters, breaks), 8)
    sizes = tuple(size / 10 for size in range(120, 50, -1))
    paragraph, rows = (sizes[experience.guess("s", "x", Bulk(300, breaks), sizes)] for breaks in (1, 9))
    assert 300 * paragraph**2 * 2e-5 + paragraph * 8e-3 <= 1 < paragraph / rows
    assert experience.guess("other", "x", Bulk(300, 1), sizes) == 0


def test_a_long_line_is_guessed_by_what_went_in_before():
    experience = Experience()
    experience.learn("s", replace(block(0.8), count=1), Bulk(14, 0), 9)
    experience.learn("s", replace(block(1.6), count=2), Bulk(18, 0), 9)
    assert experience.guess("s", "x", Bulk(14, 0), SIZES) == 0
    assert experience.guess("s", "x", Bulk(20, 0), SIZES) == 3
    assert experience.guess("s", "x", Bulk(90, 0), SIZES) == len(SIZES) - 1
