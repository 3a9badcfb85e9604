"""Installed as a wheel outside the repository the program is whole.

Schemas, templates, the pattern of a new game.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.house.source import ROOT

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a virtual environment with the wheel, and the packages that run these tests."""
    folder = tmp_path_factory.mktemp("wheel")
    dist, venv = folder / "dist", folder / "venv"
    done(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(dist)],
        ROOT,
    )
    (wheel,) = dist.glob("*.whl")
    done([sys.executable, "-m", "venv", "--without-pip", str(venv)], folder)
    python = venv / "bin" / "python"
    done(
        [
            sys.executable,
            "-m",
            "pip",
            "--python",
            str(python),
            "install",
            "-q",
            "--no-index",
            "--no-deps",
            str(wheel),
        ],
        folder,
    )
    place = done(
        [str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        folder,
    ).stdout.strip()
    # Paths named in a .pth file are searched, but .pth files lying there are not read: the
    # repository stays unknown.
    (Path(place) / "packages.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return venv


def done(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    clean = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("PYTHON")
    }
    run = subprocess.run(
        command, cwd=folder, env=clean, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, f"{command}\n{run.stdout}\n{run.stderr}"
    return run


def test_a_new_game_checks_and_builds(environment: Path, tmp_path: Path) -> None:
    squadpress = str(environment / "bin" / "squadpress")
    done([squadpress, "new", "mygame"], tmp_path)
    game = tmp_path / "mygame"
    done([squadpress, "check"], game)
    done([squadpress, "build"], game)
    assert list((game / "output").rglob("*.pdf"))


def test_the_program_is_the_installed_one(environment: Path, tmp_path: Path) -> None:
    run = done(
        [
            str(environment / "bin" / "python"),
            "-c",
            "import builder; print(builder.__file__)",
        ],
        tmp_path,
    )
    assert Path(run.stdout.strip()).is_relative_to(environment)


def test_every_command_can_be_imported(environment: Path, tmp_path: Path) -> None:
    squadpress = str(environment / "bin" / "squadpress")
    listed = done([squadpress, "--help"], tmp_path).stdout.partition("Commands:")[2]
    for line in listed.splitlines():
        if line.startswith("  ") and not line.startswith("   "):
            assert (
                "Usage:"
                in done([squadpress, line.split()[0], "--help"], tmp_path).stdout
            )


def test_the_catalogues_came_along(environment: Path, tmp_path: Path) -> None:
    squadpress = str(environment / "bin" / "squadpress")
    assert done(
        [squadpress, "--interface-lang", "de", "--help"], tmp_path
    ).stdout.startswith("Aufruf: ")
    assert (
        "Команды"
        in done([squadpress, "--interface-lang", "ru", "--help"], tmp_path).stdout
    )


def test_it_serves_squads_of_a_new_game(environment: Path, tmp_path: Path) -> None:
    squadpress = str(environment / "bin" / "squadpress")
    done([squadpress, "new", "mygame"], tmp_path)
    command = [squadpress, "serve", "--port", "0", "--data", str(tmp_path / "data")]
    with subprocess.Popen(
        command, cwd=tmp_path / "mygame", stdout=subprocess.PIPE, text=True
    ) as server:
        try:
            assert server.stdout is not None
            found = re.search(r"http://\S+:\d+", server.stdout.readline())
            assert found is not None
            page = urlopen(f"{found[0]}/games/mygame").read().decode()
            asked = {
                name
                for name in re.findall(r'(?:href|src)="(/[^"]+)"', page)
                if "static" in name or "cards" in name
            }
            assert any(name.endswith(".css") or ".css?" in name for name in asked)
            assert {urlopen(found[0] + name).status for name in asked} == {200}
        finally:
            server.terminate()
