"""Add the table of imported lists, and print jobs for them."""

import uuid

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("squads", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="ImportedFile",
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
                ("name", models.CharField(blank=True, max_length=200)),
                ("system", models.CharField(blank=True, max_length=200)),
                ("data", models.BinaryField()),
                ("options", models.JSONField(default=dict)),
                ("facts", models.JSONField(default=dict)),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("expires", models.DateTimeField(db_index=True, null=True)),
            ],
            options={"db_table": "squadpress_importedfile", "ordering": ["-created"]},
        ),
        migrations.AddField(
            model_name="printjob",
            name="imported",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                to="squads.importedfile",
            ),
        ),
    ]
