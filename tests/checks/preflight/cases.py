"""For each code of preflight: a sound file, a spoilt one, and the preset they are judged by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name

from builder.model.shop import Preset
from tests.checks.preflight.make import (
    GROUND,
    TEXT,
    File,
    Sheet,
    picture,
    plain_font,
    state,
)

SHOP: Mapping[str, Any] = {
    "id": "shop",
    "name": {"en": "Shop"},
    "bleed": 3,
    "safe": 3,
    "smallest_type": 6,
    "sizes": {"card": {"width": 63, "height": 88}},
    "other_sizes": False,
    "tolerance": 0.5,
    "colour": {
        "space": "cmyk",
        "standard": "pdf/x-4",
        "condition": "FOGRA39",
        "ink_limit": 300,
    },
}
RGB_SHOP = {"colour": {"space": "rgb"}}
OPAQUE = {"colour": {"space": "cmyk", "standard": "pdf/x-1a", "transparency": False}}
FLAT = File(version="1.4", standard="PDF/X-1a:2003")


def make_preset(**changes: Any) -> Preset:
    """Return the shop of these tests."""
    return Preset.model_validate({**SHOP, **changes})


@dataclass(frozen=True)
class Case:
    """One code: what gives it, and what comes as near to it as it may.

    `where` is the box expected, in mm.

    `sound_shop` judges the sound file where only the shop makes the difference.
    """

    bad: File
    good: File = File()  # noqa: RUF009
    shop: Mapping[str, Any] | None = None
    sound_shop: Mapping[str, Any] | None = None
    page: int | None = 1
    where: tuple[float, float, float, float] | None = None


def make_drawing(content: str, **keys: Any) -> File:
    """Return a front with something on its ground, and a sound back."""
    return File((Sheet(f"{GROUND} {content}", **keys), Sheet()))


def make_boxed_file(**keys: Any) -> File:
    """Both sides with other boxes."""
    return File((Sheet(**keys), Sheet(**keys)))


def _script(pdf: pikepdf.Pdf) -> None:
    action = Dictionary(S=Name.JavaScript, JS="app.beep()")
    pdf.Root.Names = Dictionary(JavaScript=Dictionary(Names=Array(["a", action])))


def _spot(*names: str) -> Any:
    def made(pdf: pikepdf.Pdf) -> Dictionary:
        tint = Dictionary(
            FunctionType=2,
            Domain=Array([0, 1]),
            N=1,
            C0=Array([0, 0, 0, 0]),
            C1=Array([0, 0.5, 1, 0]),
        )
        return Dictionary(
            ColorSpace=Dictionary(
                S=Array([Name.Separation, Name(f"/{names[0]}"), Name.DeviceCMYK, tint])
            )
        )

    return made


def group(space: str) -> Dictionary:
    return Dictionary(S=Name.Transparency, CS=Name(f"/{space}"))


def _text(
    size: float, x: float, y: float, inks: str = "0 0 0 1", word: str = "Lantern"
) -> str:
    return f"{inks} k BT /F1 {size} Tf {x} {y} Td ({word}) Tj ET"


def _fronts_and_back(*, swapped: bool) -> File:
    back_sheet = Sheet()
    fronts = [Sheet(f"{GROUND} {_text(3, 20, 40 + number)}") for number in range(3)]
    pairs = [
        (back_sheet, front) if swapped else (front, back_sheet) for front in fronts
    ]
    return File(tuple(sheet for pair in pairs for sheet in pair))


TALL = Sheet(
    f"0.1 0 0 0 k 0 0 76 126 re f {TEXT}",
    (0, 0, 76, 126),
    (3, 3, 73, 123),
    (0, 0, 76, 126),
)
SIZES = {
    "sizes": {"card": {"width": 63, "height": 88}, "tall": {"width": 70, "height": 120}}
}
PICTURE = "q 20 0 0 20 10 10 cm /Im Do Q"

CASES: Mapping[str, Case] = {
    "format": Case(
        File(), shop={**RGB_SHOP, "output": "png"}, sound_shop={}, page=None
    ),
    "no-pages": Case(File(()), page=None),
    "damaged": Case(
        make_drawing('/F1 (a) Tf (b) (c) (d) 1 0 0 1 0 0 (e) " /Missing gs 0 (x) 1 "')
    ),
    "blank-page": Case(File((Sheet(), Sheet(""))), page=2),
    "interactive": Case(File(spoil=_script), page=None),
    "no-trim-box": Case(make_boxed_file(trim=None)),
    "box-outside": Case(make_boxed_file(bleed=(5, 5, 64, 89)), where=(3, 3, 63, 88)),
    "box-origin": Case(
        make_boxed_file(media=(-3, -3, 69, 94)), make_boxed_file(media=(0, 0, 69, 94))
    ),
    "size": Case(File((TALL, TALL)), where=(3, 3, 70, 120)),
    "mixed-sizes": Case(
        File((Sheet(), Sheet(), TALL, TALL)), File((TALL, TALL)), SIZES, page=3
    ),
    "no-bleed": Case(make_boxed_file(bleed=(2, 2, 67, 92)), where=(3, 3, 63, 88)),
    "art-ends-at-cut": Case(
        File((Sheet(f"0.1 0.2 0 0 k 3 3 63 88 re f {TEXT}"), Sheet())),
        where=(3, 3, 63, 88),
    ),
    "odd-pages": Case(File((Sheet(), Sheet(), Sheet())), page=3),
    "pair-sizes": Case(File((Sheet(), TALL)), shop=SIZES, page=2),
    "pages-swapped": Case(
        _fronts_and_back(swapped=True), _fronts_and_back(swapped=False)
    ),
    "no-common-back": Case(File((Sheet(),)), shop={"order": "common-back-last"}),
    "too-many-cards": Case(
        File((Sheet(),) * 6), File((Sheet(),) * 4), {"most_cards": 2}, page=6
    ),
    "font-not-embedded": Case(
        make_drawing(
            TEXT, resources=lambda _: Dictionary(Font=Dictionary(F1=plain_font()))
        )
    ),
    "text-not-outlined": Case(
        File(), File((Sheet(GROUND), Sheet(GROUND))), {"outlined_text": True}
    ),
    "small-type": Case(
        make_drawing(_text(2, 20, 40)),
        make_drawing(_text(2.12, 20, 40)),
        where=(20, 52.4, 7, 2),
    ),
    "text-in-many-inks": Case(
        make_drawing(_text(3, 20, 40, "0.6 0.4 0.4 1")),
        make_drawing(_text(7, 20, 40, "0.6 0.4 0.4 1")),
    ),
    "rgb": Case(make_drawing("1 0 0 rg 10 10 5 5 re f"), where=(10, 79, 5, 5)),
    "cmyk": Case(
        File(),
        File(
            (
                Sheet("0.5 0.1 0.2 rg 0 0 69 94 re f"),
                Sheet("0.5 0.1 0.2 rg 0 0 69 94 re f"),
            )
        ),
        RGB_SHOP,
    ),
    "spot-colour": Case(
        make_drawing("/S cs 1 scn 10 10 5 5 re f", resources=_spot("Gold")),
        make_drawing("/S cs 1 scn 10 10 5 5 re f", resources=_spot("Black")),
        where=(10, 79, 5, 5),
    ),
    "white-overprint": Case(
        make_drawing("/G gs 0 0 0 0 k 10 10 5 5 re f", resources=state(op=True, OPM=1)),
        make_drawing("/G gs 0 0 0 0 k 10 10 5 5 re f", resources=state(op=True, OPM=0)),
        where=(10, 79, 5, 5),
    ),
    "registration-colour": Case(
        make_drawing("/S cs 1 scn 10 10 5 5 re f", resources=_spot("All")),
        make_drawing("/S cs 0 scn 10 10 5 5 re f", resources=_spot("All")),
        where=(10, 79, 5, 5),
    ),
    "transparency": Case(
        replace(
            FLAT,
            standard="",
            sheets=make_drawing("/G gs 10 10 5 5 re f", resources=state(ca=0.5)).sheets,
        ),
        FLAT,
        OPAQUE,
        where=(10, 79, 5, 5),
    ),
    "low-resolution": Case(
        make_drawing(PICTURE, resources=picture(200)),
        make_drawing(PICTURE, resources=picture(240)),
        where=(10, 64, 20, 20),
    ),
    "thin-line": Case(
        make_drawing("0 0 0 1 K 0.05 w 10 10 m 30 10 l S"),
        make_drawing("0 0 0 1 K 0.1 w 10 10 m 30 10 l S"),
    ),
    "text-cut": Case(make_drawing(_text(3, 60, 40)), make_drawing(_text(3, 52, 40))),
    "text-outside-safe": Case(
        make_drawing(_text(3, 4, 40)), make_drawing(_text(3, 6, 40))
    ),
    "marks": Case(
        make_drawing("0 0 0 1 K 0.2 w 1 0 m 1 2.5 l S"),
        make_drawing("0 0 0 1 K 0.2 w 10 10 m 10 12.5 l S"),
    ),
    "output-intent": Case(
        File(intent="SWOP 2006"), File(intent="Coated FOGRA39L VIGC 300"), page=None
    ),
    "standard": Case(File(standard=""), page=None),
    "standard-broken": Case(File(trapped=""), page=None),
    "version": Case(File(version="1.7"), page=None),
}
"""By the code's name; what is not said is the sound file and the shop above."""
