"""Error pages: what went wrong, and what to do."""

from django.http import HttpRequest, HttpResponse

from builder.errors import InputUnreadable, PackUnreadable, SquadpressError
from builder.messages import gettext as _
from builder.web.accounts.rate_limits import RateLimitExceeded
from builder.web.templating import render_page, translate_text

STATUS_BY_ERROR = ((PackUnreadable, 503), (InputUnreadable, 404), (RateLimitExceeded, 429))
"""HTTP statuses of error types. The first match counts. An unreadable game is the server's fault.
"""


def show_error(request: HttpRequest, error: SquadpressError) -> HttpResponse:
    """Show an error with its hint."""
    for error_type, status in STATUS_BY_ERROR:
        if isinstance(error, error_type):
            return _render_error(request, status, error.message, error.remedy)
    return _render_error(request, 400, error.message, error.remedy)


def show_not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Show that an address leads nowhere."""
    return _render_error(
        request, 404, _("this page does not exist"), _("Start from the home page.")
    )


def show_bug(request: HttpRequest) -> HttpResponse:
    """Show that the program failed."""
    hint = _("Everything you saved is safe. Try again.")
    return _render_error(request, 500, _("something went wrong on the server"), hint)


def show_csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Show that a form had no CSRF token of this browser."""
    hint = _("Reload it, and allow its cookie.")
    return _render_error(request, 403, _("this page is too old to be submitted"), hint)


def _render_error(request: HttpRequest, status: int, message: str, hint: str) -> HttpResponse:
    response = render_page(
        request, "error", message=translate_text(message), remedy=translate_text(hint)
    )
    response.status_code = status
    return response
