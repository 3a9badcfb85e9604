"""What `make messages` finds in the program.

Calls of gettext, in f-strings too, and what click shows without a call.

A command's docstring and the `help=` of an option are English text that stands where click wants
it; builder/cli translates it when it is shown.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Collection, Iterator, Mapping
from typing import IO, Any

TEXTS = {"_": 1, "gettext": 1, "ngettext": 2, "pgettext": 2}
"""Function -> how many of its arguments are texts."""

Found = tuple[int, str, Any, list[str]]


def program(
    file: IO[bytes],
    _keywords: Collection[str],
    _tags: Collection[str],
    options: Mapping[str, Any],
) -> Iterator[Found]:
    """Messages of one module, as Babel's extraction methods give them."""
    for node in ast.walk(ast.parse(file.read())):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in TEXTS
        ):
            texts = [_text(argument) for argument in node.args[: TEXTS[node.func.id]]]
            if all(texts) and texts:
                yield (
                    node.lineno,
                    node.func.id,
                    texts if len(texts) > 1 else texts[0],
                    [],
                )
        elif isinstance(node, ast.FunctionDef) and any(
            map(_makes_command, node.decorator_list)
        ):
            yield node.lineno, "_", inspect.cleandoc(ast.get_docstring(node) or ""), []
        elif isinstance(node, ast.keyword) and node.arg == "help" and _text(node.value):
            yield node.value.lineno, "_", _text(node.value), []


def _text(node: ast.expr) -> str:
    return (
        node.value
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        else ""
    )


def _makes_command(decorator: ast.expr) -> bool:
    call = decorator.func if isinstance(decorator, ast.Call) else decorator
    return isinstance(call, ast.Attribute) and call.attr in ("command", "group")
