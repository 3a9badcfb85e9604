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
from builder.web.accounts.owner import apply_mask, hash_secret

LINK_LIFETIME = timedelta(minutes=15)
CODE_GROUP_LENGTH = 5


def format_recovery_code(secret: str) -> str:
    """Format an owner's secret as a recovery code: groups of capitals and digits to write down."""
    characters = base64.b32encode(secret.encode()).decode().rstrip("=")
    starts = range(0, len(characters), CODE_GROUP_LENGTH)
    return " ".join(characters[start : start + CODE_GROUP_LENGTH] for start in starts)


def find_secret(code: str) -> str:
    """Return the owner's secret for a recovery code. Raise UsageError if it opens no data."""
    secret = parse_recovery_code(code)
    if not has_data(hash_secret(secret)):
        hint = _("Compare it with your copy, character by character.")
        raise UsageError(_("this code is not valid"), hint)
    return secret


def parse_recovery_code(code: str) -> str:
    """Convert a typed recovery code to the owner's secret. Empty if it cannot be one."""
    secret = "".join(character for character in code.upper() if character.isalnum())
    # Base32 has no 0 and 1, so a reader who typed them meant O and I.
    secret = secret.replace("0", "O").replace("1", "I")
    try:
        return base64.b32decode(secret + "=" * (-len(secret) % 8)).decode("ascii")
    except ValueError:
        return ""


def make_link_token(secret: str) -> str:
    """Make the token of a link that gives one other device access, once and for a short time."""
    token = secrets.token_urlsafe(24)
    Handover.objects.filter(until__lt=timezone.now()).delete()
    Handover.objects.create(
        key=hash_secret(token),
        sealed=apply_mask(secret.encode(), _make_mask(token)).hex(),
        owner=hash_secret(secret),
        until=timezone.now() + LINK_LIFETIME,
    )
    return token


def get_owner_of_link(token: str) -> str:
    """Return the owner whose squads a device link opens. The link stays usable.

    Raise InputUnreadable for an expired one.
    """
    return hash_secret(_unmask(_find_handover(token), token))


def use_link(token: str) -> str:
    """Return the owner's secret of a device link, and make the link useless.

    Raise InputUnreadable for an expired one.
    """
    with transaction.atomic():
        # The lock lets only one of two devices use the link.
        handover = _find_handover(token, lock=True)
        secret = _unmask(handover, token)
        handover.delete()
    return secret


def _find_handover(token: str, lock: bool = False) -> Handover:
    rows = Handover.objects.select_for_update() if lock else Handover.objects.all()
    handover = rows.filter(key=hash_secret(token), until__gte=timezone.now()).first()
    if handover is None:
        hint = _(
            "The code works once and for 15 minutes. Create a new one on the other device."
        )
        raise InputUnreadable(_("this link is not valid"), hint)
    return handover


def _unmask(handover: Handover, token: str) -> str:
    return apply_mask(bytes.fromhex(handover.sealed), _make_mask(token)).decode()


def _make_mask(token: str) -> bytes:
    """Derive 64 bytes from a link's token, with which the secret in the database is masked."""
    parts = (sha256(prefix + token.encode()).digest() for prefix in (b"mask", b"more"))
    return b"".join(parts)
