"""Every code of a single image has an image that gives it, at its place, and one that does not."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pytest

from builder.checks.images.face import ImageFace
from builder.checks.registry import list_checks, run_checks
from builder.findings import Severity
from builder.model.pdf import Raster
from builder.model.shop import OrderFile, Preset
from tests.messages.speech import speaks_russian

OF_ORDERS = {
    *(
        "image-unpaired",
        "no-backs",
        "pair-sizes",
        "fronts-for-backs",
        "one-back",
        "too-many-cards",
    ),
    *("file-changed", "file-unreadable", "manifest"),
}
"""Codes about several files, with tests of their own."""

FULL_BOX = (0, 0, 825, 1125)
SOUND = Raster("PNG", (825, 1125), "RGB", drawn_area=FULL_BOX, dpi=(299.9994, 299.9994))
SHOP = {
    "id": "shop",
    "name": {"en": "Shop"},
    "output": "png",
    "bleed": 3.175,
    "sizes": {
        "card": {"width": 63.5, "height": 88.9, "pixels": [825, 1125]},
        "small": {"width": 44.45, "height": 63.5, "pixels": [600, 825]},
    },
    "other_sizes": False,
    "colour": {"space": "rgb"},
}


def make_preset(**changes: Any) -> Preset:
    return Preset.model_validate({**SHOP, **changes})


@dataclass(frozen=True)
class Case:
    """What spoils the sound image, and what comes near to it."""

    bad: dict[str, Any]
    good: dict[str, Any]
    severity: Severity = Severity.ERROR
    where: tuple[float, float, float, float] | None = None


CASES = {
    "image-pixels": Case(
        {"pixels": (824, 1125)}, {"pixels": (600, 825), "drawn_area": (0, 0, 600, 825)}
    ),
    "image-resolution-entry": Case(
        {"dpi": (72, 72)}, {"dpi": (302, 302)}, Severity.WARNING
    ),
    "format": Case({"form": "JPEG"}, {}, Severity.WARNING),
    "image-colours": Case({"mode": "CMYK"}, {"mode": "L"}),
    "image-transparent": Case(
        {"mode": "RGBA", "alpha": True, "clear": (0, 0, 75, 150)},
        {"mode": "RGB"},
        where=(0, 0, 6.35, 12.7),
    ),
    "image-profile": Case(
        {"profile": "Adobe RGB (1998)"},
        {"profile": "sRGB IEC61966-2.1"},
        Severity.WARNING,
    ),
    "image-ends-at-cut": Case(
        {"drawn_area": (37, 38, 788, 1087)},
        {"drawn_area": (80, 75, 745, 1050)},
        Severity.WARNING,
        (3.13, 3.22, 63.58, 88.82),
    ),
}


def find_code(changes: dict[str, Any], code: str, shop: Preset) -> list:
    face = ImageFace("fronts/a.png", replace(SOUND, **changes), shop)
    return [
        finding
        for finding in run_checks("images", face)
        if finding.code == f"preflight/{code}"
    ]


def test_a_sound_image_is_clean() -> None:
    assert run_checks("images", ImageFace("a.png", SOUND, make_preset())) == ()


@pytest.mark.parametrize("code", sorted(CASES))
def test_the_spoilt_image_gives_it_and_the_sound_one_does_not(code: str) -> None:
    case = CASES[code]
    (finding,) = find_code(case.bad, code, make_preset())
    assert (finding.location.file, finding.severity) == ("fronts/a.png", case.severity)
    assert speaks_russian(finding), finding.translate("ru")
    if case.where:
        box = finding.location.box
        assert (box.x, box.y, box.width, box.height) == pytest.approx(
            case.where, abs=0.01
        )
    assert find_code(case.good, code, make_preset()) == []


def test_every_code_has_a_case() -> None:
    codes = {code.code for check in list_checks("images") for code in check.codes}
    assert codes == {f"preflight/{name}" for name in {*CASES, *OF_ORDERS}}


@pytest.mark.parametrize(
    ("changes", "code", "severity"),
    [
        ({"pixels": (1125, 825)}, "image-pixels", Severity.ERROR),
        ({"form": "TIFF"}, "format", Severity.ERROR),
        ({"mode": "P"}, "image-colours", Severity.WARNING),
        ({"mode": "I;16"}, "image-colours", Severity.WARNING),
        ({"mode": "RGBA", "alpha": True}, "image-transparent", Severity.WARNING),
        ({"dpi": None}, "image-resolution-entry", Severity.NOTE),
        ({"drawn_area": (60, 0, 825, 1125)}, "image-ends-at-cut", None),
        ({"drawn_area": (37, 0, 825, 1125)}, "image-ends-at-cut", Severity.WARNING),
        ({"drawn_area": (15, 15, 810, 1110)}, "image-ends-at-cut", Severity.WARNING),
        ({"drawn_area": (15, 0, 825, 1125)}, "image-ends-at-cut", None),
        ({"drawn_area": None}, "image-ends-at-cut", None),
        (
            {"drawn_area": (37, 0, 825, 1125), "filled": (0.2, 1.0, 1.0, 1.0)},
            "image-ends-at-cut",
            None,
        ),
    ],
)
def test_how_bad_it_is(
    changes: dict[str, Any], code: str, severity: Severity | None
) -> None:
    severities = [
        finding.severity for finding in find_code(changes, code, make_preset())
    ]
    assert severities == ([severity] if severity else [])


def test_a_shop_of_any_size_goes_by_the_orders_own_manifest() -> None:
    shop = make_preset(sizes={}, other_sizes=True, bleed=3.048)
    assert (
        run_checks(
            "images", ImageFace("a.png", replace(SOUND, pixels=(816, 1111)), shop)
        )
        == ()
    )
    listed = OrderFile("a.png", "63x88", 1, (69.096, 94.096), (63, 88), "", (816, 1111))
    assert (
        run_checks(
            "images",
            ImageFace("a.png", replace(SOUND, pixels=(816, 1111)), shop, listed),
        )
        == ()
    )
    (finding,) = run_checks(
        "images", ImageFace("a.png", replace(SOUND, pixels=(816, 1110)), shop, listed)
    )
    assert (
        "816 × 1110 pixels; the shop requires 816 × 1111 pixels (63 × 88)"
        in finding.message
    )


@pytest.mark.parametrize(
    ("name", "side", "group", "card", "copies"),
    [
        ("en-poker/fronts/001-axe-x3.png", "front", "en-poker", "001-axe", 3),
        ("en-poker/backs/001-axe.png", "back", "en-poker", "001-axe", 1),
        ("deck/axe [back].png", "back", "deck", "axe", 1),
        ("axe_front.JPG", "front", "", "axe", 1),
        ("backs/knight-face.png", "front", "", "knight", 1),
        ("deck/backstab.png", None, "deck", "backstab", 1),
    ],
)
def test_names_say_side_deck_card_and_copies(
    name: str, side: str | None, group: str, card: str, copies: int
) -> None:
    face = ImageFace(name, SOUND, make_preset())
    assert (face.side, face.group, face.card, face.copies) == (
        side,
        group,
        card,
        copies,
    )
