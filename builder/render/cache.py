"""The cache of set faces: a record and its facts per key, on disk. Losing it costs time, nothing else."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from builder.findings import Box, Finding, Location, Severity
from builder.render.jobs import BlockFact, FaceFacts
from builder.render.keep import keep
from builder.render.record import Record


class FaceCache:
    """Faces under a folder, each as `<key>.face` (the record) and `<key>.json` (the facts)."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "faces"

    def _path(self, key: str, suffix: str) -> Path:
        return self.folder / key[:2] / f"{key}{suffix}"

    def facts(self, key: str) -> FaceFacts | None:
        """What is known of a face, or None where it is not there or not readable."""
        try:
            facts = load_facts(self._path(key, ".json").read_bytes())
            return facts if self._path(key, ".face").exists() else None
        except (OSError, ValueError):
            return None

    def record(self, key: str) -> Record:
        """A face's drawing. Raises OSError or ValueError where it is not there or damaged."""
        return Record.load(self._path(key, ".face").read_bytes())

    def put(self, facts: FaceFacts, record: Record) -> None:
        """Keep a face; the facts go last, so that a face with facts is whole."""
        keep(self._path(facts.key, ".face"), record.dump())
        keep(self._path(facts.key, ".json"), dump_facts(facts))


def dump_facts(facts: FaceFacts) -> bytes:
    """Facts as bytes."""
    return json.dumps(asdict(facts), ensure_ascii=False, sort_keys=True).encode()


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
        tuple(BlockFact(**block) for block in value["blocks"]),
        tuple(_finding(finding) for finding in value["findings"]),
        value["deps"],
        value["pages"],
    )


def _finding(value: Mapping[str, Any]) -> Finding:
    """A finding as it was written."""
    place = dict(value["location"])
    if place["box"]:
        place["box"] = Box(**place["box"])
    rest = {key: item for key, item in value.items() if key not in ("severity", "location")}
    return Finding(**rest, severity=Severity(value["severity"]), location=Location(**place))
