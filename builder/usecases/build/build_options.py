"""What a build is asked for, and what it gives. Loads no models, so that one with nothing to do is over at once."""

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
"""Told how many faces of how many are set."""
MarkStyle: TypeAlias = Literal["on", "off", "ticks", "crosses", "outline"]

SHOP = "shop:"
"""What the name of a profile begins with that is a print shop's preset."""


@dataclass(frozen=True, slots=True)
class Selection:
    """Which cards are meant: those of a squad, of a `product`, or all, as far as they pass the selectors `only`; in
    these languages (all where none is named), of the pack as it is or as of a release. `engine` sets them: the
    pack's own where none is named."""

    langs: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    roster: Path | None = None
    as_of: str | None = None
    variant: Literal["full", "ink", "foil", "white"] = "full"
    engine: EngineName | None = None
    copies: tuple[tuple[str, int], ...] | None = None
    product: str | None = None

    def stem(self, pack: str, *parts: str) -> str:
        """The stable name of what is made of it: a part of a set never overwrites the whole."""
        named = [
            self.roster.stem if self.roster else pack,
            *([self.product] if self.product else []),
            *parts,
        ]
        named += [self.as_of] if self.as_of else []
        named += [self.engine] if self.engine else []
        named += [self.variant] if self.variant != "full" else []
        return "-".join((*named, *map(_named, self.only)))


def _named(selector: str) -> str:
    """A selector in the name of a file; of a long one the beginning, and a digest of the whole."""
    text = "".join(sign if sign.isalnum() else "-" for sign in selector).strip("-")
    return (
        text
        if len(text) <= 80
        else f"{text[:64].rstrip('-')}-{sha256(text.encode()).hexdigest()[:8]}"
    )


@dataclass(frozen=True, slots=True)
class Home:
    """What is asked for besides the profile; None leaves the profile's own. `cut` names files for cutting machines;
    `skip` are places of the first sheet that are used already."""

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
class Publishing:
    """How they are published: by which profile, into which folder. `zipped`, `icc`: of orders; `home`: of sheets;
    `untranslated`: cards whose translation is missing or stale are printed, with a mark; `sheet`: a squad's cards come
    with its sheet.
    """

    profile: str = "home-a4"
    output: Path | None = None
    gauges: Literal["with", "only"] = "with"
    zipped: bool = False
    icc: Path | None = None
    untranslated: bool = False
    sheet: bool = True
    home: Home = field(default_factory=Home)


@dataclass(frozen=True, slots=True)
class WorkerPool:
    """Who renders faces: so many processes here (0: this one, without limits), or machines that share a store.

    `progress` is told how far they are.
    """

    count: int = 2
    shared: Shared | None = None
    progress: Progress | None = None


WORKERS, STORE = "SQUADPRESS_WORKERS", "SQUADPRESS_STORE"
"""Variables of the environment."""
CORES = min(os.cpu_count() or 1, 8)
"""Processes that render cards where none asks for another number."""
MOST = 64
PORT = 8786
"""Where a dask scheduler listens unless it is told otherwise."""


def worker_pool(workers: str | None, store: str | None) -> WorkerPool:
    """Processes here, and what is shared with other machines.

    Raises UsageError for a number out of range, an address that is none, and a cluster without a store.
    """
    scheduler = _scheduler(workers) if workers is not None and workers.startswith("dask:") else None
    count = CORES if scheduler is not None else _processes(workers)
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
    from builder.model.profile import (
        Shared,
    )  # loads the models: a build with nothing to do needs none

    return WorkerPool(count, Shared(store, scheduler))


def _processes(asked: str | None) -> int:
    if asked is None:
        return CORES
    if asked.isdecimal() and 1 <= int(asked) <= MOST:
        return int(asked)
    raise UsageError(
        _(
            "--workers {asked}: must be a number from 1 to {most} or a cluster",
            asked=asked,
            most=MOST,
        ),
        _(
            "Write --workers 4 for four processes on this machine, or --workers "
            "dask://HOST:PORT for a dask scheduler."
        ),
    )


def _scheduler(asked: str) -> str:
    """A scheduler's address as the engine takes it."""
    try:
        from urllib.parse import urlsplit  # few have a cluster

        parts = urlsplit(asked)
        host, port = parts.hostname, parts.port or PORT
        plain = not (parts.username or parts.path.strip("/") or parts.query or parts.fragment)
    except ValueError:
        host, port, plain = None, PORT, False
    if not host or not plain:
        raise UsageError(
            _("--workers {asked} has no scheduler address", asked=asked),
            _(
                "Write host and port: --workers dask://press.local:8786. The scheduler "
                "prints them when it starts."
            ),
        )
    return f"tcp://[{host}]:{port}" if ":" in host else f"tcp://{host}:{port}"


def places(project: Project, pack_id: str) -> Places:
    """Where setting a pack may read and keep things."""
    return Places(
        templates=project.templates_dir(pack_id),
        base=project.base_templates,
        data=project.cards_dir(pack_id),
        cache=project.cache_dir,
        project=project.root,
    )


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """All that a build is asked for."""

    select: Selection = field(default_factory=Selection)
    publish: Publishing = field(default_factory=Publishing)
    workers: WorkerPool = field(default_factory=WorkerPool)

    @property
    def outcome(self) -> dict[str, object]:
        """All that the files depend on, by name: who sets the faces is not among it."""
        return {
            item.name: getattr(part, item.name)
            for part in (self.select, self.publish)
            for item in fields(part)
        }


@dataclass(frozen=True, slots=True)
class BuiltFile:
    """One finished file. `changed` is False where it was there already, byte for byte.

    `unit` says what is counted as cards: `cards`, `gauges`, `boxes` or the `cuts` of a cutting machine.
    """

    path: Path
    pages: int
    cards: int
    changed: bool
    unit: str = "cards"


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
        """Return the choice that `to_json` made values of; None for anything else."""
        with suppress(TypeError):
            match value:
                case {"engine": "weasyprint" | "plutoprint" as engine, "reason": reason}:
                    return cls(engine, Message(from_json(reason)))
        return None


@dataclass(frozen=True, slots=True)
class BuildResult:
    """What a build did. With an error among the findings no file was written.

    `pages` are the keys of pages that follow the cards, by language, `removed` older files of languages that are gone.
    `engine_choice` is None if pack.yaml, a release or an option names the engine.
    """

    files: tuple[BuiltFile, ...] = ()
    findings: tuple[Finding, ...] = ()
    rendered_count: int = 0
    cached_count: int = 0
    pages: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    removed: tuple[Path, ...] = ()
    engine_choice: EngineChoice | None = None
