from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("squadpress", "0008_accounts"),
    ]

    operations = [
        migrations.AddField(
            model_name="savedsquad",
            name="played",
            field=models.CharField(blank=True, default="", max_length=100),
        ),
        migrations.AddField(
            model_name="event",
            name="played",
            field=models.CharField(blank=True, default="", max_length=100),
        ),
        migrations.AddField(
            model_name="event",
            name="day",
            field=models.DateField(null=True),
        ),
    ]
