"""The browsers that have access to an owner's squads: listed, and removed."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from builder.errors import InputUnreadable
from builder.messages import Message, gettext as _
from builder.web.accounts.models import Device, Handover
from builder.web.accounts.owner import access_of, browser_name, key_of

ACCESS_WAYS = {
    Device.BEGAN: _("first browser"),
    Device.LINK: _("access by a link from another device"),
    Device.CODE: _("access by the recovery code"),
    Device.PASSWORD: _("access by the password"),
    Device.EARLIER: _("access since before version 0.2.0"),
}
"""How a browser got access, in words."""


@dataclass(frozen=True, slots=True)
class DeviceRow:
    """A browser as a page lists it. `id` is None for this browser: it signs out instead of being removed."""

    id: UUID | None
    name: str
    way: Message
    added: datetime
    seen: datetime


def devices_of(owner: str) -> list[Device]:
    """Return the browsers that have access to an owner's squads, the last one seen first."""
    return list(Device.objects.filter(owner=owner, removed=None).order_by("-seen")) if owner else []


def device_rows(request: HttpRequest, owner: str) -> list[DeviceRow]:
    """Return the browsers of an owner as a page lists them: this one first, also before it has a row."""
    access, now = access_of(request), timezone.now()
    if access is None:
        return []
    own_key = key_of(access.device_secret)
    here = DeviceRow(None, browser_name(request), ACCESS_WAYS[Device.EARLIER], now, now)
    others = []
    for device in devices_of(owner):
        row = DeviceRow(device.pk, device.name, ACCESS_WAYS[device.way], device.added, device.seen)
        if device.key == own_key:
            here = DeviceRow(None, device.name, ACCESS_WAYS[device.way], device.added, now)
        else:
            others.append(row)
    return [here, *others]


def remove_device(owner: str, device: str) -> None:
    """Take the access from one browser of an owner, and cancel links to further devices that it may have made.

    Its row stays, so that its cookie opens nothing. Raise InputUnreadable where there is no such browser.
    """
    with transaction.atomic():
        try:
            removed = Device.objects.filter(pk=UUID(device), owner=owner, removed=None).update(
                removed=timezone.now()
            )
        except ValueError:
            removed = 0
        if not removed:
            raise InputUnreadable(
                _("the device has no access"),
                _("Reload the list: the device may be removed already."),
            )
        Handover.objects.filter(owner=owner).delete()


def remove_all_devices(owner: str) -> None:
    """Take the access from all browsers of an owner, and cancel links to further devices."""
    Device.objects.filter(owner=owner, removed=None).update(removed=timezone.now())
    Handover.objects.filter(owner=owner).delete()
