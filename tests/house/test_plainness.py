"""The program reads plainly: no dense expressions, and limits on what can be counted."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.house import plainness
from tests.house.source import BUILDER, modules

MAX_TOKENS = 763_000
"""Tokens in builder/. Whoever raises it says for what in a commit of its own."""
MAX_TOKENS_PER_LINE = 8.2
MIN_VERB_FIRST_PERCENT = 95
MAX_ONE_WORD_PERCENT = 7
MAX_BARE_WORDS = 70
MIN_COMMENTS_PER_100_LINES = 1.7
MAX_ARGUMENTS = 6
FUNCTIONS_WITH_MANY_ARGUMENTS: frozenset[str] = frozenset()
"""Functions of builder/cli that still have more."""

MAX_DENSE_EXPRESSIONS: dict[str, int] = {}
"""Dense expressions that each package still has. A package that is not listed has none."""


def test_the_program_has_no_more_tokens_than_agreed() -> None:
    print(plainness.format_table())
    assert plainness.count_all_tokens() <= MAX_TOKENS
    assert plainness.measure_program().tokens_per_line <= MAX_TOKENS_PER_LINE


@pytest.mark.parametrize(
    "package", sorted({plainness.package_of(path) for path in modules()})
)
def test_a_package_has_no_more_dense_expressions_than_before(package: str) -> None:
    lines = plainness.find_dense_lines(package)
    assert len(lines) <= MAX_DENSE_EXPRESSIONS.get(package, 0), lines


def test_names_begin_with_verbs_and_name_something() -> None:
    figures = plainness.measure_program()
    assert figures.verb_first_percent >= MIN_VERB_FIRST_PERCENT
    assert figures.one_word_percent <= MAX_ONE_WORD_PERCENT
    assert figures.bare_words <= MAX_BARE_WORDS


def test_hard_code_is_commented() -> None:
    assert (
        plainness.measure_program().comments_per_100_lines >= MIN_COMMENTS_PER_100_LINES
    )


def test_only_commands_have_many_arguments() -> None:
    # ruff leaves builder/cli out, because click hands each option over as an argument.
    functions_with_many = []
    for path in modules(BUILDER / "cli"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, plainness.FUNCTIONS) or is_command(node):
                continue
            if len(node.args.args) + len(node.args.kwonlyargs) > MAX_ARGUMENTS:
                functions_with_many.append(node.name)
    assert set(functions_with_many) <= FUNCTIONS_WITH_MANY_ARGUMENTS


def is_command(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Return whether click calls the function: it has an option or is a command."""
    decorators = " ".join(
        ast.unparse(decorator) for decorator in function.decorator_list
    )
    return any(word in decorators for word in ("command", "option", "group"))


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("[x for row in rows for x in row]", [1]),
        ("[[x for x in row] for row in rows]", [1]),
        ("if (n := len(rows)) > 2:\n    pass", [1]),
        ("[x for x in rows if x]\n(x for x in rows)", []),
    ],
)
def test_dense_expressions_are_found(source: str, lines: list[int]) -> None:
    assert list(plainness.find_dense_expressions(ast.parse(source))) == lines


def test_tokens_of_docstrings_are_not_counted(tmp_path: Path) -> None:
    path = tmp_path / "sample.py"
    path.write_text(
        '"""Say a."""\nA = 1  # why\n"""The first\nletter."""\n', encoding="utf-8"
    )
    figures = plainness.measure_module(path)
    assert (figures.tokens, figures.code_lines, figures.comments, figures.lines) == (
        3,
        1,
        1,
        4,
    )


def test_names_are_counted_by_their_first_word(tmp_path: Path) -> None:
    path = tmp_path / "sample.py"
    path.write_text(
        "def load_pack(found): ...\ndef place(): ...\ndef _cards(): ...\n",
        encoding="utf-8",
    )
    figures = plainness.measure_module(path)
    assert (
        figures.functions,
        figures.verb_first,
        figures.one_word,
        figures.bare_words,
    ) == (
        3,
        2,
        2,
        1,
    )
