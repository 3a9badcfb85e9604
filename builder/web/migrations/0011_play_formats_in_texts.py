"""The play format that a squad is built for becomes part of its text, as a roster's file has it."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import F


def stated(text: str, played: str) -> str:
    """A text that says the play format; the same for none."""
    if not played:
        return text
    if text.lstrip().startswith("{"):
        return text.replace("{", f"{{play_format: {played}, ", 1)
    return f"{text.rstrip()}\nplay_format: {played}\n"


def put(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """In squads, in their undo and redo steps, and in lists handed in."""
    squads, steps = (
        apps.get_model("squadpress", name) for name in ("SavedSquad", "SquadStep")
    )
    changed = steps.objects.filter(played__isnull=False).values("squad")
    for squad in squads.objects.exclude(played="") | squads.objects.filter(
        pk__in=changed
    ):
        for undone, order, first, last in (
            (False, "-number", "after", "before"),
            (True, "number", "before", "after"),
        ):
            played = squad.played
            for step in steps.objects.filter(squad=squad, undone=undone).order_by(
                order
            ):
                setattr(step, first, stated(getattr(step, first), played))
                played = played if step.played is None else step.played
                setattr(step, last, stated(getattr(step, last), played))
                step.save(update_fields=["before", "after"])
        squad.text = stated(squad.text, squad.played)
        squad.save(update_fields=["text"])
    lists = apps.get_model("squadpress", "EventList")
    for one in lists.objects.exclude(event__played="").annotate(
        played=F("event__played")
    ):
        one.text = stated(one.text, one.played)
        one.save(update_fields=["text"])


class Migration(migrations.Migration):
    dependencies = [
        ("squadpress", "0010_play_format_steps"),
    ]

    operations = [migrations.RunPython(put, migrations.RunPython.noop)]
