"""The program's door: finds the command, turns exceptions into exit codes. Commands are imported when called."""

import gc
import io
import os
import sys
from contextlib import suppress

import click

from builder.cli import console
from builder.cli.console import write
from builder.cli.groups import LazyGroup, in_language
from builder.cli.language import OPTION, interface_language, let_click_speak, not_spoken
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
    help="Language in which the program speaks: en, ru ... Default: that of SQUADPRESS_LANG, else the system's.",
)
def squadpress() -> None:
    """Assemble squads and press cards: one YAML file per card."""


squadpress.table = {
    "build": (
        "build.build:build",
        _("Set the cards of a pack, or of one squad, and compose printable sheets."),
    ),
    "calibrate": (
        "build.printer:calibrate",
        _("A sheet that shows how far a printer's backs miss their fronts."),
    ),
    "card": (
        "release.cards:card",
        _("Edit a card's file and keep everything else in it as it is."),
    ),
    "check": ("check:check", _("Judge a pack: data, references, texts, translations.")),
    "explain": ("check:explain", _("Explain a finding's code: why it exists and how to mend it.")),
    "fit": (
        "build.screens:fit",
        _("Which texts had to shrink, worst first, and which blocks are nearly empty."),
    ),
    "new": ("new:new", _("Start a small pack of your own that already checks and builds.")),
    "preflight": ("preflight:preflight", _("Judge a finished PDF by what a print shop takes.")),
    "printer": (
        "build.printer:printer",
        _("Remember how far a printer's backs miss their fronts."),
    ),
    "release": ("release:release", _("Freeze, compare, announce and publish releases of a pack.")),
    "roster": ("roster:roster", _("Judge, show and order squads.")),
    "screens": (
        "build.screens:screens",
        _("Pictures of cards: files, sheets for a simulated table, an overview, a gallery."),
    ),
    "serve": ("serve:serve", _("Build, look at and share squads in a browser.")),
    "site": ("serve:site", _("Write the cards' pages as a static site.")),
    "table": ("table:table", _("Cards as spreadsheets: written, edited anywhere, and read back.")),
    "translations": (
        "release.cards:translations",
        _("Which texts are missing, stale or copies of the source; files for translators."),
    ),
    "update": (
        "release.impact:update",
        _("What a newer publication of a game changes for my squads."),
    ),
    "watch": (
        "watch:watch",
        _("Show cards in the browser, each set again as soon as it is saved."),
    ),
}


def main() -> None:
    """Run the command line; every failure ends in one clear message and its exit code."""
    open_streams()
    speak_all_letters()
    # A command makes a great many values that stay until it ends; looking through them for garbage finds none.
    gc.set_threshold(200_000, 50, 100)
    try:
        lang = interface_language()
        let_click_speak(lang)
        if told := not_spoken():
            write(translate(told, lang), err=True)
        status = in_language(squadpress, lang).main(standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        error.message = escape_controls(error.message)  # type: ignore[misc]  # it shows itself, and may name a stranger's file
        error.show()
        sys.exit(error.exit_code)
    except (click.exceptions.Abort, KeyboardInterrupt):
        done = _("What was asked is done and kept: do not run the command again.")
        again = _("Files already written are whole; run the command again to finish.")
        fail(_("interrupted"), done if console.settled else again, INTERRUPTED)
    except SquadpressError as error:
        fail(error.message, error.remedy, error.exit_code)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        # What reads and writes files tells of them itself: this is the output, or the folder that one stands in.
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        remedy = _("Check that the disk has room and that the folder you are in is still there.")
        fail(describe_os_error(error), remedy, OutputNotWritten.exit_code)
    except (MemoryError, RecursionError):
        fail(
            _("the input is too large, or nested too deeply"),
            _("Take parts of it away."),
            InputUnreadable.exit_code,
        )
    except Exception as error:
        if os.environ.get("SQUADPRESS_DEBUG"):
            raise
        fail(
            _("the program failed: {error}", error=str(error) or type(error).__name__),
            _(
                "This is a bug in squadpress. Run again with SQUADPRESS_DEBUG=1 and report what it prints."
            ),
            SquadpressError.exit_code,
        )
    gc.freeze()  # nor is what is left garbage to look for: it is given back as a whole
    sys.exit(status if isinstance(status, int) else 0)


def open_streams() -> None:
    """Let a closed input or output be one that holds nothing: else the next file that is opened took its place."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(number, "w" if number else "r", closefd=False))


def speak_all_letters() -> None:
    """Let no letter stop the work: files and pipes get UTF-8, a terminal that knows fewer letters question marks."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            chosen = stream.isatty() or "PYTHONIOENCODING" in os.environ
            stream.reconfigure(encoding=None if chosen else "utf-8", errors="replace")


def fail(message: str, remedy: str, code: int) -> None:
    """Print one failure to standard error and leave."""
    lang = interface_language()
    write(f"squadpress: {translate(_('error'), lang)}: {translate(message, lang)}", err=True)
    if remedy:
        write(f"  {translate(remedy, lang)}", err=True)
    sys.exit(code)
