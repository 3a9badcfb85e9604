"""Texts that stand out too little are found in what both engines draw, and no others."""

import pytest

from builder.geometry.contrast import format_colour, measure_contrast
from builder.render.engines import RenderedFace
from builder.render.painting import Painting, find_box_background, read_painting
from tests.render.engines.small import set_small

ENGINES = ("weasyprint", "plutoprint")
BOX = "margin:9mm;padding:2mm;"

LOW = {
    "just below the limit": ("background:#fff;color:#787878", "#787878", "#ffffff"),
    "light on dark": ("background:#333;color:#888", "#888888", "#333333"),
    "in a box with round corners": (
        "background:#333;color:#888;border-radius:2mm",
        "#888888",
        "#333333",
    ),
    "in a box with a border": (
        "background:#333;color:#888;border:1mm solid #eee",
        "#888888",
        "#333333",
    ),
    "in a box with two sorts of borders": (
        "background:#333;color:#888;border:1mm solid #eee;border-left:2mm solid red",
        "#888888",
        "#333333",
    ),
    "in a turned box": (
        "background:#333;color:#888;transform:rotate(5deg)",
        "#888888",
        "#333333",
    ),
    "underlined": (
        "background:#333;color:#888;text-decoration:underline",
        "#888888",
        "#333333",
    ),
    "a transparent text": (
        "background:#fff;color:rgba(0,0,0,.4)",
        "#999999",
        "#ffffff",
    ),
    "large text": ("background:#333;color:#888;font-size:24pt", "#888888", "#333333"),
}


def low_texts(face: RenderedFace) -> list[tuple[str, str, str]]:
    """Return the texts with a low contrast on what the face itself paints.

    Letters, colour, background.
    """
    found = []
    for text in face.facts.texts:
        low = measure_contrast(text, text.background) if text.background else None
        if low:
            found.append(
                (
                    text.text.strip(),
                    format_colour(low.colour),
                    format_colour(low.background),
                )
            )
    return found


def painting_of(face: RenderedFace) -> Painting:
    assert face.record is not None
    return read_painting(face.record)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("case", LOW)
def test_a_text_with_a_low_contrast_is_found(case: str, engine: str) -> None:
    style, colour, background = LOW[case]
    (face,) = set_small(engine, f'<p style="{BOX}{style}">word</p>')
    assert face.facts.findings == ()
    assert low_texts(face) == [("word", colour, background)]


GOOD = {
    "just above the limit": f'<p style="{BOX}background:#fff;color:#757575">word</p>',
    "a light text in a dark box on a light one": (
        f'<div style="{BOX}background:#eee"><p '
        f'style="padding:2mm;background:#222;color:#ddd">word</p></div>'
    ),
    "half on another box": (
        '<p style="position:absolute;left:9mm;top:9mm;width:2mm;height:20mm;background:#eee"></p>'
        '<p style="position:absolute;left:9mm;top:9mm;color:#ccc">word</p>'
    ),
    "on a picture": (
        '<svg style="position:absolute;left:0;top:0;width:60mm;height:80mm" viewBox="0 0 60 80">'
        '<path d="M0 0L60 0L30 20L60 80L0 80Z" fill="#eee"/></svg>'
        '<p style="position:absolute;left:9mm;top:30mm;color:#ccc">word</p>'
    ),
    "on a gradient": (
        '<svg style="position:absolute;left:0;top:0;width:60mm;height:80mm" '
        'viewBox="0 0 60 '
        '80"><defs>'
        '<linearGradient id="g"><stop offset="0" stop-color="#eee"/><stop offset="1" '
        'stop-color="#ddd"/>'
        '</linearGradient></defs><rect width="60" height="80" fill="url(#g)"/></svg>'
        '<p style="position:absolute;left:9mm;top:30mm;color:#ccc">word</p>'
    ),
    "in a group with opacity": f'<p style="{BOX}background:#eee;color:#888;opacity:.5">word</p>',
    "on a group with opacity": (
        '<p style="position:absolute;left:0;top:0;width:60mm;height:80mm;background:#000;opacity:.5"></p>'
        '<p style="position:absolute;left:9mm;top:30mm;color:#888">word</p>'
    ),
    "an ornament": f'<p style="{BOX}background:#fff;color:#ddd">\N{BULLET} \N{EM DASH}</p>',
    "a drawing over a dark picture": (
        '<p style="position:absolute;left:0;top:0;width:60mm;height:80mm;background:#222"></p>'
        '<p style="position:absolute;left:9mm;top:30mm;color:#fff">word</p>'
    ),
}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("case", GOOD)
def test_no_other_text_is_found(case: str, engine: str) -> None:
    (face,) = set_small(engine, GOOD[case])
    assert face.facts.findings == ()
    assert low_texts(face) == []
    unknown = {
        "half on another box",
        "on a picture",
        "on a gradient",
        "on a group with opacity",
    }
    # What is not known is not taken for bare paper either.
    assert not (case in unknown and face.facts.texts)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_transparent_box_is_measured_as_it_is_seen(engine: str) -> None:
    body = (
        f'<div style="{BOX}background:#000"><p '
        f'style="padding:2mm;background:rgba(255,255,255,.5);color:#aaa">word</p>'
    )
    (face,) = set_small(engine, body + "</div>")
    ((text, colour, background),) = low_texts(face)
    assert (text, colour) == ("word", "#aaaaaa")
    assert background in ("#7f7f7f", "#808080")


@pytest.mark.parametrize("engine", ENGINES)
def test_a_text_on_nothing_is_left_to_what_lies_below_the_face(engine: str) -> None:
    (face,) = set_small(
        engine, '<p style="margin:9mm;color:#888">some words<br>on two lines</p>'
    )
    (text,) = face.facts.texts
    assert (text.text, text.background) == ("some words on two lines", None)
    assert (text.box.x, text.box.y) == pytest.approx((9, 9.4), abs=0.3)
    frame, empty = set_small(
        engine, '<p style="margin:5mm;height:30mm;background:#333"></p>', "<p>word</p>"
    )
    assert find_box_background(
        painting_of(frame), text.box, text.size
    ) == pytest.approx((0.2, 0.2, 0.2), abs=0.001)
    assert find_box_background(painting_of(empty), text.box, text.size) == (1, 1, 1)
    (half,) = set_small(
        engine, '<p style="margin:5mm;width:9mm;height:30mm;background:#333"></p>'
    )
    assert find_box_background(painting_of(half), text.box, text.size) is None


@pytest.mark.parametrize("engine", ENGINES)
def test_each_block_of_text_is_one(engine: str) -> None:
    lines = "<br>".join(f"line {number}" for number in range(9))
    (face,) = set_small(
        engine, f'<p style="{BOX}background:#333;color:#888">{lines}</p>'
    )
    assert len(face.facts.texts) == 1


@pytest.mark.parametrize("engine", ENGINES)
def test_a_group_with_opacity_hides_no_more_than_it_covers(engine: str) -> None:
    group = '<p style="position:absolute;left:0;top:0;width:60mm;height:20mm;background:#000;opacity:.5"></p>'
    (face,) = set_small(
        engine,
        group + '<p style="position:absolute;left:9mm;top:30mm;color:#888">word</p>',
    )
    (text,) = face.facts.texts
    assert (text.text, text.background) == ("word", None)
