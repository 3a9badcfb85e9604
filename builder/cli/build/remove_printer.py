"""`squadpress printer remove`."""

import click

from builder.packs.profiles import store_printer


@click.command("remove")
@click.argument("name")
def remove_printer(name: str) -> int:
    """Delete printer NAME."""
    store_printer(name, None)
    return 0
