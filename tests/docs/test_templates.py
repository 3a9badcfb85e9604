"""The examples of docs/templates.md are in the packs, and it names all template calls."""

import re
from pathlib import Path

import pytest

from builder.render.html.view import FUNCTIONS

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "templates.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(
    r"^`(templates/[^`<]+)`:\n\n```\w+\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE
)


def test_each_task_has_an_example():
    tasks = TEXT.split("## How do I")[1].split("\n## ")[0].split("\n### ")[1:]
    assert [
        task.splitlines()[0]
        for task in tasks
        if "`templates/" not in task and "`{{" not in task
    ] == []
    assert len(EXAMPLES) >= len(tasks)


@pytest.mark.parametrize(
    ("name", "example"),
    EXAMPLES,
    ids=lambda value: value if value.endswith((".j2", ".css")) else "",
)
def test_an_example_stands_in_its_file(name, example):
    assert example in (ROOT / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_function_is_named(name):
    assert f"`{name}(" in TEXT
