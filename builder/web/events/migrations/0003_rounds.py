"""Add entrants, the matches of rounds, and the points for their outcomes."""

import uuid

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("events", "0002_receipts"),
    ]

    operations = [
        migrations.AddField(
            model_name="event",
            name="draw_points",
            field=models.PositiveIntegerField(default=1),
        ),
        migrations.AddField(
            model_name="event",
            name="loss_points",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="event",
            name="takes_reports",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="event",
            name="win_points",
            field=models.PositiveIntegerField(default=3),
        ),
        migrations.CreateModel(
            name="Entrant",
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
                ("number", models.PositiveIntegerField()),
                ("name", models.CharField(blank=True, max_length=80)),
                ("is_active", models.BooleanField(default=True)),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, to="events.event"
                    ),
                ),
                (
                    "event_list",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        to="events.eventlist",
                    ),
                ),
            ],
            options={
                "db_table": "squadpress_entrant",
                "ordering": ["number"],
            },
        ),
        migrations.CreateModel(
            name="Match",
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
                ("round_number", models.PositiveIntegerField()),
                ("table", models.PositiveIntegerField()),
                ("outcome", models.CharField(blank=True, default="", max_length=8)),
                ("is_reported", models.BooleanField(default=False)),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, to="events.event"
                    ),
                ),
                (
                    "first",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="first_matches",
                        to="events.entrant",
                    ),
                ),
                (
                    "second",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="second_matches",
                        to="events.entrant",
                    ),
                ),
            ],
            options={
                "db_table": "squadpress_match",
                "ordering": ["round_number", "table"],
            },
        ),
        migrations.AddConstraint(
            model_name="entrant",
            constraint=models.UniqueConstraint(
                fields=("event", "number"), name="number_of_entrant"
            ),
        ),
        migrations.AddConstraint(
            model_name="match",
            constraint=models.UniqueConstraint(
                fields=("event", "round_number", "table"), name="table_of_round"
            ),
        ),
    ]
