"""`squadpress release discard`."""

import click

from builder.cli.console import echo
from builder.cli.options import lang_option, pack_option, project_option
from builder.errors import UsageError
from builder.messages import gettext as _
from builder.model.words import suggest_word
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.usecases.pack_states import choose_pack


@click.command()
@click.argument("version")
@lang_option
@pack_option
@project_option
def discard(version: str, lang: str, pack: str | None, project: Project) -> int:
    """Delete the draft of VERSION. Releases and working files stay as they are."""
    drafts = PackFiles(project).open_releases(choose_pack(project, pack)).drafts
    versions = [draft.version for draft in drafts.list_releases()]
    if not drafts.has_version(version):
        message = _("there is no draft of {version}", version=version)
        raise UsageError(message, suggest_word(version, versions, _("Drafts")))
    drafts.discard_draft(version)
    echo(_("The draft of {version} was deleted.", version=version), lang)
    return 0
