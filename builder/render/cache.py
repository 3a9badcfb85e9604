"""The cache of set faces: a record and its facts per key, on disk. Losing it costs time, nothing else."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict
from io import FileIO
from pathlib import Path
from typing import Any

from builder.errors import OutputNotWritten
from builder.findings import Finding
from builder.messages import gettext as _
from builder.render.jobs import BlockFact, FaceFacts
from builder.render.keep import keep
from builder.render.noted import Noted
from builder.render.sheets.record import Record

HEAD = b"SQUADPRESS FACE AND FACTS\n"
"""How a file begins; then four bytes with the length of the facts, the facts, and the record."""

START = 4096
"""Bytes of a file that nearly always hold all its facts."""

MANY = 50
"""So many faces whose facts are read one by one are worth writing all facts into one file."""

DAMAGE = (OSError, ValueError, LookupError, TypeError)
"""What reading a drawing raises where it is not whole."""


AT_HAND = 500
"""So many drawings are read before they are asked for: a face takes up some 30 kB, and 0.1 ms to read."""


class FaceCache:
    """Faces under a folder, each as `<key>.face`. To make a file takes longer than to fill it: a face has but one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "faces"
        self._root = str(self.folder)
        self._fetched: dict[str, Record] = {}
        self._noted = Noted()

    def _place(self, key: str) -> str:
        return f"{self._root}/{key[:1]}/{key}.face"

    def facts(self, key: str, noted: bool = True) -> FaceFacts | None:
        """What is known of a face, or None where it is not there or not readable. `noted`: as of when it was noted."""
        line = self._noted.line(key) if noted else None
        with suppress(OSError, ValueError):
            if line is not None:
                return load_facts(line) if os.access(self._place(key), os.R_OK) else None
        with suppress(OSError, ValueError):
            return load_facts(_facts_of(self._place(key)))
        return None

    def recall(self, name: str) -> None:
        """Take in where the facts of many faces are, as noted under a name."""
        self._noted = Noted(self._notes(name))

    def note(self, name: str, keys: Collection[str]) -> None:
        """Note the facts of these faces under a name, unless nearly all of them are noted already."""
        if sum(key not in self._noted for key in keys) >= MANY:
            keep(self._notes(name), self._lines(sorted(set(keys))))
            self.recall(name)

    def _notes(self, name: str) -> Path:
        return self.folder / f"{name}.facts"

    def _lines(self, keys: Iterable[str]) -> Iterator[bytes]:
        """A line a face: what was noted of it, or what its file says. Lets go of the notes that are to be replaced."""
        for key in keys:
            with suppress(OSError, ValueError):
                yield b"%b %b\n" % (key.encode(), self._noted.line(key) or _facts_of(self._place(key)))
        self._noted.close()

    def record(self, key: str) -> Record:
        """A face's drawing. Raises OutputNotWritten where it is not whole; then all such faces are dropped."""
        fetched = self._fetched.pop(key, None)
        if fetched is not None:
            return fetched
        try:
            return _record(self._place(key))
        except DAMAGE:
            self._sweep()
        raise OutputNotWritten(
            _("faces kept in the cache are damaged"), _("They are removed now: run again to set them anew.")
        )

    def _sweep(self) -> None:
        """Remove every face that cannot be read, so that it is set anew."""
        for path in self.folder.glob("*/*.face"):
            try:
                _record(str(path))
            except DAMAGE:
                with suppress(OSError):
                    path.unlink()

    def fetch(self, keys: Iterable[str]) -> None:
        """Read drawings that will be asked for, while there is nothing else to do."""
        for key in keys:
            if key not in self._fetched and len(self._fetched) < AT_HAND:
                with suppress(*DAMAGE):  # told to whoever asks for it
                    self._fetched[key] = _record(self._place(key))

    def put(self, facts: FaceFacts, record: Record) -> None:
        """Keep a face."""
        text = dump_facts(facts)
        keep(Path(self._place(facts.key)), HEAD + len(text).to_bytes(4, "big") + text + record.dump())


def apart(data: bytes) -> tuple[bytes, bytes]:
    """The facts and the record in a file, or in a part of it. Raises ValueError for anything else."""
    begin = len(HEAD) + 4
    if not data.startswith(HEAD):
        raise ValueError("not a face")
    end = begin + int.from_bytes(data[len(HEAD) : begin], "big")
    return data[begin:end], data[end:]


def _record(place: str) -> Record:
    """A drawing as it lies on disk."""
    with FileIO(place) as file:
        return Record.load(apart(file.read())[1])


def _facts_of(place: str) -> bytes:
    """The facts in a file, which is read no further than need be."""
    with FileIO(place) as file:
        facts, rest = apart(file.read(START))
        if not rest:
            file.seek(0)
            facts, rest = apart(file.readall())
        return facts


def dump_facts(facts: FaceFacts) -> bytes:
    """Facts as bytes."""
    return json.dumps(_plain(facts), ensure_ascii=False, sort_keys=True).encode()


def _plain(facts: FaceFacts) -> dict[str, Any]:
    """Facts as values that JSON can hold."""
    return asdict(facts) | {"findings": [finding.to_json() for finding in facts.findings]}


def load_facts(data: bytes) -> FaceFacts:
    """Read what `dump_facts` wrote. Raises ValueError for anything else."""
    try:
        return _facts(json.loads(data))
    except (KeyError, TypeError) as error:
        raise ValueError(f"not the facts of a face: {error}") from None


def _facts(value: Mapping[str, Any]) -> FaceFacts:
    """Facts as they were written."""
    return FaceFacts(
        value["key"],
        value["label"],
        tuple([BlockFact(**block) for block in value["blocks"]]),
        tuple([Finding.from_json(finding) for finding in value["findings"]]),
        value["deps"],
        value["pages"],
    )
