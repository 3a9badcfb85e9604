"""Whose squads: a browser holds a secret in a signed cookie, and the database its hash. No account is needed."""

import secrets
from hashlib import sha256

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

COOKIE = "squadpress"
YEAR = 365 * 86400


def owner_of(request: HttpRequest) -> str:
    """The key under which this browser's squads are kept; empty where it has none yet."""
    secret = secret_in(request)
    return key_of(secret) if secret else ""


def secret_in(request: HttpRequest) -> str:
    """The secret that this browser holds; empty where it has none yet."""
    return str(request.get_signed_cookie(COOKIE, default="", salt=COOKIE) or "")


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


def remember(request: HttpRequest, response: HttpResponseBase, secret: str) -> None:
    """Let the browser hold a secret for long."""
    https = bool(getattr(settings, "CSRF_COOKIE_SECURE", False))
    response.set_signed_cookie(
        COOKIE, secret, salt=COOKIE, max_age=10 * YEAR, httponly=True, samesite="Lax", secure=https
    )
