"""`squadpress printer remove`."""

import click

from builder.packs.profiles import keep_printer


@click.command("remove")
@click.argument("name")
def remove_printer(name: str) -> int:
    """Delete printer NAME."""
    keep_printer(name, None)
    return 0
