"""Imports: no cycles, and asking for help or the version loads no heavy library."""

from __future__ import annotations

import subprocess
import sys

import grimp
import pytest

from tests.house.source import ROOT

PROBE = """
import sys
sys.argv = ["squadpress", *sys.argv[1:]]
from builder.cli.main import main
try:
    main()
except SystemExit:
    pass
print("LOADED", *sorted({name.partition(".")[0] for name in sys.modules}))
"""


@pytest.mark.parametrize(
    ("asked", "told"), [("--help", "Usage:"), ("--version", "squadpress ")]
)
def test_help_and_version_load_no_heavy_library(asked: str, told: str) -> None:
    run = subprocess.run(
        [sys.executable, "-c", PROBE, asked],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.startswith(told)
    loaded = set(run.stdout.rpartition("LOADED")[2].split())
    assert "click" in loaded
    assert (
        loaded
        & {
            "weasyprint",
            "jsonschema",
            "pikepdf",
            "pydantic",
            "ruamel",
            "jinja2",
            "fontTools",
            "PIL",
        }
        == set()
    )


def test_no_module_imports_itself_in_a_circle() -> None:
    graph = grimp.build_graph("builder", cache_dir=None)
    circles = [
        f"{module} -> {imported} -> ... -> {module}"
        for module in sorted(graph.modules)
        for imported in sorted(graph.find_modules_directly_imported_by(module))
        if imported != module and graph.chain_exists(importer=imported, imported=module)
    ]
    assert circles == []


def test_the_command_that_builds_loads_no_models_before_it_is_sure_that_something_is_to_do() -> (
    None
):
    probe = "import sys, builder.cli.build.build, builder.usecases.build.records; print(*sys.modules)"
    run = subprocess.run(
        [sys.executable, "-c", probe],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert {"pydantic", "jinja2", "ruamel"}.isdisjoint(run.stdout.split())
