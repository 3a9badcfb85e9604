"""`squadpress ci`: a group, and `ci init`."""

import click

from builder.cli.console import echo
from builder.cli.groups import HelpfulGroup
from builder.cli.options import lang_option, project_option
from builder.files import read_limited, write_atomic
from builder.messages import gettext as _
from builder.packs.project import CI_FILES, Project

MAX_CI_BYTES = 1_000_000
TARGETS = {
    "github.yml": ".github/workflows/cards.yml",
    "github-comment.yml": ".github/workflows/cards-comment.yml",
    "gitlab.yml": ".gitlab-ci.yml",
    "pre-commit.yml": ".pre-commit-config.yaml",
    "gitattributes": ".gitattributes",
    "gitignore": ".gitignore",
}
"""The files that `ci init` writes, by their templates."""
COMPLETED_FILES = (".gitattributes", ".gitignore")
"""The files to which `ci init` adds the lines that they lack."""


@click.group(cls=HelpfulGroup)
def ci() -> None:
    """Set up a repository in which a team edits packs."""


@ci.command("init")
@lang_option
@project_option
def init(lang: str, project: Project) -> int:
    """Write workflows for GitHub and GitLab, a pre-commit hook, .gitattributes and .gitignore.

    A file that exists is kept. Lines that .gitattributes or .gitignore lacks are added.
    """
    for template, name in TARGETS.items():
        content = (CI_FILES / template).read_bytes()
        target = project.root / name
        form = _("{file}: created")
        if target.exists() and name not in COMPLETED_FILES:
            echo(_("{file}: kept, because it exists", file=name), lang)
            continue
        if target.exists():
            old = read_limited(target, MAX_CI_BYTES)
            known_lines = old.splitlines()
            lines = [line for line in content.splitlines() if line not in known_lines]
            form = (
                _("{file}: completed")
                if lines
                else _("{file}: kept, because it exists")
            )
            content = b"\n".join([*known_lines, *lines, b""])
        write_atomic(target, content)
        echo(_(form, file=name), lang)
    return 0
