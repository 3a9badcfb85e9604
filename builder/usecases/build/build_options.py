"""The options and the result of a build.

Imports no models, so that a build with nothing to do ends at once.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from builder.errors import UsageError
from builder.findings import Finding
from builder.messages import Message, from_json, gettext as _, to_json
from builder.model.engines import EngineName
from builder.render.jobs import Places

if TYPE_CHECKING:
    from pydantic import JsonValue

    from builder.model.profile import Shared
    from builder.packs.project import Project

Progress: TypeAlias = Callable[[int, int], None]
"""Called with the number of rendered faces and the number of all faces."""
MarkStyle: TypeAlias = Literal["on", "off", "ticks", "crosses", "outline"]

MAX_SELECTOR_LENGTH = 80
"""Characters of a selector in a file name.

File systems allow about 255 bytes for the whole name.
"""
DRAFT_MARK = "-draft"
"""The end of the names of drafts, before the file extension."""
SHOP = "shop:"
"""The prefix of a profile's name that is a print shop's preset."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The cards to build, and how to render them.

    `product` or `roster` limit the cards to a product or a squad, and `only` to those that
    match its selectors. Empty `langs` mean all languages. `as_of` is a release, None for the
    pack as it is edited. `engine` is None for the engine of the pack. With `rulings`, a squad's
    sheet has the rulings about its cards.
    """

    langs: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    roster: Path | None = None
    as_of: str | None = None
    variant: Literal["full", "ink", "foil", "white"] = "full"
    engine: EngineName | None = None
    copies: tuple[tuple[str, int], ...] | None = None
    product: str | None = None
    rulings: bool = False

    def make_stem(self, pack: str, *parts: str) -> str:
        """Return the stem of its files' names.

        Files of a part never overwrite files of the whole.
        """
        variant = self.variant if self.variant != "full" else None
        subject = self.roster.stem if self.roster else pack
        name_parts = [subject, self.product, *parts, self.as_of, self.engine, variant]
        name_parts += [_format_selector(selector) for selector in self.only]
        return "-".join(part for part in name_parts if part)


def _format_selector(selector: str) -> str:
    """Return a selector for a file name. A long one is cut, with a digest of the whole."""
    characters = (character if character.isalnum() else "-" for character in selector)
    text = "".join(characters).strip("-")
    if len(text) <= MAX_SELECTOR_LENGTH:
        return text
    digest = sha256(text.encode()).hexdigest()
    return f"{text[:64].rstrip('-')}-{digest[:8]}"


@dataclass(frozen=True, slots=True)
class HomeOptions:
    """Options that change the profile of a printer at home. None keeps the profile's value.

    `cut` are the formats of files for cutting machines, `skip` places of the first sheet that are
    used already.
    """

    gap: float | None = None
    grid: tuple[int, int] | None = None
    marks: MarkStyle | None = None
    duplex: Literal["long-edge", "short-edge", "none"] | None = None
    fold: bool = False
    printer: str | None = None
    cut: tuple[Literal["svg", "dxf"], ...] = ()
    registration: Literal["silhouette"] | None = None
    mark_sides: Literal["front", "back", "both"] | None = None
    outer_bleed: bool = False
    skip: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class PublishOptions:
    """The profile and the folder of the files.

    `zipped` and `icc` are for orders, `home` is for sheets.

    With `untranslated`, cards whose translation is missing or stale are printed with a mark. With
    `sheet`, a squad's cards come with its sheet. If `strict`, cards that do not fit are not drawn.
    `own_use` confirms that an order of a private pack is for its owner only.
    """

    profile: str = "home-a4"
    output: Path | None = None
    gauges: Literal["with", "only"] = "with"
    zipped: bool = False
    icc: Path | None = None
    untranslated: bool = False
    sheet: bool = True
    strict: bool = False
    own_use: bool = False
    home: HomeOptions = field(default_factory=HomeOptions)


@dataclass(frozen=True, slots=True)
class WorkerPool:
    """The processes that render faces: `count` on this machine, or on machines that share a store.

    A count of 0 renders in this process, without limits.
    """

    count: int = 2
    shared: Shared | None = None
    progress: Progress | None = None


WORKERS, STORE = "SQUADPRESS_WORKERS", "SQUADPRESS_STORE"
"""Variables of the environment."""
CORES = min(os.cpu_count() or 1, 8)
"""The default number of processes that render cards."""
MAX_PROCESSES = 64
DEFAULT_SCHEDULER_PORT = 8786
"""The port on which a dask scheduler listens by default."""


def make_worker_pool(workers: str | None, store: str | None) -> WorkerPool:
    """Return the processes of this machine, and what is shared with other machines.

    Raises UsageError for a number out of range, a bad address, and a cluster without a store.
    """
    scheduler = None
    if workers is not None and workers.startswith("dask:"):
        scheduler = _parse_scheduler(workers)
    count = CORES if scheduler is not None else _parse_process_count(workers)
    if not store and scheduler is None:
        return WorkerPool(count)
    if not store:
        raise UsageError(
            _(
                "--workers {asked} needs --store: a place for rendered faces that all "
                "machines can use",
                asked=workers,
            ),
            _(
                "Use --store /srv/faces for a shared folder, or a URL such as --store "
                "s3://bucket/faces."
            ),
        )
    # Imports the models, which a build with nothing to do does not need.
    from builder.model.profile import Shared

    return WorkerPool(count, Shared(store, scheduler))


def _parse_process_count(requested: str | None) -> int:
    if requested is None:
        return CORES
    if requested.isdecimal() and 1 <= int(requested) <= MAX_PROCESSES:
        return int(requested)
    raise UsageError(
        _(
            "--workers {asked}: must be a number from 1 to {most} or a cluster",
            asked=requested,
            most=MAX_PROCESSES,
        ),
        _(
            "Write --workers 4 for four processes on this machine, or --workers "
            "dask://HOST:PORT for a dask scheduler."
        ),
    )


def _parse_scheduler(address: str) -> str:
    """Return a scheduler's address in the form that dask accepts.

    Raises UsageError for a bad one.
    """
    from urllib.parse import urlsplit  # slow to import, and seldom needed

    host, port, has_other_parts = None, DEFAULT_SCHEDULER_PORT, False
    with suppress(ValueError):
        parts = urlsplit(address)
        # Reading a port that is no number raises, so it must come before the host.
        port = parts.port or DEFAULT_SCHEDULER_PORT
        host = parts.hostname
        other_parts = (
            parts.username,
            parts.path.strip("/"),
            parts.query,
            parts.fragment,
        )
        has_other_parts = any(other_parts)
    if not host or has_other_parts:
        raise UsageError(
            _("--workers {asked} has no scheduler address", asked=address),
            _(
                "Write host and port: --workers dask://press.local:8786. The scheduler "
                "prints them when it starts."
            ),
        )
    if ":" in host:  # an IPv6 address
        host = f"[{host}]"
    return f"tcp://{host}:{port}"


def get_render_folders(project: Project, pack_id: str) -> Places:
    """Return the folders that rendering a pack may read and write."""
    return Places(
        templates=project.get_templates_dir(pack_id),
        base=project.base_templates,
        data=project.get_cards_dir(pack_id),
        cache=project.cache_dir,
        project=project.root,
    )


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """All options of a build."""

    select: Selection = field(default_factory=Selection)
    publish: PublishOptions = field(default_factory=PublishOptions)
    workers: WorkerPool = field(default_factory=WorkerPool)

    @property
    def outcome(self) -> dict[str, object]:
        """All options that affect the content of the files, by name. The workers do not."""
        values: dict[str, object] = {}
        for part in (self.select, self.publish):
            for item in fields(part):
                values[item.name] = getattr(part, item.name)
        return values


@dataclass(frozen=True, slots=True)
class BuiltFile:
    """One finished file. `changed` is False if a file with the same bytes existed.

    A `draft` shows cards that do not fit.

    `unit` is what `cards` counts: `cards`, `gauges`, `boxes` or the `cuts` of a cutting machine.
    """

    path: Path
    pages: int
    cards: int
    changed: bool
    unit: str = "cards"
    draft: bool = False


@dataclass(frozen=True, slots=True)
class EngineChoice:
    """The engine that renders a whole pack, and the reason why it was chosen."""

    engine: EngineName
    reason: Message

    def to_json(self) -> dict[str, JsonValue]:
        """Return values that JSON can hold."""
        return {"engine": self.engine, "reason": to_json(self.reason)}

    @classmethod
    def from_json(cls, value: object) -> EngineChoice | None:
        """Return the choice from the values of `to_json`. None if they have another form."""
        with suppress(TypeError):
            match value:
                case {
                    "engine": "weasyprint" | "plutoprint" as engine,
                    "reason": reason,
                }:
                    return cls(engine, Message(from_json(reason)))
        return None


@dataclass(frozen=True, slots=True)
class BuildResult:
    """The result of a build. With an error among the findings, only drafts were written.

    `pages` are the keys of pages that follow the cards, by language. `removed` are older files in
    languages that the pack no longer has. `unwritten_units` are the kinds of files that a build of
    drafts leaves out: `gauges`, `boxes`, `cuts`.
    `engine_choice` is None if pack.yaml, a release or an option names the engine.
    """

    files: tuple[BuiltFile, ...] = ()
    findings: tuple[Finding, ...] = ()
    rendered_count: int = 0
    cached_count: int = 0
    pages: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    removed: tuple[Path, ...] = ()
    engine_choice: EngineChoice | None = None
    unwritten_units: tuple[str, ...] = ()
