"""The browsers that have access to an owner's squads."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from builder.errors import InputUnreadable
from builder.messages import Message, gettext as _
from builder.web.accounts.models import Device, Handover
from builder.web.accounts.owner import describe_browser, get_device_key

ACCESS_WAYS = {
    Device.BEGAN: _("first browser"),
    Device.LINK: _("signed in with a link from another device"),
    Device.CODE: _("signed in with the recovery code"),
    Device.PASSWORD: _("signed in with the password"),
    Device.EARLIER: _("signed in before version 0.2.0"),
}
"""The ways in which a browser got access, as messages."""


@dataclass(frozen=True, slots=True)
class DeviceRow:
    """A browser in the list of devices that have access to an owner's squads.

    `id` is None for this browser, which signs out instead of being removed.
    """

    id: UUID | None
    name: str
    way: Message
    added: datetime
    seen: datetime


def list_devices(owner: str) -> QuerySet[Device]:
    """Return the browsers that have access to an owner's squads, the most recently seen first."""
    return Device.objects.filter(owner=owner or None, removed=None).order_by("-seen")


def list_device_rows(request: HttpRequest, owner: str) -> list[DeviceRow]:
    """Return the rows of the device list, this browser first."""
    own_key = get_device_key(request)
    now = timezone.now()
    own_row = DeviceRow(
        None, describe_browser(request), ACCESS_WAYS[Device.EARLIER], now, now
    )
    rows = []
    for device in list_devices(owner):
        way = ACCESS_WAYS[device.way]
        if device.key == own_key:
            own_row = DeviceRow(None, device.name, way, device.added, now)
        else:
            rows.append(
                DeviceRow(device.pk, device.name, way, device.added, device.seen)
            )
    return [own_row, *rows]


def remove_device(owner: str, device_id: str) -> None:
    """Remove the access of an owner's browser, and cancel all unused device links.

    Its row stays, so that its cookie opens nothing. Raise InputUnreadable if there is no such
    browser.
    """
    with transaction.atomic():
        if not _is_uuid(device_id) or not _revoke(
            list_devices(owner).filter(pk=device_id)
        ):
            hint = _("Reload the list. The device may already be removed.")
            raise InputUnreadable(_("the device has no access"), hint)
        Handover.objects.filter(owner=owner).delete()


def remove_all_devices(owner: str) -> None:
    """Remove the access of all browsers of an owner, and cancel unused device links."""
    _revoke(list_devices(owner))
    Handover.objects.filter(owner=owner).delete()


def _revoke(devices: QuerySet[Device]) -> int:
    return devices.update(removed=timezone.now())


def _is_uuid(text: str) -> bool:
    try:
        return bool(UUID(text))
    except ValueError:
        return False
