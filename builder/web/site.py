"""The public pages as files: whatever they link is made by the server's own code, and written with relative links."""

import os
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from posixpath import relpath
from typing import cast
from urllib.parse import unquote
from xml.sax.saxutils import escape

import django
from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.test import Client

from builder.errata.snapshot import WORK
from builder.errors import OutputNotWritten
from builder.files import write_atomic
from builder.messages import describe_os_error, gettext as _
from builder.packs.project import Project
from builder.usecases.build.build_options import CORES
from builder.web.templating import STATIC_SITE

LANGUAGES = ("en", "de", "ru")
LINK = re.compile(r'\b(href|src|srcset|action|data-index|content)="([^"]*)"')
PUBLIC, SHARED = "/cards/", ("/static/", "/faces/", "/colours.css")
"""What a site consists of: pages, once in each language, and what all languages share."""

SITEMAP = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>\n'
)
DOOR = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="0; url={first}">'
    '<title>Squadpress</title><a href="{first}">Squadpress</a></html>\n'
)


def write_site(
    project: Project,
    shown: Mapping[str, str],
    output: Path,
    base: str,
    data: Path,
    tell: Callable[[str], None],
) -> int:
    """Write the site of some packs' cards into a folder; how many files it has.

    `shown` names the packs, each with the release that is shown or `work` for the edited files.
    `base` is the address that it will have, for its feeds and previews. Pictures are kept in `data` for the next time.
    `tell` hears what is being made. OutputNotWritten where a file cannot be written, PackUnreadable where a
    pack cannot be read as a whole.
    """
    os.environ |= {
        "SQUADPRESS_PROJECT": str(project.root),
        "SQUADPRESS_DATA": str(data),
        "DJANGO_SETTINGS_MODULE": "builder.web.settings",
    }
    os.environ.pop("SQUADPRESS_ORIGIN", None)
    django.setup()
    from builder.web.cards.faces import folder, make
    from builder.web.cards.library import library

    for pack, state in shown.items():
        release = None if state == WORK else state
        for lang in library().cards_judge(pack, release).pack.manifest.languages.all:
            tell(f"{pack} {state} {lang}")
            make(project, folder(), pack, lang, release, CORES)
    try:
        return _Site(shown, output, base.rstrip("/")).write()
    except OSError as error:
        message = _(
            "{file} cannot be written: {reason}", file=output, reason=describe_os_error(error)
        )
        raise OutputNotWritten(message) from error


class _Site:
    """One writing: what is still to be fetched, and what was written."""

    def __init__(self, shown: Mapping[str, str], output: Path, base: str) -> None:
        self.shown, self.output, self.base = shown, output, base
        self.written: set[str] = set()
        self.waiting = [f"/{lang}{PUBLIC}" for lang in LANGUAGES]

    def write(self) -> int:
        """Everything that can be reached from the first pages; then the map of the site and its door."""
        while self.waiting:
            place = self.waiting.pop()
            if place not in self.written:
                self.written.add(place)
                self._file(place, self._content(place))
        pages = sorted(place for place in self.written if place.endswith("/"))
        if self.base:
            urls = "".join(f"<url><loc>{escape(self.base + place)}</loc></url>" for place in pages)
            self._file("/sitemap.xml", SITEMAP.format(urls=urls).encode())
        first = f"{LANGUAGES[0]}{PUBLIC}".lstrip("/")
        self._file("/", DOOR.format(first=first).encode())
        return len(self.written) + 2

    def _content(self, place: str) -> bytes:
        lang = place.split("/")[1] if place.split("/")[1] in LANGUAGES else ""
        address = place.removeprefix(f"/{lang}") if lang else place
        client = Client(headers={"accept-language": lang or "en"})
        client.defaults["SERVER_NAME"] = "localhost"
        client.defaults[STATIC_SITE] = self.shown  # type: ignore[assignment]  # read back by get_site_states alone
        response = client.get(address)
        content = _bytes(response)
        kind = response.get("Content-Type", "")
        if response.status_code != 200:
            raise AssertionError(f"{place}: {response.status_code}")
        if kind.startswith("text/html"):
            return self._relinked(content.decode(), place, lang).encode()
        if kind.startswith(("application/atom", "application/feed")):
            return content.decode().replace("http://localhost/", f"{self.base}/{lang}/").encode()
        if kind.startswith("application/json"):
            return self._data(content.decode(), place, lang).encode()
        return content

    def _data(self, text: str, place: str, lang: str) -> str:
        """Addresses inside data: relative in the index of search, whole in what others read."""
        if place.endswith("/index.json"):
            return re.sub(
                r'"(page|face)":"(/[^"]*)"',
                lambda m: f'"{m[1]}":"{self._link(m[2], place, lang)}"',
                text,
            )
        text = text.replace("http://localhost/faces/", f"{self.base}/faces/")
        return text.replace("http://localhost/cards/", f"{self.base}/{lang}/cards/")

    def _relinked(self, page: str, place: str, lang: str) -> str:
        """A page with links that hold wherever the site lies."""

        def one(found: re.Match[str]) -> str:
            name, value = found.groups()
            if name == "srcset":
                parts = (part.strip().partition(" ") for part in value.split(","))
                value = ", ".join(
                    f"{self._link(link, place, lang)} {width}" for link, _space, width in parts
                )
            elif name == "content":
                value = re.sub("^http://localhost/", f"{self.base}/", value)
            else:
                value = self._link(value, place, lang)
            return f'{name}="{value}"'

        return LINK.sub(one, page)

    def _link(self, link: str, place: str, lang: str) -> str:
        """A link from one page to another file of the site, which is then written, too."""
        if link.startswith("lang:"):
            target = f"/{link.removeprefix('lang:')}{place.removeprefix(f'/{lang}')}"
        elif link.startswith(PUBLIC):
            target = f"/{lang}{link}"
        elif link.startswith(SHARED):
            target = link
        else:
            return link
        target = target.partition("?")[0]
        self.waiting.append(target)
        where = relpath(_file(target), _file(place).rpartition("/")[0] or "/")
        return where.removesuffix("index.html") or "./" if target.endswith("/") else where

    def _file(self, place: str, content: bytes) -> None:
        write_atomic(self.output / unquote(_file(place)).lstrip("/"), content)


def _file(place: str) -> str:
    return f"{place}index.html" if place.endswith("/") else place


def _bytes(response: HttpResponseBase) -> bytes:
    if isinstance(response, StreamingHttpResponse):
        parts = cast("Iterator[bytes]", response.streaming_content)
        return b"".join(parts)
    return cast("HttpResponse", response).content
