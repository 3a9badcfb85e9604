"""Copies all squads into one file and restores them, both while the server is running."""

import os
import sqlite3
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from builder.errors import InputUnreadable, UsageError
from builder.files import write_atomic
from builder.messages import describe_os_error, gettext as _
from builder.web.environment import (
    DATA,
    DATABASE,
    PrivateConnection,
    configure_database,
    load_secret_key,
    make_data_folder,
)

DATABASE_NAME, SECRET_NAME = "squads.sqlite3", "secret"
"""The files of a backup. Without the secret key, links and cookies would open nothing."""


def write_backup(target: Path, environment: Mapping[str, str] = os.environ) -> None:
    """Write a backup file that only its owner can read. PostgreSQL raises UsageError."""
    folder = make_data_folder(environment)
    live = _find_database(folder, environment)
    if not live.exists():
        message = _("{folder} contains no squads", folder=folder)
        raise UsageError(message, _("Give the folder with --data."))
    with TemporaryDirectory(prefix="squadpress-") as temporary:
        archive = Path(temporary) / "backup"
        copy = Path(temporary) / DATABASE_NAME
        _copy_database(live, copy)
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
            file.write(copy, DATABASE_NAME)
            file.writestr(SECRET_NAME, load_secret_key(folder))
        write_atomic(target, archive.read_bytes(), private=True)


def restore_backup(source: Path, environment: Mapping[str, str] = os.environ) -> bool:
    """Replace all squads by those of a backup, after migrating its tables.

    Return True if the secret key has changed.

    Running servers must be restarted then. The database is replaced in one transaction: readers see
    the old or the new one. Raise InputUnreadable for a file that is no backup. Nothing is changed
    in this case.
    """
    folder = make_data_folder(environment)
    live = _find_database(folder, environment)
    with TemporaryDirectory(prefix="squadpress-") as temporary:
        copy = Path(temporary) / DATABASE_NAME
        try:
            with zipfile.ZipFile(source) as file:
                copy.write_bytes(file.read(DATABASE_NAME))
                secret = file.read(SECRET_NAME).decode("ascii")
            # Checks and migrations use the copy, so that a bad backup leaves the live squads as
            # they are.
            _check_database(copy)
            _migrate_copy(copy, environment)
        except OSError as error:
            message = _(
                "{path} cannot be read: {reason}",
                path=source,
                reason=describe_os_error(error),
            )
            raise InputUnreadable(
                message, _("Give a file that --backup wrote.")
            ) from error
        except (
            zipfile.BadZipFile,
            KeyError,
            ValueError,
            sqlite3.Error,
            subprocess.CalledProcessError,
        ) as error:
            message = _("{path} is not a backup of squads", path=source)
            raise InputUnreadable(
                message, _("Give a file that --backup wrote.")
            ) from error
        is_new_secret = load_secret_key(folder) != secret
        _copy_database(copy, live)
    if is_new_secret:
        write_atomic(folder / SECRET_NAME, secret.encode("ascii"), private=True)
    return is_new_secret


def _find_database(folder: Path, environment: Mapping[str, str]) -> Path:
    settings = configure_database(folder, environment)
    if "sqlite3" not in str(settings["ENGINE"]):
        command = f'pg_dump --format=custom --file FILE "${DATABASE}"'
        hint = _("Use PostgreSQL's own tools: {command}", command=command)
        raise UsageError(_("the squads are stored in PostgreSQL"), hint)
    return Path(str(settings["NAME"]))


def _copy_database(old: Path, new: Path) -> None:
    """Copy one SQLite database over another. An interruption damages neither."""
    with closing(_connect(old)) as source, closing(_connect(new)) as target:
        # SQLite's own copy works while a server uses the databases.
        source.backup(target)


def _connect(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(file, timeout=20, factory=PrivateConnection)


def _check_database(database: Path) -> None:
    """Raise ValueError or sqlite3.Error if a file is not a complete squad database."""
    with closing(sqlite3.connect(database)) as connection:
        (state,) = connection.execute("PRAGMA integrity_check").fetchone()
        connection.execute("SELECT id, owner, text FROM squadpress_savedsquad LIMIT 1")
    if state != "ok":
        raise ValueError(state)


def _migrate_copy(database: Path, environment: Mapping[str, str]) -> None:
    """Migrate the tables of a database copy, in a separate process with its own data folder.

    Raise CalledProcessError for tables that no version of this program has made.
    """
    settings = {
        DATA: str(database.parent),
        "DJANGO_SETTINGS_MODULE": "builder.web.settings",
    }
    command = [sys.executable, "-m", "django", "migrate", "--verbosity", "0"]
    subprocess.run(command, env={**os.environ, **environment, **settings}, check=True)
