"""`python -m builder` is `squadpress`."""

from builder.cli.ending import run

run()
