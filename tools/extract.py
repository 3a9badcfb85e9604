"""What `make messages` finds in Python: the calls that gettext knows, and what click shows of commands without a call.

A command's docstring and the `help=` of options are English text that stands where click wants it; builder/cli
translates it when it is shown.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Collection, Iterator, Mapping
from typing import IO, Any

from babel.messages.extract import extract_python

Found = tuple[int, str | None, Any, list[str]]


def program(
    file: IO[bytes], keywords: Mapping[str, Any], comment_tags: Collection[str], options: Mapping[str, Any]
) -> Iterator[Found]:
    """Messages of one module."""
    tree = ast.parse(file.read())
    file.seek(0)
    yield from extract_python(file, keywords, comment_tags, options)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and any(_makes_command(one) for one in node.decorator_list):
            text = inspect.cleandoc(ast.get_docstring(node, clean=False) or "")
            yield node.lineno, None, text, []
        elif isinstance(node, ast.keyword) and node.arg == "help" and isinstance(node.value, ast.Constant):
            yield node.value.lineno, None, node.value.value, []


def _makes_command(decorator: ast.expr) -> bool:
    call = decorator.func if isinstance(decorator, ast.Call) else decorator
    return isinstance(call, ast.Attribute) and call.attr in ("command", "group")
