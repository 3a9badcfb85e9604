"""What the engine may open: files inside the pack's templates, its art, and the engine's own templates. Nothing else.

Addresses are `file:///pack/...`, a root that exists on no disk, so that a path in a template is the same on every
machine and `..` leads out of it.
"""

from __future__ import annotations

import mimetypes
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from builder.render.html.templates import read_inside

if TYPE_CHECKING:
    from weasyprint.urls import URLFetcher

BASE_URL = "file:///pack/"


class Refused(ValueError):
    """An address outside the pack."""


def locate(url: str, templates: Path, base: Path, data: Path) -> Path:
    """The file behind an address.

    `base/...` is the engine's own; `art/...` is looked for beside the templates, then beside the cards. Raises Refused
    for any address that leads elsewhere, FileNotFoundError for one inside that does not exist.
    """
    parts = urlsplit(url)
    path = unquote(parts.path)
    if parts.scheme != "file" or parts.netloc or not path.startswith("/pack/"):
        raise Refused(f"{url} lies outside the pack")
    name = path.removeprefix("/pack/")
    if name.startswith("base/"):
        found = read_inside(base, name.removeprefix("base/"))
    else:
        found = read_inside(templates, name) or (read_inside(data, name) if name.startswith("art/") else None)
    if found is None:
        raise FileNotFoundError(f"the pack has no file {name}")
    return found


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
