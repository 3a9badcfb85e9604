"""The cache of a project: what cost time to find out, as plain data in a database that may be deleted at any moment.

It knows nothing of what it keeps, and never keeps code: a foreign project may bring any cache it likes. Everything is
verified by its digest when it is read; what is damaged counts as absent.
"""

from __future__ import annotations

import json
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar

from builder.errors import OutputNotWritten
from builder.messages import describe_os_error, gettext as _

if TYPE_CHECKING:
    from pydantic import JsonValue

T = TypeVar("T")

Value: TypeAlias = "dict[str, JsonValue]"

MOST = 2_000_000_000
"""Bytes the database may take up: above that what was not used for longest goes."""
TOUCH = 3600
"""Seconds within which a further use of an entry is not written down."""
AT_ONCE = 500
"""Entries that are asked for together."""
PATIENCE = 30.0
"""Seconds to wait for another process that is writing."""
DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)
"""What SQLite says of a file that is none of ours, or no longer whole."""

OPENING = (
    "PRAGMA trusted_schema = OFF",
    "PRAGMA auto_vacuum = INCREMENTAL",
    "PRAGMA journal_mode = WAL",
    # A crash of the whole machine may cost entries, or the database: either is noticed, and begun anew.
    "PRAGMA synchronous = OFF",
    "CREATE TABLE IF NOT EXISTS entries (id INTEGER PRIMARY KEY, area TEXT NOT NULL, key BLOB NOT NULL, "
    "used INTEGER NOT NULL, value_digest BLOB NOT NULL, data_digest BLOB NOT NULL, value BLOB NOT NULL, "
    "data BLOB NOT NULL, UNIQUE (area, key))",
)
WRITE = (
    "INSERT OR REPLACE INTO entries (area, key, used, value_digest, data_digest, value, data) "
    "VALUES (?, ?, ?, ?, ?, ?, ?)"
)
DELETE = "DELETE FROM entries WHERE id = ?"
SIZES = ("page_count", "freelist_count", "page_size")


class _Opened(NamedTuple):
    """A connection, the process it was opened in and the file it was opened to."""

    process: int
    file: tuple[int, int]
    connection: sqlite3.Connection


_INHERITED: list[_Opened] = []
"""Connections of the process this one was forked from: to use or close them here would break them there."""


class Cache:
    """Entries by area and key: a small JSON value each, and bytes. For any number of threads and processes at once.

    Where the folder cannot be written to, or the disk is full, nothing is found and nothing is kept.
    """

    def __init__(self, folder: Path, most: int = MOST) -> None:
        self.path = folder / "cache.db"
        self.most = most
        self._local = threading.local()
        self._touched: set[int] = set()
        self._trouble = ""

    def value(self, area: str, key: str) -> Value | None:
        """The value of an entry; None where there is none that is whole."""
        with suppress(ValueError, RecursionError):
            value = json.loads(self._find("value", area, key) or b"null")
            return value if isinstance(value, dict) else None
        return None

    def data(self, area: str, key: str) -> bytes | None:
        """The bytes of an entry; None where there is none that is whole."""
        return self._find("data", area, key)

    def digests(self, area: str, keys: Sequence[str]) -> dict[str, str]:
        """What the entries that there are of some keys are to hold, value and bytes, as a hash of each."""
        return {
            key: b"".join(both).hex()
            for key, *both in self._rows("value_digest, data_digest", area, keys)
        }

    def values(self, area: str, keys: Sequence[str]) -> dict[str, Value]:
        """The values of the entries of some keys, of those that are whole."""
        from pydantic_core import from_json  # takes as long to load as a build with nothing to do

        found: dict[str, Value] = {}
        for key, digest, text in self._rows("value_digest, value", area, keys):
            with suppress(ValueError, RecursionError):
                value = from_json(text) if digest == _digest(area, _name(key), text) else None
                found |= {key: value} if isinstance(value, dict) else {}
        return found

    def _rows(self, columns: str, area: str, keys: Sequence[str]) -> list[tuple[str, bytes, bytes]]:
        """Keys of entries that there are, each with two columns."""

        def find(database: sqlite3.Connection) -> list[tuple[str, bytes, bytes]]:
            found = []
            for start in range(0, len(keys), AT_ONCE):
                some = [*map(_name, keys[start : start + AT_ONCE])]
                asked = f"SELECT id, used, key, {columns} FROM entries WHERE area = ? AND key IN "
                for number, used, key, *both in database.execute(
                    asked + f"({','.join('?' * len(some))})", (area, *some)
                ):
                    found.append((key.decode("utf-8", "surrogatepass"), *both))
                    self._touch(number, used)
            return found

        return self._run(find) or []

    def count(self, area: str) -> int:
        """How many entries an area has, whole or not."""
        asked = "SELECT COUNT(*) FROM entries WHERE area = ?"
        return self._run(lambda database: int(database.execute(asked, (area,)).fetchone()[0])) or 0

    def write(self, area: str, key: str, value: Value, data: bytes = b"") -> None:
        """Keep an entry in place of an earlier one; what cannot be kept is done without."""
        self.write_all(area, [(key, value, data)])

    def write_all(self, area: str, entries: Iterable[tuple[str, Value, bytes]]) -> bool:
        """Keep entries, all or none; False where that is not possible."""
        rows = [_row(area, *entry) for entry in entries]
        return self._run(lambda database: _all_or_none(database, WRITE, rows)) is not None

    def write_or_fail(self, area: str, key: str, value: Value, data: bytes = b"") -> None:
        """Keep an entry that will be read again in this very run. Raises OutputNotWritten."""
        self.write_all_or_fail(area, [(key, value, data)])

    def write_all_or_fail(self, area: str, entries: Iterable[tuple[str, Value, bytes]]) -> None:
        """Keep entries that will be read again in this very run, all or none. Raises OutputNotWritten."""
        if not self.write_all(area, entries):
            raise OutputNotWritten(
                _(
                    "the cache cannot be written: {file}: {reason}",
                    file=self.path,
                    reason=self._trouble,
                ),
                _("Check that the project's folder may be written to and that the disk has room."),
            )

    def remove_damaged(self, area: str) -> None:
        """Remove whatever of an area is not whole, so that it is made anew."""

        def sweep(database: sqlite3.Connection) -> None:
            asked = (
                "SELECT id, key, value_digest, value, data_digest, data FROM entries WHERE area = ?"
            )
            bad = [
                (number,)
                for number, key, *parts in database.execute(asked, (area,))
                if parts[0::2] != [_digest(area, key, part) for part in parts[1::2]]
            ]
            _all_or_none(database, DELETE, bad)

        self._run(sweep)

    def evict(self) -> None:
        """Forget what was not used for longest, until the rest takes up no more than it may; nothing used just now."""
        now = int(time.time())

        def shrink(database: sqlite3.Connection) -> None:
            touched = [(now, number) for number in self._touched]
            _all_or_none(database, "UPDATE entries SET used = ? WHERE id = ?", touched)
            self._touched.clear()
            size, free, page = (database.execute(f"PRAGMA {name}").fetchone()[0] for name in SIZES)
            over = (size - free) * page - self.most
            if over <= 0:
                return
            asked = "SELECT id, length(value) + length(data) FROM entries WHERE used < ? ORDER BY used, id"
            doomed = []
            for number, length in database.execute(asked, (now - 2 * TOUCH,)):
                if over <= 0:
                    break
                doomed.append((number,))
                over -= length
            _all_or_none(database, DELETE, doomed)
            database.executescript("PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE)")

        self._run(shrink)

    def _find(self, column: str, area: str, key: str) -> bytes | None:
        name = _name(key)

        def find(database: sqlite3.Connection) -> bytes | None:
            asked = f"SELECT id, used, {column}_digest, {column} FROM entries WHERE area = ? AND key = ?"
            row = database.execute(asked, (area, name)).fetchone()
            if row is None:
                return None
            number, used, digest, found = row
            if digest != _digest(area, name, found):
                database.execute(DELETE, (number,))
                return None
            self._touch(number, used)
            return bytes(found)

        return self._run(find)

    def _touch(self, number: int, used: int) -> None:
        if time.time() - used > TOUCH:
            self._touched.add(number)

    def _run(self, work: Callable[[sqlite3.Connection], T]) -> T | None:
        """What some work on the database gives; None where it cannot be done. A damaged database is begun anew."""
        for attempt in range(2):
            try:
                return work(self._connection())
            except sqlite3.Error as error:
                self._trouble = str(error)
                if attempt == 1 or getattr(error, "sqlite_errorcode", 0) & 0xFF not in DAMAGE:
                    break
                self._set_aside()
            except (
                OSError,
                TypeError,
                ValueError,
            ) as error:  # a table of ours may hold what none of ours would
                self._trouble = (
                    describe_os_error(error) if isinstance(error, OSError) else str(error)
                )
                break
        return None

    def _connection(self) -> sqlite3.Connection:
        """This thread's own, to the file that now lies there: it may have been deleted since."""
        opened: _Opened | None = getattr(self._local, "opened", None)
        if opened is not None:
            if opened.process == os.getpid():
                with suppress(FileNotFoundError):
                    if _identity(self.path) == opened.file:
                        return opened.connection
                opened.connection.close()
            else:
                _INHERITED.append(opened)
            self._local.opened = None
        self.path.parent.mkdir(parents=True, exist_ok=True)
        database = sqlite3.connect(self.path, timeout=PATIENCE, isolation_level=None)
        try:
            for statement in OPENING:
                _set_up(database, statement)
            self._local.opened = _Opened(os.getpid(), _identity(self.path), database)
        except BaseException:
            database.close()
            raise
        return database

    def _set_aside(self) -> None:
        """Make room for a new database; the damaged one is left for who wants to see why."""
        opened: _Opened | None = getattr(self._local, "opened", None)
        with suppress(OSError):
            if opened is None or opened.file == _identity(
                self.path
            ):  # else another process has done so
                if opened is not None:
                    opened.connection.close()
                for end in ("-wal", "-shm"):
                    Path(f"{self.path}{end}").unlink(missing_ok=True)
                self.path.replace(self.path.with_suffix(".damaged"))
        self._local.opened = None


@cache
def cache_at(folder: Path) -> Cache:
    """The one cache of a folder in this process."""
    return Cache(folder)


@cache
def fingerprint(*parts: str, but: tuple[str, ...] = (), libraries: tuple[str, ...] = ()) -> str:
    """A hash of the program's own sources that make a value, and of the versions of the libraries they use.

    `parts` are packages of the program, by their paths below it, `but` those or modules in them that do not matter;
    the modules right below the program's root, which all packages use, always count.
    """
    found, without = sha256(), tuple(f"{part}{end}" for part in but for end in ("/", ".py"))
    for name, digest in sorted({one for part in ("", *parts) for one in _sources(part)}):
        if not name.startswith(without):
            found.update(name.encode() + b"\0" + digest)
    for name in libraries:
        found.update(f"{name} {installed(name)}\0".encode())
    return found.hexdigest()


@cache
def installed(package: str) -> str:
    """The version of a Python package, told without importing it; a dash where it is not installed. Of what is said
    about a package only this is read: the library would parse all of it.
    """
    from importlib.metadata import (
        PackageNotFoundError,
        distribution,
    )  # takes as long as a build with nothing to do

    try:
        told = distribution(package)
    except PackageNotFoundError:
        return "-"
    text = told.read_text("METADATA") or ""
    return text.partition("\nVersion:")[2].partition("\n")[0].strip() or told.version


@cache
def _sources(part: str) -> tuple[tuple[str, bytes], ...]:
    """Sources of a package of the program, or of none those right below its root: by their paths from there, and what
    each holds as a hash.
    """
    root = str(Path(__file__).parent)
    if not Path(root, part).is_dir():
        raise ValueError(f"builder has no package {part}")
    walked = os.walk(f"{root}/{part}") if part else [next(os.walk(root), (root, [], []))]
    paths = [
        f"{folder}/{name}"
        for folder, _folders, names in walked
        for name in names
        if name.endswith(".py")
    ]
    return tuple(
        (path[len(root) + 1 :].replace(os.sep, "/"), sha256(Path(path).read_bytes()).digest())
        for path in paths
    )


def _set_up(database: sqlite3.Connection, statement: str) -> None:
    """Run a statement; which journal there is may be another's to say, who is opening the file at the same time."""
    try:
        database.execute(statement).fetchall()
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or "journal_mode" not in statement:
            raise


def _all_or_none(
    database: sqlite3.Connection, statement: str, rows: Sequence[tuple[object, ...]]
) -> bool:
    """Run a statement for each of some rows, at one go."""
    if rows:
        with database:
            database.execute("BEGIN IMMEDIATE")
            database.executemany(statement, rows)
    return True


def _row(area: str, key: str, value: Value, data: bytes) -> tuple[object, ...]:
    name = _name(key)
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode(
        "utf-8", "surrogatepass"
    )
    return (
        area,
        name,
        int(time.time()),
        _digest(area, name, text),
        _digest(area, name, data),
        text,
        data,
    )


def _name(key: str) -> bytes:
    """A key as bytes: the name of a file may hold what is no letter."""
    return key.encode("utf-8", "surrogatepass")


def _digest(area: str, name: bytes, content: bytes) -> bytes:
    """What an entry's content is known by: it is never taken for another's."""
    found = sha256(b"%b\0%d\0%b" % (area.encode(), len(name), name))
    found.update(content)
    return found.digest()


def _identity(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_dev, status.st_ino
