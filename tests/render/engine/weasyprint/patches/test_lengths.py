"""Used lengths are those of the engine, whatever of them is known beforehand."""

from __future__ import annotations

from math import inf
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.render.engine.weasyprint.patches.lengths import adjusted, percentages

pytestmark = pytest.mark.slow

SIDES = ("top", "right", "bottom", "left")
PIXELS, SHARES = st.floats(0, 50).map(lambda value: (value, "px")), st.floats(0, 150).map(lambda value: (value, "%"))
AUTO, ENDLESS = st.just("auto"), st.just((inf, "px"))


class Style(dict):
    """A style as the engine keeps it, with a memory."""

    def __init__(self, values: dict[str, object]) -> None:
        from weasyprint.css.properties import Dimension

        super().__init__({name: Dimension(*each) if isinstance(each, tuple) else each for name, each in values.items()})
        self.known: dict[object, object] = {}


STYLES = st.fixed_dictionaries(
    {f"margin_{side}": PIXELS | SHARES | AUTO for side in SIDES}
    | {f"padding_{side}": PIXELS | SHARES for side in SIDES}
    | {f"border_{side}_width": st.floats(0, 5) for side in SIDES}
    | dict.fromkeys(("width", "min_width"), PIXELS | SHARES | AUTO)
    | dict.fromkeys(("height", "min_height"), PIXELS | AUTO)
    | {"max_width": PIXELS | SHARES | ENDLESS, "max_height": PIXELS | SHARES | ENDLESS}
    | {"box_sizing": st.sampled_from(("content-box", "padding-box", "border-box"))}
    | {"border_collapse": st.sampled_from(("separate", "separate", "collapse"))}
)
CONTAINERS = st.tuples(st.floats(0, 500), st.floats(0, 500) | AUTO)


def same(first: object, second: object) -> bool:
    """Equal, or neither a number: no part of an endless length is not a number, and that is not equal to itself."""
    return first == second or (first != first and second != second)


@given(STYLES, st.lists(CONTAINERS, min_size=1, max_size=3))
def test_lengths_are_the_engine_s(values, containers):
    """For one box of a style after another, in containers of all sizes."""
    from weasyprint.layout.percent import resolve_percentages

    style, short = Style(values), percentages(resolve_percentages)
    for container in containers:
        box, wanted = SimpleNamespace(style=style), SimpleNamespace(style=style)
        resolve_percentages(wanted, container)
        short(box, container)
        assert vars(box).keys() == vars(wanted).keys()
        assert not [name for name, length in vars(wanted).items() if not same(length, vars(box)[name])]


@given(STYLES, st.sampled_from(((0, "px"), "auto", None)), st.floats(0, 200), st.booleans(), st.booleans())
def test_a_preferred_width_is_the_engine_s(values, bare, width, outer, left):
    """Of boxes without edges, and of all others."""
    from weasyprint.layout.preferred import adjust

    if bare:
        edges = [name for name in values if name.startswith(("margin", "padding"))]
        values = values | dict.fromkeys(edges, (0, "px")) | {"min_width": bare, "max_width": (inf, "px")}
        values = values | {"border_left_width": 0, "border_right_width": 0}
    box, short = SimpleNamespace(style=Style(values)), adjusted(adjust)
    for right in (True, False, True):
        assert short(box, outer, width, left, right) == adjust(box, outer, width, left, right)
