"""`squadpress roster seal`."""

from pathlib import Path

import click

from builder.cli.console import echo
from builder.cli.options import project_option
from builder.cli.roster.options import file_argument, lang_option
from builder.errors import UsageError
from builder.messages import gettext as _
from builder.packs.pack_files import write_json
from builder.packs.project import Project
from builder.usecases.roster.roster_files import check_roster_file
from builder.usecases.roster.seal import seal_roster


@click.command()
@file_argument
@lang_option
@project_option
def seal(file: Path, lang: str | None, project: Project) -> int:
    """Write NAME.sealed.json, a copy of the legal squad in FILE for the opponent, and
    NAME.key.json, which you keep.

    The copy shows the models. Equipment and deck are sealed, each separately. Both players
    write down the fingerprint of the copy: it shows if the copy is exchanged later.
    """
    result = check_roster_file(project, file, lang)
    sealed = seal_roster(result)
    copy = file.with_name(f"{file.stem}.sealed.json")
    key = file.with_name(f"{file.stem}.key.json")
    if key.exists():
        remedy = _("Move it away first. Without it, the earlier seal cannot be proved.")
        raise UsageError(_("{file} already exists", file=key), remedy)
    # The key is written first, because a copy without its key can never be proved.
    write_json(key, sealed.key, private=True)
    write_json(copy, sealed.copy)
    echo(_("written: {file} (for your opponent)", file=copy), result.lang)
    echo(_("written: {file} (keep it secret)", file=key), result.lang)
    echo(_("fingerprint of the copy: {mark}", mark=sealed.fingerprint), result.lang)
    return 0
