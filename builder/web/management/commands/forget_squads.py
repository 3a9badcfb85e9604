"""`python -m django forget_squads`: run by a timer once a day."""

from django.core.management.base import BaseCommand
from django.utils import timezone

from builder.messages import gettext as _
from builder.web.accounts.owned_data import remove_unseen_devices
from builder.web.events.lists import remove_old_events
from builder.web.squads.imported_lists import remove_expired_lists
from builder.web.squads.ownership import MAX_UNOPENED, remove_unopened_squads


class ForgetSquads(BaseCommand):
    """Deletes data that nobody has used for 2 years, and imported lists that have expired."""

    help = (
        "Announce the end of squads that nobody opened for two years, "
        "and remove those announced 60 days ago."
    )

    def handle(self, *_args: object, **_options: object) -> None:
        """Remove old squads, events and devices, and print the numbers of squads."""
        now = timezone.now()
        announced, removed = remove_unopened_squads(now)
        remove_expired_lists()
        remove_old_events(now - MAX_UNOPENED)
        remove_unseen_devices(now - MAX_UNOPENED)
        numbers = _(
            "announced: {announced}, removed: {removed}",
            announced=announced,
            removed=removed,
        )
        self.stdout.write(str(numbers))


Command = ForgetSquads
"""The name by which Django asks."""
