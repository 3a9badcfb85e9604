from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("squadpress", "0009_play_formats"),
    ]

    operations = [
        migrations.AddField(
            model_name="squadstep",
            name="played",
            field=models.CharField(max_length=100, null=True),
        ),
    ]
