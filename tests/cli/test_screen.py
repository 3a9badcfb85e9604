"""Long lines on a terminal break between words and hang; a pipe gets them whole."""

import io

from rich.console import Console
from rich.text import Text

from builder.cli.console import print_wrapped

LINE = "    1. remove Patrolman and give Shield to the Shieldbearer (changes: 2)"


def printed(line: Text | str, hang: int, terminal: bool, width: int = 30) -> list[str]:
    told = io.StringIO()
    print_wrapped(
        Console(file=told, force_terminal=terminal, width=width, color_system=None),
        line,
        hang,
    )
    return told.getvalue().splitlines()


def test_a_terminal_gets_lines_that_fit_and_hang() -> None:
    lines = printed(LINE, 8, True)
    assert lines[0] == "    1. remove Patrolman and"
    assert all(len(line) <= 30 for line in lines)
    assert all(line.startswith(" " * 8) and line[8] != " " for line in lines[1:])
    assert " ".join(" ".join(lines).split()) == LINE.strip()


def test_a_pipe_gets_the_line_whole() -> None:
    assert printed(LINE, 8, False) == [LINE]


def test_lines_of_one_text_begin_each_on_its_own_and_signs_are_no_markup() -> None:
    assert printed("[red] one\n    a hint", 6, True) == ["[red] one", "    a hint"]
    assert printed("short", 4, True) == ["short"]


def test_a_word_longer_than_the_line_is_cut_and_not_lost() -> None:
    lines = printed("a " + "b" * 50, 4, True)
    assert "".join(lines).replace(" ", "") == "a" + "b" * 50
