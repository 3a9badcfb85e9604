"""Several images together: fronts with backs, and all of them with a manifest."""

from __future__ import annotations

from dataclasses import replace

import pytest

from builder.checks.images.face import ImageFace, OrderFolder, Present
from builder.checks.images.orders import check
from builder.findings import Finding
from builder.model.shop import FacePlace, OrderCard, OrderFile, ShopOrder
from tests.checks.images.test_cases import SOUND, preset
from tests.messages.speech import speaks_russian


def face(name: str, pixels: tuple[int, int] = (825, 1125), shade: str = "") -> ImageFace:
    return ImageFace(
        f"{name}.png", replace(SOUND, pixels=pixels, shade=shade or name), preset(most_cards=4)
    )


def codes(found: list[Finding]) -> list[tuple[str, str | None]]:
    assert all(map(speaks_russian, found))
    return [(one.code.removeprefix("preflight/"), one.location.file) for one in found]


def judged(
    faces: list[ImageFace], made: ShopOrder | None = None, present: dict[str, Present] | None = None
) -> list[Finding]:
    whole = {file.name: Present(file.sha256, file.pages) for file in made.files} if made else {}
    return list(check(OrderFolder(faces, whole if present is None else present, made)))


def order(*cards: tuple[str, str, int]) -> ShopOrder:
    """An order with a front and a back each, by these names."""
    listed = tuple(
        OrderCard(
            front,
            "card",
            front,
            "en",
            "card",
            copies,
            (FacePlace(f"{front}.png"),),
            (FacePlace(f"{back}.png"),),
        )
        for front, back, copies in cards
    )
    names = sorted({spot.file for card in listed for spot in (*card.fronts, *card.backs)})
    files = tuple(
        OrderFile(name, "card", 1, (69.85, 95.25), (63.5, 88.9), name, (825, 1125))
        for name in names
    )
    return ShopOrder("shop", "Shop", "pack", "Pack", "", "", listed, files)


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["fronts/a", "fronts/b", "backs/a", "backs/b"], []),
        (["fronts/a", "fronts/b", "backs/a", "backs/common"], []),
        (["a", "b"], []),
        (["fronts/a", "fronts/b"], [("no-backs", "fronts/a.png")]),
        (["fronts/a", "fronts/b", "backs/one"], [("one-back", "backs/one.png")]),
        (
            ["fronts/a", "fronts/b", "fronts/c", "backs/a", "backs/b"],
            [("image-unpaired", "fronts/c.png")],
        ),
        (["fronts/a", "backs/a", "backs/b"], [("image-unpaired", "backs/b.png")]),
        (
            [f"fronts/{name}" for name in "abcde"] + ["backs/a", "backs/x"],
            [("too-many-cards", "fronts/a.png")],
        ),
        (
            ["fronts/a-x3", "fronts/b-x2", "backs/a", "backs/b"],
            [("too-many-cards", "fronts/a-x3.png")],
        ),
        (["fronts/a-x3", "fronts/b", "backs/a-x3", "backs/b"], []),
        (["x/fronts/a", "x/backs/a", "y/a front", "y/a back", "y/b front", "y/b back"], []),
    ],
)
def test_names_pair_fronts_with_backs(names: list[str], expected: list[tuple[str, str]]) -> None:
    assert codes(judged([face(name) for name in names])) == expected


def test_both_sides_are_of_one_size_and_not_one_picture() -> None:
    sides = [face("fronts/a"), face("fronts/b"), face("backs/a", (600, 825)), face("backs/b")]
    assert codes(judged(sides)) == [("pair-sizes", "backs/a.png")]
    same = [face(f"{side}/{card}", shade=card) for side in ("fronts", "backs") for card in "ab"]
    assert codes(judged(same)) == [("fronts-for-backs", "backs/a.png")]


def test_a_manifest_knows_the_pairs_and_the_copies_better_than_names() -> None:
    made = order(("fronts/a", "backs/common", 2), ("fronts/b", "backs/common", 2))
    sides = [face("fronts/a"), face("fronts/b"), face("backs/common", (600, 825))]
    assert codes(judged(sides, made)) == [("pair-sizes", "backs/common.png")] * 2
    more = order(("fronts/a", "backs/common", 2), ("fronts/b", "backs/common", 3))
    assert codes(judged([face("fronts/a"), face("fronts/b"), face("backs/common")], more)) == [
        ("too-many-cards", "fronts/a.png")
    ]


def test_no_file_of_an_order_is_lost_added_or_changed_unseen() -> None:
    made = order(("fronts/a", "backs/a", 1), ("fronts/b", "backs/b", 1))
    whole = {file.name: Present(file.sha256, 1) for file in made.files}
    assert judged([], made, whole) == []
    spoilt = {**whole, "fronts/c.png": Present("", 1), "backs/a.png": Present("other", 1)}
    del spoilt["fronts/b.png"]
    spoilt["backs/b.png"] = Present("other", 3)
    assert codes(judged([], made, spoilt)) == [
        ("file-changed", "backs/a.png"),
        ("file-changed", "backs/b.png"),
        ("file-changed", "fronts/b.png"),
        ("file-changed", "fronts/c.png"),
    ]
    assert [
        (one.message.partition(";")[0], one.severity.value) for one in judged([], made, spoilt)
    ] == [
        ("this file differs from the one in the manifest", "warning"),
        ("pages: 3", "error"),
        ("is missing", "error"),
        ("the manifest does not list this file", "warning"),
    ]
