"""Access for another device: by a link that works once, or by a recovery code."""

import base64
import secrets
from datetime import timedelta
from hashlib import sha256

from django.db import transaction
from django.utils import timezone

from builder.errors import InputUnreadable, UsageError
from builder.messages import gettext as _
from builder.web.accounts.models import Handover
from builder.web.accounts.owned_data import has_data
from builder.web.accounts.owner import key_of, masked

SHORT = timedelta(minutes=15)
"""How long a link to another device works."""


GROUP = 5


def code_of(secret: str) -> str:
    """A browser's secret as capitals and digits in groups, to be written down."""
    plain = base64.b32encode(secret.encode()).decode().rstrip("=")
    return " ".join(plain[at : at + GROUP] for at in range(0, len(plain), GROUP))


def secret_of(code: str) -> str:
    """The secret that a code stands for. UsageError for what is no code, or whose squads are gone."""
    secret = secret_in_code(code)
    key = key_of(secret)
    if not has_data(key):
        raise UsageError(
            _("this code opens nothing"), _("Compare it with what was written down, sign by sign.")
        )
    return secret


def secret_in_code(code: str) -> str:
    """What a code as it was typed may stand for; empty for what is no code."""
    plain = (
        "".join(sign for sign in code.upper() if sign.isalnum()).replace("0", "O").replace("1", "I")
    )
    try:
        return base64.b32decode(plain + "=" * (-len(plain) % 8)).decode("ascii")
    except ValueError:
        return ""


def send(secret: str) -> str:
    """What a link ends in that carries a secret to one other device, once and soon."""
    token = secrets.token_urlsafe(24)
    Handover.objects.filter(until__lt=timezone.now()).delete()
    sealed, until = masked(secret.encode(), _mask(token)).hex(), timezone.now() + SHORT
    Handover.objects.create(key=key_of(token), sealed=sealed, owner=key_of(secret), until=until)
    return token


def owner_in_link(token: str) -> str:
    """Return the key of the owner whose squads a link opens; the link still works. InputUnreadable after its time."""
    link = Handover.objects.filter(key=key_of(token), until__gte=timezone.now()).first()
    if link is None:
        raise gone()
    return key_of(masked(bytes.fromhex(link.sealed), _mask(token)).decode())


def receive(token: str) -> str:
    """The secret that a link carries; after that it carries nothing. InputUnreadable where it does not."""
    with transaction.atomic():
        found = (
            Handover.objects.select_for_update()
            .filter(key=key_of(token), until__gte=timezone.now())
            .first()
        )
        if found is None:
            raise gone()
        found.delete()
    return masked(bytes.fromhex(found.sealed), _mask(token)).decode()


def gone() -> InputUnreadable:
    """The refusal of a link that works no more."""
    reason = _("this link opens nothing")
    return InputUnreadable(
        reason, _("It works once, for a quarter of an hour. Make another on the other device.")
    )


def _mask(token: str) -> bytes:
    """What only the token makes."""
    return sha256(b"mask" + token.encode()).digest() + sha256(b"more" + token.encode()).digest()
