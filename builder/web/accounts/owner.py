"""Whose squads: a browser holds two secrets in a signed cookie, the database their hashes. No account is needed.

All browsers of one owner share the owner's secret. In the cookie it is masked, so that a browser never learns it.
Each browser has a secret of its own besides, by which the table of devices knows it and one browser can be removed.
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
YEAR = 365 * 86400
MIN_TIME_BETWEEN_VISITS = timedelta(hours=12)
"""A browser that was seen since then need not be recorded again."""
ACCESS = "squadpress_access"
"""The attribute of a request in which what its cookie opens is kept."""
BROWSERS = {
    "Edg": "Edge", "OPR": "Opera", "SamsungBrowser": "Samsung Internet", "FxiOS": "Firefox", "Firefox": "Firefox",
    "CriOS": "Chrome", "Chrome": "Chrome", "Safari": "Safari",
}  # fmt: skip
"""What browsers are called, by a part of what they say of themselves. The first match counts: most name others too."""
SYSTEMS = {"Android": "Android", "iPhone": "iPhone", "iPad": "iPad", "Windows": "Windows", "CrOS": "ChromeOS",
           "Mac OS X": "macOS", "Linux": "Linux"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Access:
    """What the cookie of a browser opens. A cookie from before 0.2.0 holds no secret of the browser's own."""

    owner_secret: str
    device_secret: str = ""
    device: Device | None = None
    """The browser's row; none before its first visit since 0.2.0 or since a backup was restored."""


def access_of(request: HttpRequest) -> Access | None:
    """Return what a browser may open; None for a new one, and for one that was removed."""
    if not hasattr(request, ACCESS):
        setattr(request, ACCESS, _read_cookie(request))
    access: Access | None = getattr(request, ACCESS)
    return access


def _read_cookie(request: HttpRequest) -> Access | None:
    value = str(request.get_signed_cookie(COOKIE, default="", salt=COOKIE) or "")
    device_secret, dot, sealed = value.partition(".")
    if not dot:
        return Access(value) if value else None
    device = Device.objects.filter(key=key_of(device_secret)).first()
    if device is not None and device.removed is not None:
        return None
    return Access(
        masked(bytes.fromhex(sealed), _mask(device_secret)).decode(), device_secret, device
    )


def _mask(device_secret: str) -> bytes:
    """64 bytes that only this server can make of a browser's secret."""
    return salted_hmac("squadpress.device", device_secret, algorithm="sha512").digest()


def masked(text: bytes, mask: bytes) -> bytes:
    """A text of at most 64 bytes under a mask of as many, or without it again."""
    return bytes(one ^ other for one, other in zip(text, mask, strict=False))


def owner_of(request: HttpRequest) -> str:
    """The key under which this browser's squads are kept; empty where it has none yet."""
    secret = secret_in(request)
    return key_of(secret) if secret else ""


def secret_in(request: HttpRequest) -> str:
    """The owner's secret, as far as this browser may use it; empty where it has none yet."""
    access = access_of(request)
    return access.owner_secret if access is not None else ""


def device_key(request: HttpRequest) -> str:
    """Return what the table of devices knows this browser by; empty where it does not."""
    access = access_of(request)
    return key_of(access.device_secret) if access is not None and access.device_secret else ""


def key_of(secret: str) -> str:
    """What the database knows of a secret."""
    return sha256(secret.encode()).hexdigest()


def enter(request: HttpRequest) -> tuple[str, str]:
    """The owner's key, and the secret that the browser is to `remember` where it has none yet, else nothing."""
    if owner := owner_of(request):
        return owner, ""
    secret = new_secret()
    return key_of(secret), secret


def new_secret() -> str:
    """A secret that nobody guesses."""
    return secrets.token_urlsafe(24)


def remember(
    request: HttpRequest, response: HttpResponseBase, secret: str, way: str = Device.BEGAN
) -> None:
    """Let the browser use an owner's secret for long, as a new device of that owner. `way` is how it got access."""
    forget_device(request)
    device_secret = new_secret()
    Device.objects.create(
        key=key_of(device_secret), owner=key_of(secret), name=browser_name(request), way=way
    )
    https = bool(getattr(settings, "CSRF_COOKIE_SECURE", False))
    value = f"{device_secret}.{masked(secret.encode(), _mask(device_secret)).hex()}"
    response.set_signed_cookie(
        COOKIE, value, salt=COOKIE, max_age=10 * YEAR, httponly=True, samesite="Lax", secure=https
    )


def forget_device(request: HttpRequest) -> None:
    """Let the cookie that this browser holds so far open nothing, wherever a copy of it is."""
    if key := device_key(request):
        Device.objects.filter(key=key).update(removed=timezone.now())


def record_visit(request: HttpRequest, response: HttpResponseBase) -> None:
    """Record that a browser was here, once its page is made. One that no row knows yet gets its row.

    Only pages count: other requests come several at once, and each would make a row.
    """
    access: Access | None = getattr(request, ACCESS, None)
    is_page = response.get("Content-Type", "").startswith("text/html")
    if access is None or COOKIE in response.cookies or not is_page:
        return
    if not access.device_secret:
        remember(request, response, access.owner_secret, Device.EARLIER)
    elif access.device is None:
        known = {
            "owner": key_of(access.owner_secret),
            "name": browser_name(request),
            "way": Device.EARLIER,
        }
        Device.objects.get_or_create(key=key_of(access.device_secret), defaults=known)
    elif access.device.seen < timezone.now() - MIN_TIME_BETWEEN_VISITS:
        Device.objects.filter(pk=access.device.pk).update(seen=timezone.now())


def browser_name(request: HttpRequest) -> str:
    """Return what a browser is called, such as "Firefox, Android"; empty where it does not say."""
    stated = request.headers.get("User-Agent", "")
    browser = next((name for part, name in BROWSERS.items() if f"{part}/" in stated), "")
    system = next((name for part, name in SYSTEMS.items() if part in stated), "")
    return ", ".join(filter(None, (browser, system)))
