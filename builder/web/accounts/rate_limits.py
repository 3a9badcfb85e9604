"""Limits how often one person may do something expensive.

All processes of a server count together.
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import wraps
from hashlib import sha256
from ipaddress import IPv6Address, ip_address, ip_network

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.crypto import salted_hmac

from builder.errors import UsageError
from builder.messages import gettext as _, ngettext
from builder.web.accounts.models import Tally
from builder.web.accounts.owner import get_owner

View = Callable[..., HttpResponseBase]
HOUR = timedelta(hours=1)
MAX_SQUADS_PER_HOUR = 120
"""Squads that one owner may create within an hour."""
OWNERS_PER_NETWORK = 10
"""Owners behind one network address that may all do as much as one may."""
FREE_ATTEMPTS = 5
"""Attempts at a secret that need not wait."""
MIN_WAIT = timedelta(seconds=30)
MAX_WAIT = timedelta(hours=1)
"""Waiting times after attempts at a secret. Each one is twice as long as the one before."""
ATTEMPT_MEMORY = timedelta(days=1)
"""The time after the last attempt at a secret until attempts are forgotten."""


class RateLimitExceeded(UsageError):
    """Raised if someone does something too often."""


def limit_rate(
    action: str, max_count: int, period: timedelta = HOUR
) -> Callable[[View], View]:
    """Make a decorator that limits how often one owner may post to a view within a period.

    One network address may do it 10 times as often.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def call_limited_view(
            request: HttpRequest, *args: object, **options: object
        ) -> HttpResponseBase:
            if request.method == "POST":
                count_request(request, action, max_count, period)
            return view(request, *args, **options)

        return call_limited_view

    return decorate


def count_request(
    request: HttpRequest, action: str, max_count: int, period: timedelta = HOUR
) -> None:
    """Count an action for an owner and a network. Raise RateLimitExceeded above the limits."""
    count_action(
        get_network_key(request), action, max_count * OWNERS_PER_NETWORK, period
    )
    owner = get_owner(request)
    if owner:
        count_action(owner, action, max_count, period)


def count_new_squad(request: HttpRequest) -> None:
    """Count a new squad, however it was made. Raise RateLimitExceeded above the limits."""
    count_request(request, "create", MAX_SQUADS_PER_HOUR)


def count_action(
    actor: str, action: str, max_count: int, period: timedelta = HOUR
) -> None:
    """Count an action of an owner or network. Raise RateLimitExceeded above the limit."""
    seconds = int(period.total_seconds())
    window = int(timezone.now().timestamp()) // seconds
    window_end = datetime.fromtimestamp((window + 1) * seconds, UTC)
    if _increment(f"{action} {window} {actor}", window_end) > max_count:
        raise _make_error(window_end)


def _make_error(allowed_at: datetime) -> RateLimitExceeded:
    minutes = max(1, round((allowed_at - timezone.now()).total_seconds() / 60))
    hint = ngettext(
        "Try again in {count} minute.", "Try again in {count} minutes.", minutes
    )
    return RateLimitExceeded(_("too many attempts"), hint)


def count_attempt(request: HttpRequest, action: str) -> str:
    """Count an attempt to guess a secret from this network.

    Raise RateLimitExceeded if too early.

    Return the counter, for `reset_attempts`.

    The first attempts need not wait, later ones twice as long each time. Raise RateLimitExceeded
    for one that comes too early. Attempts from elsewhere do not count: nobody can lock the owner of
    a secret out.
    """
    key = _make_key(f"try {action} {get_network_key(request)}")
    now = timezone.now()
    with transaction.atomic():
        Tally.objects.get_or_create(key=key, defaults={"until": now})
        tally = Tally.objects.select_for_update().get(key=key)
        allowed_at = tally.until - ATTEMPT_MEMORY + _get_wait(tally.count)
        if tally.until < now:
            tally.count = 0
        elif now < allowed_at:
            raise _make_error(allowed_at)
        tally.count, tally.until = tally.count + 1, now + ATTEMPT_MEMORY
        tally.save()
    return key


def _get_wait(attempts: int) -> timedelta:
    """Return the time to wait after a number of failed attempts."""
    if attempts < FREE_ATTEMPTS:
        return timedelta(0)
    return min(MAX_WAIT, MIN_WAIT * 2 ** min(attempts - FREE_ATTEMPTS, 20))


def reset_attempts(key: str) -> None:
    """Forget failed attempts after a successful one."""
    Tally.objects.filter(key=key).delete()


def _make_key(name: str) -> str:
    """Return a hash of a counter's name, so that the database does not show who is counted."""
    return salted_hmac("squadpress.tally", name, algorithm="sha256").hexdigest()


def _increment(name: str, until: datetime) -> int:
    """Increment a counter and return its value.

    The first count of a period deletes expired ones.
    """
    key = _make_key(name)
    with transaction.atomic():
        _tally, is_new = Tally.objects.get_or_create(key=key, defaults={"until": until})
        Tally.objects.filter(key=key).update(count=F("count") + 1)
        if is_new:
            Tally.objects.filter(until__lt=timezone.now()).delete()
        return Tally.objects.get(key=key).count


def get_network_key(request: HttpRequest) -> str:
    """Return a hash of the network that a request comes from.

    For IPv6 it is the household's /64 network.

    A server with a public address stands behind a proxy of its own, whose header is trusted.
    """
    address_text = str(request.META.get("REMOTE_ADDR", ""))
    if getattr(settings, "SECURE_PROXY_SSL_HEADER", None):
        address_text = (
            request.headers.get("X-Forwarded-For", address_text)
            .rpartition(",")[2]
            .strip()
        )
    try:
        address = ip_address(address_text)
    except ValueError:
        return sha256(b"nowhere").hexdigest()
    if isinstance(address, IPv6Address):
        address_text = str(ip_network(f"{address}/64", strict=False))
    return sha256(address_text.encode()).hexdigest()
