"""The cached results of rendering and prepress: faces, sheets and data."""

import zlib
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias, cast

from builder.cache import Cache, Value, cache_at, fingerprint
from builder.errors import OutputNotWritten
from builder.findings import Box, Finding
from builder.geometry.contrast import PaintedText
from builder.geometry.spacing import PaintedBlock
from builder.messages import gettext as _
from builder.render.jobs import BlockFact, FaceFacts
from builder.render.sheets.record import CachedSides, Record

FACES = "faces"
DRAFTS = "drafts"
"""The cache area of faces with errors. Only drafts read it."""
SHEETS = "sheets"
RESULTS = "results"


class FaceCache:
    """The rendered faces in a cache folder, found by their cache keys."""

    def __init__(self, folder: Path, area: str = FACES) -> None:
        self._cache = cache_at(folder)
        self._area = area

    def facts(self, key: str) -> FaceFacts | None:
        """Return the measured facts of a face, or None if they are absent or damaged."""
        return self.load_facts([key]).get(key)

    def load_facts(self, keys: Sequence[str]) -> dict[str, FaceFacts]:
        """Return the facts of several faces by key. Absent and damaged ones are left out."""
        facts_by_key = {}
        for key, value in self._cache.load_values(self._area, keys).items():
            with suppress(ValueError):
                facts_by_key[key] = parse_facts(value)
        return facts_by_key

    def load_digests(self, keys: Sequence[str]) -> dict[str, str]:
        """Return a hash of each cached face by key. Absent ones are left out."""
        return self._cache.load_digests(self._area, keys)

    def record(self, key: str) -> Record:
        """Return the drawing of a face.

        Raises OutputNotWritten if it is not whole. Then all such faces are dropped.
        """
        record = self._load_record(key)
        if record is not None:
            return record
        # Where one face is damaged there may be more: one further run renders them all.
        self._cache.remove_damaged(self._area)
        raise OutputNotWritten(
            _("faces in the cache are damaged"),
            _("They were removed. Run the command again to render them."),
        )

    def _load_record(self, key: str) -> Record | None:
        """Return the drawing of a face, or None if it is absent or damaged."""
        data = self._cache.data(self._area, key)
        # A damaged record may hold any values in any form.
        with suppress(ValueError, LookupError, TypeError):
            if data is not None:
                return Record.load(data)
        return None

    def load_sides(self, key: str) -> CachedSides | None:
        """Return the cached sides of printed sheets, or None if they are absent or damaged."""
        value = self._cache.value(SHEETS, key)
        data = self._cache.data(SHEETS, key)
        # A damaged entry may hold any values in any form.
        with suppress(
            LookupError, TypeError, ValueError, OverflowError, AttributeError
        ):
            if value is not None and data is not None:
                return CachedSides.from_json(value, data)
        return None

    def store_sides(self, key: str, sides: CachedSides) -> None:
        """Store the sides of printed sheets."""
        self._cache.write(SHEETS, key, sides.to_json(), sides.part.data)

    def store_face(self, facts: FaceFacts, record: Record | None) -> None:
        """Store the facts and the drawing of a face. `record` is None if it was not drawn.

        Raise OutputNotWritten on failure.
        """
        self.store_faces([(facts, record)])

    def store_faces(self, faces: Iterable[tuple[FaceFacts, Record | None]]) -> None:
        """Store several faces, either all or none.

        Raise OutputNotWritten on failure.
        """
        # A generator: only one face is in memory in both forms.
        entries = (
            (facts.key, convert_facts_to_json(facts), record.dump() if record else b"")
            for facts, record in faces
        )
        self._cache.write_all_or_fail(self._area, entries)


class DraftCache(FaceCache):
    """The face cache of builds that draw drafts. It also reads faces with errors."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.drafts = FaceCache(folder, DRAFTS)

    def load_facts(self, keys: Sequence[str]) -> dict[str, FaceFacts]:
        """Return the facts of several faces by key, including faces with errors."""
        return {**self.drafts.load_facts(keys), **super().load_facts(keys)}

    def load_digests(self, keys: Sequence[str]) -> dict[str, str]:
        """Return a hash of each cached face by key, including faces with errors."""
        # Sides of sheets are cached by these digests: that of a draft must be among them.
        return {**self.drafts.load_digests(keys), **super().load_digests(keys)}

    def _load_record(self, key: str) -> Record | None:
        """Return the drawing of a face, or None if it is absent or damaged."""
        # Without errors first: nearly all faces have none.
        return super()._load_record(key) or self.drafts._load_record(key)

    def store_faces(self, faces: Iterable[tuple[FaceFacts, Record | None]]) -> None:
        """Store faces with errors, so that only drafts find them. Store all or none.

        Raise OutputNotWritten on failure.
        """
        self.drafts.store_faces(faces)


def convert_facts_to_json(facts: FaceFacts) -> Value:
    """Return the facts of a face as JSON values."""
    painted: list[Any] = []
    for name, panel, box in facts.painted:
        painted.append([name, panel, box.x, box.y, box.width, box.height])
    texts: list[Any] = []
    for text in facts.texts:
        box = text.box
        edges = [box.x, box.y, box.width, box.height]
        # The first four fields hold plain values.
        texts.append([*text[:4], edges, text.size])
    # `asdict` copies deeply: the long lists are left out and converted above.
    values = asdict(replace(facts, findings=(), painted=(), texts=()))
    values["findings"] = [finding.to_json() for finding in facts.findings]
    values["painted"] = painted
    values["texts"] = texts
    return values


def parse_facts(stored_value: Value) -> FaceFacts:
    """Return the facts of a face from the JSON values of `convert_facts_to_json`.

    Raise ValueError for anything else.
    """
    value = cast("dict[str, Any]", stored_value)
    try:
        painted: list[PaintedBlock] = []
        for name, panel, *edges in value["painted"]:
            painted.append(PaintedBlock(name, panel, Box(*edges)))
        return FaceFacts(
            value["key"],
            value["label"],
            tuple([BlockFact(**block) for block in value["blocks"]]),
            tuple([Finding.from_json(finding) for finding in value["findings"]]),
            value["deps"],
            value["pages"],
            tuple(painted),
            tuple([_parse_text(text) for text in value["texts"]]),
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"not the facts of a face: {error}") from None


def _parse_text(stored_text: Sequence[object]) -> PaintedText:
    text, colour, alpha, background, edges, size = cast("Any", stored_text)
    if background is not None:
        background = tuple(background)
    return PaintedText(text, tuple(colour), alpha, background, Box(*edges), size)


Result: TypeAlias = tuple[bytes, Sequence[str]]
"""Data, and words that go with it."""


@dataclass(frozen=True, slots=True)
class ResultCache:
    """A cache of computed results. The key is the task and everything its result depends on.

    Without a cache, every result is computed.
    """

    cache: Cache | None = None
    setting: bytes = b""

    def with_key_parts(self, *parts: str) -> "ResultCache":
        """Return the same cache, with these parts added to every key."""
        return ResultCache(self.cache, self.setting + "\0".join(parts).encode() + b"\0")

    def get(
        self, job: str, parts: Sequence[bytes], make: Callable[[], Result]
    ) -> Result:
        """Return the cached result, or call `make` to compute it and store its result."""
        if self.cache is None:
            return make()
        program = fingerprint("render", "geometry", "model").encode()
        digest = sha256(b"\0".join((program, self.setting, job.encode())))
        for part in parts:
            # With its length, so that no two lists of parts give the same bytes.
            digest.update(b"%d\0" % len(part) + part)
        key = digest.hexdigest()
        cached_result = self._load_result(self.cache, key)
        if cached_result is not None:
            return cached_result
        data, words = make()
        self.cache.write(RESULTS, key, {"words": list(words)}, zlib.compress(data, 1))
        return data, words

    def _load_result(self, cache: Cache, key: str) -> Result | None:
        """Return a cached result, or None if it is absent or damaged."""
        value = cache.value(RESULTS, key)
        if value is None:
            return None
        words = value.get("words")
        data = cache.data(RESULTS, key)
        if data is None or not isinstance(words, list):
            return None
        with suppress(zlib.error):
            return zlib.decompress(data), [str(word) for word in words]
        return None
