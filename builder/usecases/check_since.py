"""Check a project as it was at a revision of git."""

import subprocess
import tarfile
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from builder.errors import ToolMissing, UsageError
from builder.findings import Finding
from builder.messages import gettext as _
from builder.packs.project import Project
from builder.usecases.check_pack import check_packs

PROJECT_FOLDERS = ("cards", "schemas", "templates")
GIT_TIMEOUT_SECONDS = 60


def check_revision(project: Project, pack: str | None, revision: str) -> tuple[Finding, ...]:
    """Return the findings about the packs as they were at a revision.

    A pack that did not exist has none.

    Raises UsageError for an unknown revision, and ToolMissing without git.
    """
    with TemporaryDirectory(prefix="squadpress-since-") as name:
        folder = Path(name)
        extract_revision(project.root, revision, folder)
        old_project = Project(folder)
        if pack is not None and pack not in old_project.list_packs():
            return ()
        return check_packs(old_project, pack)


def extract_revision(root: Path, revision: str, folder: Path) -> None:
    """Write the files of a revision into a folder. Raise UsageError for an unknown revision."""
    hint = _("Name a commit, branch or tag of git, such as HEAD or main.")
    if revision.startswith("-"):
        raise UsageError(_("{value!r} is not a revision", value=revision), hint)
    commit = f"{revision}^{{commit}}"
    verified_commit = _run_git(root, "rev-parse", "--verify", "--quiet", commit)
    if verified_commit.returncode:
        message = _("git does not know the revision {value!r}", value=revision)
        raise UsageError(message, hint)
    listed = _run_git(root, "ls-tree", "--name-only", commit).stdout.decode().splitlines()
    folders = [name for name in PROJECT_FOLDERS if name in listed]
    archive = _run_git(root, "archive", "--format=tar", commit, *folders)
    with tarfile.open(fileobj=BytesIO(archive.stdout)) as tar:
        for member in tar:
            target = folder / member.name
            content = tar.extractfile(member) if member.isreg() else None
            if content is not None and target.resolve().is_relative_to(folder.resolve()):
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content.read())
    (folder / "cards").mkdir(exist_ok=True)


def _run_git(root: Path, *arguments: str) -> "subprocess.CompletedProcess[bytes]":
    """Run git in the project."""
    command = ["git", "-C", str(root), *arguments]
    try:
        return subprocess.run(
            command, capture_output=True, check=False, timeout=GIT_TIMEOUT_SECONDS
        )
    except FileNotFoundError as error:
        message = _("git is not installed")
        raise ToolMissing(message, _("Install git, or use a baseline file.")) from error
