"""`python -m builder` is `squadpress`."""

from builder.cli.main import main

main()
