"""What the machine lacks or forbids is said plainly.

No trace, no half-written file, the right exit code.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.checks.projects import ROOT

pytestmark = pytest.mark.slow
COLD = True

WITHOUT_LIBRARY = """
import cffi
found = cffi.FFI.dlopen
def dlopen(self, name, *rest):
    if "{missing}" in name:
        raise OSError(f"cannot load library {{name!r}}")
    return found(self, name, *rest)
cffi.FFI.dlopen = dlopen
"""

WITHOUT_PACKAGE = """
import sys
sys.modules["{missing}"] = None
"""

WITHOUT_FONT = """
from builder.render import fonts
fonts.PACKAGES = ("font_{missing}",)
"""


def run(
    program: str, missing: str, project: Path, workers: int
) -> subprocess.CompletedProcess[str]:
    """Return a build in whose every process, whoever begins it, something is missing."""
    folder = project / "missing"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(
        program.format(missing=missing), encoding="utf-8"
    )
    command = [
        sys.executable,
        "-m",
        "builder",
        "build",
        "--project",
        str(project),
        "--workers",
        str(workers),
    ]
    env = {**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}"}
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, env=env
    )


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(
    ("engine", "program", "missing", "remedy"),
    [
        ("weasyprint", WITHOUT_LIBRARY, "pango-1.0", "apt-get install libpango-1.0-0"),
        (
            "weasyprint",
            WITHOUT_LIBRARY,
            "harfbuzz-subset",
            "apt-get install libharfbuzz-subset0",
        ),
        ("weasyprint", WITHOUT_FONT, "of-the-moon", "pip install font-of-the-moon"),
        ("plutoprint", WITHOUT_PACKAGE, "plutoprint", "pip install 'plutoprint<0.24'"),
        ("plutoprint", WITHOUT_FONT, "of-the-moon", "pip install font-of-the-moon"),
    ],
    indirect=["engine"],
)
def test_what_is_not_installed_is_named_with_its_fix(
    lanterns, program, missing, remedy, workers
):
    done = run(program, missing, lanterns.root, workers)
    assert done.returncode == 4, done.stderr
    assert missing in done.stderr.lower()
    assert remedy in done.stderr
    assert "Traceback" not in done.stderr
    assert "WeasyPrint" not in done.stdout
    assert not (lanterns.root / "output").exists()


def test_where_no_cache_can_be_written_cards_are_built_all_the_same(lanterns, build):
    before = [file.path.read_bytes() for file in build(lanterns).files]
    shutil.rmtree(lanterns.root / ".cache")
    (lanterns.root / ".cache").touch()
    again = build(lanterns)
    assert again.rendered_count > 0
    assert [file.path.read_bytes() for file in again.files] == before
    assert not lanterns.cache_dir.is_relative_to(lanterns.root)
