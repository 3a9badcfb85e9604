"""Facts about the program's own source: its files, functions and words.

For the house tests only.
"""

from __future__ import annotations

import ast
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILDER = ROOT / "builder"


@cache
def modules(folder: Path = BUILDER) -> tuple[Path, ...]:
    return tuple(
        sorted(path for path in folder.rglob("*.py") if "__pycache__" not in path.parts)
    )


def place(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def functions(path: Path) -> Iterator[tuple[str, int]]:
    """Name and length in lines of each function of a module, decorators left out."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            yield (
                f"{place(path)}:{node.lineno} {node.name}",
                node.end_lineno - node.lineno + 1,
            )


def tokens(path: Path) -> Iterator[tuple[int, int, str]]:
    """Line, type and text of each token: names, strings and comments are all there."""
    with path.open("rb") as stream:
        for token in tokenize.tokenize(stream.readline):
            if token.type in (tokenize.NAME, tokenize.STRING, tokenize.COMMENT):
                yield token.start[0], token.type, token.string
