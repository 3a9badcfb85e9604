import re

import pytest
from hypothesis import given, strategies as st

from builder.model.markup import (
    Break,
    Emphasis,
    Strong,
    Tag,
    Text,
    list_tags,
    parse_and_check,
    parse_markup,
)


def test_tags_pairs_and_breaks_become_nodes() -> None:
    nodes = parse_markup("A {key:swift|Swiftly} *run **far***\n{dist:1.5}")
    assert nodes == (
        Text("A "),
        Tag("key", "swift", "Swiftly", 2),
        Text(" "),
        Emphasis((Text("run "), Strong((Text("far"),)))),
        Break(),
        Tag("dist", "1.5", None, 36),
    )


def test_an_escaped_sign_is_itself() -> None:
    assert parse_markup(r"2 \* 3 \{x\}") == (Text("2 * 3 {x}"),)


@pytest.mark.parametrize(
    ("text", "code", "offset"),
    [
        ("a {key:x", "unclosed", 2),
        ("a } b", "unopened", 2),
        ("{kee:x}", "unknown-tag", 0),
        ("{swift}", "unknown-tag", 0),
        ("{key:}", "no-id", 0),
        ("{dice:2x6}", "dice", 0),
        ("{dist:far}", "dist", 0),
        ("a *b", "stars", 2),
        ("**a", "stars", 0),
        ("a {key:x\nb}", "unclosed", 2),
    ],
)
def test_each_mistake_has_its_code_and_place(text: str, code: str, offset: int) -> None:
    first = parse_and_check(text).errors[0]
    assert (first.code, first.offset) == (code, offset)


def test_three_stars_close_both_pairs() -> None:
    assert parse_markup("***a***") == (Strong((Emphasis((Text("a"),)),)),)


def test_tags_inside_pairs_are_found() -> None:
    assert [tag.id for tag in list_tags(parse_markup("*{stat:a}* **x {icon:b}**"))] == [
        "a",
        "b",
    ]


@pytest.mark.parametrize("dice", ["d6", "2d6+1", "D3", "3d6-2", "4"])
def test_dice_forms(dice: str) -> None:
    assert not parse_and_check(f"{{dice:{dice}}}").errors


@given(st.text(alphabet="ab {}*\\|:\n"))
def test_anything_parses(text: str) -> None:
    parse_and_check(text)


@given(st.text(alphabet=st.characters(exclude_characters="\n\r")))
def test_escape_keeps_every_letter(text: str) -> None:
    """A backslash before each sign of the markup prints the text as it is."""
    markup = parse_and_check(re.sub(r"([\\{}*])", r"\\\1", text))
    assert not markup.errors
    assert "".join(node.text for node in markup.nodes if isinstance(node, Text)) == text
    assert all(isinstance(node, Text) for node in markup.nodes)
