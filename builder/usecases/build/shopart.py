"""Judges the files of an order, and its art as it was put in: flattened, it hides how coarse a picture was."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from builder.cache import fingerprint
from builder.files import file_hash
from builder.findings import Finding
from builder.messages import gettext as _
from builder.model.shop import OrderFile, Preset, Spot
from builder.render.keys import engine_hash
from builder.render.sheets.sheets import Stack
from builder.store.project import Project
from builder.usecases.build.records import MAKERS, cached_findings
from builder.usecases.build.shopdeck import Deck
from builder.usecases.preflight.file import face_of, in_brief, judged_image, preflight_art, preflight_file

PREFLIGHT = "preflight"


def hides_art(preset: Preset) -> bool:
    """True if a shop's files may hold a picture of a face instead of the pictures on it."""
    colour = preset.colour
    return preset.output != "pdf" or (colour.space == "cmyk" and not colour.transparency)


def judge_art(
    project: Project, preset: Preset, deck: Deck, faces: Path, stacks: Sequence[Stack], spots: Sequence[Spot]
) -> tuple[Finding, ...]:
    """What is wrong with pictures on a deck's faces, named by card and by where the face is printed.

    `faces` is a PDF with a page for each of `stacks`, each of which is printed at its spot. It is judged before it is
    brought to the shop's page: there mirrored edges would show one picture several times.
    """
    found = verdict(project, faces, file_hash(faces), preset, art=True)
    return tuple(_placed(one, deck, stacks[one.location.page - 1], spots) for one in found if one.location.page)


def without(findings: Sequence[Finding], art: Sequence[Finding]) -> list[Finding]:
    """Findings on finished files less those that the judgement of their art tells of already."""
    told = {(one.location.file, one.code) for one in art}
    return [one for one in findings if (one.location.file, one.code) not in told]


def _placed(finding: Finding, deck: Deck, stack: Stack, spots: Sequence[Spot]) -> Finding:
    """The finding with the card's id and its place in the order; a face that cards share names none."""
    spot = spots[(finding.location.page or 1) - 1]
    owners = {card.card.id for card in deck.cards if stack in (card.pair.front, card.pair.back)}
    message = finding.message
    if len(owners) == 1:
        message = _("{name}: {reason}", name=owners.pop(), reason=message)
    place = finding.location.at(file=spot.file, page=spot.page or None, box=None)
    return replace(finding, message=message, location=place)


def verdict(project: Project, path: Path, sha: str, preset: Preset, *, art: bool = False) -> tuple[Finding, ...]:
    """What preflight says of a PDF with this hash, in brief; judged anew only where it was not judged before.

    With `art` only its pictures are judged.
    """

    def judge() -> tuple[Finding, ...]:
        return in_brief(preflight_art(path, preset) if art else preflight_file(path, preset).findings)

    how = f"{shutil.which('gs') is not None} {art}"
    return cached_findings(project, PREFLIGHT, (*_judges(), sha, path.name, preset.model_dump_json(), how), judge)


def image_verdict(project: Project, path: Path, file: OrderFile, preset: Preset) -> tuple[Finding, ...]:
    """The same of an image of an order."""

    def judge() -> tuple[Finding, ...]:
        return judged_image(path, face_of(path, preset, file.name, file)).findings

    return cached_findings(project, PREFLIGHT, (*_judges(), file.sha256, repr(file), preset.model_dump_json()), judge)


def _judges() -> tuple[str, str]:
    return fingerprint(*MAKERS), engine_hash()
