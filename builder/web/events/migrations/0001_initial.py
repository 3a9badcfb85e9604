"""Take over the tables of the app `squadpress` as they are. No table changes."""

import uuid

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("squadpress", "0015_devices"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    name="Event",
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
                        (
                            "code",
                            models.UUIDField(
                                default=uuid.uuid4, editable=False, unique=True
                            ),
                        ),
                        ("name", models.CharField(max_length=200)),
                        ("notes", models.TextField(blank=True)),
                        ("pack", models.CharField(max_length=100)),
                        ("release", models.CharField(blank=True, max_length=40)),
                        ("params", models.JSONField(default=dict)),
                        (
                            "played",
                            models.CharField(blank=True, default="", max_length=100),
                        ),
                        ("day", models.DateField(null=True)),
                        ("zone", models.CharField(default="UTC", max_length=64)),
                        ("deadline", models.DateTimeField()),
                        ("sealed", models.BooleanField(default=True)),
                        ("reveals", models.DateTimeField(null=True)),
                        ("locked", models.DateTimeField(null=True)),
                        ("revealed", models.DateTimeField(null=True)),
                        ("created", models.DateTimeField(auto_now_add=True)),
                    ],
                    options={
                        "db_table": "squadpress_event",
                        "ordering": ["-deadline"],
                    },
                ),
                migrations.CreateModel(
                    name="EventList",
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
                        ("player", models.CharField(max_length=80)),
                        ("text", models.TextField()),
                        ("verdict", models.JSONField()),
                        ("handed", models.DateTimeField()),
                        (
                            "event",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                to="events.event",
                            ),
                        ),
                    ],
                    options={
                        "db_table": "squadpress_eventlist",
                        "ordering": ["player", "handed"],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("event", "owner"), name="list_of_event"
                            )
                        ],
                    },
                ),
            ]
        )
    ]
