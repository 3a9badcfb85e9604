from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from builder.geometry.imposition import Pair
from builder.geometry.shop import RefusedSize, ShopPage, arrange_files, find_shop_page
from builder.model.pack import Size
from builder.model.shop import Colour, Preset, ShopSize

RGB = Colour(space="rgb")
EXACT = Preset(
    id="exact",
    name={},
    output="png",
    bleed=3.175,
    colour=RGB,
    other_sizes=False,
    sizes={"poker": ShopSize(width=63.5, height=88.9, pixels=(825, 1125))},
)
OPEN = Preset(id="open", name={}, bleed=3.175, colour=RGB)


def test_a_card_near_a_shops_size_lies_in_its_middle_on_the_exact_pixels():
    cut = find_shop_page(Size(width=63, height=88), EXACT)
    assert isinstance(cut, ShopPage)
    assert (cut.name, cut.pixels) == ("poker", (825, 1125))
    assert (cut.width, cut.height) == pytest.approx((69.85, 95.25))
    assert cut.differs == pytest.approx((0.5, 0.9))
    assert cut.face.x + cut.face.width / 2 == pytest.approx(cut.width / 2)
    assert cut.reach == pytest.approx((0.425, 0.625))


def test_a_card_of_another_size_is_made_as_it_is_where_the_shop_allows_it():
    cut = find_shop_page(Size(width=70, height=110), OPEN)
    assert isinstance(cut, ShopPage)
    assert (cut.trim.width, cut.trim.height) == (70, 110)
    assert cut.width == pytest.approx(76.35)


@pytest.mark.parametrize(
    ("size", "preset", "why"),
    [
        (Size(width=70, height=110), EXACT, "size"),
        (Size(width=63.5, height=88.9, bleed=1), EXACT, "bleed"),
        (Size(width=50, height=50, bleed=0), OPEN, "bleed"),
    ],
)
def test_what_cannot_be_made_is_refused_with_the_reason(size, preset, why):
    refused = find_shop_page(size, preset)
    assert isinstance(refused, RefusedSize)
    assert refused.why == why


def test_a_face_with_more_bleed_than_the_shop_wants_is_cropped():
    cut = find_shop_page(Size(width=63.5, height=88.9, bleed=5), EXACT)
    assert isinstance(cut, ShopPage)
    assert cut.reach == (0, 0)
    assert cut.face.x < 0


@pytest.mark.parametrize(("preset", "name"), [(EXACT, "poker"), (OPEN, "63x88")])
def test_a_lying_card_is_turned_upright_and_its_back_the_other_way(preset, name):
    cut = find_shop_page(Size(width=88, height=63), preset)
    assert isinstance(cut, ShopPage)
    assert (cut.name, cut.rotate, cut.back_page.rotate) == (name, 90, -90)
    upright = find_shop_page(Size(width=63, height=88), preset)
    assert isinstance(upright, ShopPage)
    assert (upright.rotate, upright.back_page.rotate) == (0, 0)
    assert (cut.trim, cut.face, cut.reach) == (
        upright.trim,
        upright.face,
        upright.reach,
    )


PAIRS = [Pair("a", "A"), Pair("b"), Pair("c", "C")]


@pytest.mark.parametrize(
    ("order", "files"),
    [
        ("front-back", ["aAb-cC"]),
        ("back-front", ["Aa-bCc"]),
        ("apart", ["abc", "A-C"]),
    ],
)
def test_pages_come_in_the_shops_order_with_an_empty_back_where_one_is_missing(
    order, files
):
    assert [
        "".join(leaf.item or "-" for leaf in run.pages)
        for run in arrange_files(PAIRS, order)
    ] == files


def test_a_common_back_is_the_last_page_and_own_backs_alternate_apart():
    pairs = [Pair("a", "X"), Pair("b", "X"), Pair("c", "C")]
    found = {
        run.suffix: "".join(leaf.item or "-" for leaf in run.pages)
        for run in arrange_files(pairs, "common-back-last")
    }
    assert found == {"-back1": "abX", "-own-backs": "cC"}


@pytest.mark.parametrize(
    ("order", "files"),
    [
        ("front-back", {"": "a-b-"}),
        ("back-front", {"": "-a-b"}),
        ("apart", {"-fronts": "ab"}),
        ("common-back-last", {"-no-back": "ab-"}),
    ],
)
def test_no_front_stands_where_the_shop_reads_a_back(order, files):
    found = arrange_files([Pair("a"), Pair("b")], order)
    assert {
        run.suffix: "".join(leaf.item or "-" for leaf in run.pages) for run in found
    } == files


@given(
    st.lists(
        st.builds(Pair, st.integers(0, 9).map(str), st.none() | st.sampled_from("XYZ"))
    ),
    st.sampled_from(["front-back", "back-front", "apart", "common-back-last"]),
)
def test_no_order_loses_a_card_or_parts_it_from_its_back(pairs, order):
    leaves = [leaf for run in arrange_files(pairs, order) for leaf in run.pages]
    assert sorted(leaf.pair for leaf in leaves if leaf.side == "front") == list(
        range(len(pairs))
    )
    for run in arrange_files(pairs, order):
        for leaf in run.pages:
            if leaf.side == "back" and leaf.item is not None:
                fronts = (
                    [leaf.pair]
                    if leaf.pair is not None
                    else [x.pair for x in run.pages if x.side == "front"]
                )
                assert all(pairs[index].back == leaf.item for index in fronts)
