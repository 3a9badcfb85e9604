"""What the roster commands share: their options and the printing of verdicts."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from builder.cli.console import echo, put
from builder.cli.language import named_language
from builder.cli.options import PATH, Day, grouped
from builder.errors import InputUnreadable, UsageError
from builder.messages import gettext as _, translate
from builder.model.formats import FormatDay
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.packs.rosters import load_collection
from builder.report.findings import format_finding
from builder.rules.names import Names
from builder.usecases.roster.check_roster import JudgedRoster, OwnedCards, follow_renamed_cards

file_argument = click.argument("file", type=PATH)
files_argument = click.argument("files", nargs=-1, required=True, metavar="FILE...", type=PATH)
lang_option = click.option(
    "--lang",
    metavar="LANG",
    default=named_language,
    help=(
        "Language of names and rules. Default: the language of the program, then the "
        "pack's source language."
    ),
)
play_format_option = click.option(
    "--play-format", metavar="NAME", help="Check against this play format of formats.yaml."
)
on_option = click.option(
    "--on", "day", type=Day(), help="Date of play, for play formats. Default: today."
)


@dataclass(frozen=True, slots=True)
class SquadLimits:
    """What a squad has to keep to besides its pack's rules: a collection, a play format on a day."""

    own: Path | None
    painted: bool
    play_format: str | None
    day: date | None

    def owned(self, project: Project) -> OwnedCards | None:
        """The collection that `--own` and `--painted` mean; UsageError for the second without the first."""
        if self.own is not None:
            collection, new_ids = follow_renamed_cards(
                PackFiles(project), load_collection(self.own, project)
            )
            for old, new in new_ids.items():
                echo(
                    _("note: {file}: {old} is now {new}", file=self.own, old=old, new=new), err=True
                )
            return OwnedCards(str(self.own), collection, self.painted)
        if self.painted:
            hint = _("Add --own COLLECTION.")
            raise UsageError(_("--painted needs a collection"), hint)
        return None

    def played(self, as_of: str | None = None) -> FormatDay | None:
        """The play format that `--play-format` and `--on` mean, on the day of `--as-of` where that is one; for a day
        alone the one that each squad names.
        """
        day = self.day
        if day is None and as_of is not None:
            with suppress(ValueError):
                day = date.fromisoformat(as_of)
        return (
            FormatDay(self.play_format or "", day or date.today())
            if self.play_format or day
            else None
        )


limit_options = grouped(
    "limits",
    SquadLimits,
    click.option(
        "--own",
        type=PATH,
        metavar="COLLECTION",
        help=("Only use cards this collection file contains."),
    ),
    click.option("--painted", is_flag=True, help=("Only count painted models of the collection.")),
    play_format_option,
    on_option,
)
"""`--own`, `--painted`, `--play-format` and `--on`, given to the command as `limits`."""


def exit_code(judged: Iterable[JudgedRoster]) -> int:
    """Return 3 if a squad could not be judged because of its pack, else 1 if one is not legal, else 0."""
    squads = tuple(judged)
    if any(one.unreadable for one in squads):
        return InputUnreadable.exit_code
    return 0 if all(one.legal for one in squads) else 1


def verdict_line(judged: JudgedRoster) -> Text:
    """`legal  FILE  "name"  28 of 30`, coloured on a terminal; `no verdict  FILE` if the pack cannot be read."""
    line, say = Text(), partial(translate, lang=judged.lang)
    if judged.unreadable:
        line.append(say(_("no verdict")), style="bold yellow").append("  ").append(
            judged.file, style="bold"
        )
        return line.append("  ").append(say(_("(the pack cannot be read)")))
    words = say(_("ILLEGAL")), say(_("legal"))
    word, style = words[judged.legal], "bold green" if judged.legal else "bold red"
    if judged.is_undecided:
        word, style = say(_("NOT DECIDED")), "bold yellow"
    line.append(
        word.ljust(max(map(len, words)) + 1) + (" " if judged.is_undecided else ""), style=style
    )
    line.append(judged.file, style="bold")
    if judged.roster is None or judged.judge is None:
        return line.append("  ").append(say(_("(not readable)")))
    if judged.roster.name:
        line.append(f"  {judged.roster.get_name(judged.lang)}")
    if judged.spent is not None:
        names = Names(judged.judge.pack, judged.lang)
        used, allowed = judged.spent.used, judged.spent.allowed
        currency = names.of(judged.judge.pack.manifest.roster.currency, "")
        if allowed is not None or currency:
            line.append(
                f"  {used:g}" + (f"/{allowed:g}" if allowed is not None else ""), style="cyan"
            )
            line.append(f" {currency}" if currency else "")
    if judged.verdict is not None and judged.verdict.broken:
        line.append(f"  {', '.join(sorted(judged.verdict.broken))}", style="red")
    if judged.verdict is not None and judged.verdict.undecided:
        line.append(f"  {', '.join(sorted(judged.verdict.undecided))}", style="yellow")
    return line


def print_judged(screen: Console, judged: JudgedRoster) -> None:
    """The verdict's line and, below it, every finding."""
    put(screen, verdict_line(judged), 4)
    for finding in judged.findings:
        put(screen, f"  {format_finding(finding, judged.lang)}".replace("\n", "\n  "), 6)
