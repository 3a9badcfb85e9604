"""Class names are unique, modules are concepts, cli folders match use case folders."""

from __future__ import annotations

import ast
from collections import Counter

import grimp

from tests.house.source import BUILDER, modules

CONCEPTS = {
    "checks.cards.rule_reach": "a check, which the registry finds by its folder",
    "checks.cards.texts": "a check, which the registry finds by its folder",
    "usecases.build": "one story a file, told by build",
    "render.engines.weasyprint": "one thing that is asked of the engine a file",
    "render.engines.plutoprint": "what the engine is given, and what its drawings tell",
    "render.prepress": "one thing that is done to a shop's file a file",
    "imported": "one step from a foreign roster to cards of paper a file",
    "packs.tables": "one file format, or one property of cells, a file",
    "render.cluster": "an extra whose parts run on different machines",
    "geometry.gauges": "one sort of gauge a file",
    "pdfinfo.interpret": "content streams, whatever file they come from",
    "pdfinfo.text": "the letters that a content stream shows",
    "rules": "one thing asked of a squad by its rules a file",
    "solver": "one question to the solver a file",
    "cli.imports": "a command a file; both print the same summary of a list",
    "usecases.release": "one part of what a release publishes, a file",
    "usecases.tables": "one step of an import, or one command, a file",
    "usecases.watch": "the page of watch: its cards, files and edited tables",
    "usecases.roster.storage": "a protocol that the web program keeps, too",
    "web.views": "error pages, which Django finds by its settings",
    "web.accounts": "files of an app, which its addresses name",
    "web.cards.picture_queue": "the threads and processes that make pictures",
    "web.events": "pure functions for pairings and standings, and files of an app",
    "web.collection": "files of an app, which its addresses name",
}
"""Modules, or folders of modules, that one sibling alone imports, with the reason why they stand by
themselves.
"""


FILES_WITH_SEVERAL_COMMANDS = {"tables/table.py"}


def test_no_class_name_is_given_twice() -> None:
    names = Counter(
        node.name
        for path in modules()
        if path.parent.name != "migrations"  # Django asks for one name there
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef) and node.col_offset == 0
    )
    assert not {name for name, count in names.items() if count > 1}


def test_commands_lie_in_the_folders_of_their_use_cases() -> None:
    cli, usecases = (
        {path.parent.name for path in (BUILDER / room).glob("*/*.py")}
        for room in ("cli", "usecases")
    )
    assert cli == usecases


def test_a_file_has_one_command() -> None:
    crowded = set()
    for path in modules(BUILDER / "cli"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        commands = [
            node.name
            for node in tree.body
            if isinstance(node, ast.FunctionDef)
            if any(
                ".command(" in ast.unparse(decorator)
                for decorator in node.decorator_list
            )
        ]
        if len(commands) > 1:
            crowded.add(path.relative_to(BUILDER / "cli").as_posix())
    assert crowded == FILES_WITH_SEVERAL_COMMANDS


def test_a_module_is_more_than_a_part_of_its_sibling() -> None:
    graph = grimp.build_graph("builder", cache_dir=None)
    lonely = set()
    for module in graph.modules:
        importers = graph.find_modules_that_directly_import(module)
        if (
            len(importers) == 1
            and min(importers).rpartition(".")[0] == module.rpartition(".")[0]
        ):
            lonely.add(module.removeprefix("builder."))
    kept = {
        module
        for module in lonely
        if any(f"{module}.".startswith(f"{concept}.") for concept in CONCEPTS)
    }
    assert lonely == kept
    used = {
        concept
        for concept in CONCEPTS
        if any(f"{module}.".startswith(f"{concept}.") for module in lonely)
    }
    assert used == CONCEPTS.keys(), "an exception that excuses no module"
