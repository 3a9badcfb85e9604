"""A copy of all squads in one file, and back again, both while the pages are served."""

import os
import sqlite3
import zipfile
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from builder.errors import InputUnreadable, UsageError
from builder.files import write_atomic
from builder.messages import gettext as _, os_error
from builder.web.environment import DATABASE, PrivateConnection, data_folder, database, secret_key

SQUADS, SECRET = "squads.sqlite3", "secret"
"""What the file holds: the database, and the secret without which links and browsers are strangers."""


def backup(target: Path, environment: Mapping[str, str] = os.environ) -> None:
    """Write the copy, for its owner alone to read. UsageError where another program does that."""
    folder = data_folder(environment)
    live = _file(folder, environment)
    if not live.exists():
        raise UsageError(
            _("there are no squads in {folder}", folder=folder), _("Name the folder with --data.")
        )
    with TemporaryDirectory(prefix="squadpress-") as made:
        whole, squads = Path(made) / "backup", Path(made) / SQUADS
        _copy(live, squads)
        with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as file:
            file.write(squads, SQUADS)
            file.writestr(SECRET, secret_key(folder))
        write_atomic(target, whole.read_bytes(), private=True)


def restore(source: Path, environment: Mapping[str, str] = os.environ) -> bool:
    """Put a copy in the place of what is there; True where servers that run must begin anew, for their secret changed.

    The database is replaced in one transaction: whoever reads sees the old or the new. Raises InputUnreadable for what
    is no copy; nothing is changed then.
    """
    folder = data_folder(environment)
    live = _file(folder, environment)
    with TemporaryDirectory(prefix="squadpress-") as made:
        squads = Path(made) / SQUADS
        try:
            with zipfile.ZipFile(source) as file:
                squads.write_bytes(file.read(SQUADS))
                secret = file.read(SECRET).decode("ascii")
            _whole(squads)
        except OSError as error:
            message = _("{path} cannot be read: {reason}", path=source, reason=os_error(error))
            raise InputUnreadable(message, _("Name a file that --backup wrote.")) from error
        except (zipfile.BadZipFile, KeyError, ValueError, sqlite3.Error) as error:
            message = _("{path} is no copy of squads", path=source)
            raise InputUnreadable(message, _("Name a file that --backup wrote.")) from error
        changed = secret_key(folder) != secret
        _copy(squads, live)
    if changed:
        write_atomic(folder / SECRET, secret.encode("ascii"), private=True)
    return changed


def _file(folder: Path, environment: Mapping[str, str]) -> Path:
    named = database(folder, environment)
    if "sqlite3" not in str(named["ENGINE"]):
        remedy = _(
            "Use its own tools: {command}",
            command=f'pg_dump --format=custom --file FILE "${DATABASE}"',
        )
        raise UsageError(_("the squads are in PostgreSQL"), remedy)
    return Path(str(named["NAME"]))


def _copy(old: Path, new: Path) -> None:
    """One database over another, each whole at every moment."""
    with closing(_connect(old)) as source, closing(_connect(new)) as target:
        source.backup(target)


def _connect(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(file, timeout=20, factory=PrivateConnection)


def _whole(squads: Path) -> None:
    """ValueError for what is not a whole database of squads."""
    with closing(sqlite3.connect(squads)) as opened:
        (state,) = opened.execute("PRAGMA integrity_check").fetchone()
        opened.execute("SELECT id, owner, text FROM squadpress_savedsquad LIMIT 1")
    if state != "ok":
        raise ValueError(state)
