"""Error pages: what went wrong, and what to do."""

from django.http import HttpRequest, HttpResponse
from django.utils.http import url_has_allowed_host_and_scheme

from builder.errors import InputUnreadable, PackUnreadable, SquadpressError
from builder.messages import gettext as _
from builder.web.accounts.rate_limits import RateLimitExceeded
from builder.web.templating import render_page, translate_text

STATUS_BY_ERROR = (
    (PackUnreadable, 503),
    (InputUnreadable, 404),
    (RateLimitExceeded, 429),
)
"""HTTP statuses of error types.

The first match counts. An unreadable game is the server's fault.
"""


def show_error(request: HttpRequest, error: SquadpressError) -> HttpResponse:
    """Show an error and its hint as a page."""
    for error_type, status in STATUS_BY_ERROR:
        if isinstance(error, error_type):
            return _render_error(request, status, error.message, error.remedy)
    return _render_error(request, 400, error.message, error.remedy)


def show_not_found(
    request: HttpRequest, exception: Exception | None = None
) -> HttpResponse:
    """Show the page for an unknown address (404)."""
    return _render_error(
        request, 404, _("this page does not exist"), _("Start from the home page.")
    )


def show_wrong_method(request: HttpRequest) -> HttpResponse:
    """Show the page for an address that only takes forms, or none (405)."""
    hint = _("Start from the home page. Nothing was changed.")
    return _render_error(request, 405, _("this address cannot be opened"), hint)


def show_bug(request: HttpRequest) -> HttpResponse:
    """Show the page for a failure of the program (500)."""
    hint = _("Everything you saved is safe. Try again.")
    return _render_error(request, 500, _("something went wrong on the server"), hint)


def show_csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Show the page for a form without a valid CSRF token."""
    hint = _("Reload it, and allow its cookie.")
    return _render_error(request, 403, _("this page is too old to be submitted"), hint)


def _render_error(
    request: HttpRequest, status: int, message: str, hint: str
) -> HttpResponse:
    """Return the page of an error. For a form sent by script, return only a note.

    The note is at the top of the form, which keeps what was entered.
    """
    is_form = request.method == "POST"
    response = render_page(
        request,
        "error",
        message=translate_text(message),
        remedy=translate_text(hint),
        back=_get_form_address(request) if is_form else "",
    )
    response.status_code = status
    if is_form and request.headers.get("HX-Request") == "true":
        response["HX-Retarget"] = "closest form"
        response["HX-Reswap"] = "afterbegin show:#form-error:top"
        response["HX-Reselect"] = "#form-error"
        response["HX-Push-Url"] = "false"
    return response


def _get_form_address(request: HttpRequest) -> str:
    """Return the address of the page that contains the form, if it is on this server."""
    referer = request.headers.get("Referer", "")
    hosts = {request.get_host()}
    if not url_has_allowed_host_and_scheme(referer, hosts, request.is_secure()):
        return ""
    return referer
