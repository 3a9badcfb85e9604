"""The models belong to apps of their own since 0.2.0.

Only Django's record changes: no table does.
"""

from django.db import migrations

CHILDREN_FIRST = (
    "PrintJob",
    "EventList",
    "Event",
    "SquadGuest",
    "SquadLink",
    "SquadStep",
    "SquadSeal",
    "SquadGame",
    "SavedSquad",
    "SavedCollection",
    "Account",
    "Device",
    "Handover",
    "Tally",
)


class Migration(migrations.Migration):
    dependencies = [
        ("squadpress", "0015_devices"),
        ("accounts", "0001_initial"),
        ("collection", "0001_initial"),
        ("events", "0001_initial"),
        ("squads", "0001_initial"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[migrations.DeleteModel(name) for name in CHILDREN_FIRST]
        )
    ]
