"""Add tags, the archive and the bench of squads."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("squads", "0002_imported_files")]

    operations = [
        migrations.AddField(
            "savedsquad", "archived", models.BooleanField(default=False)
        ),
        migrations.AddField("savedsquad", "bench", models.JSONField(default=list)),
        migrations.AddField(
            "savedsquad",
            "tags",
            models.CharField(blank=True, default="", max_length=400),
        ),
        migrations.AddField("squadstep", "bench_before", models.JSONField(null=True)),
        migrations.AddField("squadstep", "bench_after", models.JSONField(null=True)),
    ]
