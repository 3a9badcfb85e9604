"""Take over the tables of the app `squadpress` as they are. No table changes."""

import uuid

import django.db.models.deletion
from django.db import migrations, models

from builder.web.squads.models import new_link_code


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("squadpress", "0015_devices"),
        ("events", "0001_initial"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    name="SavedSquad",
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
                        ("owner", models.CharField(max_length=64)),
                        ("pack", models.CharField(max_length=100)),
                        ("release", models.CharField(blank=True, max_length=40)),
                        (
                            "based",
                            models.CharField(blank=True, default="", max_length=40),
                        ),
                        (
                            "stays",
                            models.CharField(blank=True, default="", max_length=40),
                        ),
                        ("text", models.TextField()),
                        ("name", models.CharField(blank=True, max_length=200)),
                        ("notes", models.TextField(blank=True)),
                        ("place", models.IntegerField(default=0)),
                        ("edition", models.PositiveIntegerField(default=0)),
                        ("created", models.DateTimeField(auto_now_add=True)),
                        ("changed", models.DateTimeField(auto_now=True)),
                        ("opened", models.DateTimeField(auto_now_add=True)),
                        ("leaves", models.DateTimeField(null=True)),
                    ],
                    options={
                        "db_table": "squadpress_savedsquad",
                        "ordering": ["place", "-changed"],
                        "indexes": [
                            models.Index(fields=["owner", "place"], name="squad_owner")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="PrintJob",
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
                        ("owner", models.CharField(max_length=64)),
                        ("text", models.TextField()),
                        ("wish", models.JSONField()),
                        (
                            "state",
                            models.CharField(
                                db_index=True, default="queued", max_length=8
                            ),
                        ),
                        ("done", models.PositiveIntegerField(default=0)),
                        ("total", models.PositiveIntegerField(default=0)),
                        ("pages", models.PositiveIntegerField(default=0)),
                        ("told", models.JSONField(default=list)),
                        ("tries", models.PositiveIntegerField(default=0)),
                        ("made", models.DateTimeField(auto_now_add=True)),
                        ("started", models.DateTimeField(null=True)),
                        ("beat", models.DateTimeField(null=True)),
                        (
                            "event",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                to="events.event",
                            ),
                        ),
                        (
                            "squad",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                to="squads.savedsquad",
                            ),
                        ),
                    ],
                    options={
                        "db_table": "squadpress_printjob",
                        "ordering": ["-made"],
                    },
                ),
                migrations.CreateModel(
                    name="SquadGame",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        ("state", models.JSONField()),
                        ("edition", models.PositiveIntegerField(default=0)),
                        ("changed", models.DateTimeField(auto_now=True)),
                        (
                            "squad",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                to="squads.savedsquad",
                            ),
                        ),
                    ],
                    options={
                        "db_table": "squadpress_squadgame",
                    },
                ),
                migrations.CreateModel(
                    name="SquadLink",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        ("kind", models.CharField(max_length=8)),
                        (
                            "code",
                            models.CharField(
                                default=new_link_code, max_length=32, unique=True
                            ),
                        ),
                        ("made", models.DateTimeField(auto_now_add=True)),
                        (
                            "squad",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                to="squads.savedsquad",
                            ),
                        ),
                    ],
                    options={
                        "db_table": "squadpress_squadlink",
                    },
                ),
                migrations.CreateModel(
                    name="SquadGuest",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        ("owner", models.CharField(db_index=True, max_length=64)),
                        (
                            "link",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                to="squads.squadlink",
                            ),
                        ),
                    ],
                    options={
                        "db_table": "squadpress_squadguest",
                    },
                ),
                migrations.CreateModel(
                    name="SquadSeal",
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
                        ("copy", models.JSONField()),
                        ("key", models.JSONField()),
                        ("opened", models.JSONField(default=list)),
                        ("made", models.DateTimeField(auto_now_add=True)),
                        (
                            "squad",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                to="squads.savedsquad",
                            ),
                        ),
                    ],
                    options={
                        "db_table": "squadpress_squadseal",
                        "ordering": ["-made"],
                    },
                ),
                migrations.CreateModel(
                    name="SquadStep",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        ("number", models.PositiveIntegerField()),
                        ("before", models.TextField()),
                        ("after", models.TextField()),
                        ("what", models.JSONField()),
                        ("undone", models.BooleanField(default=False)),
                        ("made", models.DateTimeField(auto_now_add=True)),
                        (
                            "squad",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                to="squads.savedsquad",
                            ),
                        ),
                    ],
                    options={
                        "db_table": "squadpress_squadstep",
                        "ordering": ["number"],
                    },
                ),
                migrations.AddConstraint(
                    model_name="squadlink",
                    constraint=models.UniqueConstraint(
                        fields=("squad", "kind"), name="squad_link"
                    ),
                ),
                migrations.AddConstraint(
                    model_name="squadguest",
                    constraint=models.UniqueConstraint(
                        fields=("link", "owner"), name="guest_of_link"
                    ),
                ),
                migrations.AddConstraint(
                    model_name="squadstep",
                    constraint=models.UniqueConstraint(
                        fields=("squad", "number"), name="step_number"
                    ),
                ),
            ]
        )
    ]
