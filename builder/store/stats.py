"""stats.yaml of a pack, read by itself: a squad judged by an old release is still counted by today's forms."""

from __future__ import annotations

from builder.findings import Finding
from builder.model.stats import StatsFile
from builder.store.project import Project
from builder.store.sources import Reader


def load_stats(project: Project, pack_id: str) -> tuple[StatsFile | None, tuple[Finding, ...]]:
    """The forms a pack declares, and what is wrong with them; (None, ()) where it declares none."""
    path = project.cards_dir(pack_id) / "stats.yaml"
    if not path.exists():
        return None, ()
    reader = Reader(project)
    document = reader.document(path)
    found = reader.model(document, StatsFile) if document is not None else None
    return found, tuple(reader.findings)
