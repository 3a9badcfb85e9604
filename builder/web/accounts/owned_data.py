"""All data of an owner, whichever app stores it.

Counted, moved to another owner, exported, deleted.

Each app that stores such data has an `OwnedData`. The setting OWNED_DATA lists them, because this
app knows no other.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from functools import cache
from io import BytesIO
from typing import Protocol
from zipfile import ZIP_DEFLATED, ZipFile

from django.conf import settings
from django.db import transaction
from django.utils.module_loading import import_string

from builder.web.accounts.models import Account, Device, Handover

SETTINGS_FILE = "settings.json"
"""The file of an export with the settings of the browser."""


class OwnedData(Protocol):
    """The interface with which one app counts, merges, exports and deletes an owner's data."""

    def count(self, owner: str) -> Mapping[str, int]:
        """Return the number of stored items by name, such as `squads`."""

    def merge(self, old_owner: str, new_owner: str) -> None:
        """Move all data of one owner to another."""

    def export(self, owner: str) -> Iterator[tuple[str, str | bytes]]:
        """Yield (name, content) of each file for an export."""

    def delete(self, owner: str) -> None:
        """Delete all data of an owner."""


@cache
def owned_data() -> tuple[OwnedData, ...]:
    """Return the data classes of all apps, from the setting `OWNED_DATA`."""
    return tuple(import_string(name)() for name in settings.OWNED_DATA)


def count_owned(owner: str) -> dict[str, int]:
    """Count the data of an owner in all apps: `squads`, `collections`, `events`, `lists`.

    Nothing for an empty key.
    """
    counts: dict[str, int] = {}
    for data in owned_data() if owner else ():
        counts |= data.count(owner)
    return counts


def has_data(owner: str) -> bool:
    """Return True if anything is stored of an owner."""
    return (
        any(count_owned(owner).values()) or Account.objects.filter(owner=owner).exists()
    )


def merge_owners(old_owner: str, new_owner: str) -> None:
    """Move the data of one owner to another in all apps."""
    if not old_owner or old_owner == new_owner:
        return
    with transaction.atomic():
        for data in owned_data():
            data.merge(old_owner, new_owner)


def export_owned(owner: str, language: str) -> bytes:
    """Return all data of an owner and the language as a ZIP archive."""
    return write_archive(_list_export_files(owner, language))


def _list_export_files(owner: str, language: str) -> Iterator[tuple[str, str | bytes]]:
    yield SETTINGS_FILE, to_export_json({"language": language})
    for account in Account.objects.filter(owner=owner):
        yield (
            "account.json",
            to_export_json({"name": account.name, "made": account.made}),
        )
    for data in owned_data():
        yield from data.export(owner)


def write_archive(files: Iterable[tuple[str, str | bytes]]) -> bytes:
    """Return files as a ZIP archive."""
    archive = BytesIO()
    with ZipFile(archive, "w", ZIP_DEFLATED) as file:
        for name, content in files:
            file.writestr(name, content)
    return archive.getvalue()


def to_export_json(value: Mapping[str, object]) -> str:
    """Format a value as a JSON file of an export, with times in ISO format."""
    return json.dumps(value, ensure_ascii=False, indent=1, default=_format_value)


def _format_value(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)


def delete_owned(owner: str) -> None:
    """Delete all data of an owner in all apps, with the account and printed files."""
    if not owner:
        return
    for data in owned_data():
        data.delete(owner)
    Account.objects.filter(owner=owner).delete()
    Handover.objects.filter(owner=owner).delete()
    devices = Device.objects.filter(owner=owner)
    devices.filter(removed=None).delete()
    devices.update(
        name=""
    )  # the rows of removed browsers stay, so that their cookies open nothing


def remove_unseen_devices(seen_before: datetime) -> None:
    """Delete the devices that were last seen before a time."""
    Device.objects.filter(seen__lt=seen_before, removed=None).delete()
