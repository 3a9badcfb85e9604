"""Links to a squad.

An address ends in the link's random code and this server's signature of it.

The database holds the code only, so a stolen database opens nothing. Its owner can see the address
again.
"""

from base64 import urlsafe_b64encode

from django.utils.crypto import constant_time_compare, salted_hmac

from builder.errors import InputUnreadable
from builder.messages import gettext as _
from builder.packs.privacy import refuse_imported
from builder.web.cards.library import get_library
from builder.web.squads.models import SquadLink


def sign_link(link: SquadLink) -> str:
    """Return the signed token that ends the address of a link."""
    return f"{link.code}-{_sign(link.code)}"


def _sign(code: str) -> str:
    digest = salted_hmac("squadpress.link", code, algorithm="sha256").digest()[:18]
    return urlsafe_b64encode(digest).decode()


def find_link(token: str) -> SquadLink:
    """Return the link of a token. Raise InputUnreadable if it does not exist any more.

    Raise UsageError for a link to a squad of a private pack.
    """
    code, _dash, signature = token.partition("-")
    if code.isascii() and constant_time_compare(signature, _sign(code)):
        link = SquadLink.objects.select_related("squad").filter(code=code).first()
        if link is not None:
            refuse_imported(get_library().project, link.squad.pack)
            return link
    hint = _("The link may have been withdrawn. Ask for a new one.")
    raise InputUnreadable(_("this link is not valid"), hint)
