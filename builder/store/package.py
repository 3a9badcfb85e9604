"""A folder or archive of finished files that appears whole or not at all."""

import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from builder.errors import OutputNotWritten
from builder.files import atomic_stream, file_hash, read_limited, settle
from builder.messages import gettext as _, os_error
from builder.model.base import lookup
from builder.model.shop import ShopOrder
from builder.store.exchange import parse_json

MANIFEST = "manifest.json"
TRIES = 9
EPOCH = (1980, 1, 1, 0, 0, 0)


@dataclass
class Package:
    """Files on their way. `changed` is known once the package is closed."""

    folder: Path
    hashes: dict[str, str] = field(default_factory=dict)
    changed: bool = True

    def write(self, name: str, data: bytes) -> str:
        """Add a file by its name in the package; its SHA-256. ValueError for a name that was given before."""
        with self.place(name) as path:
            path.write_bytes(data)
        return self.hashes[name]

    @contextmanager
    def place(self, name: str) -> Iterator[Path]:
        """Where the block has to write a file of this name. ValueError for a name that was given before."""
        if name in self.hashes:
            raise ValueError(f"two files of the package are called {name}")
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        yield path
        settle(path)
        self.hashes[name] = file_hash(path)


@contextmanager
def package(target: Path) -> Iterator[Package]:
    """A package that becomes `target` when the block ends well: an archive if it ends in .zip, else a folder.

    What stood there before is replaced as a whole. Raises OutputNotWritten when the disk refuses, or where the folder
    holds something that is no package.
    """
    temporary: Path | None = None
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.suffix != ".zip":
            _must_be_ours(target)
        temporary = Path(tempfile.mkdtemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent))
        made = Package(temporary / "new")
        made.folder.mkdir()
        yield made
        made.changed = _archive(made, target) if target.suffix == ".zip" else _exchange(made, target, temporary)
    except OSError as error:
        raise OutputNotWritten.because(target, error) from error
    finally:
        if temporary is not None:
            shutil.rmtree(temporary, ignore_errors=True)


def _must_be_ours(target: Path) -> None:
    """A folder that is not a package of ours is never replaced."""
    if not target.exists() or (target.is_dir() and not any(target.iterdir())):
        return
    ours = False
    with suppress(OSError, ValueError):
        ours = lookup(parse_json(read_limited(target / MANIFEST)), ("made_by",)) == "squadpress"
    if not ours:
        message = _("{file} is there and is no package of this program", file=target)
        raise OutputNotWritten(message, _("Move it, or name another place."))


def _exchange(made: Package, target: Path, temporary: Path) -> bool:
    """Put the new folder in the old one's place; False where both are the same."""
    old = {path.relative_to(target).as_posix(): path for path in target.rglob("*") if path.is_file()}
    if old.keys() == made.hashes.keys() and all(file_hash(path) == made.hashes[name] for name, path in old.items()):
        return False
    for attempt in range(TRIES):  # another build of the same may be ending now
        with suppress(FileNotFoundError):
            target.rename(temporary / f"old{attempt}")
        try:
            made.folder.rename(target)
            break
        except OSError:
            if attempt + 1 == TRIES:
                raise
    settle(target.parent)
    return True


def _archive(made: Package, target: Path) -> bool:
    """Write the archive, always alike; False where it is there already."""
    before = file_hash(target) if target.is_file() else ""
    with (
        atomic_stream(target) as stream,
        zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive,
    ):
        for name in sorted(made.hashes):
            info = zipfile.ZipInfo(name, EPOCH)
            info.external_attr = 0o644 << 16
            info.compress_type = zipfile.ZIP_STORED if name.endswith((".png", ".jpg")) else zipfile.ZIP_DEFLATED
            path = made.folder / name
            info.file_size = path.stat().st_size
            with path.open("rb") as file, archive.open(info, "w") as out:
                shutil.copyfileobj(file, out)
    return file_hash(target) != before


def read_manifest(folder: Path) -> ShopOrder | None:
    """The order in this folder; None where there is no manifest. ValueError where it is not one of ours, or broken."""
    path = folder / MANIFEST
    if not path.is_file():
        return None
    from pydantic import TypeAdapter

    try:
        value = parse_json(read_limited(path))
    except OSError as error:
        raise ValueError(os_error(error)) from None
    if not isinstance(value, dict) or value.get("made_by") != "squadpress":
        raise ValueError(_("it is not of this program"))
    return TypeAdapter(ShopOrder).validate_python(value)
