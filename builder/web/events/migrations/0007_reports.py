"""Add the reports of both players of a match."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("events", "0006_owners"),
    ]

    operations = [
        migrations.AddField(
            model_name="match",
            name="first_report",
            field=models.CharField(blank=True, default="", max_length=8),
        ),
        migrations.AddField(
            model_name="match",
            name="second_report",
            field=models.CharField(blank=True, default="", max_length=8),
        ),
    ]
