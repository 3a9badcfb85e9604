"""Django's model fields with the types of their values, which its stubs do not infer.

Those for texts refuse the same characters with every database: PostgreSQL stores no NUL, SQLite no
surrogates.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.db import models

from builder.errors import UsageError
from builder.messages import gettext as _

UNSTORABLE = re.compile("[\0\ud800-\udfff]")
"""NUL, and surrogates: halves of a character, which UTF-8 does not have."""

if TYPE_CHECKING:
    from datetime import date, datetime
    from uuid import UUID

    BinaryField = models.BinaryField[bytes, bytes]
    BooleanField = models.BooleanField[bool, bool]
    CharField = models.CharField[str, str]
    JSONField = models.JSONField
    DateTimeField = models.DateTimeField[datetime, datetime]
    IntegerField = models.IntegerField[int, int]
    OptionalDateField = models.DateField[date | None, date | None]
    OptionalDateTimeField = models.DateTimeField[datetime | None, datetime | None]
    PositiveIntegerField = models.PositiveIntegerField[int, int]
    TextField = models.TextField[str, str]
    UUIDField = models.UUIDField[UUID, UUID]
else:
    BinaryField = models.BinaryField
    BooleanField = models.BooleanField
    DateTimeField = OptionalDateTimeField = models.DateTimeField
    IntegerField = models.IntegerField
    OptionalDateField = models.DateField
    PositiveIntegerField = models.PositiveIntegerField
    UUIDField = models.UUIDField

    class StorableText:
        """A mixin for fields that refuses texts which SQLite or PostgreSQL cannot store."""

        def get_prep_value(self, value):
            """Return the value for the database. Raise UsageError if it cannot be stored."""
            refuse_unstorable(value)
            return super().get_prep_value(value)

        def deconstruct(self):
            """Describe the field in migrations as the Django field that it replaces."""
            name, _path, args, options = super().deconstruct()
            return name, f"django.db.models.{type(self).__name__}", args, options

    class CharField(StorableText, models.CharField):
        """A short text."""

    class TextField(StorableText, models.TextField):
        """A long text."""

    class JSONField(StorableText, models.JSONField):
        """A JSON value."""


def refuse_unstorable(value: object) -> None:
    """Raise UsageError for NUL or lone surrogates in a text or JSON value."""
    if isinstance(value, str):
        unstorable = UNSTORABLE.search(value)
        if unstorable is not None:
            character = ascii(unstorable[0]).strip("'")
            message = _(
                "a text contains the character {character}", character=character
            )
            raise UsageError(message, _("Remove it: it cannot be stored."))
    elif isinstance(value, Mapping):
        for key, item in value.items():
            refuse_unstorable(key)
            refuse_unstorable(item)
    elif isinstance(value, list | tuple):
        for item in value:
            refuse_unstorable(item)
