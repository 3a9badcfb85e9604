"""`squadpress release renumber`."""

import click

from builder.cli.console import echo
from builder.cli.options import lang_option, pack_option, project_option
from builder.messages import gettext as _
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.usecases.pack_states import choose_pack


@click.command()
@click.argument("old")
@click.argument("new")
@lang_option
@pack_option
@project_option
def renumber(old: str, new: str, lang: str, pack: str | None, project: Project) -> int:
    """Give release OLD the version NEW, because another branch also released OLD. Do this before
    you publish the release.
    """
    from builder.usecases.release.revision import renumber_release

    releases = PackFiles(project).open_releases(choose_pack(project, pack))
    folder = renumber_release(releases, old, new)
    form = _("{old} is now {new}: {folder}")
    echo(_(form, old=old, new=new, folder=project.shorten_path(folder)), lang)
    return 0
