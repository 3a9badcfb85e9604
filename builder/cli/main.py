"""The entry point of the command line: runs a command, and turns exceptions into exit codes.

Commands are imported when called.
"""

import gc
import io
import os
import sys
from contextlib import suppress

import click

from builder.cli import console
from builder.cli.console import write
from builder.cli.groups import LazyGroup, translate_help
from builder.cli.language import (
    OPTION,
    describe_missing_translation,
    get_interface_language,
    translate_click_messages,
)
from builder.errors import InputUnreadable, OutputNotWritten, SquadpressError
from builder.messages import describe_os_error, escape_controls, gettext as _, translate
from builder.version import VERSION

INTERRUPTED = 130


def print_version(
    ctx: click.Context, _option: click.Parameter, is_requested: bool
) -> None:
    """Print the program's version and exit."""
    if is_requested and not ctx.resilient_parsing:
        write(f"squadpress {VERSION}")
        ctx.exit()


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=print_version,
    help="Show the version and exit.",
)
@click.option(
    OPTION,
    metavar="LANG",
    expose_value=False,
    help="Language of messages: en, ru ... Default: SQUADPRESS_LANG, then the system's language.",
)
def squadpress() -> None:
    """Build squads and print cards for tabletop games. One YAML file per card."""


squadpress.table = {
    "build": (
        "build.build:build",
        _("Build printable PDFs of a pack or a squad."),
    ),
    "calibrate": (
        "build.calibrate:calibrate",
        _("Calibrate a printer's two-sided printing."),
    ),
    "card": (
        "release.card:card",
        _("Edit a card's file without changing anything else in it."),
    ),
    "check": ("check:check", _("Check a pack: data, references, texts, translations.")),
    "ci": ("ci:ci", _("Set up a repository in which a team edits packs.")),
    "explain": ("explain:explain", _("Explain an error code and how to fix it.")),
    "fit": (
        "build.fit:fit",
        _("List texts that were shrunk, smallest first, and nearly empty blocks."),
    ),
    "kind": ("tables.kind:kind", _("Add a kind of card to a pack.")),
    "new": (
        "tables.new:new",
        _("Create a small pack that passes all checks and builds."),
    ),
    "preflight": (
        "preflight.preflight:preflight",
        _("Check a finished PDF against a print shop's specification."),
    ),
    "import": (
        "imports.import_lists:import_command",
        _("Make an editable pack of lists from other programs."),
    ),
    "print": (
        "imports.print_list:print_cards",
        _("Print the cards of a list from another program."),
    ),
    "printer": (
        "build.printer:printer",
        _("Save how far a printer shifts the backs."),
    ),
    "release": (
        "release:release",
        _("Create, compare, announce and publish releases of a pack."),
    ),
    "roster": ("roster:roster", _("Check, show and edit squads.")),
    "screens": (
        "build.screens:screens",
        _(
            "Write pictures of cards: files, sheets for tabletop simulators, an overview, a "
            "gallery."
        ),
    ),
    "serve": ("serve:serve", _("Build, view and share squads in a browser.")),
    "site": ("site:site", _("Write card pages as a static website.")),
    "table": (
        "tables.table:table",
        _("Export cards to spreadsheets, and import the edited spreadsheets."),
    ),
    "theme": (
        "imports.theme:theme",
        _("Design the printed cards of lists from other programs."),
    ),
    "translations": (
        "release.list_translations:translations",
        _("List missing and outdated translations; write files for translators."),
    ),
    "update": (
        "release.update:update",
        _("Show what a newer release of a game changes for your squads."),
    ),
    "watch": (
        "watch.watch:watch",
        _("Show cards in the browser and render them again on every save."),
    ),
}


def main() -> None:
    """Run the command line. Every failure prints one message and exits with its own code."""
    open_streams()
    configure_encodings()
    # Most values of a command live until it ends, so frequent collections find no garbage.
    gc.set_threshold(200_000, 50, 100)
    try:
        lang = get_interface_language()
        translate_click_messages(lang)
        warning = describe_missing_translation()
        if warning:
            write(translate(warning, lang), err=True)
        status = translate_help(squadpress, lang).main(standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        # click prints the message itself, and it may contain the name of a stranger's file.
        error.message = escape_controls(error.message)  # type: ignore[misc]
        error.show()
        sys.exit(error.exit_code)
    except (click.exceptions.Abort, KeyboardInterrupt):
        report_failure(_("interrupted"), _get_interrupt_hint(), INTERRUPTED)
    except SquadpressError as error:
        report_failure(error.message, error.remedy, error.exit_code)
    except BrokenPipeError:
        # The reader of the output, such as `head`, has ended. Python flushes it once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        # Code that reads and writes files raises its own errors. This one is about the standard
        # output or the current folder.
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        remedy = _(
            "Check that the disk is not full and that the current folder still exists."
        )
        report_failure(describe_os_error(error), remedy, OutputNotWritten.exit_code)
    except (MemoryError, RecursionError):
        report_failure(
            _("the input is too large or nested too deeply"),
            _("Remove parts of it."),
            InputUnreadable.exit_code,
        )
    except Exception as error:
        if os.environ.get("SQUADPRESS_DEBUG"):
            raise
        message = _(
            "the program failed: {error}", error=str(error) or type(error).__name__
        )
        hint = _(
            "This is a bug in squadpress. Run again with "
            "SQUADPRESS_DEBUG=1 and report what it prints."
        )
        report_failure(message, hint, SquadpressError.exit_code)
    # The collection at exit would search all values, though the process returns its memory anyway.
    gc.freeze()
    sys.exit(status if isinstance(status, int) else 0)


def _get_interrupt_hint() -> str:
    if console.is_finished:
        return _(
            "The command has finished and its result is saved. Do not run it again."
        )
    return _(
        "Files already written are complete. Run the command again to write the rest."
    )


def open_streams() -> None:
    """Open closed standard streams on the null device.

    Otherwise the next file that is opened would get the number of a closed stream.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(number, "w" if number else "r", closefd=False))


def configure_encodings() -> None:
    """Make standard output and standard error print any character without an error.

    Files and pipes get UTF-8. A terminal gets question marks for characters that it does not have.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            has_encoding = stream.isatty() or "PYTHONIOENCODING" in os.environ
            stream.reconfigure(
                encoding=None if has_encoding else "utf-8", errors="replace"
            )


def report_failure(message: str, remedy: str, code: int) -> None:
    """Print an error message and a hint to standard error, and exit with a code."""
    lang = get_interface_language()
    write(
        f"squadpress: {translate(_('error'), lang)}: {translate(message, lang)}",
        err=True,
    )
    if remedy:
        write(f"  {translate(remedy, lang)}", err=True)
    sys.exit(code)
