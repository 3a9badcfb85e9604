import uuid

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("squadpress", "0006_releases"),
    ]

    operations = [
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
                    models.UUIDField(default=uuid.uuid4, editable=False, unique=True),
                ),
                ("name", models.CharField(max_length=200)),
                ("notes", models.TextField(blank=True)),
                ("pack", models.CharField(max_length=100)),
                ("release", models.CharField(blank=True, max_length=40)),
                ("params", models.JSONField(default=dict)),
                ("zone", models.CharField(default="UTC", max_length=64)),
                ("deadline", models.DateTimeField()),
                ("sealed", models.BooleanField(default=True)),
                ("reveals", models.DateTimeField(null=True)),
                ("locked", models.DateTimeField(null=True)),
                ("revealed", models.DateTimeField(null=True)),
                ("created", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "ordering": ["-deadline"],
            },
        ),
        migrations.AlterField(
            model_name="printjob",
            name="squad",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                to="squadpress.savedsquad",
            ),
        ),
        migrations.AddField(
            model_name="printjob",
            name="event",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                to="squadpress.event",
            ),
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
                        to="squadpress.event",
                    ),
                ),
            ],
            options={
                "ordering": ["player", "handed"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("event", "owner"), name="list_of_event"
                    )
                ],
            },
        ),
    ]
