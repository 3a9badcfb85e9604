import os
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from ruamel.yaml import YAML

from builder.packs.yaml.reading import parse_document, read_document


def value_of(text: str) -> object:
    document, findings = parse_document(text, "x.yaml")
    assert findings == ()
    assert document is not None
    return document.value


def codes_of(text: str) -> list[str]:
    return [finding.code for finding in parse_document(text, "x.yaml")[1]]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("no", "no"),
        ("on", "on"),
        ("2026-03-01", "2026-03-01"),
        ("012", 12),
        ("0o14", 12),
        ("0x1F", 31),
        ("1_000", "1_000"),
        ("12:30", "12:30"),
        ("1.50", 1.5),
        ("1/12", "1/12"),
        (".inf", ".inf"),
        ("True", True),
        ('"3"', "3"),
        ("9" * 40, "9" * 40),
    ],
)
def test_scalars_follow_yaml_1_2(text: str, value: object) -> None:
    assert value_of(f"a: {text}") == {"a": value}


def test_null_is_null_and_keys_stay_words() -> None:
    assert value_of("a: ~\n30: x\nyes: y\n") == {"a": None, "30": "x", "yes": "y"}


def test_every_value_and_key_has_its_place() -> None:
    document, _ = parse_document("имя: Лис\nlist:\n  - a\n  - {b: 2}\n", "cards/x.yaml")
    assert document is not None
    assert document.locate(("имя",)).column == 6
    where = document.locate(("list", 1, "b"))
    assert (where.file, where.line, where.column, where.path) == (
        "cards/x.yaml",
        4,
        9,
        "list.1.b",
    )
    assert document.locate(("list", 1, "b"), key=True).column == 6
    assert document.locate(("list", 1, "missing")).line == 4


def test_a_bomb_of_aliases_is_refused_at_once() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]
    assert codes_of("\n".join(lines)) == ["yaml/alias"]


def test_small_aliases_may_be_used() -> None:
    assert value_of("a: &a {x: 1}\nb: *a\n") == {"a": {"x": 1}, "b": {"x": 1}}


def test_depth_is_bounded_before_the_stack_is() -> None:
    assert codes_of("[" * 500_000) == ["yaml/nesting"]


def test_what_is_well_formed_survives_a_duplicate_key() -> None:
    document, findings = parse_document("a: 1\na: {b: 2}\nc: 3\n", "x.yaml")
    assert document is not None
    assert document.value == {"a": 1, "c": 3}
    assert [finding.code for finding in findings] == ["yaml/duplicate-key"]


def test_a_file_that_may_not_be_read_is_a_finding(tmp_path: Path) -> None:
    missing = read_document(tmp_path / "none.yaml", "none.yaml")
    assert (missing[0], missing[1][0].code) == (None, "yaml/unreadable")
    locked = tmp_path / "locked.yaml"
    locked.write_text("a: 1")
    locked.chmod(0)
    if not os.access(locked, os.R_OK):
        assert read_document(locked, "locked.yaml")[1][0].code == "yaml/unreadable"


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.yaml")
    assert (
        read_document(tmp_path / "pipe.yaml", "pipe.yaml")[1][0].code
        == "yaml/unreadable"
    )


def test_fifty_megabytes_are_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "big.yaml"
    with path.open("wb") as stream:
        stream.truncate(50_000_000)
    told = read_document(path, "big.yaml")[1][0]
    assert (told.code, told.message) == (
        "yaml/too-large",
        "cannot be read: larger than 2 MB",
    )


def test_a_folder_in_the_place_of_a_file_is_called_one(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").mkdir()
    told = read_document(tmp_path / "a.yaml", "a.yaml")[1][0]
    assert (told.code, told.message) == (
        "yaml/unreadable",
        "cannot be read: it is a folder",
    )


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_a_byte_that_is_not_utf8_is_located_behind_a_byte_order_mark(
    mark: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "card.yaml"
    path.write_bytes(mark + "name: Füch".encode() + b"s\xe9\n")
    _document, (finding,) = read_document(path, "card.yaml")
    assert finding.message == "byte 0xe9 is not UTF-8 text"
    assert (finding.location.line, finding.location.column) == (1, 12)


WORDS = st.text(alphabet="abcяю-: {}[]'\"#&*!|>%@`\n\t,?", max_size=12)
TREES = st.recursive(
    WORDS | st.integers(-(10**9), 10**9) | st.booleans() | st.none(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text("abя", min_size=1, max_size=4), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(
    st.dictionaries(
        st.text("abя", min_size=1, max_size=4), TREES, min_size=1, max_size=4
    )
)
def test_what_a_writer_writes_is_what_is_read(tree: dict[str, object]) -> None:
    from io import StringIO

    stream = StringIO()
    YAML(typ="safe").dump(tree, stream)
    assert value_of(stream.getvalue()) == tree


@given(st.text(alphabet="a:-[]{}&*!|> \n\t'\"#?%,~01", max_size=40))
def test_no_text_ends_in_an_exception(text: str) -> None:
    document, findings = parse_document(text, "x.yaml")
    assert document is not None or findings
