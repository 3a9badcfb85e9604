"""Run git in a project, and write the files of a revision into a folder."""

import subprocess
import tarfile
from io import BytesIO
from pathlib import Path

from builder.errors import ToolMissing, UsageError
from builder.messages import gettext as _

PROJECT_FOLDERS = ("cards", "schemas", "templates")
GIT_TIMEOUT_SECONDS = 60


def extract_revision(root: Path, revision: str, folder: Path) -> None:
    """Write the pack files of a git revision into a folder. Raise UsageError if it is unknown."""
    hint = _("Name a commit, branch or tag of git, such as HEAD or main.")
    # git would read it as an option.
    if revision.startswith("-"):
        raise UsageError(_("{value!r} is not a revision", value=revision), hint)
    commit = f"{revision}^{{commit}}"
    verified_commit = run_git(root, "rev-parse", "--verify", "--quiet", commit)
    if verified_commit.returncode:
        message = _("git does not know the revision {value!r}", value=revision)
        raise UsageError(message, hint)
    listed = (
        run_git(root, "ls-tree", "--name-only", commit).stdout.decode().splitlines()
    )
    folders = [name for name in PROJECT_FOLDERS if name in listed]
    archive = run_git(root, "archive", "--format=tar", commit, *folders)
    with tarfile.open(fileobj=BytesIO(archive.stdout)) as tar:
        # A crafted repository may have paths with `..`, so each target is checked.
        for member in tar:
            target = folder / member.name
            content = tar.extractfile(member) if member.isreg() else None
            if content is not None and target.resolve().is_relative_to(
                folder.resolve()
            ):
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content.read())
    (folder / "cards").mkdir(exist_ok=True)


def find_merge_base(root: Path, revision: str) -> str:
    """Return the commit where this branch left a revision, so that it lacks later changes there.

    Return the revision itself if git does not know such a commit, as in a shallow clone.
    """
    if revision.startswith("-"):
        return revision  # git would read it as an option
    base = run_git(root, "merge-base", "HEAD", revision)
    return base.stdout.decode().strip() or revision


def run_git(
    root: Path, *arguments: str, input_text: str = ""
) -> "subprocess.CompletedProcess[bytes]":
    """Run git in a project folder, with a text as its standard input.

    Raise ToolMissing without git.
    """
    command = ["git", "-C", str(root), *arguments]
    try:
        return subprocess.run(
            command,
            input=input_text.encode(),
            capture_output=True,
            check=False,
            timeout=GIT_TIMEOUT_SECONDS,
        )
    except FileNotFoundError as error:
        message = _("git is not installed")
        raise ToolMissing(message, _("Install git, or use a baseline file.")) from error
