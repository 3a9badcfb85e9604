"""Settings from environment variables: folders, address, secret key and database of a server."""

import os
import secrets
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import SplitResult, unquote, urlsplit

from platformdirs import user_data_path

from builder.errors import UsageError
from builder.files import make_private_file
from builder.messages import gettext as _

DATA = "SQUADPRESS_DATA"
"""The variable with the folder of squads, pictures and the secret key."""
PROJECT = "SQUADPRESS_PROJECT"
"""The variable with the folder of the packs."""
ORIGIN = "SQUADPRESS_ORIGIN"
"""The variable with the public address, such as `https://squads.example.org`."""
HOST = "SQUADPRESS_HOST"
"""The variable with the address that the server listens to."""
DATABASE = "DATABASE_URL"
"""The variable with the database, such as `postgres://user:password@host/name`."""
PRIVATE = "SQUADPRESS_PRIVATE"
"""The variable that is not empty if imported packs are shown."""
LOOPBACK_HOSTS = ("localhost", "127.0.0.1", "[::1]")


def make_data_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """Return the data folder of the server, and create it. Only its owner can read it."""
    folder_name = environment.get(DATA) or user_data_path("squadpress", appauthor=False)
    folder = Path(folder_name).resolve()
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


def shows_private_packs(environment: Mapping[str, str] = os.environ) -> bool:
    """Return True if the server shows imported packs. A public server never does."""
    return bool(environment.get(PRIVATE)) and not environment.get(ORIGIN)


def load_secret_key(folder: Path) -> str:
    """Load the server's secret key. The first start creates it in a private file."""
    path = folder / "secret"
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text(encoding="ascii").strip()
    key = secrets.token_urlsafe(50)
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(key)
    return key


class PrivateConnection(sqlite3.Connection):
    """A SQLite connection that creates its database file readable by its owner only.

    SQLite gives the files beside a database the same mode. Existing ones are made private too.
    """

    def __init__(self, database: str | Path, *args: object, **options: object) -> None:
        if not options.get("uri") or not str(database).startswith("file:"):
            make_private_file(Path(database))
            for suffix in ("-wal", "-shm", "-journal"):
                path = Path(f"{database}{suffix}")
                if path.exists():
                    make_private_file(path)
        super().__init__(database, *args, **options)  # type: ignore[arg-type]


def configure_database(
    folder: Path, environment: Mapping[str, str] = os.environ
) -> dict[str, object]:
    """Return the Django database settings: PostgreSQL if configured, or else SQLite.

    Raise UsageError for an address that names no PostgreSQL database.
    """
    address = environment.get(DATABASE, "")
    if not address:
        return {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": folder / "squads.sqlite3",
            "OPTIONS": {
                "factory": PrivateConnection,
                "transaction_mode": "IMMEDIATE",
                "timeout": 20,
                "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
            },
            # Connections stay open: closing the last one waits until the log is written back.
            "CONN_MAX_AGE": None,
        }
    url = urlsplit(address)
    if url.scheme not in ("postgres", "postgresql"):
        message = _(
            "{variable} is not the address of a PostgreSQL database", variable=DATABASE
        )
        raise UsageError(
            message,
            _(
                "Write postgres://user:password@host:port/name, or leave it out to use SQLite."
            ),
        )
    host = url.netloc.rpartition("@")[2].partition(":")[0]
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(url.path.lstrip("/")),
        "USER": unquote(url.username or ""),
        "PASSWORD": unquote(url.password or ""),
        "HOST": unquote(host),  # percent-encoded, it may be the folder of a Unix socket
        "PORT": str(url.port or ""),
        "CONN_MAX_AGE": 60,
        "CONN_HEALTH_CHECKS": True,
    }


def get_origin(environment: Mapping[str, str] = os.environ) -> SplitResult:
    """Return the server's public address. Empty for a local server."""
    return urlsplit(environment.get(ORIGIN, "").rstrip("/"))


def list_hosts(environment: Mapping[str, str] = os.environ) -> list[str]:
    """Return the host names for which the server answers requests.

    The public one, or those of this machine.

    A server that listens to a whole network accepts any.
    """
    public_host = get_origin(environment).hostname
    host = environment.get(HOST, "")
    if public_host:
        return [public_host]
    if host in ("0.0.0.0", "::"):
        return ["*"]
    return [*LOOPBACK_HOSTS, host] if host else [*LOOPBACK_HOSTS]
