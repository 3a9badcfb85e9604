"""`squadpress check`."""

from collections.abc import Collection
from datetime import date
from pathlib import Path

import click

from builder.cli.console import echo, echo_findings, run_uninterrupted, write
from builder.cli.options import (
    PATH,
    as_of_option,
    format_option,
    lang_option,
    project_option,
)
from builder.errors import InputUnreadable, UsageError
from builder.files import read_limited, write_atomic
from builder.findings import Finding
from builder.messages import gettext as _, ngettext
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.report.baseline import (
    FindingKey,
    drop_known_findings,
    dump_baseline,
    load_baseline,
    make_finding_key,
)
from builder.usecases.check_pack import check_packs
from builder.usecases.correct_texts import (
    Correction,
    TextCorrections,
    find_corrections,
    write_corrections,
)


@click.command()
@click.argument("pack", required=False)
@click.option(
    "--since",
    metavar="REV",
    help="Show only findings that a revision of git did not have.",
)
@click.option(
    "--baseline",
    type=PATH,
    metavar="FILE",
    help="Show only findings that are not in this file.",
)
@click.option(
    "--write-baseline",
    type=PATH,
    metavar="FILE",
    help="Write the findings to a baseline file.",
)
@click.option(
    "--fix",
    is_flag=True,
    help="Show corrections of quotes, dashes, spaces and dice notation.",
)
@click.option("--write", "writes", is_flag=True, help="With --fix: change the files.")
@click.option(
    "--bump",
    type=click.Choice(["misprint"]),
    help="With --fix --write: also change released cards, with a new revision of this type.",
)
@lang_option
@as_of_option
@format_option
@project_option
def check(
    pack: str | None,
    since: str | None,
    baseline: Path | None,
    write_baseline: Path | None,
    fix: bool,
    writes: bool,
    bump: str | None,
    lang: str,
    as_of: str | None,
    form: str,
    project: Project,
) -> int:
    """Check PACK, or every pack of the project: data, references, texts, translations.

    With --since or --baseline, only new findings are shown and count. With --fix, the corrections
    of texts are shown instead.

    Exit code: 0 if there are no errors, 1 if there are. With --fix: 1 if there are corrections
    that are not written.
    """
    if (writes or bump) and not fix:
        raise UsageError(_("--write and --bump need --fix"), _("Add --fix."))
    if fix:
        if as_of or since or baseline or write_baseline:
            message = _("--fix corrects the files as they are")
            raise UsageError(message, _("Leave out the options that choose findings."))
        statuses = [
            _fix_pack(project, name, writes, bump)
            for name in project.choose_packs(pack)
        ]
        return max(statuses, default=0)
    findings = check_packs(project, pack, as_of)
    if write_baseline is not None:
        write_atomic(write_baseline, dump_baseline(findings))
        echo(
            _("{file}: {many} findings", file=write_baseline, many=len(findings)),
            err=True,
        )
        return 0
    new_findings = _select_new_findings(project, pack, findings, since, baseline)
    hidden_count = len(findings) - len(new_findings)
    status = echo_findings(new_findings, lang, form)
    if hidden_count:
        line = ngettext(
            "{count} finding is not new", "{count} findings are not new", hidden_count
        )
        echo(line, lang, err=True)
    return status


def _select_new_findings(
    project: Project,
    pack: str | None,
    findings: tuple[Finding, ...],
    since: str | None,
    baseline: Path | None,
) -> tuple[Finding, ...]:
    """Return the findings that are neither in a git revision nor in a baseline file."""
    if since is not None:
        from builder.usecases.check_since import check_revision

        old_findings = check_revision(project, pack, since)
        findings = drop_known_findings(findings, map(make_finding_key, old_findings))
    if baseline is not None:
        findings = drop_known_findings(findings, _read_baseline(baseline))
    return findings


def _read_baseline(file: Path) -> list[FindingKey]:
    """Read the finding keys of a baseline file. Raise InputUnreadable if it is not one."""
    try:
        return load_baseline(read_limited(file))
    except (OSError, ValueError, TypeError) as error:
        message = _("{file} is not a baseline file", file=file)
        hint = _("Create it with: squadpress check --write-baseline {file}", file=file)
        raise InputUnreadable(message, hint) from error


def _fix_pack(project: Project, pack: str, writes: bool, bump: str | None) -> int:
    """Print the typographic corrections of a pack.

    Write them if requested. Return the exit code.
    """
    packs = PackFiles(project)
    corrections = find_corrections(packs, pack)
    _show_corrections(corrections)
    if not corrections.corrections:
        echo(_("{pack}: no text needs a correction", pack=pack))
        return 0
    if not writes:
        _summarize_corrections(pack, corrections.corrections)
        echo(_("Add --write to change the files."))
        return 1
    today = date.today()
    with run_uninterrupted():
        files = write_corrections(
            packs, pack, corrections, bump=bump is not None, released=today
        )
    for file in files:
        echo(_("{file}: corrected", file=file))
    skipped = [
        item for item in corrections.corrections if corrections.is_released(item)
    ]
    if bump is None and skipped:
        names = sorted({item.card or item.file for item in skipped})
        form = _("Released cards were not changed: {cards}. Add --bump misprint.")
        echo(_(form, cards=", ".join(names)))
        _summarize_corrections(pack, set(corrections.corrections).difference(skipped))
        return 1
    _summarize_corrections(pack, corrections.corrections)
    if corrections.released_files.intersection(files):
        form = _("Cards that print these words need a revision: {command}")
        echo(_(form, command="squadpress card bump --changed-since VERSION --printed"))
    return 0


def _summarize_corrections(pack: str, corrections: Collection[Correction]) -> None:
    """Print how many texts, files and cards have corrections."""
    texts = ngettext("{count} text", "{count} texts", len(corrections))
    file_count = len({item.file for item in corrections})
    files = ngettext("{count} file", "{count} files", file_count)
    card_count = len({item.card for item in corrections if item.card})
    cards = ngettext("{count} card", "{count} cards", card_count)
    form = _("{pack}: corrections of {texts} in {files} ({cards})")
    echo(_(form, pack=pack, texts=texts, files=files, cards=cards))


def _show_corrections(corrections: TextCorrections) -> None:
    """Print each corrected text before and after."""
    for correction in corrections.corrections:
        mark = ""
        if corrections.is_released(correction):
            mark = _(" (released: needs --bump misprint)")
        place = f"{correction.file}:{correction.line}"
        echo(
            _(
                "{place}: {card} [{lang}]{mark}",
                place=place,
                card=correction.card_or_place,
                lang=correction.lang,
                mark=mark,
            )
        )
        write(f"  - {correction.before}")
        write(f"  + {correction.after}")
