"""What belongs together is not torn apart at the end of a line."""

import pytest

from builder.model.markup import Tag, Text, parse_markup
from builder.render.html.typography import (
    balance_lines,
    keep_name_together,
    keep_text_together,
    keep_together,
)


def said(tag: Tag) -> str:
    return tag.label or tag.id


def told(source: str) -> str:
    """Return the texts of a paragraph, a tag as its id in brackets.

    A tied space as ~, hyphen as =, dash as –.
    """
    nodes = keep_together(parse_markup(source), said)
    parts = [
        node.text if isinstance(node, Text) else f"[{getattr(node, 'id', '')}]"
        for node in nodes
    ]
    return (
        "".join(parts)
        .replace("\u00a0", "~")
        .replace("\u2011", "=")
        .replace("–\ufeff", "–~")
    )


@pytest.mark.parametrize(
    ("source", "tied_up"),
    [
        ("Give up 1–4 dice of damage", "Give up 1–~4~dice of~damage"),
        ("it costs 1 AP here again", "it costs 1~AP here~again"),
        ("у него 10 ПО и больше", "у~него 10~ПО и~больше"),
        ("in all 2 Apples and pears", "in all 2~Apples and~pears"),
        ("loses 2 {stat:hp} altogether", "loses 2~[hp] altogether"),
        ("5 · 3, 3–4 → 2 there", "5~·~3, 3–~4~→~2~there"),
        (
            "a blow of 18: 5 · 3 and much besides",
            "a blow of 18:~5~·~3 and much~besides",
        ),
        ("по-прежнему кто-то стоит рядом", "по=прежнему кто=то стоит~рядом"),
        (
            "они уходят в город и не видят никого",
            "они уходят в~город и~не~видят никого",
        ),
        ("На воротах стоял бы и для неё *не враг*", "На~воротах стоял~бы и~для~неё []"),
        ("вышел из {key:gate} и остался", "вышел из~[gate] и~остался"),
        ("the profile × 2 and whatever comes", "the profile~×~2 and whatever~comes"),
        ("when {stat:psi} 4 is left to them", "when [psi]~4 is left to~them"),
        ("it takes {dice:d3} wounds of somebody", "it takes [d3]~wounds of~somebody"),
        ("whoever has EVA 11 is never hurt", "whoever has EVA~11 is never~hurt"),
        ("re-roll a self-made die", "re=roll a self-made~die"),
        ("No more than 2.", "No more than~2."),
        (
            "every bearer stands beside the gate until the next turn.",
            "every bearer stands beside the gate until the next~turn.",
        ),
        (
            "every bearer stands at the gate until the next morning.",
            "every bearer stands at the gate until the next~morning.",
        ),
        (
            "every bearer stands at the gate, out of understanding it.",
            "every bearer stands at the gate, out of understanding~it.",
        ),
        (
            "the gate is open — they go in silence",
            "the gate is open~— they go in~silence",
        ),
        ("{key:swift} — the gate is open again", "[swift]~— the gate is open~again"),
        ("— nobody", "— nobody"),
        ("until the next morning", "until the next morning"),
        ("works within {dist:4}.", "works within~[4]."),
        (
            "it regains {dice:d3} {stat:hp} altogether",
            "it regains [d3]~[hp] altogether",
        ),
        ("it costs 0 {term:ap|AP} to them", "it costs 0~[ap] to~them"),
        ("whoever stands here, is {term:marked}.", "whoever stands here, is~[marked]."),
        ("whoever stands here, is *never marked*.", "whoever stands here, is []."),
        (
            "every bearer makes a shooting attack.",
            "every bearer makes a shooting~attack.",
        ),
        (
            "every bearer stands for your protection",
            "every bearer stands for your protection",
        ),
        (
            "every bearer makes an understandable attack.",
            "every bearer makes an understandable attack.",
        ),
        ("move {dist:12.5-13.5}.", "move~[12.5-13.5]."),
        ("works within {key:swift}.", "works within [swift]."),
        ("{dist:4}.", "[4]."),
        ("walk to “Sector 9” and wait there", "walk to “Sector~9” and wait~there"),
        ("идите к «Объекту 14» и ждите", "идите к~«Объекту~14» и~ждите"),
        ("gehe zu „Posten IV“ und warte", "gehe zu „Posten~IV“ und~warte"),
        ("the tank of «Тип Б» is here again", "the tank of «Тип~Б» is here~again"),
        ("“ten or 9” is no name here", "“ten or~9” is no name~here"),
        ("on a 5 or 6 you find it here", "on a 5~or~6 you find it~here"),
        ("bei 5 oder 6 findest du es dort", "bei 5~oder~6~findest du es~dort"),
        ("при 5 и 6 находка ваша, не их", "при~5~и~6~находка ваша,~не~их"),
        ("es kostet 2 und mehr davon", "es kostet 2 und mehr~davon"),
        ("es kostet 2 Marken und mehr davon", "es kostet 2~Marken und mehr~davon"),
        ("nimm z. B. Nr. 5 oder d. h. alle", "nimm z.~B. Nr.~5 oder d.~h.~alle"),
        ("берите лом, № 5 и т. д. вместе", "берите лом, №~5 и~т.~д.~вместе"),
        (
            "der Nahkampf-Angriff trifft ihn noch",
            "der Nahkampf=Angriff trifft ihn~noch",
        ),
        (
            "der Scharfschützen-Hinterhalt trifft ihn noch",
            "der Scharfschützen-Hinterhalt trifft ihn~noch",
        ),
        (
            "every bearer that is not hidden and stands in the open makes one more shooting attack.",
            "every bearer that is not hidden and stands in the open makes one more shooting~attack.",
        ),
        (
            "every bearer that is not hidden and stands in the open makes one understandable move.",
            "every bearer that is not hidden and stands in the open makes one understandable~move.",
        ),
        ("word", "word"),
        ("", ""),
    ],
)
def test_ties(source: str, tied_up: str) -> None:
    assert told(source) == tied_up


def test_text_without_marks_is_tied_as_it_stands() -> None:
    assert keep_text_together("It costs *nothing*, {and} nobody will ever pay.") == (
        "It costs *nothing*, {and} nobody will ever\u00a0pay."
    )


def test_a_tie_changes_no_letter() -> None:
    source = "По-прежнему 1–4 кубика, 1 ОД и 5 · 3 за {dist:4}."
    bare = "".join(node.text for node in parse_markup(source) if isinstance(node, Text))
    made = "".join(
        node.text
        for node in keep_together(parse_markup(source), said)
        if isinstance(node, Text)
    )
    assert (
        made.replace("\u00a0", " ").replace("\u2011", "-").replace("\ufeff", "") == bare
    )


@pytest.mark.parametrize(
    ("name", "tied_up"),
    [
        ("Sector 9", "Sector~9"),
        ("Mark IV", "Mark~IV"),
        ("«Объект 14»", "«Объект~14»"),
        ("Jean-Luc", "Jean=Luc"),
        ("Wasserwerks-Vorarbeiterin", "Wasserwerks-Vorarbeiterin"),
        ("Приказ на отход", "Приказ на~отход"),
        ("9 lives of a cat", "9 lives of a cat"),
        ("Slow X", "Slow X"),  # templates of packs put a number for the letter
        ("Скрытность Х", "Скрытность Х"),
    ],
)
def test_a_name_is_not_torn_from_its_number(name: str, tied_up: str) -> None:
    assert (
        keep_name_together(name).replace("\u00a0", "~").replace("\u2011", "=")
        == tied_up
    )


@pytest.mark.parametrize(
    ("heading", "lines", "balanced"),
    [
        ("Word", 2, "Word"),
        ("Two words", 2, "Two words"),
        ("The last of the Watch", 2, "The~last of~the~Watch"),
        (
            "Director Nemoto of the Ninth Bureau",
            2,
            "Director~Nemoto of~the~Ninth~Bureau",
        ),
        ("Начальник караула у ворот", 2, "Начальник караула~у~ворот"),
        ("Vorarbeiterin im alten Wasserwerk", 2, "Vorarbeiterin im~alten~Wasserwerk"),
        ("A b c d e f g h i", 3, "A~b~c d~e~f g~h~i"),
        ("Three whole words", 1, "Three whole words"),
    ],
)
def test_a_heading_breaks_into_lines_of_similar_length(
    heading: str, lines: int, balanced: str
) -> None:
    assert balance_lines(heading, lines).replace("\u00a0", "~") == balanced
