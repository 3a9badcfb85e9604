from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("squadpress", "0003_games"),
    ]

    operations = [
        migrations.AddField(
            model_name="savedsquad",
            name="leaves",
            field=models.DateTimeField(null=True),
        ),
        migrations.CreateModel(
            name="Handover",
            fields=[
                (
                    "key",
                    models.CharField(max_length=64, primary_key=True, serialize=False),
                ),
                ("sealed", models.CharField(max_length=128)),
                ("until", models.DateTimeField(db_index=True)),
            ],
        ),
    ]
