"""What all requests and responses pass through.

Size limits, compression, content policy, cookies, error pages.
"""

from collections.abc import Callable
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.urls import reverse

from builder.errors import SquadpressError, UsageError
from builder.web.accounts.owner import record_visit
from builder.web.fields import refuse_unstorable
from builder.web.squads.archive import MAX_ARCHIVE_BYTES
from builder.web.views import show_error, show_wrong_method

GetResponse = Callable[[HttpRequest], HttpResponseBase]

CONTENT_POLICY = "; ".join(
    (
        "default-src 'none'",
        "img-src 'self' data:",
        "style-src 'self'",
        "script-src 'self'",
        "connect-src 'self'",
        "font-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
MAX_BODY_BYTES = 2_000_000
MAX_IMPORT_BYTES = MAX_ARCHIVE_BYTES + 500_000
COMPRESSED_TYPES = ("image/", "application/pdf", "application/zip")


class CompressText(GZipMiddleware):
    """Compresses pages, style sheets and scripts. Pictures and archives are compressed already."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Return the response, compressed if that makes it smaller."""
        if response.get("Content-Type", "").startswith(COMPRESSED_TYPES):
            return response
        return super().process_response(request, response)


def remove_head_bodies(get_response: GetResponse) -> GetResponse:
    """Remove the body from answers to HEAD requests.

    Servers send what they get, and a browser would read the body as the next response.
    """

    def respond(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if request.method == "HEAD" and isinstance(response, HttpResponse):
            response.content = b""
        return response

    return respond


def limit_bodies(get_response: GetResponse) -> GetResponse:
    """Refuse a request that is larger than any form, before its body is read."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        length = request.META.get("CONTENT_LENGTH") or "0"
        max_bytes = (
            MAX_IMPORT_BYTES if request.path == reverse("import") else MAX_BODY_BYTES
        )
        if length.isdecimal() and int(length) <= max_bytes:
            return get_response(request)
        reason = f"The form or file is larger than {max_bytes // 1000} kB.\n"
        return HttpResponse(
            reason, status=413, content_type="text/plain; charset=utf-8"
        )

    return respond


def add_content_policy(get_response: GetResponse) -> GetResponse:
    """Forbid pages to load files of other servers and to run inline scripts.

    No proxy stores a page: it may be a private one.
    """

    def respond(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        response.headers.setdefault("Content-Security-Policy", CONTENT_POLICY)
        response.headers.setdefault(
            "Permissions-Policy", "camera=(self), geolocation=(), microphone=()"
        )
        if response.get("Content-Type", "").startswith("text/html"):
            response.headers.setdefault("Cache-Control", "private, no-cache")
        return response

    return respond


def record_devices(get_response: GetResponse) -> GetResponse:
    """Record which browsers visited, for the list of devices."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        record_visit(request, response)
        return response

    return respond


class ShowErrors:
    """Shows errors of the program as pages, and wrong methods. Other exceptions are bugs."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the response. That of a wrong method has no page of its own."""
        response = self.get_response(request)
        if response.status_code != HTTPStatus.METHOD_NOT_ALLOWED:
            return response
        page = show_wrong_method(request)
        page["Allow"] = response["Allow"]
        return page

    def process_view(
        self, request: HttpRequest, _view: object, _args: object, _options: object
    ) -> HttpResponse | None:
        """Return an error page for a form or query with characters that cannot be stored."""
        try:
            for fields in (request.GET, request.POST):
                for _name, values in fields.lists():
                    refuse_unstorable(values)
        except UsageError as error:
            return show_error(request, error)
        return None

    def process_exception(
        self, request: HttpRequest, error: Exception
    ) -> HttpResponse | None:
        """Return the page for an error of the program."""
        return (
            show_error(request, error) if isinstance(error, SquadpressError) else None
        )
