"""What the environment says of a server: where it keeps things, which address it has, its secret, its database."""

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

DATA, PROJECT, ORIGIN, HOST, DATABASE = (
    "SQUADPRESS_DATA",
    "SQUADPRESS_PROJECT",
    "SQUADPRESS_ORIGIN",
    "SQUADPRESS_HOST",
    "DATABASE_URL",
)
"""Variables of the environment: the folders of squads and of packs, `https://squads.example.org`, the address that is
listened to, `postgres://user:password@host/name`."""
LOOPBACK = ("localhost", "127.0.0.1", "[::1]")


def data_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """Where squads, faces and the secret are kept: for the owner alone."""
    folder = Path(environment.get(DATA) or user_data_path("squadpress", appauthor=False)).resolve()
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


def secret_key(folder: Path) -> str:
    """The server's secret, made at the first start; its file can be read by the owner alone."""
    path = folder / "secret"
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text(encoding="ascii").strip()
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(made := secrets.token_urlsafe(50))
    return made


class PrivateConnection(sqlite3.Connection):
    """A connection to a database that only its owner can read, from the moment its file exists.

    SQLite gives the files that it puts beside a database the same mode. Those that are there already are closed too.
    """

    def __init__(self, database: str | Path, *args: object, **named: object) -> None:
        if not named.get("uri") or not str(database).startswith("file:"):
            make_private_file(Path(database))
            for beside in ("-wal", "-shm", "-journal"):
                if (path := Path(f"{database}{beside}")).exists():
                    make_private_file(path)
        super().__init__(database, *args, **named)  # type: ignore[arg-type]


def database(folder: Path, environment: Mapping[str, str] = os.environ) -> dict[str, object]:
    """The database that is named, else a file in the folder. UsageError for an address that names none.

    Connections stay open: whoever closes the last one to a file has to wait until its log is written back.
    """
    address = environment.get(DATABASE, "")
    if not address:
        options: dict[str, object] = {
            "factory": PrivateConnection,
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
        }
        engine, name = "django.db.backends.sqlite3", folder / "squads.sqlite3"
        return {"ENGINE": engine, "NAME": name, "OPTIONS": options, "CONN_MAX_AGE": None}
    url = urlsplit(address)
    if url.scheme not in ("postgres", "postgresql"):
        message = _("{variable} names no PostgreSQL database", variable=DATABASE)
        raise UsageError(
            message,
            _("Write postgres://user:password@host:port/name, or leave it away for SQLite."),
        )
    return {
        "ENGINE": "django.db.backends.postgresql",
        "CONN_MAX_AGE": 60,
        "CONN_HEALTH_CHECKS": True,
        **_named(url),
    }


def _named(url: SplitResult) -> dict[str, object]:
    """User, password, host and name as an address has them; a host in percent signs may be a socket's folder."""
    parts = {"NAME": url.path.lstrip("/"), "USER": url.username, "PASSWORD": url.password}
    host = (url.netloc.rpartition("@")[2]).partition(":")[0]
    return {
        **{key: unquote(value or "") for key, value in parts.items()},
        "HOST": unquote(host),
        "PORT": str(url.port or ""),
    }


def origin(environment: Mapping[str, str] = os.environ) -> SplitResult:
    """The address under which the world knows the server; empty where it serves one machine or one network."""
    return urlsplit(environment.get(ORIGIN, "").rstrip("/"))


def hosts(environment: Mapping[str, str] = os.environ) -> list[str]:
    """The names by which it may be asked: its own, else those of this machine; any where a whole network is served."""
    public, host = origin(environment), environment.get(HOST, "")
    if public.hostname:
        return [public.hostname]
    return ["*"] if host in ("0.0.0.0", "::") else [*LOOPBACK, *filter(None, (host,))]
