"""Judge a finished PDF by a print shop's numbers: our own before an order is handed over, and anyone's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from io import BytesIO
from pathlib import Path

from builder.checks.preflight import images, pairs
from builder.checks.preflight.job import Job
from builder.checks.preflight.run import judge
from builder.errors import InputUnreadable
from builder.findings import Finding, Severity, in_order
from builder.model.pdf import grow, meet
from builder.model.preset import Preset
from builder.report.preflight import Drawn, preflight_html

ORDER_SHEET = "order.pdf"
DPI = 110
MOST = 60
"""Pages drawn in one report: more make a file that browsers open slowly."""

SAMPLE = 6
"""Pages drawn of a file without findings."""


def preflight_file(path: Path, preset: Preset, name: str = "") -> tuple[Finding, ...]:
    """All findings about one file; `name` is what they call it (by default the file's own name).

    InputUnreadable for what is no PDF. Without Ghostscript a finding says that ink was not measured.
    """
    return _judge(_job(path, preset), name or path.name)


def preflight_art(path: Path, preset: Preset) -> tuple[Finding, ...]:
    """All findings about the pictures in a file, whatever else may stand against printing it."""
    from builder.pdfinfo.read import read

    found = images.check(Job(read(path), preset))
    return in_order(replace(one, location=one.location.at(file=path.name)) for one in found)


def preflight_pair(fronts: Path, backs: Path, preset: Preset, names: tuple[str, str] = ("", "")) -> tuple[Finding, ...]:
    """All findings about fronts in one file and their backs in another, pages paired in order."""
    apart = preset.model_copy(update={"order": "apart"})
    jobs = [_job(path, apart) for path in (fronts, backs)]
    shown = [name or path.name for name, path in zip(names, (fronts, backs), strict=True)]
    found = [finding for job, name in zip(jobs, shown, strict=True) for finding in _judge(job, name)]
    found += [replace(one, location=one.location.at(file=shown[1])) for one in pairs.check(jobs[0], jobs[1])]
    return in_order(found)


def preflight_folder(folder: Path, preset: Preset) -> tuple[Finding, ...]:
    """All findings about the PDF files of a folder; a file of fronts is paired with the file of its backs.

    An order's own sheet is passed over. InputUnreadable for a folder without such files.
    """
    files = sorted(path for path in folder.rglob("*.pdf") if path.name != ORDER_SHEET)
    if not files:
        raise InputUnreadable(f"{folder} holds no PDF to judge", "Name a PDF, or the folder of an order with PDFs.")
    found: list[Finding] = []
    for path in files:
        partner = path.with_name(path.name.replace("fronts", "backs"))
        names = path.relative_to(folder).as_posix(), partner.relative_to(folder).as_posix()
        if "fronts" in path.name and partner in files:
            found += preflight_pair(path, partner, preset, names)
        elif path.with_name(path.name.replace("backs", "fronts")) not in files or "backs" not in path.name:
            found += preflight_file(path, preset, names[0])
    return in_order(found)


def preflight_report(path: Path, preset: Preset, name: str = "") -> tuple[tuple[Finding, ...], str]:
    """The findings, and an HTML page with the pages drawn and the places marked.

    ToolMissing where nothing can draw pages.
    """
    job = _job(path, preset)
    findings = _judge(job, name or path.name)
    marked = sorted({finding.location.page for finding in findings if finding.location.page})
    numbers = marked[:MOST] or [page.number for page in job.pdf.pages[:SAMPLE]]
    pages = tuple(_drawn(path, job, numbers))
    shop = preset.name.get("en", preset.id)
    return findings, preflight_html(name or path.name, shop, findings, pages, max(0, len(marked) - MOST))


def in_brief(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """All errors, and of each sort of warning in a file the first with the number of the others."""
    count = Counter((finding.location.file, finding.code) for finding in findings)
    kept: dict[object, Finding] = {}
    for finding in findings:
        sort = (finding.location.file, finding.code)
        if finding.severity is Severity.ERROR:
            kept[finding] = finding
        elif sort not in kept:
            more = f" (and {count[sort] - 1} more in this file)" if count[sort] > 1 else ""
            kept[sort] = replace(finding, message=finding.message + more)
    return tuple(kept.values())


def _job(path: Path, preset: Preset) -> Job:
    from builder.pdfinfo.ink import measure_ink
    from builder.pdfinfo.read import read

    limit = preset.colour.ink_limit
    if limit is None:
        return Job(read(path), preset)
    # Ink is measured by another program: the file is read meanwhile.
    with ThreadPoolExecutor(1) as beside:
        inks = beside.submit(measure_ink, path, limit)
        return Job(read(path), preset, inks.result())


def _judge(job: Job, file: str) -> tuple[Finding, ...]:
    return tuple(replace(finding, location=finding.location.at(file=file)) for finding in judge(job))


def _drawn(path: Path, job: Job, numbers: Sequence[int]) -> Iterator[Drawn]:
    """These pages as pictures, with their cut and safe zone."""
    from builder.pdfinfo.pixels import pictures

    for number, picture in zip(numbers, pictures(path.read_bytes(), DPI, numbers), strict=True):
        page = job.pdf.pages[number - 1]
        trim, safe = job.trim(page), job.preset.safe
        out = BytesIO()
        picture.save(out, "JPEG", quality=82)
        shows = meet(page.crop, page.media) or page.media
        yield Drawn(number, out.getvalue(), shows, trim, grow(trim, -safe) if safe else None)
