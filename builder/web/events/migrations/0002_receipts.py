"""Add receipts, also for the lists that were handed in before."""

import secrets
import uuid

import django.db.models.deletion
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def make_receipts(apps: Apps, _editor: BaseDatabaseSchemaEditor) -> None:
    """Make a receipt of each list. Lists without a salt have no commitment, and get none."""
    receipts = apps.get_model("events", "Receipt").objects
    for event_list in apps.get_model("events", "EventList").objects.iterator():
        if event_list.verdict.get("salt"):
            receipts.create(
                event_id=event_list.event_id,
                owner=event_list.owner,
                number="".join(secrets.choice(ALPHABET) for _digit in range(8)),
                player=event_list.player,
                text=event_list.text,
                verdict=event_list.verdict,
                handed=event_list.handed,
            )


class Migration(migrations.Migration):
    dependencies = [("events", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="Receipt",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("owner", models.CharField(db_index=True, max_length=64)),
                ("number", models.CharField(max_length=8)),
                ("player", models.CharField(max_length=80)),
                ("text", models.TextField()),
                ("verdict", models.JSONField()),
                ("handed", models.DateTimeField()),
                ("ended", models.DateTimeField(null=True)),
                ("outcome", models.CharField(blank=True, default="", max_length=16)),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, to="events.event"
                    ),
                ),
            ],
            options={
                "db_table": "squadpress_receipt",
                "ordering": ["-handed"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("event", "number"), name="number_of_receipt"
                    )
                ],
            },
        ),
        migrations.RunPython(make_receipts, migrations.RunPython.noop),
    ]
