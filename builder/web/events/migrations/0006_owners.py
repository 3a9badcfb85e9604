"""Set the players' keys of entrants from before they were stored."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def set_owners(apps: Apps, _editor: BaseDatabaseSchemaEditor) -> None:
    """Set the owner of each entrant: that of the list, or of its only receipt's player.

    An entrant whose list was removed is found by the name on the receipt. It gets no owner if two
    players used this name, or if the player entered again.
    """
    entrant_model = apps.get_model("events", "Entrant")
    receipt_model = apps.get_model("events", "Receipt")
    for entrant in entrant_model.objects.exclude(event_list=None).select_related(
        "event_list"
    ):
        entrant.owner = entrant.event_list.owner
        entrant.save(update_fields=["owner"])
    for entrant in entrant_model.objects.filter(event_list=None).exclude(name=""):
        receipts = receipt_model.objects.filter(
            event=entrant.event_id, player=entrant.name
        )
        owners = set(receipts.exclude(outcome="").values_list("owner", flat=True))
        entered = entrant_model.objects.filter(event=entrant.event_id, owner__in=owners)
        if len(owners) == 1 and not entered.exists():
            entrant.owner = owners.pop()
            entrant.save(update_fields=["owner"])


class Migration(migrations.Migration):
    dependencies = [
        ("events", "0005_draws"),
    ]

    operations = [
        migrations.RunPython(set_owners, migrations.RunPython.noop),
    ]
