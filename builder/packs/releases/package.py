"""Write a folder or archive of finished files.

The list SHA256SUMS in a folder names the files of the program. Only these are ever replaced or
removed.
"""

import os
import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import TypeAdapter

from builder.errors import OutputNotWritten
from builder.files import (
    hash_file,
    is_within,
    make_draft_prefix,
    open_atomic,
    read_limited,
    remove_leftovers,
    sync_to_disk,
)
from builder.messages import describe_os_error, gettext as _
from builder.model.base import InnerPath
from builder.model.shop import ShopOrder
from builder.packs.exchange import parse_json

MANIFEST = "manifest.json"
SUMS = "SHA256SUMS"
"""The list of a folder's files with their digests, as `sha256sum -c` reads it."""
# The earliest time that a zip file can store. A fixed time keeps equal archives equal.
EPOCH = (1980, 1, 1, 0, 0, 0)
_INNER = TypeAdapter[str](InnerPath)


@dataclass
class Package:
    """Files that are collected in a temporary folder and then moved to their target together.

    `changed` is known once the package is closed.
    """

    folder: Path
    hashes: dict[str, str] = field(default_factory=dict)
    changed: bool = True

    def write_file(self, name: str, data: bytes) -> str:
        """Write a file of the package. Return its SHA-256.

        Raise ValueError for a name that is already used.
        """
        with self.open_file(name) as path:
            path.write_bytes(data)
        return self.hashes[name]

    @contextmanager
    def open_file(self, name: str) -> Iterator[Path]:
        """Provide the path of a file of the package, which the caller writes in the block.

        Raise ValueError for a name that is already used.
        """
        if name in self.hashes:
            raise ValueError(f"two files of the package are called {name}")
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        yield path
        sync_to_disk(path)
        self.hashes[name] = hash_file(path)

    def write_sums(self) -> None:
        """Add the file SHA256SUMS, which lists all files of the package.

        Without this list a folder is never written to again.
        """
        lines = [f"{sha}  {name}\n" for name, sha in sorted(self.hashes.items())]
        self.write_file(SUMS, "".join(lines).encode())


@contextmanager
def open_package(target: Path) -> Iterator[Package]:
    """Provide a package that becomes the folder or .zip file `target` if the block succeeds.

    A new folder appears whole or not at all. In an existing folder, files of an earlier package are
    replaced or removed if they did not change. Other files are never touched. Raise
    OutputNotWritten if the disk refuses, if a file would be replaced that no list names, or if a
    link leads out of the folder.
    """
    temporary: Path | None = None
    try:
        is_archive = target.suffix == ".zip"
        # On the file system of the target, because files are renamed into it.
        parent = target if target.is_dir() and not is_archive else target.parent
        parent.mkdir(parents=True, exist_ok=True)
        # An interrupted build may have left its temporary folder behind.
        remove_leftovers(parent)
        prefix = make_draft_prefix(target)
        temporary = Path(tempfile.mkdtemp(prefix=prefix, suffix=".part", dir=parent))
        new_package = Package(temporary / "new")
        new_package.folder.mkdir()
        yield new_package
        write_package = _write_archive if is_archive else _write_folder
        new_package.changed = write_package(new_package, target)
    except OSError as error:
        raise OutputNotWritten.from_os_error(target, error) from error
    finally:
        if temporary is not None:
            shutil.rmtree(temporary, ignore_errors=True)


def _write_folder(new_package: Package, target: Path) -> bool:
    """Move the files into their folder. Return False if nothing changed."""
    if not target.exists():
        # Another build of the same may be ending now.
        with suppress(OSError):
            new_package.folder.rename(target)
            sync_to_disk(target.parent)
            return True
    with _lock_folder(target):
        earlier = _read_sums(target)
        changed_names: list[str] = []
        for name, sha in new_package.hashes.items():
            if not _has_digest(target / name, sha):
                changed_names.append(name)
        for name in changed_names:
            _require_own_file(target, name, earlier)
        for name in changed_names:
            (target / name).parent.mkdir(parents=True, exist_ok=True)
        # The list comes first: then the next build may finish what is interrupted here.
        for name in sorted(changed_names, key=lambda name: name != SUMS):
            (new_package.folder / name).replace(target / name)
            sync_to_disk((target / name).parent)
        is_changed = bool(changed_names)
        for name in earlier.keys() - new_package.hashes.keys():
            is_removed = _remove_file(target, name, earlier[name])
            is_changed = is_changed or is_removed
        return is_changed


def _require_own_file(target: Path, name: str, earlier_hashes: dict[str, str]) -> None:
    """Raise OutputNotWritten for a file that this program did not write."""
    path = target / name
    if not is_within(target, path):
        message = _("{file} leads outside {folder}", file=path, folder=target)
        raise OutputNotWritten(message, _("Choose another path."))
    # The list does not contain itself.
    is_ours = name in earlier_hashes or (name == SUMS and bool(earlier_hashes))
    if os.path.lexists(path) and (path.is_dir() or not is_ours):
        message = _(
            "{file} exists, but {list} does not contain it",
            file=path,
            list=target / SUMS,
        )
        raise OutputNotWritten(message, _("Move it, or choose another path."))


def _remove_file(target: Path, name: str, sha: str) -> bool:
    """Remove a file if it is unchanged, and its empty folders. Return True if it was removed."""
    path = target / name
    if not is_within(target, path) or not _has_digest(path, sha):
        return False
    path.unlink()
    with suppress(OSError):
        # A folder that still has files cannot be removed, and stays.
        for parent in path.relative_to(target).parents[:-1]:
            (target / parent).rmdir()
    return True


def _has_digest(path: Path, sha: str) -> bool:
    """Return True if the path is an ordinary file with this SHA-256."""
    try:
        return path.is_file() and not path.is_symlink() and hash_file(path) == sha
    except OSError:
        return False


def _read_sums(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of each file listed in SHA256SUMS. Empty without the list."""
    sums: dict[str, str] = {}
    with suppress(OSError, ValueError):
        for line in read_limited(folder / SUMS).decode().splitlines():
            # `sha256sum` writes two spaces between the hash and the name.
            sha, _blank, name = line.partition("  ")
            sums[_INNER.validate_python(name)] = sha
    return sums


@contextmanager
def _lock_folder(folder: Path) -> Iterator[None]:
    """Prevent other processes from writing to the folder during a block, if the system can."""
    handle = None
    # Windows has no `flock`, and a folder cannot be opened there.
    with suppress(ImportError, OSError):
        from fcntl import LOCK_EX, flock

        handle = os.open(folder, os.O_RDONLY)
        flock(handle, LOCK_EX)
    try:
        yield
    finally:
        if handle is not None:
            os.close(handle)


def _write_archive(new_package: Package, target: Path) -> bool:
    """Write the files as a reproducible .zip file. Return False if it did not change."""
    before = hash_file(target) if target.is_file() else ""
    with (
        open_atomic(target) as stream,
        zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive,
    ):
        for name in sorted(new_package.hashes):
            info = zipfile.ZipInfo(name, EPOCH)
            # The upper 16 bits are the permissions of Unix.
            info.external_attr = 0o644 << 16
            # Pictures are compressed already.
            is_picture = name.endswith((".png", ".jpg"))
            info.compress_type = (
                zipfile.ZIP_STORED if is_picture else zipfile.ZIP_DEFLATED
            )
            path = new_package.folder / name
            info.file_size = path.stat().st_size
            with path.open("rb") as file, archive.open(info, "w") as out:
                shutil.copyfileobj(file, out)
    return hash_file(target) != before


def read_manifest(folder: Path) -> ShopOrder | None:
    """Return the print order in this folder, or None without a manifest.

    Raise ValueError if the manifest is broken or of another program.
    """
    path = folder / MANIFEST
    if not path.is_file():
        return None
    try:
        value = parse_json(read_limited(path))
    except OSError as error:
        raise ValueError(describe_os_error(error)) from None
    if not isinstance(value, dict) or value.get("made_by") != "squadpress":
        raise ValueError(_("it was not written by this program"))
    return TypeAdapter(ShopOrder).validate_python(value)
