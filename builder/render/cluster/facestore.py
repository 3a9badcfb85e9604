"""Set faces that several machines share: one file a face, under a hash of everything that shaped it.

A face is read back only as it was written: the file begins with a digest of the rest, and what does not keep to it
counts as absent and is set anew.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import sha256

from builder.render.cache import facts_from_json, facts_to_json
from builder.render.cluster.blobs import Blobs, open_blobs
from builder.render.cluster.likeness import likeness
from builder.render.jobs import FaceFacts, FaceHtml
from builder.render.keys import digest
from builder.render.sheets.record import Record

MAGIC = b"SQUADPRESS STORED 1\n"
AT_ONCE = 8
"""Files asked for at a time: a store far away answers late, but many at once."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A face of the store."""

    facts: FaceFacts
    record: Record

    def dump(self) -> bytes:
        """The face as one file."""
        facts, record = json.dumps(facts_to_json(self.facts), sort_keys=True).encode(), self.record.dump()
        body = len(facts).to_bytes(4, "big") + facts + record
        return MAGIC + sha256(body).digest() + body

    @classmethod
    def load(cls, data: bytes) -> Stored:
        """Read what `dump` wrote. Raises ValueError for anything else."""
        start = len(MAGIC) + 32
        body = data[start:]
        if not data.startswith(MAGIC) or sha256(body).digest() != data[len(MAGIC) : start]:
            raise ValueError("a stored face is damaged")
        end = 4 + int.from_bytes(body[:4], "big")
        return cls(facts_from_json(json.loads(body[4:end])), Record.load(body[end:]))


@dataclass(frozen=True, slots=True)
class FaceStore:
    """Faces in a store."""

    blobs: Blobs

    @classmethod
    def at(cls, store: str) -> FaceStore:
        """The faces at a path or URL."""
        return cls(open_blobs(store))

    def get(self, face: FaceHtml) -> Stored | None:
        """A face, or None where it is absent or damaged."""
        data = self.blobs.read(address(face))
        try:
            found = None if data is None else Stored.load(data)
        except ValueError:
            return None
        return found if found is not None and found.facts.key == face.key else None

    def put(self, face: FaceHtml, stored: Stored) -> None:
        """Keep a face."""
        self.blobs.write(address(face), stored.dump())

    def get_all(self, faces: Sequence[FaceHtml]) -> dict[str, Stored]:
        """Those of some faces that are there, by their keys."""
        likeness()  # once, before many ask
        with ThreadPoolExecutor(AT_ONCE) as pool:
            found = pool.map(self.get, faces)
            return {face.key: each for face, each in zip(faces, found, strict=True) if each is not None}

    def put_all(self, faces: Iterable[tuple[FaceHtml, Stored]]) -> None:
        """Keep some faces."""
        with ThreadPoolExecutor(AT_ONCE) as pool:
            for done in [pool.submit(self.put, face, stored) for face, stored in faces]:
                done.result()


def address(face: FaceHtml) -> str:
    """Where a face lies: the same for two machines only if they would set it alike and say the same of it."""
    found = digest(_machine(likeness()), face.key, face.html, face.file, face.template, repr(sorted(face.deps.items())))
    return f"faces/{found[:2]}/{found}"


def _machine(versions: Mapping[str, str]) -> str:
    return repr(sorted(versions.items()))
