"""`python -m django forget_squads`: for a timer, once a day."""

from django.core.management.base import BaseCommand
from django.utils import timezone

from builder.messages import gettext as _
from builder.web.owning import outlive


class ForgetSquads(BaseCommand):
    """Ends squads that nobody opened for two years."""

    help = "Announce the end of squads that nobody opened for two years, and remove those announced 60 days ago."

    def handle(self, *_args: object, **_options: object) -> None:
        """Do it."""
        announced, removed = outlive(timezone.now())
        self.stdout.write(
            str(
                _(
                    "announced: {announced}, removed: {removed}",
                    announced=announced,
                    removed=removed,
                )
            )
        )


Command = ForgetSquads
"""The name by which Django asks."""
