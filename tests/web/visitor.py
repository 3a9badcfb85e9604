"""A browser without a screen that speaks to a real server.

Keeps its cookies, sends forms with their token.
"""

from __future__ import annotations

import re
from html import unescape
from http.cookiejar import CookieJar
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, build_opener


class Visitor:
    """A browser of its own at one server."""

    def __init__(self, address: str) -> None:
        self.address, self.browser = (
            address,
            build_opener(HTTPCookieProcessor(CookieJar())),
        )

    def get(self, path: str) -> str:
        """Return a page."""
        return str(self.browser.open(self.address + path).read().decode())

    def status(self, path: str) -> int:
        """Return the status that a page is answered with."""
        try:
            return int(self.browser.open(self.address + path).status)
        except HTTPError as error:
            return error.code

    def post(self, path: str, **form: str) -> str:
        """Send a form; return the path that it leads to."""
        token = re.search(r'csrfmiddlewaretoken" value="(\w+)"', self.get("/import"))
        assert token is not None
        data = urlencode({**form, "csrfmiddlewaretoken": token[1]}).encode()
        answer = self.browser.open(self.address + path, data)
        return str(answer.geturl()).removeprefix(self.address).partition("?")[0]

    def begin(self, pack: str, name: str) -> str:
        """Begin a squad; return its path."""
        return self.post("/squads", pack=pack, name=name)

    def link(self, squad: str, kind: str) -> str:
        """Make a link to a squad; return its path."""
        self.post(f"{squad}/links", do=f"make {kind}")
        found = re.search(r"/shared/[^\"<\s&]+", unescape(self.get(f"{squad}/share")))
        assert found is not None
        return found[0]
