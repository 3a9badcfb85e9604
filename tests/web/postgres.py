"""A PostgreSQL server of its own, for tests and measurements."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

INITDB = next(iter(sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))), None)
"""The program that makes a database. None where PostgreSQL is not installed."""


@contextmanager
def run_postgres() -> Iterator[str]:
    """Provide the address of a database of its own, in a folder that is gone afterwards.

    Its server refuses to be root.
    """
    assert INITDB is not None
    user = (
        ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        if os.geteuid() == 0
        else []
    )
    folder = Path(tempfile.mkdtemp(prefix="squadpress-postgres-"))
    if user:
        known = pwd.getpwnam("postgres")
        os.chown(folder, known.pw_uid, known.pw_gid)
    folder.chmod(0o711)
    control = [
        *user,
        str(INITDB.with_name("pg_ctl")),
        "-D",
        str(folder / "db"),
        "-w",
        "-s",
    ]
    options = (
        f"-c listen_addresses='' -c unix_socket_directories='{folder}' -c fsync=off"
    )
    made = [
        *user,
        str(INITDB),
        "-D",
        str(folder / "db"),
        "-A",
        "trust",
        "-U",
        "squadpress",
    ]
    subprocess.run(made, cwd="/", check=True, stdout=subprocess.DEVNULL)
    subprocess.run(
        [*control, "-l", str(folder / "log"), "-o", options, "start"],
        cwd="/",
        check=True,
    )
    try:
        yield f"postgres://squadpress@{str(folder).replace('/', '%2F')}/postgres"
    finally:
        subprocess.run([*control, "-m", "immediate", "stop"], cwd="/", check=True)
        shutil.rmtree(folder)
