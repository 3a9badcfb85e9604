"""A deep call is given its memory once, not again at each of its ends."""

from __future__ import annotations

import resource

from builder.render.engine.weasyprint.roomy import roomy

DEPTH, TIMES = 300, 200


def climb(depth: int) -> int:
    """Call something many times at every depth: at some of them the last piece of memory is just full."""
    for _ in range(TIMES):
        step(depth)
    return climb(depth - 1) if depth else 0


def step(number: int) -> int:
    return number


def faults() -> int:
    """How often this process asked for a page of memory so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt


def test_a_deep_call_does_not_fetch_its_memory_again_and_again():
    roomy(climb, DEPTH)
    before = faults()
    roomy(climb, DEPTH)
    assert faults() - before < TIMES


def test_what_is_called_gets_its_arguments_and_gives_its_answer():
    assert roomy(dict, [("a", 1)], b=2) == {"a": 1, "b": 2}
