"""What sets faces: the protocol that each engine keeps, and which engines there are, by name.

Nothing here imports an engine: an adapter tells names and versions from package metadata, and loads when it is asked.
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
"""Where the adapter of each engine stands: module and name."""


@dataclass(frozen=True, slots=True)
class RenderedFace:
    """A face after setting: `record` is None where it failed; the facts then say why."""

    face: FaceHtml
    facts: FaceFacts
    record: Record | None


@dataclass(frozen=True, slots=True)
class RenderedDocument:
    """A document of many pages after setting: a drawing of each page, and what is wrong."""

    records: tuple[Record, ...]
    findings: tuple[Finding, ...]


class Engine(Protocol):
    """One process's engine, ready to set."""

    @property
    def places(self) -> Places:
        """Where it may read and keep things."""

    def render_batch(self, batch: Batch) -> list[RenderedFace]:
        """Set each face of a batch, alike whatever it is set together with. Where they are to agree, what takes the
        place of a face comes besides, and it itself is not drawn.

        The facts tell the chosen size of each block that may shrink. Findings tell what overflows or comes near the
        trim, and all that the engine drops: unknown CSS, missing letters and files, damaged pictures, fonts that are
        not there. A face with an error has no record.
        """

    def render_document(self, style: Style, page: FaceHtml) -> RenderedDocument:
        """Set a document on as many pages as it takes, nothing shrunk."""


class Adapter(Protocol):
    """What is known of an engine before it is loaded, and the way to load it."""

    @property
    def name(self) -> str:
        """What the registry calls it."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What whoever sets with it should know: a version that was not tried."""

    def fingerprint(self) -> str:
        """Name, versions and whatever else decides how a face looks: a part of each face's address."""

    def preload(self) -> None:
        """Import the engine, and nothing more: a process that only did this may still be forked.

        Raises ToolMissing with a remedy.
        """

    def libraries(self) -> Mapping[str, str]:
        """Names and versions of all libraries that shape a face. Loads the engine; raises ToolMissing."""

    def open(self, places: Places, fonts: tuple[Path, ...]) -> Engine:
        """This process's engine; `fonts` are the pack's own files. Raises ToolMissing."""


def adapter(name: str = DEFAULT) -> Adapter:
    """The adapter of an engine. Raises KeyError for a name that is not among ENGINES."""
    module, _colon, attribute = ENGINES[name].partition(":")
    return cast("Adapter", getattr(import_module(module), attribute))
