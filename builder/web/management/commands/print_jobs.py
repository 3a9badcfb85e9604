"""`python -m django print_jobs`: print all waiting jobs. The server starts it."""

import os
from contextlib import suppress

from django.core.management.base import BaseCommand

from builder.web.squads.print_queue import run_worker


class Command(BaseCommand):
    """Prints all waiting jobs."""

    help = (
        "Print all waiting jobs, then end. Ends at once if enough workers run already."
    )

    def handle(self, *_args: object, **_options: object) -> None:
        """Print. Nobody else may read the files that are written on the way: they hold squads."""
        old_mask = os.umask(0o077)
        with suppress(KeyboardInterrupt):
            run_worker()
        os.umask(old_mask)
