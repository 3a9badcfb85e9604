"""A pack's files on their way to other machines: each under its digest in the store, and a list of them.

A machine that sets faces needs nothing of the pack on its disk. It gets what style sheets and pictures draw on;
templates stay at home, since faces travel filled in.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Collection, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from builder.render.cluster.blobs import Blobs
from builder.render.cluster.facestore import AT_ONCE
from builder.render.jobs import Places

FONTS = "fonts"
"""Where the pack's own fonts lie in a shipment, each in a numbered folder: their order may decide which is chosen."""

KEPT = 3
"""Unpacked shipments that a machine keeps: somebody who edits sends a new one at every build."""


class Lacking(Exception):
    """Files that the store does not have, or not as they were sent."""

    def __init__(self, names: Collection[str]) -> None:
        super().__init__(tuple(names))
        self.names = tuple(names)


@dataclass(frozen=True, slots=True)
class Shipment:
    """Which files travel: where they lie here, and their digests, by their place in the unpacked folder."""

    paths: Mapping[str, Path]
    digests: Mapping[str, str]

    @property
    def listing(self) -> bytes:
        """The list of files, as it is sent."""
        return json.dumps(dict(sorted(self.digests.items())), ensure_ascii=False).encode()

    @property
    def hash(self) -> str:
        """The shipment's name."""
        return sha256(self.listing).hexdigest()

    def send(self, blobs: Blobs, again: Collection[str] = ()) -> None:
        """Put into the store what it lacks, and the files named in `again` whether it has them or not."""
        wanted = {_blob(value): self.paths[name] for name, value in self.digests.items()}

        def send(name: str) -> None:
            if name in again or not blobs.has(name):
                blobs.write(name, wanted[name].read_bytes())

        with ThreadPoolExecutor(AT_ONCE) as pool:
            list(pool.map(send, wanted))
        listing = _listing(self.hash)
        if listing in again or not blobs.has(listing):
            blobs.write(listing, self.listing)


def pack_up(places: Places, fonts: tuple[Path, ...]) -> Shipment:
    """All files that faces of a pack may draw on."""
    paths = dict(_files(places))
    paths |= {f"{FONTS}/{number:03}/{path.name}": path for number, path in enumerate(fonts)}
    return Shipment(paths, {name: sha256(path.read_bytes()).hexdigest() for name, path in paths.items()})


def _files(places: Places) -> Iterator[tuple[str, Path]]:
    """Everything below the three roots that the engine may open; links that lead out of them are not followed."""
    for name, root, part in (
        ("templates", places.templates, ""),
        ("base", places.base, ""),
        ("data", places.data, "art"),
    ):
        inside = root.resolve()
        for path in sorted((root / part).rglob("*")):
            if path.suffix != ".j2" and path.is_file() and path.resolve().is_relative_to(inside):
                yield f"{name}/{path.relative_to(root).as_posix()}", path


def unpack(blobs: Blobs, shipment: str, home: Path) -> tuple[Places, tuple[Path, ...]]:
    """The places of a shipment below a folder of this machine, and the pack's own fonts; fetched once.

    Raises Lacking.
    """
    folder = home / shipment[:32]
    if not folder.is_dir():
        _fetch(blobs, shipment, folder)
        _forget(home, folder)
    folder.touch()
    places = Places(folder / "templates", folder / "base", folder / "data", home / "cache", folder)
    return places, tuple(sorted((folder / FONTS).glob("*/*")))


def _fetch(blobs: Blobs, shipment: str, folder: Path) -> None:
    """Fetch all files beside the folder, and give it its name when it is whole."""
    listing = _read(blobs, _listing(shipment), shipment)
    if listing is None:
        raise Lacking([_listing(shipment)])
    digests: Mapping[str, str] = json.loads(listing)
    partial = folder.with_suffix(".part")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)

    def fetch(name: str) -> str | None:
        data = _read(blobs, _blob(digests[name]), digests[name])
        target = (partial / name).resolve()
        if data is None or not target.is_relative_to(partial.resolve()):
            return _blob(digests[name])
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
        return None

    with ThreadPoolExecutor(AT_ONCE) as pool:
        lacking = [name for name in pool.map(fetch, digests) if name is not None]
    if lacking:
        raise Lacking(lacking)
    partial.rename(folder)


def _forget(home: Path, newest: Path) -> None:
    """Delete the shipments that were not used for longest."""
    others = [path for path in home.iterdir() if path.is_dir() and len(path.name) == 32 and path != newest]
    for path in sorted(others, key=lambda path: path.stat().st_mtime)[: 1 - KEPT]:
        shutil.rmtree(path, ignore_errors=True)


def _read(blobs: Blobs, name: str, wanted: str) -> bytes | None:
    """A file of the store, or None where it is absent or not what was sent."""
    data = blobs.read(name)
    return data if data is not None and sha256(data).hexdigest() == wanted else None


def _listing(shipment: str) -> str:
    return f"shipments/{shipment}.json"


def _blob(value: str) -> str:
    return f"files/{value[:2]}/{value}"
