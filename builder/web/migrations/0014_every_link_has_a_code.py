from django.db import migrations, models

import builder.web.models


class Migration(migrations.Migration):
    dependencies = [
        ("squadpress", "0013_link_codes"),
    ]

    operations = [
        migrations.AlterField(
            model_name="squadlink",
            name="code",
            field=models.CharField(
                default=builder.web.models.new_link_code, max_length=32, unique=True
            ),
        ),
    ]
