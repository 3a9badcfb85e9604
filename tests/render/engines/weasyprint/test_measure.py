"""What is measured of laid-out boxes, on stand-ins for the engine's."""

from __future__ import annotations

from types import SimpleNamespace
from xml.etree.ElementTree import Element

import pytest

from builder.render.engines.measured import ASCENT, DESCENT, PX
from builder.render.engines.weasyprint.measure import measure_page


class Box(SimpleNamespace):
    def content_box_x(self):
        return self.position_x

    def content_box_y(self):
        return self.position_y


BlockBox, InlineBlockBox, InlineBox, LineBox, TextBox, AbsolutePlaceholder = (
    type(name, (Box,), {})
    for name in (
        "BlockBox",
        "InlineBlockBox",
        "InlineBox",
        "LineBox",
        "TextBox",
        "AbsolutePlaceholder",
    )
)

STYLE = {
    "max_height": SimpleNamespace(value=float("inf")),
    "position": "static",
    "top": "auto",
    "bottom": "auto",
}


def letters(text="word", x=0.0, y=0.0, size=10.0, font="Roboto"):
    style = {"font_size": size, "font_family": (font,)}
    return TextBox(
        text=text,
        position_x=x,
        position_y=y,
        width=30.0,
        baseline=10.0,
        style=style,
        children=[],
    )


def line(*children, y=0.0):
    return LineBox(children=children, position_y=y, height=100.0)


def block(*children, classes="box", height="auto", sort=BlockBox, **style):
    element = Element("div", {"class": classes})
    look = {
        **STYLE,
        "height": height,
        "background_image": (),
        "background_color": None,
        **style,
    }
    return sort(
        children=children,
        element=element,
        style=look,
        position_x=0.0,
        position_y=0.0,
        width=40.0,
        height=20.0,
    )


def names(measured):
    return [each.name for each in measured.blocks], [name for _, name in measured.text]


def test_a_line_is_as_tall_as_its_letters():
    ((box, name),) = measure_page(
        block(line(letters(), letters(x=20.0, size=20.0)))
    ).text
    assert name == "box"
    assert [box.x, box.y, box.width, box.height] == pytest.approx(
        [0, 0, 50 * PX, (10 + DESCENT * 20) * PX]  # cut off at the line's own top
    )
    assert 10 - ASCENT * 20 < 0


def test_only_boxes_of_fixed_height_are_blocks():
    inner = block(line(letters(y=15.0)), classes="fit fit-body step-2", height="5mm")
    tall = block(
        line(letters()), classes="tall", position="absolute", top="1mm", bottom="1mm"
    )
    measured = measure_page(
        block(
            inner,
            tall,
            block(line(letters()), classes="free"),
            classes="face",
            height="9mm",
        )
    )
    assert names(measured) == (["body", "tall"], ["body", "tall", "free"])
    body = measured.blocks[0]
    assert (body.fit, body.fits, body.lines, body.count) == (True, False, 1, 1)
    assert body.over == pytest.approx((15 + 10 + DESCENT * 10 - 20) * PX, abs=0.01)


def test_icons_count_in_running_text_alone():
    drawn = letters(font="icons", x=35.0)
    assert measure_page(block(line(drawn), height="5mm")) == measure_page(
        block(line(letters(" ")))
    )
    assert (
        not measure_page(block(line(drawn), classes="fit fit-body", height="5mm"))
        .blocks[0]
        .fits
    )
    assert measure_page(block(line(drawn, letters()), height="5mm")).blocks[0].fits


def test_boxes_within_a_line_are_measured_too():
    inline = block(
        line(letters("inner")), classes="chip", height="3mm", sort=InlineBlockBox
    )
    measured = measure_page(
        block(line(InlineBox(children=[letters(), inline])), classes="outer")
    )
    assert names(measured) == (["chip"], ["outer", "chip"])


def test_a_positioned_box_is_measured_for_itself():
    away = AbsolutePlaceholder(
        _box=block(line(letters(y=90.0)), classes="away", height="3mm"), children=()
    )
    measured = measure_page(
        block(block(line(letters())), away, classes="outer", height="9mm")
    )
    assert names(measured) == (["outer", "away"], ["box", "away"])
    assert [each.fits for each in measured.blocks] == [True, False]
