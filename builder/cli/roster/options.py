"""Options and verdict lines of the roster commands."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from builder.cli.console import echo, print_wrapped
from builder.cli.language import get_requested_language
from builder.cli.options import PATH, Day, group_options
from builder.errors import InputUnreadable, UsageError
from builder.messages import gettext as _, translate
from builder.model.formats import FormatDay
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.packs.rosters import load_collection
from builder.report.findings import format_finding
from builder.rules.names import Names
from builder.units import pick_unit_form
from builder.usecases.roster.check_roster import (
    CheckedRoster,
    OwnedCards,
    follow_renamed_cards,
)

file_argument = click.argument("file", type=PATH)
files_argument = click.argument(
    "files", nargs=-1, required=True, metavar="FILE...", type=PATH
)
lang_option = click.option(
    "--lang",
    metavar="LANG",
    default=get_requested_language,
    help=(
        "Language of names and rules. Default: the language of the program, then the "
        "pack's source language."
    ),
)
play_format_option = click.option(
    "--play-format",
    metavar="NAME",
    help="Check against this play format of formats.yaml.",
)
on_option = click.option(
    "--on", "day", type=Day(), help="Date of play, for play formats. Default: today."
)


@dataclass(frozen=True, slots=True)
class SquadLimits:
    """Options that limit a squad besides the rules: a collection and a play format."""

    collection: Path | None
    painted: bool
    play_format: str | None
    day: date | None

    def load_owned_cards(self, project: Project) -> OwnedCards | None:
        """Load the collection of `--own`. None without the option.

        Raise UsageError for `--painted` without `--own`.
        """
        if self.collection is None:
            if self.painted:
                raise UsageError(
                    _("--painted needs a collection"), _("Add --own COLLECTION.")
                )
            return None
        file = self.collection
        collection = load_collection(file, project)
        collection, new_ids = follow_renamed_cards(PackFiles(project), collection)
        for old, new in new_ids.items():
            echo(
                _("note: {file}: {old} is now {new}", file=file, old=old, new=new),
                err=True,
            )
        return OwnedCards(str(file), collection, self.painted)

    def get_play_format(self, as_of: str | None = None) -> FormatDay | None:
        """Return the play format and day of `--play-format` and `--on`.

        None without both options.

        Without `--on`, the day is that of `--as-of`, or today. Without `--play-format`, the name is
        empty: each squad names its own.
        """
        day = self.day
        if day is None and as_of is not None:
            # `--as-of` may also be a version.
            with suppress(ValueError):
                day = date.fromisoformat(as_of)
        if not self.play_format and day is None:
            return None
        return FormatDay(self.play_format or "", day or date.today())


limit_options = group_options(
    "limits",
    SquadLimits,
    click.option(
        "--own",
        "collection",
        type=PATH,
        metavar="COLLECTION",
        help="Only use cards this collection file contains.",
    ),
    click.option(
        "--painted", is_flag=True, help="Only count painted models of the collection."
    ),
    play_format_option,
    on_option,
)
"""`--own`, `--painted`, `--play-format` and `--on`, given to the command as `limits`."""


def get_exit_code(results: Iterable[CheckedRoster]) -> int:
    """Return 3 if the pack of a squad is unreadable, 1 if a squad is illegal, else 0."""
    results = tuple(results)
    if any(result.unreadable for result in results):
        return InputUnreadable.exit_code
    return 0 if all(result.legal for result in results) else 1


def format_verdict_line(result: CheckedRoster) -> Text:
    """Format the result of a check as a coloured line, such as `legal FILE "name" 28/30`."""
    line = Text()
    if result.unreadable:
        line.append(translate(_("no verdict"), result.lang), style="bold yellow")
        line.append("  ").append(result.file, style="bold").append("  ")
        return line.append(translate(_("(the pack cannot be read)"), result.lang))
    _append_verdict(line, result)
    line.append(result.file, style="bold")
    if result.roster is None or result.checker is None:
        return line.append("  ").append(translate(_("(not readable)"), result.lang))
    if result.roster.name:
        line.append(f"  {result.roster.get_name(result.lang)}")
    _append_points(line, result)
    if result.verdict is not None and result.verdict.broken:
        line.append(f"  {', '.join(sorted(result.verdict.broken))}", style="red")
    if result.verdict is not None and result.verdict.undecided:
        line.append(f"  {', '.join(sorted(result.verdict.undecided))}", style="yellow")
    return line


def get_verdict_word(is_legal: bool, is_undecided: bool) -> str:
    """Return the message for a verdict: legal, illegal or not decided."""
    if is_legal:
        return _("legal")
    return _("NOT DECIDED") if is_undecided else _("ILLEGAL")


def get_verdict_colour(is_legal: bool, is_undecided: bool) -> str:
    """Return the terminal colour of a verdict."""
    if is_legal:
        return "green"
    return "yellow" if is_undecided else "red"


def _append_verdict(line: Text, result: CheckedRoster) -> None:
    """Append the verdict to a line, padded so that the next column is aligned."""
    legal = translate(_("legal"), result.lang)
    illegal = translate(_("ILLEGAL"), result.lang)
    width = max(len(legal), len(illegal)) + 1
    word = translate(get_verdict_word(result.legal, result.is_undecided), result.lang)
    colour = get_verdict_colour(result.legal, result.is_undecided)
    line.append(word.ljust(width), style=f"bold {colour}")
    # The word for an undecided squad is longer than the columns.
    if result.is_undecided:
        line.append(" ")


def _append_points(line: Text, result: CheckedRoster) -> None:
    """Append the spent points, the limit and the currency to a line, if the pack has them."""
    if result.spent is None or result.checker is None:
        return
    pack = result.checker.pack
    currency = Names(pack, result.lang).choose_name(pack.manifest.roster.currency, "")
    allowed = result.spent.allowed
    if allowed is None and not currency:
        return
    limit = "" if allowed is None else f"/{allowed:g}"
    line.append(f"  {result.spent.used:g}{limit}", style="cyan")
    unit = pick_unit_form(currency, result.spent.used if allowed is None else allowed)
    line.append(f" {unit}" if unit else "")


def print_result(screen: Console, result: CheckedRoster) -> None:
    """Print the verdict of a squad, and all errors and warnings below it."""
    print_wrapped(screen, format_verdict_line(result), 4)
    for finding in result.findings:
        text = format_finding(finding, result.lang).replace("\n", "\n  ")
        print_wrapped(screen, f"  {text}", 6)
