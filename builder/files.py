"""Read files with a limit, hash them, and write them safely.

A file is written next to its target and then renamed, so that the old content is never lost.
"""

import errno
import hashlib
import os
import re
import secrets
import shutil
import stat
import tempfile
import time
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from itertools import takewhile
from pathlib import Path, PurePath
from typing import IO

from builder.errors import OutputNotWritten
from builder.messages import describe_os_error, gettext as _
from builder.model.words import find_nearest

DEVICES = frozenset(map(Path, ("/dev", "/dev/fd", "/proc/self/fd")))
"""Folders whose entries are devices or streams."""
MAX_FILE_BYTES = 64_000_000
"""Bytes of a file that is read as a whole. Pictures for print are the largest."""
DRAFT_NAME = re.compile(r"\..+\.(?:(?P<process>\d+)-)?[a-z0-9_]{8}\.part")
"""Names of drafts: files or folders that are renamed when they are complete.

Drafts made before 0.2.0 have no process number.
"""
MIN_LEFTOVER_SECONDS = 3600
"""Age of a draft from which it is a leftover, if its process has ended."""
LOCK_TIMEOUT_SECONDS = 30.0
"""Seconds to wait for another process that is changing a file."""


@contextmanager
def open_atomic(
    path: Path, private: bool = False, durable: bool = True
) -> Iterator[IO[bytes]]:
    """Open a binary stream that replaces the file `path` if the block ends without an error.

    Otherwise the old file stays. Only its owner can read a `private` file, from the moment it
    exists. A device or pipe is written to, not replaced. A file that is not `durable` may be empty
    after a crash of the machine, and is written faster. Raise OutputNotWritten if writing fails.
    """
    temporary: Path | None = None
    try:
        if _is_device(path):
            with path.open("wb") as stream:
                yield stream
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        remove_leftovers(path.parent)
        handle, name = tempfile.mkstemp(
            prefix=make_draft_prefix(path), suffix=".part", dir=path.parent
        )
        temporary = Path(name)
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            # Without this, a crash of the machine could leave an empty file under the final name.
            if durable:
                os.fsync(stream.fileno())
        # mkstemp creates files that only their owner can read.
        if not private:
            temporary.chmod(0o666 & ~_read_umask())
        temporary.replace(path)
        if durable:
            sync_to_disk(path.parent)
    except OSError as error:
        raise OutputNotWritten.from_os_error(path, error) from error
    finally:
        if temporary is not None:
            with suppress(OSError):
                temporary.unlink()


def make_draft_prefix(path: Path) -> str:
    """Return the prefix of a file's temporary files: hidden, with the process number."""
    return f".{path.name[:60]}.{os.getpid()}-"


def make_draft_path(path: Path) -> Path:
    """Return an unused name for a temporary file beside a file."""
    return path.with_name(f"{make_draft_prefix(path)}{secrets.token_hex(4)}.part")


@cache
def remove_leftovers(folder: Path) -> None:
    """Delete temporary files that killed processes left in a folder over an hour ago.

    A process searches each folder once. Files that cannot be deleted stay.
    """
    with suppress(OSError):
        for entry in os.scandir(folder):
            draft = DRAFT_NAME.fullmatch(entry.name)
            if draft is None or _is_running(int(draft["process"] or 0)):
                continue
            with suppress(OSError):
                age_seconds = time.time() - entry.stat(follow_symlinks=False).st_mtime
                if age_seconds <= MIN_LEFTOVER_SECONDS:
                    continue
                if entry.is_dir(follow_symlinks=False):
                    shutil.rmtree(entry.path, ignore_errors=True)
                else:
                    Path(entry.path).unlink()


def _is_running(process: int) -> bool:
    """Return True if a process with this number runs, or if the system does not tell."""
    if not process:
        return False
    # On Windows os.kill would end the process.
    if os.name == "nt":
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def sync_to_disk(path: Path) -> None:
    """Flush a file, or the names in a folder, to the disk. Ignored where it is not supported."""
    with suppress(OSError):
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def write_atomic(
    path: Path, data: bytes, private: bool = False, durable: bool = True
) -> None:
    """Write a whole file. On failure raise OutputNotWritten, and leave the old file unchanged.

    Only the owner can read a `private` file. See `open_atomic` about `durable`.
    """
    with open_atomic(path, private, durable) as stream:
        stream.write(data)


def make_private_folder(folder: Path) -> None:
    """Create a folder and its parents, or restrict an existing folder, to its owner."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    _close_to_others(folder)


def make_private_file(path: Path) -> None:
    """Create an empty file, or restrict an existing file, so that only its owner can read it.

    Raise OSError on failure.
    """
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        # It is not opened: on closing it, this process would lose the locks that it has on it, as a
        # database does.
        _close_to_others(path)


def _close_to_others(path: Path) -> None:
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & 0o077:
        # It may be another user's file, or the file system may have no modes.
        with suppress(OSError):
            path.chmod(mode & 0o700)


def write_files(files: Mapping[Path, bytes | None]) -> None:
    """Write several files, all or none. A file whose data is None is deleted.

    All drafts are on the disk before the first file is replaced. If one file fails, those before it
    are restored, also if the program is interrupted. Raise OutputNotWritten on failure.
    """
    old_data_by_path: dict[Path, bytes | None] = {}
    drafts_by_path: dict[Path, Path] = {}
    try:
        for path, data in files.items():
            if data is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
                remove_leftovers(path.parent)
                draft = make_draft_path(path)
                drafts_by_path[path] = draft
                write_atomic(draft, data)
        for path in files:
            old_data_by_path[path] = path.read_bytes() if path.is_file() else None
            if path in drafts_by_path:
                drafts_by_path[path].replace(path)
            else:
                path.unlink(missing_ok=True)
    except OSError as error:
        _restore_files(old_data_by_path)
        raise OutputNotWritten.from_os_error(path, error) from error
    except BaseException:  # Ctrl+C, too, must not leave half of the files written
        _restore_files(old_data_by_path)
        raise
    finally:
        for path, draft in drafts_by_path.items():
            # Drafts were once called `.NAME.draft`. A process that was killed left them.
            for unused_draft in (draft, path.with_name(f".{path.name}.draft")):
                with suppress(OSError):
                    unused_draft.unlink()


def _restore_files(old_data_by_path: Mapping[Path, bytes | None]) -> None:
    """Write the old contents of files back, and delete files that did not exist before."""
    for path, old_data in old_data_by_path.items():
        with suppress(OSError):
            if old_data is None:
                path.unlink(missing_ok=True)
            else:
                path.write_bytes(old_data)


def suggest_file(path: Path) -> str:
    """Return a hint for a missing file: the most similar name in its folder, if there is one."""
    if not path.parent.is_dir():
        return _("Check the name.")
    nearest_name = find_nearest(
        path.name, (entry.name for entry in path.parent.iterdir())
    )
    if nearest_name is None:
        return _("Check the name.")
    return _("Did you mean {word}?", word=path.with_name(nearest_name))


@contextmanager
def lock_file(path: Path) -> Iterator[None]:
    """Lock a file against other squadpress processes during the block.

    A process locks a file while it reads, changes and writes it. It may lock the same file again
    inside the block. The lock is a hidden file beside it. Raise OutputNotWritten if it cannot be
    locked.
    """
    from filelock import FileLock, Timeout

    lock = FileLock(
        path.with_name(f".{path.name}.lock"),
        timeout=LOCK_TIMEOUT_SECONDS,
        is_singleton=True,
    )
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock.acquire()
    except (OSError, NotImplementedError) as error:
        # A Timeout is an OSError too. NotImplementedError: the file system has no locks.
        reason: str = _("in use")
        if isinstance(error, OSError) and not isinstance(error, Timeout):
            reason = describe_os_error(error)
        raise OutputNotWritten(
            _("{file} could not be written: {reason}", file=path, reason=reason),
            _(
                "Check that the folder is writable and that no other squadpress is running."
            ),
        ) from error
    try:
        yield
    finally:
        lock.release()


def read_limited(path: Path, max_bytes: int = MAX_FILE_BYTES) -> bytes:
    """Read a regular file. Raise OSError for pipes, devices and files above `max_bytes`."""
    # Without O_NONBLOCK, opening a pipe would wait for a writer.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    handle = os.open(path, flags)
    with os.fdopen(handle, "rb") as file:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, _("not a regular file"))
        if status.st_size <= max_bytes:
            # The file may have grown since, so the bytes are counted too.
            data = file.read(max_bytes + 1)
            if len(data) <= max_bytes:
                return data
    raise OSError(errno.EFBIG, _("larger than {most:.3g} MB", most=max_bytes / 1e6))


def require_ordinary_file(path: Path) -> Path:
    """Return the path unchanged. Raise OSError if it is a pipe or a device."""
    if not stat.S_ISREG(path.stat().st_mode) and not path.is_dir():
        raise OSError(errno.EINVAL, _("not a regular file"))
    return path


def is_within(root: Path, path: Path) -> bool:
    """Return True if a path, with links resolved, is inside a folder. It need not exist."""
    try:
        return path.resolve().is_relative_to(root.resolve())
    except (OSError, RuntimeError, ValueError):
        # The name is too long, links form a circle, or the path has a zero byte.
        return False


def require_within(root: Path, path: Path, name: object) -> None:
    """Raise OutputNotWritten if a path leads outside a folder. `name` is for the message."""
    if not is_within(root, path):
        message = _("the link {name} leads outside the pack", name=name)
        raise OutputNotWritten(message, _("Replace it with a folder."))


def find_files(folder: Path, pattern: str = "**/*") -> list[Path]:
    """Return the regular files below a folder that match a glob pattern, sorted.

    Links that lead outside are left out, and a linked folder outside is not searched.
    """
    root = folder.resolve()
    # glob() follows a link in these parts, even one that leads outside.
    fixed_parts = takewhile(lambda part: "*" not in part, PurePath(pattern).parts)
    if not is_within(root, folder.joinpath(*fixed_parts)):
        return []
    files = (path for path in folder.glob(pattern) if path.is_file())
    return sorted(path for path in files if path.resolve().is_relative_to(root))


def write_if_changed(path: Path, data: bytes) -> bool:
    """Write a file unless it already has these bytes. Return True if it was written.

    Raise OutputNotWritten.
    """
    with suppress(OSError):
        if path.read_bytes() == data:
            return False
    write_atomic(path, data)
    return True


def hash_file(path: Path) -> str:
    """Return the SHA-256 hash of a file in hexadecimal. Raise OSError if it cannot be read."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _is_device(path: Path) -> bool:
    """Return True if an output path is a device or pipe, such as /dev/null or standard output."""
    if path.parent in DEVICES:
        return path.exists()
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return stat.S_ISCHR(mode) or stat.S_ISFIFO(mode)


def _read_umask() -> int:
    # It can only be read by setting it.
    mask = os.umask(0o022)
    os.umask(mask)
    return mask


@contextmanager
def reject_truncated_pictures() -> Iterator[list[warnings.WarningMessage]]:
    """Make Pillow raise errors for truncated pictures during the block.

    A rendering engine allows them for the whole process. Pillow's warnings are yielded and not
    printed.
    """
    from PIL import ImageFile

    lenient = ImageFile.LOAD_TRUNCATED_IMAGES
    ImageFile.LOAD_TRUNCATED_IMAGES = False
    try:
        with warnings.catch_warnings(record=True, action="always") as warning_messages:
            yield warning_messages
    finally:
        ImageFile.LOAD_TRUNCATED_IMAGES = lenient
