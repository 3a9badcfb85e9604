from django.db import migrations, models

from builder.web.squads.models import new_link_code


class Migration(migrations.Migration):
    dependencies = [
        ("squadpress", "0013_link_codes"),
    ]

    operations = [
        migrations.AlterField(
            model_name="squadlink",
            name="code",
            field=models.CharField(default=new_link_code, max_length=32, unique=True),
        ),
    ]
