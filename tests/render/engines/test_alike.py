"""Both engines report the same at the same place, and faces are independent."""

from __future__ import annotations

import pytest

from tests.render.engines.small import set_small

pytestmark = pytest.mark.slow

ENGINES = ("weasyprint", "plutoprint")
LONG = "word " * 60
CUT = "render/cut-off"
CASES = {
    "fits": (
        '<div class="box">word</div>',
        ".box{position:absolute;top:9mm;left:9mm;width:30mm;height:9mm}",
    ),
    "overflows": (
        f'<div class="box">{LONG}</div>',
        ".box{position:absolute;top:9mm;left:9mm;width:30mm;height:9mm}",
    ),
    "hidden": (
        f'<div class="box">{LONG}</div>',
        ".box{margin:9mm;width:30mm;height:9mm;overflow:hidden}",
    ),
    "too wide": (
        '<p class="box">unbreakablewords</p>',
        ".box{margin:9mm;width:9mm;height:9mm}",
    ),
    "free": (f'<div class="box">{LONG}</div>', ".box{margin:9mm;width:30mm}"),
    "between edges": (
        f'<p class="b">{LONG}</p>',
        ".b{position:absolute;top:9mm;bottom:60mm;left:9mm;width:30mm}",
    ),
    "inner": (
        f'<div class="box"><p>a</p><p>{LONG}</p></div>',
        ".box{margin:9mm;height:12mm}p{margin:1mm}",
    ),
    "positioned inside": (
        '<div class="box">a<span class="off">b</span></div>',
        ".box{position:relative;margin:9mm;height:9mm}.off{position:absolute;top:30mm;left:1mm}",
    ),
    "shrinks": (
        f'<div class="fit fit-text">{LONG}</div>',
        ".fit-text{margin:5mm;width:40mm;height:26mm}",
    ),
    "shrinks in a row": (
        f'<div class="fit fit-text"><p>{LONG}</p></div>',
        ".fit-text{display:flex;width:40mm;height:26mm}",
    ),
    "a column too long": (
        f'<div class="box"><p>{LONG}</p><p>{LONG}</p></div>',
        ".box{display:flex;flex-direction:column;margin:9mm;width:30mm;height:20mm}p{flex:1 0 auto}",
    ),
    "never fits": (
        f'<div class="fit fit-text">{LONG * 9}</div>',
        ".fit-text{margin:5mm;width:40mm;height:26mm}",
    ),
    "cut off": ('<p class="out">word</p>', ".out{position:absolute;left:56mm;top:9mm}"),
    "tight line": (
        '<p class="one">word</p>',
        ".one{margin:9mm;height:1em;line-height:1}",
    ),
    "a style of its own": (
        f"<div class='box' style='margin:9mm;width:30mm;height:9mm'>{LONG}</div>",
        "",
    ),
    "without quotes": (
        f"<div Class=box STYLE=margin:9mm;width:30mm;height:9mm>{LONG}</div>",
        "",
    ),
    "spaced": (
        f'<div class = "box" style = "margin:9mm;width:30mm;height:9mm">{LONG}</div>',
        "",
    ),
    "a sign in the last line": (
        "<div class='foot'>a <i class='sign'></i></div>",
        ".foot{position:absolute;bottom:0;left:9mm;width:40mm;height:9mm}.sign{display:inline-flex;width:3mm;height:3mm}",
    ),
    "undeclared": (
        '<p class="fit fit-other">word</p>',
        ".fit-other{margin:9mm;height:9mm}",
    ),
    "a cell": (
        '<table><tr><td class="cell">word</td></tr></table>',
        ".cell{height:9mm}",
    ),
    "a wide word in a cell": (
        (
            "<table class='t'><tr><td><b>Infantry "
            "(Command)</b></td><td>1</td><td>2</td><td>3</td></tr></table>"
        ),
        ".t{margin:9mm;width:30mm;table-layout:fixed;border-spacing:0}",
    ),
    "a heading in a table of nine columns": (
        '<div class="b"><table style="width: 100%; table-layout: fixed; border-spacing: 0"><tr><td>'
        "<b>Infantry "
        "(Command)</b></td><td><b>1</b></td><td><b>2</b></td><td><b>3</b></td><td><b>4</b></td>"
        "<td><b>5</b></td><td><b>6</b></td><td><b>7</b></td><td><b>8</b></td></tr></table></div>",
        ".b{position:absolute;left:5mm;width:48mm;top:20mm;height:30mm}",
    ),
    "a wide word in the last cell": (
        "<table class='t'><tr><td>1</td><td>Infantry</td></tr></table>",
        ".t{margin:9mm;width:12mm;table-layout:fixed;border-spacing:0}",
    ),
    "a wide word over an empty cell": (
        "<table class='t'><tr><td>Infantry</td><td></td><td>1</td></tr></table>",
        ".t{margin:9mm;width:21mm;table-layout:fixed;border-spacing:0}",
    ),
    "cells made by a style sheet": (
        "<div class='t'><p>Infantry (Command)</p><p>1</p></div>",
        ".t{display:table;margin:9mm;width:20mm;table-layout:fixed}p{display:table-cell}",
    ),
    "cells that touch": (
        "<table class='t'><tr><th>skill</th><th>dmg</th></tr></table>",
        ".t{margin:9mm;border-spacing:0}th{padding:0;font-weight:400}",
    ),
    "cells with a space between": (
        "<table class='t'><tr><th>skill</th><th>dmg</th></tr></table>",
        ".t{margin:9mm;border-spacing:0}th{padding:0 0.5mm;font-weight:400}",
    ),
    "a turned heading": (
        "<table class='t'><tr><th><p class='up'>Infantry</p></th><td>1</td></tr></table>",
        ".t{margin:9mm;width:12mm;height:20mm;table-layout:fixed}.up{transform:rotate(-90deg)}",
    ),
    "a table that shrinks": (
        (
            "<div class='fit "
            "fit-text'><table "
            "class='t'><tr><td>Infantry</td><td>1</td></tr></table></div>"
        ),
        ".fit-text{margin:9mm;width:22mm;height:20mm}.t{width:100%;table-layout:fixed;border-spacing:0}td{padding:0}",
    ),
    "blended": (
        '<p class="box">word</p>',
        ".box{margin:9mm;height:9mm;background:url('data:x;y');color:red;opacity:.5}",
    ),
    "unknown property": ("<p>word</p>", "p{colour:red}"),
    "a font brought along": (
        "<p>word</p>",
        '@font-face{font-family:x;src:url("x.ttf")}',
    ),
    "no such family": ("<p>word</p>", "p{font-family:Nowhere}"),
    "no such picture": ('<img src="art/none.png" alt="">', ""),
    "a stranger's picture": ('<img src="http://example.org/x.png" alt="">', ""),
    "no such letter in a style sheet": (
        "<p class='a' style='margin:9mm'>a</p>",
        ".a::before{content:'\\2603'}",
    ),
    "a letter that is never seen": (
        "<p style='margin:9mm'>a\N{LINE SEPARATOR}b</p>",
        "",
    ),
    "letters that need no sign": (
        "<p style='margin:9mm'>a\N{ZERO WIDTH SPACE}\N{SOFT HYPHEN}b</p>",
        "",
    ),
    "no such letter": ("<p style='margin:9mm'>\N{SNOWMAN}</p>", ""),
}


@pytest.mark.parametrize("case", CASES)
def test_both_find_the_same_at_the_same_place(case: str) -> None:
    body, css = CASES[case]
    first, second = (set_small(engine, body, css=css)[0].facts for engine in ENGINES)
    assert [found.code for found in second.findings] == [
        found.code for found in first.findings
    ]
    for one, other in zip(first.findings, second.findings, strict=True):
        assert (other.location.file, other.location.line) == (
            one.location.file,
            one.location.line,
        )
        if one.location.box is not None and other.location.box is not None:
            ours, theirs = one.location.box, other.location.box
            assert [theirs.x, theirs.y] == pytest.approx([ours.x, ours.y], abs=0.3)
    assert [block.step for block in second.blocks] == [
        block.step for block in first.blocks
    ]
    assert [block.fill for block in second.blocks] == pytest.approx(
        [block.fill for block in first.blocks], abs=0.03
    )


CELLS = {
    "a wide word in a cell": [
        ("render/overflow", "cell 'Infantry (Command)' overflows: ")
    ],
    "a heading in a table of nine columns": [
        ("render/overflow", "cell 'Infantry (Command)' overflows: ")
    ],
    "a wide word in the last cell": [
        ("render/overflow", "cell 'Infantry' overflows: ")
    ],
    "a wide word over an empty cell": [],
    "cells made by a style sheet": [
        ("render/overflow", "cell 'Infantry (Command)' overflows: ")
    ],
    "cells that touch": [
        (
            "render/cells-touch",
            "the texts of the cells 'skill' and 'dmg' touch: the gap is 0.0 mm",
        )
    ],
    "cells with a space between": [],
    "a turned heading": [],
    "a table that shrinks": [],
}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("case", CELLS)
def test_overflow_inside_a_table_is_found(case: str, engine: str) -> None:
    body, css = CASES[case]
    findings = set_small(engine, body, css=css)[0].facts.findings
    assert len(findings) == len(CELLS[case]), findings
    for finding, (code, text) in zip(findings, CELLS[case], strict=True):
        assert finding.code == code
        assert text in finding.message


@pytest.mark.parametrize("engine", ENGINES)
def test_a_block_shrinks_until_its_cells_fit(engine: str) -> None:
    body, css = CASES["a table that shrinks"]
    (block,) = set_small(engine, body, css=css)[0].facts.blocks
    assert block.size < 10.0


@pytest.mark.parametrize("engine", ENGINES)
def test_a_complaint_reports_what_to_do(engine: str) -> None:
    (misspelt,) = set_small(
        engine, "<p style='margin:9mm'>word</p>", css="p{colr:red}"
    )[0].facts.findings
    assert misspelt.hint == "Did you mean color?"
    (found,) = set_small(
        engine, "<p style='margin:9mm'>\N{SNOWMAN}, \N{HIRAGANA LETTER A}</p>"
    )[0].facts.findings
    assert found.message.endswith(
        ": no font has the characters \N{SNOWMAN} (U+2603), \N{HIRAGANA LETTER A} (U+3042)"
    )
    assert "templates/<pack>/fonts" in found.hint


DECLARED = {
    "letters": (
        '<p class="b" data-block="rules">word</p>',
        ".b{margin:9mm;height:30mm}",
        (9, 9.4, 6.3, 2.6),
    ),
    "a ground": (
        '<p class="b" data-block="head">word</p>',
        ".b{margin:9mm;height:30mm;background:red}",
        (9, 9, 42, 30),
    ),
    "a border": (
        '<p class="b" data-block="x">word</p>',
        ".b{margin:9mm;height:9mm;border:1mm solid}",
        (9, 9, 42, 11),
    ),
    "a ground below": (
        '<div data-block="x"><p class="b">word</p><p>more</p></div>',
        ".b{margin:9mm;width:20mm;height:9mm;background-color:#eee}.b+p{margin-left:12mm}",
        (9, 9, 20, 21),
    ),
    "no ground": (
        '<div class="b c" data-block="x">word</div>',
        ".b{margin:9mm;height:9mm;background:red}.c{background:none}",
        (9, 9.4, 6.3, 2.6),
    ),
    "a picture": (
        (
            '<div class="b" data-block="x"><svg '
            'viewBox="0 0 1 '
            '1"><rect '
            'width="1" '
            'height="1"/></svg></div>'
        ),
        ".b{position:absolute;left:9mm;top:9mm;width:20mm;height:20mm}svg{display:block;width:20mm;height:20mm}",
        (9, 9, 20, 20),
    ),
}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("case", DECLARED)
def test_what_is_painted_of_a_block_is_measured(case: str, engine: str) -> None:
    body, css, expected = DECLARED[case]
    (block,) = set_small(engine, body, css=css)[0].facts.painted
    assert block.name in body
    assert (
        block.box.x,
        block.box.y,
        block.box.width,
        block.box.height,
    ) == pytest.approx(expected, abs=0.5)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_block_reports_its_panel(engine: str) -> None:
    body = '<p class="fit fit-text" data-in="head">word</p><p>word</p>'
    (block,) = set_small(engine, body, css=".fit-text{height:9mm}")[0].facts.painted
    assert (block.name, block.panel) == ("text", "head")


DROPPED = """
    width:10 | width:10xm | width:ten | margin:1mm 2 | margin:1mm 2mm 3mm 4mm 5mm | padding:-1mm | top:auto 1mm
    color:rde | color:#12345 | color:rgb(1,2) | color:red blue | border:1mm dashy red | border-style:wavy
    background:rde | opacity:much | font-weight:heavy | font-size:huge | font-style:slanted | text-align:middle
    white-space:nope | z-index:1.5 | flex-direction:up | align-items:middle | visibility:shown | gap:5
    overflow:hidden visible | break-inside:never | font:9mm | font:boldd 9mm Roboto | font:9mm Roboto,
    font:9mm/ Roboto | font:Roboto 9mm | font:italic italic 9mm Roboto
    transform:rotate(9) | transform:rotate(1mm) | transform:scale()
    transform:translate(1mm,2mm,3mm) | transform:matrix(1,0,0,1) | width:calc(1mm+2mm) | width:calc(1mm * 2mm)
    width:calc() | width:clamp(1mm,2mm)
"""
TAKEN = """
    width:0 | width:50% | width:calc(1mm + 2mm) | margin:0 auto | margin:1mm -2mm 3pt 4% | padding:1mm 0 | color:RED
    color:#1234 | color:rgb(1 2 3 / 50%) | color:currentColor | border:0 | border:thin dashed | opacity:.5
    background:red none no-repeat | font-weight:500 | font-size:larger | font-style:oblique | text-align:start
    white-space:pre-wrap | z-index:-1 | flex:1 0 auto | flex-flow:column wrap | align-items:center | gap:1mm 5%
    border-radius:1mm 2mm / 50% | color:inherit | line-height:1.5 | transform:rotate(9deg) scale(2)
    text-decoration:underline dotted red | break-inside:avoid | color:var(--x,red) | font:9mm Roboto | font:inherit
    font:italic 700 small-caps condensed 9pt/1.2 "Roboto", serif | font:normal larger/3mm Roboto
    transform:translate(50%,0) scaleX(-1) skew(9deg) rotate(.5turn) matrix(1,0,0,1,0,0) | width:min(9mm,max(1mm,2mm))
    width:calc((1mm + 2mm) * 2 - -1mm / 3) | font:9mm var(--x,Roboto) | width:calc(var(--x,2) * 1mm)
"""
UNASKED = ("prnt", "print and", "(foo:bar)", "(min-width:wide)", "print,(color)")
ASKED = (
    "print",
    "not screen",
    "only print and (min-width: 1px) and (orientation: portrait)",
    "screen, (width:1mm)",
    "",
)
UNSELECTED = (".b:hoover", ".b::selection", ".b >> .c", ".b:is(.c,:hoover)", ".b||.c")
SELECTED = (
    ".b:not(.c,:empty)",
    ".b > .c + .d ~ *",
    ".b:nth-child(2n+1)::before",
    '.b[data-x="1"]',
    "#b:first-child",
)


def split(text: str) -> list[str]:
    return [
        each.strip() for line in text.strip().splitlines() for each in line.split("|")
    ]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_rule_is_reported_that_an_engine_leaves_out_and_no_other(engine: str) -> None:
    def told(css: str) -> set[str]:
        return {
            each.code
            for each in set_small(engine, "<p class='b'>a</p>", css=css)[
                0
            ].facts.findings
        } - {CUT}

    assert [
        one for one in split(DROPPED) if told(f".b{{{one}}}") != {"render/css"}
    ] == []
    assert [one for one in split(TAKEN) if told(f".b{{{one}}}")] == []
    assert [
        one for one in UNSELECTED if told(f"{one}{{color:red}}") != {"render/css"}
    ] == []
    assert [one for one in SELECTED if told(f"{one}{{color:red}}")] == []


def test_a_question_that_the_quick_engine_does_not_know_is_reported() -> None:
    def told(asked: str) -> list[str]:
        css = f".b{{margin:9mm}}@media {asked}{{.b{{color:red}}}}"
        return [
            each.code
            for each in set_small("plutoprint", "<p class='b'>a</p>", css=css)[
                0
            ].facts.findings
        ]

    assert [one for one in UNASKED if told(one) != ["render/css"]] == []
    assert [one for one in ASKED if told(one)] == []


@pytest.mark.parametrize("engine", ENGINES)
def test_a_face_is_the_same_alone_and_among_others(engine: str) -> None:
    bodies = [
        f"<p style='margin:{number}mm'>Word {number} fl ½</p>" for number in range(5)
    ]
    together = [
        each.record.dump() for each in set_small(engine, *bodies) if each.record
    ]
    alone = [
        each.record.dump()
        for body in bodies
        for each in set_small(engine, body)
        if each.record
    ]
    assert together == alone
    assert len(alone) == len(bodies)


@pytest.mark.parametrize("engine", ENGINES)
def test_letters_can_be_searched(engine: str) -> None:
    (face,) = set_small(engine, "<p style='margin:9mm'>flag Ёж 3″ — “é”</p>")
    assert face.record is not None
    letters = "".join(
        text for use in face.record.fonts.values() for text in use.letters.values()
    )
    assert set("flag Ёж 3″ — “é”") <= set(letters)
