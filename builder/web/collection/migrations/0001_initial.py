"""Take over the tables of the app `squadpress` as they are. No table changes."""

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
                    name="SavedCollection",
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
                        ("owner", models.CharField(max_length=64)),
                        ("pack", models.CharField(max_length=100)),
                        ("owned", models.JSONField(default=dict)),
                        ("changed", models.DateTimeField(auto_now=True)),
                    ],
                    options={
                        "db_table": "squadpress_savedcollection",
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("owner", "pack"), name="collection_of_owner"
                            )
                        ],
                    },
                ),
            ]
        )
    ]
