"""`squadpress site`."""

from pathlib import Path

import click

from builder.cli.console import echo
from builder.cli.options import PATH, project_option
from builder.errors import ToolMissing
from builder.messages import gettext as _, ngettext
from builder.store.project import Project


@click.command()
@click.argument("output", type=PATH, metavar="DIR")
@click.option("--pack", "packs", multiple=True, metavar="PACK", help="Only this pack. May be given several times.")
@click.option("--base-url", default="", metavar="URL", help="Its address: for feeds, previews, the sitemap.")
@project_option
def site(project: Project, output: Path, packs: tuple[str, ...], base_url: str) -> int:
    """Write the cards' pages as a static site that any file host serves: faces, texts, search, history, releases."""
    try:
        from builder.web.site import write_site
    except ImportError as error:
        hint = _("Install squadpress with its extra `web`: squadpress[web].")
        raise ToolMissing(_("the pages need Django and its companions"), hint) from error
    chosen = [name for pack in packs or (None,) for name in project.choose(pack)]
    data = project.cache_dir / "site"
    many = write_site(project, chosen, output, base_url, data, lambda what: echo(_("pictures: {what}", what=what)))
    echo(ngettext("{count} file in {folder}", "{count} files in {folder}", many, folder=output))
    return 0
