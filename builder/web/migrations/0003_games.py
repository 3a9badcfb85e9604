import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("squadpress", "0002_links_seals_and_prints"),
    ]

    operations = [
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
                        to="squadpress.savedsquad",
                    ),
                ),
            ],
        ),
    ]
