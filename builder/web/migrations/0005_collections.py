from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("squadpress", "0004_handovers"),
    ]

    operations = [
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
                "constraints": [
                    models.UniqueConstraint(
                        fields=("owner", "pack"), name="collection_of_owner"
                    )
                ],
            },
        ),
    ]
