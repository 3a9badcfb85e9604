"""Remembers from what an order was made: one that lies there whole and would come out the same is not made again."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from builder.findings import Finding
from builder.model.profile import Paper
from builder.model.shop import OrderFile, Preset
from builder.render.keep import prune, used
from builder.render.keys import digest, engine_hash
from builder.store.hashes import file_hash
from builder.store.noted import note, noted
from builder.store.project import Project
from builder.usecases.build.options import BuildOptions
from builder.usecases.build.setting import SetCards
from builder.usecases.build.shopdeck import Deck
from builder.usecases.preflight.file import face_of, in_brief, judged_image, preflight_art, preflight_file

FORMAT = "20"
"""Raise it whenever the way from set faces to an order, or what preflight says of one, changes."""

SHEET_PAPER = Paper(width=210, height=297)
"""What the order sheet is printed on."""


@dataclass(frozen=True, slots=True)
class OrderStamp:
    """One package and the hash of everything that shapes it."""

    project: Project
    target: Path
    wanted: str

    @property
    def _place(self) -> Path:
        name = hashlib.sha256(str(self.target.resolve()).encode()).hexdigest()[:32]
        return self.project.cache_dir / "orders" / f"{name}.json"

    def known(self) -> tuple[tuple[Finding, ...], int, int] | None:
        """Findings, pages and cards of the package, if it is still the very one that is wanted; else None."""
        found = noted(self._place)
        if found is None:
            return None
        used(self._place)
        findings, rest = found
        same = rest.get("wanted") == self.wanted and rest.get("package") == package_hash(self.target)
        return (findings, int(rest["pages"]), int(rest["cards"])) if same else None

    def keep(self, findings: Sequence[Finding], pages: int, cards: int) -> None:
        """Note what the finished package was made from."""
        package = package_hash(self.target)
        note(self._place, findings, wanted=self.wanted, package=package, pages=pages, cards=cards)


def wanted(made: SetCards, preset: Preset, options: BuildOptions, decks: Sequence[Deck]) -> str:
    """The hash of everything that shapes an order."""
    from builder.render.flow import flow_hash

    renderer = made.renderer
    langs = tuple(dict.fromkeys(deck.lang for deck in decks))
    sheets = [flow_hash(renderer, "order", SHEET_PAPER, lang) for lang in langs]
    shaped = [
        (deck.lang, deck.size, deck.part, [(card.card.id, str(card.card.released), card.pair, card.copies)])
        for deck in decks
        for card in deck.cards
    ]
    cuts = [sorted(deck.cuts.items()) for deck in decks[:1]]
    drawn = shutil.which("gs") is not None
    rest = (
        options.select.langs,
        options.select.as_of,
        renderer.words(langs[0]).pack_name,
        _profile(preset, options),
        drawn,
    )
    return digest(
        FORMAT, engine_hash(), preset.model_dump_json(), renderer.drawn_on, *sheets, repr((shaped, cuts, rest))
    )


def _profile(preset: Preset, options: BuildOptions) -> str:
    """The hash of the profile that colours are converted with."""
    from builder.render.prepress.icc import find_profile

    if preset.colour.space != "cmyk":
        return ""
    found = find_profile(preset.colour, options.publish.icc)
    return hashlib.sha256(found.data).hexdigest() + found.description


def package_hash(target: Path) -> str:
    """What lies in a folder or an archive, as one hash; nothing where there is none."""
    if target.is_file():
        return file_hash(target)
    files = sorted(path for path in target.rglob("*") if path.is_file()) if target.is_dir() else []
    parts = [f"{path.relative_to(target).as_posix()} {file_hash(path)}" for path in files]
    return digest(*parts) if parts else ""


def forget(project: Project) -> None:
    """Drop what no order has used for long, of all that is kept for orders."""
    for name in ("prepress", "preflight", "orders"):
        prune(project.cache_dir / name)


def verdict(project: Project, path: Path, sha: str, preset: Preset, *, art: bool = False) -> tuple[Finding, ...]:
    """What preflight says of a PDF with this hash, in brief; judged anew only where it was not judged before.

    With `art` only its pictures are judged.
    """
    how = f"{shutil.which('gs') is not None} {art}"
    place = _noted_at(project, sha, path.name, preset.model_dump_json(), how)
    known = noted(place)
    if known is not None:
        used(place)
        return known[0]
    findings = in_brief(preflight_art(path, preset) if art else preflight_file(path, preset).findings)
    note(place, findings)
    return findings


def image_verdict(project: Project, path: Path, file: OrderFile, preset: Preset) -> tuple[Finding, ...]:
    """The same of an image of an order."""
    place = _noted_at(project, file.sha256, repr(file), preset.model_dump_json())
    known = noted(place)
    if known is not None:
        used(place)
        return known[0]
    findings = judged_image(path, face_of(path, preset, file.name, file)).findings
    note(place, findings)
    return findings


def _noted_at(project: Project, *parts: str) -> Path:
    """Where a verdict is kept."""
    return project.cache_dir / "preflight" / f"{digest(FORMAT, engine_hash(), *parts)[:40]}.json"
