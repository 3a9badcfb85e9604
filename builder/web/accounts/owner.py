"""Finds the owner of a request.

A browser holds two secrets in a signed cookie, the database their hashes.

No account is needed. All browsers of one owner share the owner's secret, which their cookies hold
masked. Each browser has a secret of its own, too, by which the table of devices knows it. So one
browser can be removed.
"""

import secrets
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.crypto import salted_hmac

from builder.web.accounts.models import Device

COOKIE = "squadpress"
COOKIE_AGE_SECONDS = 10 * 365 * 86400
MIN_TIME_BETWEEN_VISITS = timedelta(hours=12)
"""A visit is recorded if the last one is longer ago."""
ACCESS_ATTRIBUTE = "squadpress_access"
NEW_SECRET_ATTRIBUTE = "squadpress_new_secret"
BROWSERS = {
    "Edg": "Edge",
    "OPR": "Opera",
    "SamsungBrowser": "Samsung Internet",
    "FxiOS": "Firefox",
    "Firefox": "Firefox",
    "CriOS": "Chrome",
    "Chrome": "Chrome",
    "Safari": "Safari",
}
"""Names of browsers by a part of their user agent. The first match counts: most name others too."""
SYSTEMS = {
    "Android": "Android",
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Windows": "Windows",
    "CrOS": "ChromeOS",
    "Mac OS X": "macOS",
    "Linux": "Linux",
}


@dataclass(frozen=True, slots=True)
class Access:
    """The owner and the secrets that the cookie of a browser gives access to.

    A cookie from before 0.2.0 has no secret of the browser's own.
    """

    owner_secret: str
    device_secret: str = ""
    device: Device | None = None
    """The browser's row. None before its first visit since 0.2.0 or since a backup was restored."""


def get_access(request: HttpRequest) -> Access | None:
    """Return what a browser's cookie gives access to. None for a new or removed browser."""
    if not hasattr(request, ACCESS_ATTRIBUTE):
        setattr(request, ACCESS_ATTRIBUTE, _read_cookie(request))
    access: Access | None = getattr(request, ACCESS_ATTRIBUTE)
    return access


def _read_cookie(request: HttpRequest) -> Access | None:
    value = str(request.get_signed_cookie(COOKIE, default="", salt=COOKIE) or "")
    # Cookies from before the table of devices have only the owner's secret.
    device_secret, dot, masked_secret = value.partition(".")
    if not dot:
        return Access(value) if value else None
    device = Device.objects.filter(key=hash_secret(device_secret)).first()
    if device is not None and device.removed is not None:
        return None
    # The database has only hashes, so a stolen copy of it opens no squad.
    owner_secret = apply_mask(
        bytes.fromhex(masked_secret), _make_mask(device_secret)
    ).decode()
    return Access(owner_secret, device_secret, device)


def _make_mask(device_secret: str) -> bytes:
    """Derive 64 bytes from a browser's secret and the server's key."""
    return salted_hmac("squadpress.device", device_secret, algorithm="sha512").digest()


def apply_mask(text: bytes, mask: bytes) -> bytes:
    """Combine at most 64 bytes with a mask by XOR. A second call restores them."""
    return bytes(byte ^ mask_byte for byte, mask_byte in zip(text, mask, strict=False))


def get_owner(request: HttpRequest) -> str:
    """Return the id of the owner whose data this browser may change. Empty if it has none yet."""
    secret = get_owner_secret(request)
    return hash_secret(secret) if secret else ""


def get_owner_secret(request: HttpRequest) -> str:
    """Return the owner's secret that this browser may use. Empty if it has none yet."""
    access = get_access(request)
    return access.owner_secret if access is not None else ""


def get_or_create_owner(request: HttpRequest) -> str:
    """Return the id of this browser's owner. Create one for a new browser.

    A new browser becomes a new owner's once its page is made.
    """
    owner = get_owner(request)
    if owner:
        return owner
    secret = make_secret()
    setattr(request, NEW_SECRET_ATTRIBUTE, secret)
    return hash_secret(secret)


def cancel_new_owner(request: HttpRequest) -> None:
    """Undo the creation of an owner in this request, because nothing was stored for it."""
    setattr(request, NEW_SECRET_ATTRIBUTE, "")


def get_device_key(request: HttpRequest) -> str:
    """Return the key of this browser's row in the table of devices.

    Empty if it has no secret of its own.
    """
    access = get_access(request)
    return (
        hash_secret(access.device_secret)
        if access is not None and access.device_secret
        else ""
    )


def hash_secret(secret: str) -> str:
    """Return the hash under which the database stores a secret."""
    return sha256(secret.encode()).hexdigest()


def make_secret() -> str:
    """Make a random secret."""
    return secrets.token_urlsafe(24)


def give_access(
    request: HttpRequest,
    response: HttpResponseBase,
    owner_secret: str,
    way: str = Device.BEGAN,
) -> None:
    """Make this browser a device of an owner. `way` is how it got access, for the device list."""
    # An old cookie of this browser must not stay usable beside the new one.
    revoke_device(request)
    device_secret = make_secret()
    Device.objects.create(
        key=hash_secret(device_secret),
        owner=hash_secret(owner_secret),
        name=describe_browser(request),
        way=way,
    )
    masked_secret = apply_mask(owner_secret.encode(), _make_mask(device_secret)).hex()
    response.set_signed_cookie(
        COOKIE,
        f"{device_secret}.{masked_secret}",
        salt=COOKIE,
        max_age=COOKIE_AGE_SECONDS,
        httponly=True,
        samesite="Lax",
        secure=bool(getattr(settings, "CSRF_COOKIE_SECURE", False)),
    )


def revoke_device(request: HttpRequest) -> None:
    """Make the cookie of this browser useless, with all copies of it."""
    key = get_device_key(request)
    if key:
        Device.objects.filter(key=key).update(removed=timezone.now())


def record_visit(request: HttpRequest, response: HttpResponseBase) -> None:
    """Set the cookie of a new browser, and record the time of the visit."""
    new_secret = getattr(request, NEW_SECRET_ATTRIBUTE, "")
    # A failed request stores nothing, so it creates no owner.
    if new_secret and response.status_code < 400:
        give_access(request, response, new_secret)
    access: Access | None = getattr(request, ACCESS_ATTRIBUTE, None)
    # Other files are requested several at once, and each request would make a row.
    is_page = response.get("Content-Type", "").startswith("text/html")
    if access is None or COOKIE in response.cookies or not is_page:
        return
    if not access.device_secret:
        give_access(request, response, access.owner_secret, Device.EARLIER)
    elif access.device is None:
        Device.objects.get_or_create(
            key=hash_secret(access.device_secret),
            defaults={
                "owner": hash_secret(access.owner_secret),
                "name": describe_browser(request),
                "way": Device.EARLIER,
            },
        )
    elif access.device.seen < timezone.now() - MIN_TIME_BETWEEN_VISITS:
        Device.objects.filter(pk=access.device.pk).update(seen=timezone.now())


def describe_browser(request: HttpRequest) -> str:
    """Return the browser and its system, such as "Firefox, Android". Empty if unknown."""
    agent = request.headers.get("User-Agent", "")
    browser = next((name for part, name in BROWSERS.items() if f"{part}/" in agent), "")
    system = next((name for part, name in SYSTEMS.items() if part in agent), "")
    return ", ".join(filter(None, (browser, system)))
