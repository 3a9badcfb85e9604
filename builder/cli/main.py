"""The program's door: finds the command, turns exceptions into exit codes.

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


def print_version(ctx: click.Context, _option: click.Parameter, is_requested: bool) -> None:
    """Print the version and leave."""
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
    help=("Language of messages: en, ru ... Default: SQUADPRESS_LANG, then the system's language."),
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
    "new": ("tables.new:new", _("Create a small pack that passes all checks and builds.")),
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
    "release": ("release:release", _("Create, compare, announce and publish releases of a pack.")),
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
    "theme": ("imports.theme:theme", _("Design the printed cards of lists from other programs.")),
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
    """Run the command line; every failure ends in one clear message and its exit code."""
    open_streams()
    speak_all_letters()
    # A command makes a great many values that stay until it ends; looking through them for garbage
    # finds none.
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
        error.message = escape_controls(error.message)  # type: ignore[misc]  # it shows itself, and may name a stranger's file
        error.show()
        sys.exit(error.exit_code)
    except (click.exceptions.Abort, KeyboardInterrupt):
        finished_hint = _("The command has finished and its result is saved. Do not run it again.")
        repeat_hint = _(
            "Files already written are complete. Run the command again to write the rest."
        )
        report_failure(
            _("interrupted"), finished_hint if console.is_finished else repeat_hint, INTERRUPTED
        )
    except SquadpressError as error:
        report_failure(error.message, error.remedy, error.exit_code)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        # What reads and writes files tells of them itself: this is the output, or the folder that
        # one stands in.
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        remedy = _("Check that the disk is not full and that the current folder still exists.")
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
        report_failure(
            _("the program failed: {error}", error=str(error) or type(error).__name__),
            _(
                "This is a bug in squadpress. Run again with "
                "SQUADPRESS_DEBUG=1 and report what it prints."
            ),
            SquadpressError.exit_code,
        )
    gc.freeze()  # nor is what is left garbage to look for: it is given back as a whole
    sys.exit(status if isinstance(status, int) else 0)


def open_streams() -> None:
    """Let a closed input or output be one that holds nothing.

    Else the next file that is opened took its place.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(number, "w" if number else "r", closefd=False))


def speak_all_letters() -> None:
    """Let no letter stop the work.

    Files and pipes get UTF-8, a terminal that knows fewer letters question marks.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            has_encoding = stream.isatty() or "PYTHONIOENCODING" in os.environ
            stream.reconfigure(encoding=None if has_encoding else "utf-8", errors="replace")


def report_failure(message: str, remedy: str, code: int) -> None:
    """Print one failure to standard error and leave."""
    lang = get_interface_language()
    write(f"squadpress: {translate(_('error'), lang)}: {translate(message, lang)}", err=True)
    if remedy:
        write(f"  {translate(remedy, lang)}", err=True)
    sys.exit(code)
