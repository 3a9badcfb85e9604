from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("squadpress", "0007_events"),
    ]

    operations = [
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
        ),
    ]
