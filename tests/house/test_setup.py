"""tools/setup.sh asks for what is absent, by name, and for nothing else.

Tried with stand-ins for other tools.
"""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.house.source import ROOT

PYTHON = """#!/bin/sh
case "$*" in
  *"version_info <"*) exit 0 ;;
  *CDLL*) for lib; do :; done; [ ! -e "$MACHINE/absent/$lib" ] ;;
  *ensurepip*) [ ! -e "$MACHINE/absent/venv" ] && [ ! -e "$0 has no venv" ] ;;
  *-venv*) echo python3.11-venv ;;
  "-m venv"*) mkdir -p "$3/bin"; cp "$0" "$3/bin/python"; echo "${0#"$MACHINE/"}" > "$3/of" ;;
esac
"""

APT = """#!/bin/sh
case "$1 $2" in
  "install -s") [ -e "$MACHINE/lists" ]; exit ;;
  update*) touch "$MACHINE/lists"; echo update >> "$MACHINE/log" ;;
  install*) [ -e "$MACHINE/lists" ] || exit 100
    [ "$6" = DPkg::Lock::Timeout=600 ] || exit 100
    shift 6; echo install "$@" >> "$MACHINE/log" ;;
esac
"""

BREW = """#!/bin/sh
case "$1" in
  list) [ "$2" = harfbuzz ] || [ "$2" = ghostscript ] ;;
  install) echo install "$2" >> "$MACHINE/log" ;;
esac
"""


@dataclass
class Machine:
    """A folder with all tools of a machine, missing libraries, and installed packages."""

    folder: Path

    def tool(self, name: str, text: str) -> Path:
        path = self.folder / "bin" / name
        path.write_text(text, encoding="utf-8")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return path

    def misses(self, *names: str) -> None:
        for name in names:
            (self.folder / "absent" / name).touch()

    def set_up(self, **settings: str) -> subprocess.CompletedProcess[str]:
        environment = {
            "PATH": str(self.folder / "bin"),
            "MACHINE": str(self.folder),
            **settings,
        }
        script = ["/bin/sh", str(ROOT / "tools/setup.sh"), "some.lock"]
        return subprocess.run(
            script,
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    @property
    def chosen(self) -> str:
        """The Python that made the virtual environment."""
        return (self.folder / ".venv/of").read_text(encoding="utf-8").strip()

    @property
    def log(self) -> list[str]:
        path = self.folder / "log"
        return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    made = Machine(tmp_path)
    for folder in ("bin", "absent", "system"):
        (tmp_path / folder).mkdir()
    for name in ("tr", "env", "mkdir", "cp", "rm", "touch", "sh"):
        real = shutil.which(name, path=os.defpath)
        assert real is not None
        (tmp_path / "bin" / name).symlink_to(real)
    made.tool("uname", "#!/bin/sh\necho Linux\n")
    made.tool("id", "#!/bin/sh\necho 0\n")
    made.tool("getconf", '#!/bin/sh\n[ "$1" = PATH ] && echo "$MACHINE/system"\n')
    made.tool("apt-get", APT)
    made.tool("python3", PYTHON)
    made.tool("gs", "")
    return made


@pytest.fixture
def system_python(machine: Machine) -> Path:
    """Return the distribution's Python while PATH leads to another one first."""
    return machine.tool("../system/python3", PYTHON)


def test_a_machine_that_has_everything_is_asked_for_nothing(machine: Machine) -> None:
    run = machine.set_up()
    assert (run.returncode, machine.log) == (0, [])
    assert (machine.folder / ".venv/bin/python").exists()


def test_only_what_is_absent_is_installed_and_the_lists_are_left_alone(
    machine: Machine,
) -> None:
    machine.misses("libharfbuzz-subset.so.0", "venv")
    (machine.folder / "lists").touch()
    assert machine.set_up().returncode == 0
    assert machine.log == ["install libharfbuzz-subset0 python3.11-venv"]


def test_ghostscript_is_installed_because_orders_measure_ink_with_it(
    machine: Machine,
) -> None:
    (machine.folder / "bin/gs").unlink()
    (machine.folder / "lists").touch()
    assert machine.set_up().returncode == 0
    assert machine.log == ["install ghostscript"]


def test_a_machine_without_package_lists_fetches_them_once(machine: Machine) -> None:
    machine.misses("libpango-1.0.so.0")
    assert machine.set_up().returncode == 0
    assert machine.log == ["update", "install libpango-1.0-0"]


def test_python_itself_is_installed(machine: Machine) -> None:
    (machine.folder / "bin/python3").rename(machine.folder / "python3")
    machine.tool(
        "apt-get",
        APT.replace("shift 6;", 'shift 6; cp "$MACHINE/python3" "$MACHINE/bin";'),
    )
    run = machine.set_up()
    assert run.returncode == 0, run.stderr
    assert machine.log == ["update", "install python3 python3-venv"]


@pytest.mark.parametrize(
    ("tool", "text", "told"),
    [
        ("id", "#!/bin/sh\necho 1000\n", "root is needed"),
        ("apt-get", "", "missing: libpango-1.0-0"),
    ],
)
def test_a_machine_where_nothing_can_be_installed_says_what_to_do(
    machine: Machine, tool: str, text: str, told: str
) -> None:
    machine.misses("libpango-1.0.so.0")
    machine.tool(tool, text)
    if not text:
        (machine.folder / "bin" / tool).unlink()
    run = machine.set_up()
    assert run.returncode == 4
    assert told in run.stderr
    assert "Traceback" not in run.stderr


def test_a_mac_asks_homebrew(machine: Machine) -> None:
    machine.tool("uname", "#!/bin/sh\necho Darwin\n")
    machine.tool("brew", BREW)
    run = machine.set_up()
    assert run.returncode == 0, run.stderr
    assert machine.log == ["install pango"]


@pytest.mark.usefixtures("system_python")
def test_the_systems_own_python_is_preferred_to_the_first_in_the_path(
    machine: Machine,
) -> None:
    assert machine.set_up().returncode == 0
    assert (machine.chosen, machine.log) == ("system/python3", [])


@pytest.mark.usefixtures("system_python")
def test_a_python_that_is_named_is_taken(machine: Machine) -> None:
    machine.tool("mine", PYTHON)
    (machine.folder / "bin/mine has no venv").touch()
    (machine.folder / "lists").touch()
    assert machine.set_up(PYTHON=str(machine.folder / "bin/mine")).returncode == 0
    assert (machine.chosen, machine.log) == ("bin/mine", ["install python3.11-venv"])


def test_a_system_without_its_package_for_venv_leaves_the_work_to_another_python(
    machine: Machine, system_python: Path
) -> None:
    system_python.with_name("python3 has no venv").touch()
    assert machine.set_up().returncode == 0
    assert (machine.chosen, machine.log) == ("bin/python3", [])


def test_a_system_whose_python_is_too_old_leaves_the_work_to_another(
    machine: Machine, system_python: Path
) -> None:
    system_python.write_text(
        PYTHON.replace('<"*) exit 0', '<"*) exit 1'), encoding="utf-8"
    )
    assert machine.set_up().returncode == 0
    assert machine.chosen == "bin/python3"


@pytest.mark.usefixtures("system_python")
def test_where_no_python_has_venv_the_systems_own_gets_it(machine: Machine) -> None:
    machine.misses("venv")
    (machine.folder / "lists").touch()
    assert machine.set_up().returncode == 0
    assert (machine.chosen, machine.log) == (
        "system/python3",
        ["install python3.11-venv"],
    )


@pytest.mark.usefixtures("system_python")
def test_a_mac_takes_the_python_of_the_path(machine: Machine) -> None:
    machine.tool("uname", "#!/bin/sh\necho Darwin\n")
    machine.tool("brew", BREW)
    assert machine.set_up().returncode == 0
    assert machine.chosen == "bin/python3"
