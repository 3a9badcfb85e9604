"""Links to a squad: each ends in the number of its row and a sign of this server's, so that none can be guessed, and
the database alone opens nothing."""

from base64 import urlsafe_b64encode

from django.utils.crypto import constant_time_compare, salted_hmac

from builder.errors import InputUnreadable
from builder.messages import gettext as _
from builder.web.models import SquadLink


def token_of(link: SquadLink) -> str:
    """What stands at the end of a link's address."""
    return f"{link.pk}-{_sign(str(link.pk))}"


def _sign(number: str) -> str:
    digest = salted_hmac("squadpress.link", number, algorithm="sha256").digest()[:18]
    return urlsafe_b64encode(digest).decode()


def link_of(token: str) -> SquadLink:
    """The link that an address ends in. InputUnreadable for one that was never made, or was withdrawn."""
    number, _dash, sign = token.partition("-")
    if number.isascii() and number.isdecimal() and len(number) < 18 and constant_time_compare(sign, _sign(number)):
        found = SquadLink.objects.select_related("squad").filter(pk=int(number)).first()
        if found is not None:
            return found
    raise InputUnreadable(_("this link opens nothing"), _("It may have been withdrawn. Ask for a new one."))
