"""Everything that is said to a player or an author in English can be said in Russian."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from builder.store.models import BOUNDS as MODEL_BOUNDS
from builder.store.wording import TYPES
from builder.store.wording_schema import BOUNDS
from builder.tongue.russian import FORMS, TABLES
from builder.tongue.russian_files import SYSTEM
from builder.tongue.russian_yaml import SCANNER
from builder.tongue.told import Told
from builder.usecases.explain import all_codes
from tests.house.source import BUILDER, modules

FAILURES = {"UsageError", "InputUnreadable", "OutputNotWritten", "ToolMissing", "SquadpressError", "Unreachable"}


class Call(NamedTuple):
    """A call in the program: its module, its arguments by place, each with all it may be, and what is called."""

    place: str
    line: int
    args: tuple[tuple[ast.expr, ...], ...]
    name: str


@cache
def speaking() -> tuple[Call, ...]:
    return tuple(_calls())


def _calls() -> Iterator[Call]:
    for path in modules():
        place = path.relative_to(BUILDER).as_posix()
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for scope in (tree, *(node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))):
            names = {**_named(tree), **_named(scope)}
            for node in _within(scope):
                if isinstance(node, ast.Call):
                    name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
                    yield Call(place, node.lineno, tuple(tuple(_ways(arg, names)) for arg in node.args), name)


def _within(scope: ast.AST) -> Iterator[ast.AST]:
    """All nodes of a scope but those of functions in it."""
    for node in ast.iter_child_nodes(scope):
        if not isinstance(node, ast.FunctionDef):
            yield from (node, *_within(node))


def _named(scope: ast.AST) -> dict[str, list[ast.expr]]:
    """What names of a scope stand for."""
    found: dict[str, list[ast.expr]] = {}
    for node in _within(scope):
        for target in node.targets if isinstance(node, ast.Assign) else ():
            pairs = [(target, node.value)]
            if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                pairs = list(zip(target.elts, node.value.elts, strict=True))
            for name, value in pairs:
                if isinstance(name, ast.Name):
                    found.setdefault(name.id, []).append(value)
    return found


def _ways(node: ast.expr, names: dict[str, list[ast.expr]]) -> Iterator[ast.expr]:
    """What an argument may be."""
    if isinstance(node, ast.IfExp):
        yield from (*_ways(node.body, names), *_ways(node.orelse, names))
    elif isinstance(node, ast.Name) and node.id in names:
        for value in names[node.id]:
            yield from _ways(value, {})
    else:
        yield node


def constants(nodes: tuple[ast.expr, ...]) -> set[str]:
    """The texts among them."""
    return {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def gaps(form: str) -> set[str]:
    return set(re.findall(r"(?<!{){(\w+)(?:![rs])?(?::[^{}]*)?}", form))


def test_every_told_that_is_written_out_has_its_russian() -> None:
    known = {text for call in speaking() if call.name == "Told" for text in constants(call.args[0])}
    assert len(known) > 350
    assert sorted(known - FORMS.keys()) == []


def test_no_finding_and_no_failure_is_put_together_from_english_pieces() -> None:
    mixed, silent = [], []
    for call in speaking():
        if call.name not in FAILURES | {"finding"}:
            continue
        ways = [way for arg in call.args for way in arg]
        mixed += [f"{call.place}:{call.line}" for way in ways if isinstance(way, ast.JoinedStr | ast.BinOp)]
        silent += [text for text in constants(tuple(ways)) if text and text not in FORMS]
    assert (mixed, silent) == ([], [])


def test_every_remedy_of_a_finding_has_its_russian() -> None:
    said = {code.remedy for code in all_codes().values()}
    assert len(said) > 190
    assert sorted(said - FORMS.keys()) == []


def test_the_words_of_bounds_and_sorts_have_their_russian() -> None:
    forms = {*BOUNDS.values(), *(form for form, _ in MODEL_BOUNDS.values())}
    assert sorted(forms - FORMS.keys()) == []
    assert all(isinstance(word, Told) and word.form in FORMS for word in TYPES.values())


def test_both_languages_fill_the_same_gaps() -> None:
    assert [english for english, russian in FORMS.items() if gaps(english) != gaps(russian)] == []


def test_no_form_stands_in_two_tables_and_none_is_left_over() -> None:
    assert len(FORMS) == sum(len(table) for table in TABLES)
    sources = "\n".join(path.read_text(encoding="utf-8") for path in modules() if not _is_table(path))
    words = {text for call in speaking() for arg in call.args for text in constants(arg)}
    remedies = {code.remedy for code in all_codes().values()}
    lost = [
        form for form in FORMS.keys() - SCANNER.keys() - SYSTEM.keys() - words - remedies if not _stands(form, sources)
    ]
    assert sorted(lost) == []


def _is_table(path: Path) -> bool:
    return path.name.startswith("russian")


def _stands(form: str, sources: str) -> bool:
    return f'"{form}"' in sources or f"'{form}'" in sources
