"""Take over the tables of the app `squadpress` as they are. No table changes."""

import uuid

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
                    name="Account",
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
                        ("owner", models.CharField(max_length=64, unique=True)),
                        ("name", models.CharField(max_length=40)),
                        ("key", models.CharField(max_length=80, unique=True)),
                        ("password", models.CharField(max_length=200)),
                        ("salt", models.CharField(max_length=32)),
                        ("sealed", models.CharField(max_length=128)),
                        ("made", models.DateTimeField(auto_now_add=True)),
                    ],
                    options={
                        "db_table": "squadpress_account",
                    },
                ),
                migrations.CreateModel(
                    name="Device",
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
                        ("key", models.CharField(max_length=64, unique=True)),
                        ("owner", models.CharField(db_index=True, max_length=64)),
                        ("name", models.CharField(blank=True, max_length=80)),
                        ("way", models.CharField(max_length=12)),
                        ("added", models.DateTimeField(auto_now_add=True)),
                        ("seen", models.DateTimeField(auto_now_add=True)),
                        ("removed", models.DateTimeField(null=True)),
                    ],
                    options={
                        "db_table": "squadpress_device",
                    },
                ),
                migrations.CreateModel(
                    name="Handover",
                    fields=[
                        (
                            "key",
                            models.CharField(
                                max_length=64, primary_key=True, serialize=False
                            ),
                        ),
                        ("sealed", models.CharField(max_length=128)),
                        (
                            "owner",
                            models.CharField(db_index=True, default="", max_length=64),
                        ),
                        ("until", models.DateTimeField(db_index=True)),
                    ],
                    options={
                        "db_table": "squadpress_handover",
                    },
                ),
                migrations.CreateModel(
                    name="Tally",
                    fields=[
                        (
                            "key",
                            models.CharField(
                                max_length=64, primary_key=True, serialize=False
                            ),
                        ),
                        ("count", models.PositiveIntegerField(default=0)),
                        ("until", models.DateTimeField(db_index=True)),
                    ],
                    options={
                        "db_table": "squadpress_tally",
                    },
                ),
            ]
        )
    ]
