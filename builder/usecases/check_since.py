"""Check a project as it was at a revision of git."""

from pathlib import Path
from tempfile import TemporaryDirectory

from builder.findings import Finding
from builder.packs.project import Project
from builder.usecases.check_pack import check_packs
from builder.usecases.git import extract_revision


def check_revision(
    project: Project, pack: str | None, revision: str
) -> tuple[Finding, ...]:
    """Check packs as they were at a git revision. Return the findings.

    A pack that did not exist then has none. Raise UsageError for an unknown revision, and
    ToolMissing without git.
    """
    with TemporaryDirectory(prefix="squadpress-since-") as name:
        folder = Path(name)
        extract_revision(project.root, revision, folder)
        old_project = Project(folder)
        if pack is not None and pack not in old_project.list_packs():
            return ()
        return check_packs(old_project, pack)
