"""Links get a code.

Links from before keep their addresses, which end in the row number that they have now.
"""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def keep_addresses(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Store the row number of each link as its code."""
    links = apps.get_model("squadpress", "SquadLink")
    for link in links.objects.all():
        link.code = str(link.pk)
        link.save(update_fields=["code"])


class Migration(migrations.Migration):
    dependencies = [
        ("squadpress", "0012_no_column_for_play_formats"),
    ]

    operations = [
        migrations.AddField(
            model_name="squadlink",
            name="code",
            field=models.CharField(max_length=32, null=True, unique=True),
        ),
        migrations.RunPython(keep_addresses, migrations.RunPython.noop),
    ]
