"""Processes that set cards: they load the engine once, and none outlives the build."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.checks.projects import ROOT

pytestmark = pytest.mark.slow

SETTING = """
import os, time
from builder.render.engine.weasyprint import engine
lay = engine.Engine.lay
def slow(*arguments):
    open(os.environ["REACHED"], "w").close()
    time.sleep(3)
    return lay(*arguments)
engine.Engine.lay = slow
"""
"""What holds a build up in the middle, in each of its processes."""


def begin(project: Path, **env: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "builder", "build", "--project", str(project), "--workers", "2", "--quiet"]
    env = {**os.environ, "PYTHONPATH": str(ROOT), **env}
    return subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env, start_new_session=True
    )


def marked(name: str) -> list[int]:
    """Processes that were begun with this in their surroundings."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if name.encode() in (folder / "environ").read_bytes():
                found.append(int(folder.name))
        except OSError:
            continue
    return found


def files(project: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in (project / "output").rglob("*.pdf")}


def test_a_cold_build_makes_the_files_of_one_process(lanterns, tmp_path):
    together = begin(lanterns.root)
    assert together.communicate() == (b"", b"")
    made = files(lanterns.root)
    (lanterns.root / "output").rename(tmp_path / "output")
    lanterns.cache_dir.rename(tmp_path / "cache")
    command = [sys.executable, "-m", "builder", "build", "--project", str(lanterns.root), "--workers", "1", "--quiet"]
    subprocess.run(command, cwd=ROOT, check=True)
    assert files(lanterns.root) == made != {}


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_process_outlives_a_build_that_was_ended(lanterns, tmp_path, end):
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(SETTING, encoding="utf-8")
    reached, name = tmp_path / "reached", f"SQUADPRESS_TEST={tmp_path}"
    paths = f"{tmp_path / 'site'}{os.pathsep}{ROOT}"
    build = begin(lanterns.root, PYTHONPATH=paths, REACHED=str(reached), SQUADPRESS_TEST=str(tmp_path))
    while not reached.exists():
        assert build.poll() is None
        time.sleep(0.05)
    assert len(marked(name)) >= 3
    if end == signal.SIGINT:  # a terminal tells all of them
        os.killpg(build.pid, end)
    else:
        build.send_signal(end)
    assert b"Traceback" not in build.communicate()[1]
    for _ in range(1200):
        if not marked(name):
            break
        time.sleep(0.05)
    assert marked(name) == []


def test_the_process_that_others_are_forked_from_never_hears_an_interruption(tmp_path: Path) -> None:
    asked = (
        "import sys; from pathlib import Path; from multiprocessing import forkserver; from builder.render import pool;"
        "pool.prepare(Path(sys.argv[1]));"
        "print(Path(f'/proc/{forkserver._forkserver._forkserver_pid}/status').read_text())"
    )
    told = subprocess.check_output([sys.executable, "-c", asked, str(tmp_path)], cwd=ROOT, text=True)
    ignored = int(told.split("SigIgn:")[1].split()[0], 16)
    assert ignored >> (signal.SIGINT - 1) & 1
