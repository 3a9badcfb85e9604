"""The engine's libraries are opened without a search, unless the loader misses one."""

from __future__ import annotations

import ctypes.util
import subprocess
import sys

import pytest

from builder.render.engines.weasyprint import adapter
from tests.checks.projects import ROOT

IMPORT = """
import ctypes.util, sys
def search(name):
    print("searched", name, file=sys.stderr)
ctypes.util.find_library = search
from builder.render.engines.weasyprint.adapter import check_libraries
check_libraries()
assert ctypes.util.find_library is search
"""


@pytest.mark.slow
def test_the_engine_is_imported_without_a_search():
    run = subprocess.run(
        [sys.executable, "-c", IMPORT],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stderr == "" or sys.platform != "linux"


def test_a_library_with_another_name_is_searched_for(monkeypatch):
    search = ctypes.util.find_library
    monkeypatch.setattr(adapter, "LIBRARIES", ("libof-the-moon.so.0",))
    with adapter.skip_library_search():
        assert ctypes.util.find_library is search
