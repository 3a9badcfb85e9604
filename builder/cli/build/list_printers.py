"""`squadpress printer list`."""

import click

from builder.cli.build.printer import describe_printer
from builder.cli.console import echo
from builder.packs.profiles import load_printers


@click.command("list")
def list_printers() -> int:
    """List all printers."""
    for name in sorted(load_printers().printers):
        echo(describe_printer(name))
    return 0
