"""`python -m builder` is `squadpress`."""

from builder.cli.entry_point import run

run()
