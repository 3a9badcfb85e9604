"""The engine's only way to files."""

from __future__ import annotations

import mimetypes
from pathlib import Path
from typing import TYPE_CHECKING, Any

from builder.render.files import locate

if TYPE_CHECKING:
    from weasyprint.urls import URLFetcher


def fetcher(templates: Path, base: Path, data: Path) -> URLFetcher:
    """The engine's only way to files."""
    from weasyprint.urls import URLFetcher, URLFetcherResponse

    class Confined(URLFetcher):  # type: ignore[misc]
        """Opens files of the pack, and data that stands in the address itself."""

        def fetch(self, url: str, headers: Any = None) -> URLFetcherResponse:
            if url.startswith("data:"):
                return super().fetch(url, headers)
            path = locate(url, templates, base, data)
            kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
            return URLFetcherResponse(url, path.read_bytes(), {"Content-Type": kind})

    return Confined(allowed_protocols=("file", "data"), allow_redirects=False)
