"""What holds squads can be read by its owner alone from the moment it exists.

Every script here runs with a mask that lets everybody read new files, and without `chmod`: a file
that is closed only after it was written stays open and is found.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.source import ROOT

pytestmark = pytest.mark.slow
OPEN = """
import os, runpy, sys
os.umask(0)
os.chmod = os.fchmod = lambda *args, **named: None
"""
SERVER = f"""{OPEN}
import django
django.setup()
from dataclasses import asdict
from pathlib import Path
from django.core.management import call_command
from django.conf import settings
from builder.web.backup import restore_backup, write_backup
from builder.web.squads.models import PrintJob, SavedSquad
from builder.web.squads.print_queue import PrintRequest, get_job_file
from builder.web.squads.storage import _lock_writes
call_command("migrate", verbosity=0)
text = "pack: hydrophilia\\nname: X\\nentries: [{{card: captain-davis}}]\\n"
with _lock_writes():
    squad = SavedSquad.objects.create(owner="a", pack="hydrophilia", text=text)
job = PrintJob(owner="a", squad=squad, text=text, wish=asdict(PrintRequest("hydrophilia", "en", what="sheet")))
job.save(force_insert=True)
call_command("print_jobs")
assert get_job_file(job).is_file()
write_backup(Path(settings.DATA, "backups", "copy.zip"))
restore_backup(Path(settings.DATA, "backups", "copy.zip"), {{"SQUADPRESS_DATA": str(Path(settings.DATA, "restored"))}})
for name in sorted(Path(settings.DATA).rglob("*")):
    print(name.relative_to(settings.DATA), oct(name.stat().st_mode & 0o777))
"""


def run(script: str, data: Path, *args: str) -> dict[str, str]:
    """Run a script; the modes that it printed, by file."""
    known = {
        "DJANGO_SETTINGS_MODULE": "builder.web.settings",
        "SQUADPRESS_DATA": str(data),
    }
    known["SQUADPRESS_PROJECT"] = str(ROOT)
    command = [sys.executable, "-c", script, *args]
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, **known}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return dict(line.rsplit(" ", 1) for line in done.stdout.splitlines())


def test_databases_backups_and_prints_are_private_as_soon_as_they_exist(
    tmp_path: Path,
) -> None:
    data = tmp_path / "data"
    data.mkdir()
    data.chmod(0o777)
    modes = run(SERVER, data)
    wanted = {
        "squads.sqlite3",
        "squads.sqlite3-wal",
        "squads.sqlite3-shm",
        "secret",
        "write.lock",
        "prints",
        "backups/copy.zip",
        "restored",
        "restored/squads.sqlite3",
        "restored/secret",
    }
    assert wanted <= set(modes)
    assert any(name.startswith("prints/") and name.endswith(".pdf") for name in modes)
    private = {
        name: mode for name, mode in modes.items() if name != "backups"
    }  # a folder of the user's own
    assert [name for name, mode in private.items() if int(mode, 8) & 0o077] == []


def test_files_that_an_earlier_version_left_open_are_closed(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    for name in ("squads.sqlite3", "write.lock"):
        (data / name).touch()
        (data / name).chmod(0o644)
    (data / "prints").mkdir(mode=0o755)
    run(SERVER.replace("os.chmod = os.fchmod =", "unused ="), data)
    assert [
        name
        for name in ("squads.sqlite3", "write.lock", "prints")
        if (data / name).stat().st_mode & 0o077
    ] == []


def test_the_key_of_a_seal_is_private_as_soon_as_it_exists(tmp_path: Path) -> None:
    squad = tmp_path / "squad.yaml"
    shutil.copy(ROOT / "cards/hydrophilia/rosters/legal-varga-drones.yaml", squad)
    program = "sys.argv[:1] = ['squadpress']\nrunpy.run_module('builder', run_name='__main__')"
    command = [
        sys.executable,
        "-c",
        f"{OPEN}\n{program}",
        "roster",
        "seal",
        str(squad),
        "--project",
        str(ROOT),
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "squad.key.json").stat().st_mode & 0o077 == 0
