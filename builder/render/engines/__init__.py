"""The engines that render faces, by name, and the protocols that they follow.

Nothing here imports an engine. An adapter reads versions from package metadata, and loads its
engine on demand.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

from builder.findings import Finding
from builder.render.jobs import Batch, FaceFacts, FaceHtml, Places, Style
from builder.render.sheets.record import Record

DEFAULT = "weasyprint"

ENGINES = {
    DEFAULT: "builder.render.engines.weasyprint.adapter:ADAPTER",
    "plutoprint": "builder.render.engines.plutoprint.adapter:ADAPTER",
}
"""The adapter of each engine: module and name."""


@dataclass(frozen=True, slots=True)
class RenderedFace:
    """A rendered face with its facts, its drawing, and its errors and warnings.

    `record` is None if there is an error among the findings of its `facts` and it is no draft.
    """

    face: FaceHtml
    facts: FaceFacts
    record: Record | None


@dataclass(frozen=True, slots=True)
class RenderedDocument:
    """A rendered document: a drawing of each page, and its errors and warnings."""

    records: tuple[Record, ...]
    findings: tuple[Finding, ...]


class Engine(Protocol):
    """A rendering engine that is loaded in this process."""

    @property
    def places(self) -> Places:
        """The folders that the engine may read and write."""

    def render_batch(self, batch: Batch) -> list[RenderedFace]:
        """Render all faces of a batch.

        The result does not depend on the other faces.

        The facts give the size of each block that may shrink. The findings name overflowing text,
        text near the trim, and all that the engine drops: unknown CSS, missing glyphs and files,
        damaged pictures, missing fonts. A face with an error has no record, unless the batch is a
        draft. If both faces of a card must have the same sizes, a face in smaller sizes may be
        added. The face that it replaces has no record.
        """

    def render_document(self, style: Style, page: FaceHtml) -> RenderedDocument:
        """Render a document on as many pages as it needs, without shrinking any text."""


class Adapter(Protocol):
    """A rendering engine that may not be imported or installed yet."""

    @property
    def name(self) -> str:
        """The engine's name in ENGINES."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """A warning if the installed version of the engine was not tested."""

    def make_fingerprint(self) -> str:
        """Return the versions of everything that affects a face, as a part of its cache key."""

    def import_engine(self) -> None:
        """Import the engine's packages.

        A process that only did this may still be forked. Raises ToolMissing.
        """

    def list_libraries(self) -> Mapping[str, str]:
        """Return the versions of all libraries that affect a face, by name.

        Loads the engine. Raises ToolMissing.
        """

    def open(self, places: Places, fonts: tuple[Path, ...]) -> Engine:
        """Return the engine for this process. `fonts` are the pack's own files.

        Raise ToolMissing if it is not installed.
        """


def find_adapter(name: str = DEFAULT) -> Adapter:
    """Return the adapter of an engine. Raise KeyError for a name that is not in ENGINES."""
    module, _colon, attribute = ENGINES[name].partition(":")
    return cast("Adapter", getattr(import_module(module), attribute))
