"""Add the seeds of drawn rounds, and the players' keys of entrants."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("events", "0004_messages"),
    ]

    operations = [
        migrations.AddField(
            model_name="event",
            name="seeds",
            field=models.JSONField(default=list),
        ),
        migrations.AddField(
            model_name="entrant",
            name="owner",
            field=models.CharField(
                blank=True, db_index=True, default="", max_length=64
            ),
        ),
    ]
