"""`squadpress roster verify`."""

from pathlib import Path

import click

from builder.cli.console import write
from builder.cli.options import project_option
from builder.cli.roster.options import files_argument, get_verdict_word, lang_option
from builder.messages import gettext as _, translate
from builder.packs.exchange import read_json
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.usecases.roster.verdict import REMEDY, check_verdict


@click.command()
@files_argument
@lang_option
@project_option
def verify(files: tuple[Path, ...], lang: str | None, project: Project) -> int:
    """Repeat the check of a verdict FILE (NAME.verdict.json) and report whether the result is the
    same.

    Exit code: 1 if anything differs, 3 if the pack or release is missing or cannot be read.
    """
    packs = PackFiles(project)
    message_lang = lang or "en"
    has_differences = False
    for file in files:
        confirmation = check_verdict(packs, read_json(file, REMEDY), str(file))
        comparison = _("confirmed")
        if confirmation.differences:
            has_differences = True
            comparison = _("DIFFERS  ")
        state = confirmation.pack
        if confirmation.release:
            state = f"{confirmation.pack} {confirmation.release}"
        comparison_text = translate(comparison, message_lang)
        word = get_verdict_word(confirmation.legal, confirmation.is_undecided)
        verdict_text = translate(word, message_lang)
        write(f"{comparison_text} {file}: {verdict_text}, {state}")
        for difference in confirmation.differences:
            write(f"  {translate(difference, message_lang)}")
    return 1 if has_differences else 0
