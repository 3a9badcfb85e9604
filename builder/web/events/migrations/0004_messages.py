"""Add messages to the players of an event."""

import uuid

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("events", "0003_rounds"),
    ]

    operations = [
        migrations.CreateModel(
            name="EventMessage",
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
                ("text", models.TextField()),
                ("sent", models.DateTimeField()),
                ("release", models.CharField(blank=True, default="", max_length=40)),
                ("lists", models.JSONField(default=list)),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, to="events.event"
                    ),
                ),
            ],
            options={
                "db_table": "squadpress_eventmessage",
                "ordering": ["-sent"],
            },
        ),
    ]
