"""Django's model fields with the types of their values, which its stubs do not infer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import models

if TYPE_CHECKING:
    from datetime import date, datetime
    from uuid import UUID

    BinaryField = models.BinaryField[bytes, bytes]
    BooleanField = models.BooleanField[bool, bool]
    CharField = models.CharField[str, str]
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
    CharField = models.CharField
    DateTimeField = OptionalDateTimeField = models.DateTimeField
    IntegerField = models.IntegerField
    OptionalDateField = models.DateField
    PositiveIntegerField = models.PositiveIntegerField
    TextField = models.TextField
    UUIDField = models.UUIDField
