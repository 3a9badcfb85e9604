from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("squadpress", "0005_collections"),
    ]

    operations = [
        migrations.AddField(
            model_name="savedsquad",
            name="based",
            field=models.CharField(blank=True, default="", max_length=40),
        ),
        migrations.AddField(
            model_name="savedsquad",
            name="stays",
            field=models.CharField(blank=True, default="", max_length=40),
        ),
    ]
