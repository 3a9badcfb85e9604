"""Add the ids of changes that browsers send later."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("squads", "0003_bench_tags_and_archive")]

    operations = [
        migrations.AddField(
            "squadstep",
            "request",
            models.CharField(blank=True, default="", max_length=36),
        ),
    ]
