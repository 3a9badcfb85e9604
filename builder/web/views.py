"""What went wrong, told as a page: what happened, and what to do."""

from django.http import HttpRequest, HttpResponse

from builder.errors import InputUnreadable, PackUnreadable, SquadpressError
from builder.messages import gettext as _
from builder.web.accounts.rate_limits import TooOften
from builder.web.templating import page, say


def told(request: HttpRequest, error: SquadpressError) -> HttpResponse:
    """The page of a refusal."""
    status = next((status for kind, status in STATUS_OF_ERRORS if isinstance(error, kind)), 400)
    return _page(request, status, error.message, error.remedy)


STATUS_OF_ERRORS = ((PackUnreadable, 503), (InputUnreadable, 404), (TooOften, 429))
"""The HTTP status of each kind of error, the first that fits; a game that cannot be read is the server's fault."""


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Where nothing is."""
    return _page(request, 404, _("there is nothing here"), _("Begin at the first page."))


def broken(request: HttpRequest) -> HttpResponse:
    """A bug."""
    return _page(
        request,
        500,
        _("something broke on our side"),
        _("Nothing that was saved is lost. Try again."),
    )


def stale_form(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form without the token of this browser."""
    return _page(
        request,
        403,
        _("this page is too old to be sent"),
        _("Open it anew, and let it keep its cookie."),
    )


def _page(request: HttpRequest, status: int, message: str, remedy: str) -> HttpResponse:
    response = page(request, "error", message=say(message), remedy=say(remedy))
    response.status_code = status
    return response
