"""Tuck boxes: sized from the deck, closed outlines, creases that lie between walls and flaps."""

from __future__ import annotations

from itertools import pairwise
from xml.etree import ElementTree

import pytest

from builder.geometry.gauges.art import ArtText, find_bounds
from builder.geometry.gauges.context import MIN_TYPE_SIZE_MM, Context
from builder.geometry.tuckbox import (
    GLUE_FLAP_MM,
    TUCK_FLAP_MM,
    BoxTitles,
    draw_titles,
    make_blank,
    write_dieline_svg,
)
from builder.model.gauge import GaugeStyle
from builder.model.product import TuckBox
from builder.render.sheets.gauges.shapes import Typefaces


@pytest.mark.parametrize(
    ("cards", "thick", "play"),
    [(54, 0.32, 1), (20, 0.6, 2), (1, 0.3, 0), (120, 0.32, 1)],
)
def test_a_box_holds_its_deck_with_room_to_play(
    cards: int, thick: float, play: float
) -> None:
    box = TuckBox(card=thick, play=play, paper=0.5)
    shape = make_blank(cards, 63, 88, box)
    inner = [side - 2 * box.paper for side in (shape.width, shape.height, shape.depth)]
    assert inner == pytest.approx([63 + play, 88 + play, cards * thick + play])
    bounds = find_bounds(shape.outline)
    corners = bounds.x, bounds.y, bounds.right, bounds.bottom
    assert corners == pytest.approx((0, 0, *shape.size), abs=1e-6)
    assert shape.size[0] == pytest.approx(
        GLUE_FLAP_MM + 2 * (shape.width + shape.depth)
    )
    assert shape.size[1] == pytest.approx(
        shape.height + 2 * (shape.depth + TUCK_FLAP_MM)
    )
    assert shape.outline[-1][0] == "Z"


def test_walls_lie_beside_each_other_and_every_crease_within_the_blank() -> None:
    shape = make_blank(54, 63, 88, TuckBox())
    walls = [shape.get_wall_area(number) for number in range(4)]
    assert [round(wall.width, 3) for wall in walls] == [
        shape.width,
        round(shape.depth, 3),
    ] * 2
    assert all(one.right == pytest.approx(other.x) for one, other in pairwise(walls))
    assert len(shape.creases) == 4 + 4 + 4
    for start, end in shape.creases:
        assert all(
            0 <= x < shape.size[0] + 1e-6 and 0 <= y < shape.size[1]
            for x, y in (start, end)
        )


def test_the_dieline_has_a_layer_to_cut_and_one_to_crease() -> None:
    shape = make_blank(54, 63, 88, TuckBox())
    root = ElementTree.fromstring(write_dieline_svg(shape))
    layers = {
        group.get("id"): group.findall("{*}path") for group in root.findall("{*}g")
    }
    assert {name: len(paths) for name, paths in layers.items()} == {
        "cut": 1,
        "crease": 12,
    }
    assert root.get("width") == f"{shape.size[0]:.3f}mm"
    assert (layers["cut"][0].get("d") or "").endswith("Z")


@pytest.mark.parametrize(("cards", "sides"), [(5, 0), (54, 3)])
def test_sides_and_lid_bear_a_name_where_it_can_be_read(cards: int, sides: int) -> None:
    shape, context = (
        make_blank(cards, 63, 88, TuckBox()),
        Context("en", "en", GaugeStyle(), Typefaces(), 200),
    )
    titles = BoxTitles("Foxes", "The Wood", "#ffffff")
    texts = [
        item
        for item in draw_titles(shape, titles, context, (0, 2))
        if isinstance(item, ArtText)
    ]
    assert sum(text.text == "Foxes" for text in texts) == 2 + sides
    assert min(text.style.size for text in texts) >= MIN_TYPE_SIZE_MM
