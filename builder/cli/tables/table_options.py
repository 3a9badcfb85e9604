"""The options of commands that read tables of cards."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from builder.cli.console import echo
from builder.cli.options import PATH, Command, group_options
from builder.errors import UsageError
from builder.messages import gettext as _
from builder.packs.tables.request import TableRequest


@dataclass(frozen=True, slots=True)
class TableChoice:
    """The values of the options `--sheet`, `--mapping`, `--kind` and `--lang`."""

    sheets: tuple[str, ...]
    mapping: Path | None
    kinds: tuple[str, ...]
    lang: str | None

    def make_request(self, files: Sequence[Path]) -> TableRequest:
        """Make the import request for table files. Raise UsageError if `--kind` is repeated."""
        if len(self.kinds) > 1:
            raise UsageError(
                _("--kind is given twice"),
                _("Leave it out if a column or the names of sheets say the kind."),
            )
        kind = self.kinds[0] if self.kinds else ""
        lang, comma, _rest = (self.lang or "").partition(",")
        if comma:
            echo(
                _(
                    "With a table, --lang is the language of the table: {lang}.",
                    lang=lang,
                ),
                err=True,
            )
        return TableRequest(tuple(files), self.sheets, self.mapping, kind, lang)


def table_options(
    kind_help: str = "", lang_help: str = ""
) -> Callable[[Command], Command]:
    """Make a decorator that adds the options for tables, passed as a TableChoice named `choice`.

    The texts are added to the help of options that mean something else without a table.
    """
    return group_options(
        "choice",
        TableChoice,
        click.option(
            "--sheet",
            "sheets",
            multiple=True,
            metavar="NAME",
            help="Read this sheet of a workbook. Can be repeated. Default: all visible sheets.",
        ),
        click.option(
            "--mapping",
            type=PATH,
            metavar="YAML",
            help="Mapping file: which column is which field, if the names differ.",
        ),
        click.option(
            "--kind",
            "kinds",
            multiple=True,
            metavar="KIND",
            help=f"Kind of the cards. Default: a column `kind`, or the sheet's name. {kind_help}",
        ),
        click.option(
            "--lang",
            metavar="LANG",
            help=f"Language of the table's columns that name none. {lang_help}",
        ),
    )
