"""Which printed faces differ from a release: told by what is drawn, and in the end by the pixels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from builder.errata.difference import pairing
from builder.errata.snapshot import Snapshot, thaw
from builder.findings import Finding
from builder.model.loaded import LoadedPack
from builder.render.jobs import Variant
from builder.store.project import Project
from builder.usecases.build.faces import FaceName, Faces, set_faces
from builder.usecases.build.options import Progress, WorkerPool


@dataclass(frozen=True)
class ChangedFaces:
    """The comparison of two prints. `reasons` holds the changed cards per language: new, content, template or art.

    `pairs` maps a card of today to the card it was; `before` and `after` are all faces of both.
    """

    before: Faces
    after: Faces
    pairs: Mapping[str, str]
    reasons: Mapping[str, Mapping[str, str]]
    findings: tuple[Finding, ...]

    def old_name(self, name: FaceName) -> FaceName | None:
        """The face as it was; None for a new card or a face that could not be set."""
        lang, card, side = name
        old = (lang, self.pairs.get(card, ""), side)
        return old if old in self.before.stacks else None

    def differing(self, lang: str, card: str) -> tuple[FaceName, ...]:
        """The faces of a changed card whose drawing differs."""
        names = [name for name in self.after.stacks if name[:2] == (lang, card)]
        return tuple(
            name
            for name in names
            if (old := self.old_name(name)) is None or self.before.stacks[old] != self.after.stacks[name]
        )


def changed_faces(
    project: Project,
    old: Snapshot,
    new: Snapshot,
    loaded: LoadedPack,
    langs: tuple[str, ...],
    variant: Variant = "full",
    workers: WorkerPool = WorkerPool(),  # noqa: B008 - frozen
    progress: Progress | None = None,
) -> ChangedFaces:
    """Compare the print of a release with today's. Old cards are set with today's templates, so that what the
    templates changed shows against the pictures that the release remembers.
    """
    past = thaw(old, old.label)
    before = set_faces(project, past, langs, variant, workers, progress)
    after = set_faces(project, loaded, langs, variant, workers, progress)
    pairs = pairing(old, new)[0]
    found = ChangedFaces(before, after, pairs, {}, (*past.findings, *after.findings))
    reasons: dict[str, dict[str, str]] = {lang: {} for lang in langs}
    asked: list[FaceName] = []
    for name, stack in after.stacks.items():
        was = found.old_name(name)
        if was is None:
            reasons[name[0]][name[1]] = "new"
        elif before.stacks[was] != stack:
            asked.append(name)
    for name in _unequal(found, asked):
        reasons[name[0]].setdefault(name[1], "content")
    if variant == "full":
        for name, reason in _restyled(found, old, new).items():
            reasons[name[0]].setdefault(name[1], reason)
    return ChangedFaces(before, after, pairs, reasons, found.findings)


def _unequal(found: ChangedFaces, asked: list[FaceName]) -> list[FaceName]:
    """Those of the asked faces whose pixels differ: two drawings may still print alike."""
    olds = {name: old for name in asked if (old := found.old_name(name)) is not None}
    before, after = found.before.digests(dict.fromkeys(olds.values())), found.after.digests(olds)
    return [name for name, old in olds.items() if before[old] != after[name]]


def _restyled(found: ChangedFaces, old: Snapshot, new: Snapshot) -> dict[FaceName, str]:
    """Faces whose template or picture file changed since, as far as the release's pictures do not prove them alike."""
    touched = {path for path in old.files.keys() | new.files.keys() if old.files.get(path) != new.files.get(path)}
    names = {name: reason for name in found.after.stacks if (reason := _touch(found, name, touched, new.pack))}
    if not names:
        return {}
    from builder.pdfinfo.pictures import rasteriser

    comparable = old.faces.get("rasteriser") == rasteriser()
    digests = found.after.digests(names) if comparable else {}

    def alike(name: FaceName) -> bool:
        was = found.old_name(name)
        remembered = old.faces.get("/".join(was)) if was else None
        return name in digests and remembered == digests[name]

    return {name: reason for name, reason in names.items() if not alike(name)}


def _touch(found: ChangedFaces, name: FaceName, touched: set[str], pack: str) -> str:
    """Why a face may look otherwise although its card is the same; empty if nothing it is made from changed."""
    card = found.after.renderer.pack.cards[name[1]]
    kinds = found.after.renderer.pack.manifest.kinds
    for path in touched:
        parts = path.split("/")
        if any(path.endswith(f"/{file}") for file in found.after.files.get(card.id, ())):
            return "art"
        own = parts[0] == "templates" and (parts[1] == pack or parts[1:3] in (["base", "face.css"],))
        if own and "art" not in parts and (parts[2] == card.kind or parts[2] not in kinds) and "gauge" not in path:
            return "template"
    return ""
