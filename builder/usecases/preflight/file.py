"""Judge a finished PDF or image by a print shop's numbers: our own before an order is handed over, and anyone's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from builder.checks.images import run as pictures
from builder.checks.images.face import Face
from builder.checks.preflight import images, pairs
from builder.checks.preflight.job import Job
from builder.checks.preflight.run import judge
from builder.findings import Finding, Severity, in_order
from builder.messages import gettext as _
from builder.model.pdf import grow, meet
from builder.model.shop import OrderFile, Preset
from builder.report.preflight import View

IMAGES = frozenset({".png", ".jpg", ".jpeg", ".webp", ".tif", ".tiff", ".gif", ".bmp"})
"""Endings of files that are judged as images."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A file with what was found, and its pages as a report would draw them. `pixels` are those of an image."""

    path: Path
    name: str
    findings: tuple[Finding, ...]
    views: tuple[View, ...]
    pixels: tuple[int, int] | None = None


def preflight_file(path: Path, preset: Preset, name: str = "") -> Judged:
    """One PDF or image; `name` is what findings call it (by default the file's own name).

    InputUnreadable for what is neither. Without Ghostscript a finding says that ink was not measured.
    """
    name = name or path.name
    if path.suffix.lower() in IMAGES:
        return judged_image(path, face_of(path, preset, name))
    return _judged(path, preset, name)[0]


def preflight_art(path: Path, preset: Preset) -> tuple[Finding, ...]:
    """All findings about the pictures in a file, whatever else may stand against printing it."""
    from builder.pdfinfo.read import portions

    found = (one for part in portions(path) for one in images.check(Job(part, preset)))
    return in_order(replace(one, location=one.location.at(file=path.name)) for one in found)


def preflight_pair(fronts: Path, backs: Path, preset: Preset, names: tuple[str, str] = ("", "")) -> tuple[Judged, ...]:
    """Fronts in one PDF and their backs in another, pages paired in order."""
    apart = preset.model_copy(update={"order": "apart"})
    first, ahead = _judged(fronts, apart, names[0] or fronts.name)
    second, behind = _judged(backs, apart, names[1] or backs.name)
    between = tuple(replace(one, location=one.location.at(file=second.name)) for one in pairs.check(ahead, behind))
    return first, replace(second, findings=in_order((*second.findings, *between)))


def face_of(path: Path, preset: Preset, name: str, listed: OrderFile | None = None) -> Face:
    """An image with what its order says of it. Raises InputUnreadable and ToolMissing."""
    from builder.pdfinfo.pictures import read_raster

    return Face(name, read_raster(path), preset, listed)


def judged_image(path: Path, face: Face) -> Judged:
    """An image that was read."""
    safe = face.preset.safe
    view = View(face.name, 0, face.shows, face.trim, grow(face.trim, -safe) if safe else None)
    return Judged(path, face.name, pictures.judge(face), (view,), face.raster.pixels)


def in_brief(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """All errors, and of each sort of warning in a file the first with the number of the others."""
    count = Counter((finding.location.file, finding.code) for finding in findings)
    kept: dict[object, Finding] = {}
    for finding in findings:
        sort = (finding.location.file, finding.code)
        if finding.severity is Severity.ERROR:
            kept[finding] = finding
        elif sort not in kept:
            more = _("{what} (and {many} more in this file)", what=finding.message, many=count[sort] - 1)
            kept[sort] = replace(finding, message=more) if count[sort] > 1 else finding
    return tuple(kept.values())


def twice_judged(found: Sequence[Finding], again: Sequence[Finding]) -> list[Finding]:
    """Brief findings of files, and those of the same files in another state: no sort of warning twice for one file."""
    known = {(one.location.file, one.code) for one in found if one.severity is not Severity.ERROR}
    return [
        *found,
        *(one for one in again if one.severity is Severity.ERROR or (one.location.file, one.code) not in known),
    ]


def _judged(path: Path, preset: Preset, name: str) -> tuple[Judged, Job]:
    """A PDF as it is read, and in brief; only what a report needs of its pages is kept."""
    from builder.pdfinfo.ink import measure_ink
    from builder.pdfinfo.read import portions

    limit = preset.colour.ink_limit
    if limit is None:
        found, job = judge(portions(path), preset)
    else:
        # Ink is measured by another program: the file is read meanwhile.
        with ThreadPoolExecutor(1) as beside:
            found, job = judge(portions(path), preset, beside.submit(measure_ink, path, limit).result)
    safe, views = preset.safe, []
    for page in job.pdf.pages:
        trim, shows = job.trim(page), meet(page.crop, page.media) or page.media
        views.append(View(name, page.number, shows, trim, grow(trim, -safe) if safe else None))
    named = tuple(replace(finding, location=finding.location.at(file=name)) for finding in found)
    return Judged(path, name, named, tuple(views)), job
