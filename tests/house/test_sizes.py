"""Short functions, and an empty root package."""

from __future__ import annotations

from tests.house.source import BUILDER, functions, modules


def test_no_function_is_longer_than_sixty_lines() -> None:
    assert [name for path in modules() for name, lines in functions(path) if lines > 60] == []


def test_the_root_package_holds_nothing() -> None:
    assert (BUILDER / "__init__.py").read_text(encoding="utf-8") == ""
