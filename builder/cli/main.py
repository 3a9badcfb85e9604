"""The program's door: finds the command, turns exceptions into exit codes. Commands are imported when called."""

from __future__ import annotations

import gc
import importlib
import io
import os
import sys

import click

from builder.errors import SquadpressError

COMMANDS = {
    "build": "builder.cli.build:build",
    "calibrate": "builder.cli.calibrate:calibrate",
    "card": "builder.cli.card:card",
    "check": "builder.cli.check:check",
    "explain": "builder.cli.explain:explain",
    "fit": "builder.cli.fit:fit",
    "new": "builder.cli.new:new",
    "preflight": "builder.cli.preflight:preflight",
    "printer": "builder.cli.printer:printer",
    "release": "builder.cli.release:release",
    "roster": "builder.cli.roster:roster",
    "screens": "builder.cli.screens:screens",
    "translations": "builder.cli.translations:translations",
    "watch": "builder.cli.watch:watch",
}
"""Command name -> module:object. Kept as text so that `--help` imports none of them."""

HELP = {
    "build": "Set the cards of a pack, or of one squad, and compose printable sheets.",
    "calibrate": "A sheet that shows how far a printer's backs miss their fronts.",
    "card": "Edit a card's file and keep everything else in it as it is.",
    "check": "Judge a pack: data, references, texts, translations.",
    "explain": "Explain a finding's code: why it exists and how to mend it.",
    "fit": "Which texts had to shrink, worst first, and which blocks are nearly empty.",
    "new": "Start a small pack of your own that already checks and builds.",
    "preflight": "Judge a finished PDF by what a print shop takes.",
    "printer": "Remember how far a printer's backs miss their fronts.",
    "release": "Freeze, compare, announce and publish releases of a pack.",
    "roster": "Judge, show and order squads.",
    "screens": "Pictures of cards: files, sheets for a simulated table, an overview, a gallery.",
    "translations": "Which texts are missing, stale or copies of the source; files for translators.",
    "watch": "Show cards in the browser, each set again as soon as it is saved.",
}

INTERRUPTED = 130


class LazyGroup(click.Group):
    """A group whose commands are imported only when they run."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All command names."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command."""
        target = COMMANDS.get(cmd_name)
        if target is None:
            return None
        module, _, attribute = target.partition(":")
        command = getattr(importlib.import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; an unknown one is answered with the nearest name."""
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            from difflib import get_close_matches

            near = get_close_matches(args[0], COMMANDS, n=1)
            advice = f"Did you mean {near[0]}?" if near else f"Commands: {', '.join(sorted(COMMANDS))}."
            ctx.fail(f"No such command {args[0]!r}. {advice}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands from the table, importing none."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, HELP[name]) for name in sorted(COMMANDS)])


def print_version(ctx: click.Context, _option: click.Parameter, asked: bool) -> None:
    """Print the version and leave. A checkout run in place, not installed, has none of its own to state."""
    if not asked or ctx.resilient_parsing:
        return
    from importlib.metadata import PackageNotFoundError, version

    try:
        stated = version("squadpress")
    except PackageNotFoundError:
        stated = "(run in place, not installed)"
    click.echo(f"squadpress {stated}")
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
def squadpress() -> None:
    """Assemble squads and press cards: one YAML file per card."""


def main() -> None:
    """Run the command line; every failure ends in one clear message and its exit code."""
    speak_all_letters()
    # A command makes a great many values that stay until it ends; looking through them for garbage finds none.
    gc.set_threshold(200_000, 50, 100)
    try:
        status = squadpress.main(standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.exceptions.Abort, KeyboardInterrupt):
        fail("interrupted", "Files already written are whole; run the command again to finish.", INTERRUPTED)
    except SquadpressError as error:
        fail(error.message, error.remedy, error.exit_code)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except Exception as error:
        if os.environ.get("SQUADPRESS_DEBUG"):
            raise
        fail(
            f"unexpected {type(error).__name__}: {error}",
            "This is a bug in squadpress. Run again with SQUADPRESS_DEBUG=1 and report what it prints.",
            SquadpressError.exit_code,
        )
    sys.exit(status if isinstance(status, int) else 0)


def speak_all_letters() -> None:
    """Let no letter stop the work: files and pipes get UTF-8, a terminal that knows fewer letters question marks."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            chosen = stream.isatty() or "PYTHONIOENCODING" in os.environ
            stream.reconfigure(encoding=None if chosen else "utf-8", errors="replace")


def fail(message: str, remedy: str, code: int) -> None:
    """Print one failure to standard error and leave."""
    click.echo(f"squadpress: error: {message}", err=True)
    if remedy:
        click.echo(f"  {remedy}", err=True)
    sys.exit(code)
