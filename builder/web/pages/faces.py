"""Pictures of faces."""

import re

from django.http import FileResponse, HttpRequest
from django.http.response import Http404, HttpResponseBase
from django.views.decorators.http import require_GET

from builder.web.faces import WIDTHS, picture_file

ADDRESS = re.compile(r"[0-9a-f]{24}")


@require_GET
def face(request: HttpRequest, address: str, width: int) -> HttpResponseBase:
    """One picture; what has an address never changes."""
    if not ADDRESS.fullmatch(address) or width not in WIDTHS:
        raise Http404
    try:
        file = picture_file(address, width).open("rb")
    except OSError:
        raise Http404 from None
    return FileResponse(
        file,
        content_type="image/webp",
        headers={"Cache-Control": "public, max-age=31536000, immutable"},
    )
