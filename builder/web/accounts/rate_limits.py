"""How often somebody may ask for what costs much: counted in the database, for all processes of a server together."""

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
from builder.web.accounts.owner import owner_of

View = Callable[..., HttpResponseBase]
MAX_SQUADS_PER_HOUR = 120
"""Squads that one browser may create within an hour."""
PER_ADDRESS = 10
"""How many browsers behind one network address may do as much as one."""
FREE_TRIES, FIRST_WAIT, LONGEST_WAIT = 5, timedelta(seconds=30), timedelta(hours=1)
"""Tries at a secret that need not wait; how long the next one does, and the most that any does."""
REMEMBERED = timedelta(days=1)
"""How long tries at a secret count after the last of them."""


class TooOften(UsageError):
    """Somebody asks for more than is good for all others."""


def limited(what: str, most: int, within: timedelta) -> Callable[[View], View]:
    """Let a view be posted to at most so often by one browser, and ten times as often from one network address."""

    def decorate(view: View) -> View:
        @wraps(view)
        def counted(request: HttpRequest, *args: object, **named: object) -> HttpResponseBase:
            if request.method == "POST":
                count(request, what, most, within)
            return view(request, *args, **named)

        return counted

    return decorate


def count(request: HttpRequest, what: str, most: int, within: timedelta) -> None:
    """Count one more. TooOften where that is too many within the time."""
    count_for(address_of(request), what, most * PER_ADDRESS, within)
    if owner := owner_of(request):
        count_for(owner, what, most, within)


def count_new_squad(request: HttpRequest) -> None:
    """Count one more squad that a browser creates, in whatever way. TooOften for too many within an hour."""
    count(request, "create", MAX_SQUADS_PER_HOUR, timedelta(hours=1))


def count_for(who: str, what: str, most: int, within: timedelta) -> None:
    """Count one more of somebody. TooOften where that is too many within the time."""
    seconds = int(within.total_seconds())
    window = int(timezone.now().timestamp()) // seconds
    until = datetime.fromtimestamp((window + 1) * seconds, UTC)
    if _raised(f"{what} {window} {who}", until) > most:
        raise _too_often(until)


def _too_often(until: datetime) -> TooOften:
    minutes = max(1, round((until - timezone.now()).total_seconds() / 60))
    remedy = ngettext("Try again in {count} minute.", "Try again in {count} minutes.", minutes)
    return TooOften(_("that was asked for too often"), remedy)


def count_try(request: HttpRequest, what: str) -> str:
    """Count one more try at a secret from this address, after which the next has to wait: not at all for the first few,
    then twice as long each time; the tally, for `forgive`. TooOften for one that comes too soon.

    Who tries from elsewhere waits for no one else: nobody can lock the owner of a secret out.
    """
    key, now = _key(f"try {what} {address_of(request)}"), timezone.now()
    with transaction.atomic():
        Tally.objects.get_or_create(key=key, defaults={"until": now})
        tally = Tally.objects.select_for_update().get(key=key)
        if tally.until < now:
            tally.count = 0
        elif now < (free := tally.until - REMEMBERED + _wait(tally.count)):
            raise _too_often(free)
        tally.count, tally.until = tally.count + 1, now + REMEMBERED
        tally.save()
    return key


def _wait(tries: int) -> timedelta:
    """How long after so many tries the next one is allowed."""
    return (
        min(LONGEST_WAIT, FIRST_WAIT * 2 ** min(tries - FREE_TRIES, 20))
        if tries >= FREE_TRIES
        else timedelta(0)
    )


def forgive(tally: str) -> None:
    """Forget the tries: the right secret was told."""
    Tally.objects.filter(key=tally).delete()


def _key(name: str) -> str:
    """What a tally is kept under: tells nobody who is counted."""
    return salted_hmac("squadpress.tally", name, algorithm="sha256").hexdigest()


def _raised(name: str, until: datetime) -> int:
    """A tally raised by one; tallies whose time is over go."""
    key = _key(name)
    with transaction.atomic():
        made = Tally.objects.get_or_create(key=key, defaults={"until": until})[1]
        Tally.objects.filter(key=key).update(count=F("count") + 1)
        if made:
            Tally.objects.filter(until__lt=timezone.now()).delete()
        return Tally.objects.get(key=key).count


def address_of(request: HttpRequest) -> str:
    """The network that a request comes from, as a hash: of the new kind of addresses a household's whole share.

    Where the server stands behind a proxy of its own (its address is known to the world), that one's word is taken.
    """
    stated = str(request.META.get("REMOTE_ADDR", ""))
    if getattr(settings, "SECURE_PROXY_SSL_HEADER", None):
        stated = request.headers.get("X-Forwarded-For", stated).rpartition(",")[2].strip()
    try:
        address = ip_address(stated)
    except ValueError:
        return sha256(b"nowhere").hexdigest()
    if isinstance(address, IPv6Address):
        stated = str(ip_network(f"{address}/64", strict=False))
    return sha256(stated.encode()).hexdigest()
