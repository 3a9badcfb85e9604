"""What is handed from one function to another has a type.

No signature says Any, by itself or by another name.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.house.source import modules, place

ENGINES_FOLDER = "builder/render/engines/"
FOREIGN_FILES = (
    "builder/pdf.py",
    "builder/packs/tables/workbook.py",
    "builder/packs/tables/write.py",
)
"""An engine (in a folder of its own), PDF libraries and openpyxl say Any themselves."""


def _says_any(node: ast.AST) -> bool:
    """Return True where a type says Any, a type in quotes among them."""
    return any(
        (isinstance(part, ast.Name) and part.id == "Any")
        or (isinstance(part, ast.Attribute) and part.attr == "Any")
        or (
            isinstance(part, ast.Constant)
            and isinstance(part.value, str)
            and _says_any(_parsed(part.value))
        )
        for part in ast.walk(node)
    )


def _parsed(text: str) -> ast.AST:
    try:
        return ast.parse(text)
    except SyntaxError:
        return ast.Constant(None)


def _types(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield the types of all signatures of a module, and what its own names of types stand for."""
    for node in ast.walk(tree):
        if isinstance(node, ast.arg) and node.annotation is not None:
            yield node.annotation
        elif (
            isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            and node.returns is not None
        ):
            yield node.returns
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(
            node.value, ast.Name | ast.Subscript | ast.BinOp
        ):
            yield node.value


def _foreign(path: Path) -> bool:
    inside = place(path).removeprefix(ENGINES_FOLDER)
    return place(path) in FOREIGN_FILES or (inside != place(path) and "/" in inside)


def test_no_signature_says_any() -> None:
    found = {
        place(path)
        for path in modules()
        if not _foreign(path)
        and any(map(_says_any, _types(ast.parse(path.read_text(encoding="utf-8")))))
    }
    assert not found


def test_any_is_found_however_it_is_said() -> None:
    told = (
        "x: Any",
        "x: 'list[Any]'",
        "*, x: typing.Any = 1",
        "*x: Any",
        "x: int | Any",
    )
    assert all(
        any(map(_says_any, _types(ast.parse(f"def f({words}): ...")))) for words in told
    )
    assert any(map(_says_any, _types(ast.parse("Bag = dict[str, Any]"))))
    assert not any(
        map(
            _says_any,
            _types(ast.parse("def f(x: 'Anything') -> object:\n    y: Any = x")),
        )
    )
