"""`python -m builder` is `squadpress`."""

from builder.cli.main import main

if __name__ == "__main__":
    main()
