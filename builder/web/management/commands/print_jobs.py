"""`python -m django print_jobs`: print what waits, then end. The pages begin it by themselves."""

import os
from contextlib import suppress

from django.core.management.base import BaseCommand

from builder.web.squads.print_queue import work


class Command(BaseCommand):
    """Prints what waits."""

    help = "Print what waits, then end; at once where enough others do. The pages begin it by themselves."

    def handle(self, *_args: object, **_options: object) -> None:
        """Do it. What it writes on the way to a finished file holds squads: nobody else may read it."""
        before = os.umask(0o077)
        with suppress(KeyboardInterrupt):
            work()
        os.umask(before)
