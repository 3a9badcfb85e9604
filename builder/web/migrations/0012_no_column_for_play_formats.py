from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("squadpress", "0011_play_formats_in_texts"),
    ]

    operations = [
        migrations.RemoveField(model_name="savedsquad", name="played"),
        migrations.RemoveField(model_name="squadstep", name="played"),
    ]
