"""What every request and answer goes through: compression, the content policy, errors told as pages."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.urls import reverse

from builder.errors import SquadpressError
from builder.web.accounts.owner import record_visit
from builder.web.squads.archive import MAX_ARCHIVE_BYTES
from builder.web.views import told

Answer = Callable[[HttpRequest], HttpResponseBase]

POLICY = "; ".join(
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
LARGEST_BODY = 2_000_000
"""Bytes of a form with its files."""
LARGEST_IMPORT = MAX_ARCHIVE_BYTES + 500_000
"""Bytes of the form that an archive of squads is imported by."""


class CompressText(GZipMiddleware):
    """Compresses pages, styles and scripts; pictures are compressed already."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """The answer, smaller where that is worth while."""
        if response.get("Content-Type", "").startswith(
            ("image/", "application/pdf", "application/zip")
        ):
            return response
        return super().process_response(request, response)


class BoundBodies:
    """Refuses whatever is larger than any form here, before a byte of it is read."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The answer."""
        stated = request.META.get("CONTENT_LENGTH") or "0"
        largest = LARGEST_IMPORT if request.path == reverse("import") else LARGEST_BODY
        if not stated.isdecimal() or int(stated) > largest:
            reason = f"The form or file is larger than {largest // 1000} kB.\n"
            return HttpResponse(reason, status=413, content_type="text/plain; charset=utf-8")
        return self.answer(request)


class ContentPolicy:
    """Lets a page load only what this server gives, and run no script or style that stands in a page."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The answer with its policy."""
        response = self.answer(request)
        response.headers.setdefault("Content-Security-Policy", POLICY)
        response.headers.setdefault(
            "Permissions-Policy", "camera=(self), geolocation=(), microphone=()"
        )
        return response


class RecordDevices:
    """Records which browsers were here, for the list that their owner sees."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The answer."""
        response = self.answer(request)
        record_visit(request, response)
        return response


class TellErrors:
    """Tells what the use cases refuse as a page with reason and remedy."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The answer."""
        return self.answer(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """The page of an error that has a remedy; any other is a bug."""
        return told(request, error) if isinstance(error, SquadpressError) else None
