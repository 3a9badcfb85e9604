"""The cards that an owner has."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from builder.web.fields import CharField, DateTimeField, JSONField


class SavedCollection(models.Model):
    """An owner's collection of a game: the copies and painted copies of each card."""

    owner = CharField(max_length=64)
    pack = CharField(max_length=100)
    owned = JSONField(default=dict)
    """As in the file of a collection: see `builder.model.roster.Collection`."""
    changed = DateTimeField(auto_now=True)

    class Meta:
        db_table = "squadpress_savedcollection"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["owner", "pack"], name="collection_of_owner"
            )
        ]
