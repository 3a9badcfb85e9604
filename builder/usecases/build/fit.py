"""Which blocks had to shrink, in which language, and which stand nearly empty."""

from __future__ import annotations

from builder.findings import Finding, has_errors
from builder.render.html.view import localised
from builder.render.jobs import FaceFacts, FaceJob
from builder.report.fit import BlockFit, FitReport
from builder.store.project import Project
from builder.usecases.build.options import Progress, Selection, WorkerPool
from builder.usecases.build.typeset import SetCards, set_cards
from builder.usecases.files import PackFiles
from builder.usecases.release.states import load_as_of


def fit_report(
    project: Project, pack_id: str, select: Selection, workers: WorkerPool, progress: Progress | None = None
) -> tuple[FitReport, tuple[Finding, ...]]:
    """How all blocks of the wanted cards came out, and what setting them found.

    Faces that could not be set have no blocks to report; their findings say why.
    """
    loaded = load_as_of(PackFiles(project), pack_id, select.as_of)
    if loaded.pack is None or has_errors(loaded.findings):
        return FitReport(pack_id, ()), loaded.findings
    made = set_cards(project, loaded, select, workers, progress)
    blocks = [block for job, facts in made.rendered.faces.items() for block in _blocks(made, job, facts)]
    return FitReport(pack_id, tuple(blocks)), made.rendered.findings


def _blocks(made: SetCards, job: FaceJob, facts: FaceFacts) -> list[BlockFit]:
    """The blocks of one face."""
    pack = made.renderer.pack
    fit = pack.manifest.kinds[job.kind].fit
    name = localised(pack, pack.cards[job.card], job.lang)[0] if job.card else ""
    place = (job.card or "common", name, job.kind, job.side, job.lang)
    return [
        BlockFit(*place, block.name, block.size, tuple(fit[block.name].sizes), round(block.fill, 3))
        for block in facts.blocks
        if block.name in fit
    ]
