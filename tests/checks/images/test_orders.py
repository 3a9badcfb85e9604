"""Several images together: fronts with backs, and all of them with a manifest."""

from __future__ import annotations

from dataclasses import replace

import pytest

from builder.checks.images.face import ExistingFile, ImageFace, OrderFolder
from builder.checks.images.orders import check
from builder.findings import Finding
from builder.model.shop import FacePlace, OrderCard, OrderFile, ShopOrder
from tests.checks.images.test_cases import SOUND, make_preset
from tests.messages.speech import speaks_russian


def make_face(
    name: str, pixels: tuple[int, int] = (825, 1125), shade: str = ""
) -> ImageFace:
    return ImageFace(
        f"{name}.png",
        replace(SOUND, pixels=pixels, shade=shade or name),
        make_preset(most_cards=4),
    )


def list_codes(findings: list[Finding]) -> list[tuple[str, str | None]]:
    assert all(map(speaks_russian, findings))
    return [
        (finding.code.removeprefix("preflight/"), finding.location.file)
        for finding in findings
    ]


def check_order(
    faces: list[ImageFace],
    shop_order: ShopOrder | None = None,
    present: dict[str, ExistingFile] | None = None,
) -> list[Finding]:
    complete_files = (
        {file.name: ExistingFile(file.sha256, file.pages) for file in shop_order.files}
        if shop_order
        else {}
    )
    return list(
        check(
            OrderFolder(
                faces, complete_files if present is None else present, shop_order
            )
        )
    )


def make_order(*cards: tuple[str, str, int]) -> ShopOrder:
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
            (FacePlace(f"{back_places}.png"),),
        )
        for front, back_places, copies in cards
    )
    names = sorted(
        {spot.file for card in listed for spot in (*card.fronts, *card.backs)}
    )
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
        (
            [
                "x/fronts/a",
                "x/backs/a",
                "y/a front",
                "y/a back",
                "y/b front",
                "y/b back",
            ],
            [],
        ),
    ],
)
def test_names_pair_fronts_with_backs(
    names: list[str], expected: list[tuple[str, str]]
) -> None:
    assert list_codes(check_order([make_face(name) for name in names])) == expected


def test_both_sides_are_of_one_size_and_not_one_picture() -> None:
    sides = [
        make_face("fronts/a"),
        make_face("fronts/b"),
        make_face("backs/a", (600, 825)),
        make_face("backs/b"),
    ]
    assert list_codes(check_order(sides)) == [("pair-sizes", "backs/a.png")]
    same = [
        make_face(f"{side}/{card}", shade=card)
        for side in ("fronts", "backs")
        for card in "ab"
    ]
    assert list_codes(check_order(same)) == [("fronts-for-backs", "backs/a.png")]


def test_a_manifest_knows_the_pairs_and_the_copies_better_than_names() -> None:
    shop_order = make_order(
        ("fronts/a", "backs/common", 2), ("fronts/b", "backs/common", 2)
    )
    sides = [
        make_face("fronts/a"),
        make_face("fronts/b"),
        make_face("backs/common", (600, 825)),
    ]
    assert (
        list_codes(check_order(sides, shop_order))
        == [("pair-sizes", "backs/common.png")] * 2
    )
    more = make_order(("fronts/a", "backs/common", 2), ("fronts/b", "backs/common", 3))
    assert list_codes(
        check_order(
            [make_face("fronts/a"), make_face("fronts/b"), make_face("backs/common")],
            more,
        )
    ) == [("too-many-cards", "fronts/a.png")]


def test_no_file_of_an_order_is_lost_added_or_changed_unseen() -> None:
    shop_order = make_order(("fronts/a", "backs/a", 1), ("fronts/b", "backs/b", 1))
    complete_files = {
        file.name: ExistingFile(file.sha256, 1) for file in shop_order.files
    }
    assert check_order([], shop_order, complete_files) == []
    spoilt = {
        **complete_files,
        "fronts/c.png": ExistingFile("", 1),
        "backs/a.png": ExistingFile("other", 1),
    }
    del spoilt["fronts/b.png"]
    spoilt["backs/b.png"] = ExistingFile("other", 3)
    assert list_codes(check_order([], shop_order, spoilt)) == [
        ("file-changed", "backs/a.png"),
        ("file-changed", "backs/b.png"),
        ("file-changed", "fronts/b.png"),
        ("file-changed", "fronts/c.png"),
    ]
    assert [
        (finding.message.partition(";")[0], finding.severity.value)
        for finding in check_order([], shop_order, spoilt)
    ] == [
        ("this file differs from the one in the manifest", "warning"),
        ("pages: 3", "error"),
        ("is missing", "error"),
        ("the manifest does not list this file", "warning"),
    ]
