"""Files of a shared store: a folder, or anything that fsspec opens. A file is whole or absent, also for others."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit
from urllib.request import url2pathname
from uuid import uuid4

from builder.errors import InputUnreadable, OutputNotWritten, ToolMissing, UsageError
from builder.messages import Message
from builder.messages import gettext as _

EXTRA = _("Install it: pip install 'squadpress[cluster]'.")

WHOLE = frozenset({"memory", "s3", "s3a", "gs", "gcs", "abfs", "abfss", "adl", "az", "oci", "oss"})
"""Where a file appears only once all of it is written, so that it needs no other name before."""


class Blobs(Protocol):
    """Named files. Raises InputUnreadable and OutputNotWritten where the store is at fault."""

    @property
    def shown(self) -> str:
        """The store as messages name it."""

    @property
    def address(self) -> str:
        """The store as another process on another machine opens it."""

    def has(self, name: str) -> bool:
        """True if there is such a file."""

    def read(self, name: str) -> bytes | None:
        """A file's bytes; None where there is none."""

    def write(self, name: str, data: bytes) -> None:
        """Write a file, or over it."""


def open_blobs(store: str) -> Blobs:
    """The store at a path or URL. UsageError for one that cannot be, ToolMissing for a missing library."""
    parts = urlsplit(store)
    if "://" not in store:
        return Folder(Path(store).expanduser().resolve())
    if parts.scheme in ("file", "local"):
        if parts.netloc not in ("", "localhost"):
            raise UsageError(
                _("{store!r} is no folder of this machine", store=store), _("Write three slashes: file:///srv/faces.")
            )
        return Folder(Path(url2pathname(parts.path)))
    return _remote(store)


@dataclass(frozen=True, slots=True)
class Folder:
    """A store on a disk, its own or a shared one."""

    folder: Path

    @property
    def shown(self) -> str:
        """Its path."""
        return str(self.folder)

    @property
    def address(self) -> str:
        """Its path: the same on every machine."""
        return str(self.folder)

    def has(self, name: str) -> bool:
        """True if there is such a file."""
        return (self.folder / name).is_file()

    def read(self, name: str) -> bytes | None:
        """A file's bytes; None where there is none."""
        try:
            return (self.folder / name).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise _unread(self.shown, error) from error

    def write(self, name: str, data: bytes) -> None:
        """Write beside the place and rename: machines that share a disk share process numbers too."""
        path = self.folder / name
        partial = path.with_name(f".{uuid4().hex}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            try:
                partial.write_bytes(data)
                partial.replace(path)
            finally:
                partial.unlink(missing_ok=True)
        except OSError as error:
            raise _unwritten(self.shown, error) from error


@dataclass(frozen=True, slots=True)
class Remote:
    """A store behind a URL."""

    system: Any
    root: str
    address: str
    shown: str

    def has(self, name: str) -> bool:
        """True if there is such a file."""
        try:
            return bool(self.system.exists(f"{self.root}/{name}"))
        except Exception as error:
            raise _unread(self.shown, error) from error

    def read(self, name: str) -> bytes | None:
        """A file's bytes; None where there is none."""
        try:
            return bytes(self.system.cat_file(f"{self.root}/{name}"))
        except FileNotFoundError:
            return None
        except Exception as error:
            raise _unread(self.shown, error) from error

    def write(self, name: str, data: bytes) -> None:
        """Write at once where that is whole, else under another name first."""
        path = f"{self.root}/{name}"
        protocol = self.system.protocol
        try:
            if WHOLE & set([protocol] if isinstance(protocol, str) else protocol):
                self.system.pipe_file(path, data)
                return
            folder = path.rpartition("/")[0]
            partial = f"{folder}/.{uuid4().hex}"
            self.system.makedirs(folder, exist_ok=True)
            self.system.pipe_file(partial, data)
            self.system.mv(partial, path)
        except Exception as error:
            raise _unwritten(self.shown, error) from error


def _remote(url: str) -> Remote:
    """The store behind a URL, reached by whatever fsspec has for it."""
    shown = re.sub(r"//[^/@]*@", "//...@", url)
    try:
        from fsspec.core import url_to_fs
    except ImportError:
        raise ToolMissing(_("the store {store} needs fsspec, which is not installed", store=shown), EXTRA) from None
    try:
        system, root = url_to_fs(url)
    except ImportError as error:
        raise ToolMissing(
            _("the store {store} needs a library: {reason}", store=shown, reason=error),
            _("Install it here and on all workers."),
        ) from None
    except ValueError as error:
        raise UsageError(
            _("{store!r} is no store: {reason}", store=shown, reason=error),
            _("Write a folder, or a URL such as s3://bucket/faces."),
        ) from None
    except Exception as error:
        raise _unread(shown, error) from error
    return Remote(system, str(root).rstrip("/"), url, shown)


def _unread(shown: str, error: Exception) -> InputUnreadable:
    return InputUnreadable(
        _("the store {store} cannot be read: {reason}", store=shown, reason=_said(error)),
        _("Check its address and who may read and write there."),
    )


def _unwritten(shown: str, error: Exception) -> OutputNotWritten:
    return OutputNotWritten(
        _("the store {store} cannot be written: {reason}", store=shown, reason=_said(error)),
        _("Check that it may be written to and has room; what is set already is kept in the cache."),
    )


def _said(error: Exception) -> Message:
    """What a library complains of, in a line."""
    text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return _(str(text).splitlines()[0])
