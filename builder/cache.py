"""The cache of a project: results as plain data in a database that may be deleted at any time.

It never stores code, because a foreign project may bring any cache. Each entry is verified by its
digest when it is read. A damaged entry counts as absent.
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

MAX_DATABASE_BYTES = 2_000_000_000
"""Size above which the least recently used entries are evicted."""
TOUCH_SECONDS = 3600
"""Seconds within which another use of an entry is not saved."""
MAX_UNSAVED_USES = 1_000
"""More would be evicted while a long build still needs them."""
MAX_KEYS_PER_QUERY = 500
LOCK_TIMEOUT_SECONDS = 30.0
"""How long to wait for another process that is writing."""
DAMAGE_CODES = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)
"""SQLite's error codes for a file that is damaged or not ours."""

OPENING = (
    # A foreign project may bring the database, so its schema must not call functions.
    "PRAGMA trusted_schema = OFF",
    # It must precede the first table, so that `evict` can shrink the file.
    "PRAGMA auto_vacuum = INCREMENTAL",
    "PRAGMA journal_mode = WAL",
    # A crash of the whole machine may cost entries, or the database: either is noticed, and begun
    # anew.
    "PRAGMA synchronous = OFF",
    "CREATE TABLE IF NOT EXISTS entries (id INTEGER PRIMARY KEY, area TEXT NOT NULL, key BLOB "
    "NOT NULL, used INTEGER NOT NULL, value_digest BLOB NOT NULL, "
    "data_digest BLOB NOT NULL, value BLOB NOT NULL, "
    "data BLOB NOT NULL, UNIQUE (area, key))",
)
WRITE = (
    "INSERT OR REPLACE INTO entries (area, key, used, value_digest, data_digest, value, data) "
    "VALUES (?, ?, ?, ?, ?, ?, ?)"
)
DELETE = "DELETE FROM entries WHERE id = ?"
SIZES = ("page_count", "freelist_count", "page_size")


class _OpenDatabase(NamedTuple):
    """A database connection, the process that opened it, and the device and inode of its file."""

    process: int
    file: tuple[int, int]
    connection: sqlite3.Connection


_inherited: list[_OpenDatabase] = []
"""Connections of the process that forked this one. To use or close them here would break them
there.
"""


class Cache:
    """A cache of results in a SQLite database, by area and key. Safe for threads and processes.

    Each entry has a small JSON value and bytes.

    If the folder cannot be written or the disk is full, the cache is empty and stays empty.
    """

    def __init__(self, folder: Path, max_bytes: int = MAX_DATABASE_BYTES) -> None:
        self.path = folder / "cache.db"
        self.max_bytes = max_bytes
        self._local = threading.local()
        self._used_ids: set[int] = set()
        self._failure = ""

    def value(self, area: str, key: str) -> Value | None:
        """Return the JSON value of an entry, or None if it is absent or damaged."""
        with suppress(ValueError, RecursionError):
            value = json.loads(self._find("value", area, key) or b"null")
            return value if isinstance(value, dict) else None
        return None

    def data(self, area: str, key: str) -> bytes | None:
        """Return the bytes of an entry, or None if it is absent or damaged."""
        return self._find("data", area, key)

    def load_digests(self, area: str, keys: Sequence[str]) -> dict[str, str]:
        """Return a digest of the value and bytes of each entry that exists, by key."""
        rows = self._select("value_digest, data_digest", area, keys)
        return {
            key: (value_digest + data_digest).hex()
            for key, value_digest, data_digest in rows
        }

    def load_values(self, area: str, keys: Sequence[str]) -> dict[str, Value]:
        """Return the JSON values of several entries by key, without absent or damaged ones."""
        # Imported here, because it takes as long to load as a build with nothing to do.
        from pydantic_core import from_json

        values: dict[str, Value] = {}
        for key, digest, text in self._select("value_digest, value", area, keys):
            if digest != _hash_content(area, _encode_key(key), text):
                continue
            with suppress(ValueError, RecursionError):
                value = from_json(text)
                if isinstance(value, dict):
                    values[key] = value
        return values

    def _select(
        self, columns: str, area: str, keys: Sequence[str]
    ) -> list[tuple[str, bytes, bytes]]:
        """Return (key, first column, second column) of each entry that exists."""

        def select(database: sqlite3.Connection) -> list[tuple[str, bytes, bytes]]:
            entries = []
            # SQLite limits the number of values in one statement.
            for start in range(0, len(keys), MAX_KEYS_PER_QUERY):
                batch = keys[start : start + MAX_KEYS_PER_QUERY]
                names = [_encode_key(key) for key in batch]
                marks = ",".join("?" * len(names))
                query = (
                    f"SELECT id, used, key, {columns} FROM entries WHERE area = ? "
                    f"AND key IN ({marks})"
                )
                rows = database.execute(query, (area, *names)).fetchall()
                for number, used, name, first, second in rows:
                    entries.append(
                        (name.decode("utf-8", "surrogatepass"), first, second)
                    )
                    self._note_use(database, number, used)
            return entries

        return self._run_query(select) or []

    def count(self, area: str) -> int:
        """Return the number of entries in an area, damaged ones included."""
        query = "SELECT COUNT(*) FROM entries WHERE area = ?"
        row = self._run_query(
            lambda database: database.execute(query, (area,)).fetchone()
        )
        return int(row[0]) if row else 0

    def write(self, area: str, key: str, value: Value, data: bytes = b"") -> None:
        """Write an entry, replacing an older one. Do nothing if the cache cannot be written."""
        self.write_all(area, [(key, value, data)])

    def write_all(self, area: str, entries: Iterable[tuple[str, Value, bytes]]) -> bool:
        """Write several entries in one transaction. Return False if they could not be written."""
        rows = [_make_row(area, *entry) for entry in entries]
        return (
            self._run_query(lambda database: _execute_all(database, WRITE, rows))
            is not None
        )

    def write_all_or_fail(
        self, area: str, entries: Iterable[tuple[str, Value, bytes]]
    ) -> None:
        """Write several entries in one transaction. Raise OutputNotWritten if that fails."""
        if not self.write_all(area, entries):
            form = _("the cache cannot be written: {file}: {reason}")
            raise OutputNotWritten(
                _(form, file=self.path, reason=self._failure),
                _(
                    "Check that the project's folder is writable and the disk is not full."
                ),
            )

    def remove_damaged(self, area: str) -> None:
        """Delete the damaged entries of an area, so that their results are computed again."""

        def sweep(database: sqlite3.Connection) -> None:
            columns = "id, key, value_digest, value, data_digest, data"
            query = f"SELECT {columns} FROM entries WHERE area = ?"
            rows = database.execute(query, (area,))
            damaged_ids = []
            for number, name, value_digest, value, data_digest, data in rows:
                has_value = value_digest == _hash_content(area, name, value)
                has_data = data_digest == _hash_content(area, name, data)
                if not has_value or not has_data:
                    damaged_ids.append((number,))
            _execute_all(database, DELETE, damaged_ids)

        self._run_query(sweep)

    def evict(self) -> None:
        """Delete the least recently used entries until the database is below its maximum size.

        Entries that a running build used are never removed.
        """

        def shrink(database: sqlite3.Connection) -> None:
            self._save_uses(database)
            sizes = [database.execute(f"PRAGMA {name}").fetchone()[0] for name in SIZES]
            pages, free_pages, page_bytes = sizes
            excess_bytes = (pages - free_pages) * page_bytes - self.max_bytes
            if excess_bytes <= 0:
                return
            query = (
                "SELECT id, length(value) + length(data) FROM entries WHERE used < "
                "? ORDER BY used, id"
            )
            # A use is saved late, so an entry of a running build may look this much older.
            newest_use = int(time.time()) - 2 * TOUCH_SECONDS
            outdated_ids = []
            for number, length in database.execute(query, (newest_use,)):
                if excess_bytes <= 0:
                    break
                outdated_ids.append((number,))
                excess_bytes -= length
            _execute_all(database, DELETE, outdated_ids)
            database.executescript(
                "PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE)"
            )

        self._run_query(shrink)

    def _find(self, column: str, area: str, key: str) -> bytes | None:
        name = _encode_key(key)

        def find(database: sqlite3.Connection) -> bytes | None:
            query = (
                f"SELECT id, used, {column}_digest, {column} FROM entries WHERE "
                f"area = ? AND key = ?"
            )
            row = database.execute(query, (area, name)).fetchone()
            if row is None:
                return None
            number, used, digest, content = row
            if digest != _hash_content(area, name, content):
                # `digests` would still list it, because it does not read contents.
                database.execute(DELETE, (number,))
                return None
            self._note_use(database, number, used)
            return bytes(content)

        return self._run_query(find)

    def _note_use(self, database: sqlite3.Connection, number: int, used: int) -> None:
        """Remember that an entry was used. Many uses are written to the database together."""
        if time.time() - used > TOUCH_SECONDS:
            self._used_ids.add(number)
            if len(self._used_ids) >= MAX_UNSAVED_USES:
                self._save_uses(database)

    def _save_uses(self, database: sqlite3.Connection) -> None:
        """Write which entries were used, so that no other process evicts them."""
        now = int(time.time())
        rows = [(now, number) for number in self._used_ids]
        self._used_ids.clear()
        _execute_all(database, "UPDATE entries SET used = ? WHERE id = ?", rows)

    def _run_query(self, query_database: Callable[[sqlite3.Connection], T]) -> T | None:
        """Run a function with this thread's connection. Return None if the database fails.

        A damaged database is replaced, and the function runs once more.
        """
        for is_last_attempt in (False, True):
            try:
                return query_database(self._connection())
            except sqlite3.Error as error:
                self._failure = str(error)
                # The low byte is the primary code; extended codes add details above it.
                code = getattr(error, "sqlite_errorcode", 0) & 0xFF
                if is_last_attempt or code not in DAMAGE_CODES:
                    break
                self._set_aside()
            except OSError as error:
                self._failure = describe_os_error(error)
                break
            except (TypeError, ValueError) as error:
                # The database may come from a stranger, with other types in its table.
                self._failure = str(error)
                break
        return None

    def _connection(self) -> sqlite3.Connection:
        """Return this thread's connection. Open a new one if the file was replaced or deleted."""
        opened: _OpenDatabase | None = getattr(self._local, "opened", None)
        if opened is not None:
            if opened.process == os.getpid():
                with suppress(FileNotFoundError):
                    if _read_file_identity(self.path) == opened.file:
                        return opened.connection
                opened.connection.close()
            else:
                # A reference keeps it from being closed here as garbage.
                _inherited.append(opened)
            self._local.opened = None
        self.path.parent.mkdir(parents=True, exist_ok=True)
        database = sqlite3.connect(
            self.path, timeout=LOCK_TIMEOUT_SECONDS, isolation_level=None
        )
        try:
            for statement in OPENING:
                _execute_setup(database, statement)
            self._local.opened = _OpenDatabase(
                os.getpid(), _read_file_identity(self.path), database
            )
        except BaseException:
            database.close()
            raise
        return database

    def _set_aside(self) -> None:
        """Rename the damaged database file, so that the next access creates a new one."""
        opened: _OpenDatabase | None = getattr(self._local, "opened", None)
        with suppress(OSError):
            # Another file means that another process has done so.
            if opened is None or opened.file == _read_file_identity(self.path):
                if opened is not None:
                    opened.connection.close()
                # Left beside a new database, the old log would damage it.
                for suffix in ("-wal", "-shm"):
                    Path(f"{self.path}{suffix}").unlink(missing_ok=True)
                self.path.replace(self.path.with_suffix(".damaged"))
        self._local.opened = None


@cache
def cache_at(folder: Path) -> Cache:
    """Return the cache of a folder. A process has one object per folder."""
    return Cache(folder)


@cache
def fingerprint(
    *parts: str, but: tuple[str, ...] = (), libraries: tuple[str, ...] = ()
) -> str:
    """Return a hash of source files and library versions, for use in cache keys.

    Cached values are valid while the code that computed them is unchanged. `parts` are packages
    below builder/, `but` packages or modules in them that do not count. The modules directly in
    builder/ always count, because all packages use them.
    """
    sources: set[tuple[str, bytes]] = set()
    for part in ("", *parts):
        sources.update(_hash_sources(part))
    excluded_prefixes: list[str] = []
    for part in but:
        excluded_prefixes += [f"{part}/", f"{part}.py"]
    result = sha256()
    for name, digest in sorted(sources):
        if not name.startswith(tuple(excluded_prefixes)):
            result.update(name.encode() + b"\0" + digest)
    for library in libraries:
        result.update(f"{library} {installed(library)}\0".encode())
    return result.hexdigest()


@cache
def installed(package: str) -> str:
    """Return the version of an installed package without importing it, or a dash.

    Only the version line is read, because importlib would parse all metadata.
    """
    # This import takes as long as a build with nothing to do.
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        metadata = distribution(package)
    except PackageNotFoundError:
        return "-"
    text = metadata.read_text("METADATA") or ""
    _start, _header, rest = text.partition("\nVersion:")
    version = rest.partition("\n")[0].strip()
    return version or metadata.version


@cache
def _hash_sources(part: str) -> tuple[tuple[str, bytes], ...]:
    """Return (path, SHA-256) of each Python file in a package below builder/.

    Without a package, of those directly in builder/.
    """
    root = str(Path(__file__).parent)
    if not Path(root, part).is_dir():
        raise ValueError(f"builder has no package {part}")
    folders: Iterable[tuple[str, list[str], list[str]]] = os.walk(f"{root}/{part}")
    if not part:
        # The first folder that the walk visits is the root itself.
        folders = [next(os.walk(root), (root, [], []))]
    hashes = []
    for folder, _folders, names in folders:
        for name in names:
            if name.endswith(".py"):
                path = f"{folder}/{name}"
                relative_path = path[len(root) + 1 :].replace(os.sep, "/")
                hashes.append((relative_path, sha256(Path(path).read_bytes()).digest()))
    return tuple(hashes)


def _execute_setup(database: sqlite3.Connection, statement: str) -> None:
    """Run a statement that prepares the database.

    Another process may set the journal mode first.

    """
    try:
        database.execute(statement).fetchall()
    except sqlite3.OperationalError as error:
        is_busy = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
        if not is_busy or "journal_mode" not in statement:
            raise


def _execute_all(
    database: sqlite3.Connection, statement: str, rows: Sequence[tuple[object, ...]]
) -> bool:
    """Run a statement once per row, in one transaction. Return True."""
    if rows:
        with database:
            database.execute("BEGIN IMMEDIATE")
            database.executemany(statement, rows)
    return True


def _make_row(area: str, key: str, value: Value, data: bytes) -> tuple[object, ...]:
    name = _encode_key(key)
    json_text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    content = json_text.encode("utf-8", "surrogatepass")
    value_digest = _hash_content(area, name, content)
    data_digest = _hash_content(area, name, data)
    return (area, name, int(time.time()), value_digest, data_digest, content, data)


def _encode_key(key: str) -> bytes:
    """Encode a key as bytes. File names with invalid bytes contain lone surrogates."""
    return key.encode("utf-8", "surrogatepass")


def _hash_content(area: str, name: bytes, content: bytes) -> bytes:
    """Return the digest of a value or bytes.

    It includes area and key, so entries cannot be swapped.
    """
    result = sha256(b"%b\0%d\0%b" % (area.encode(), len(name), name))
    result.update(content)
    return result.digest()


def _read_file_identity(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_dev, status.st_ino
