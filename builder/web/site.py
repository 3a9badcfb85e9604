"""The public pages as a static site: rendered by the server's own code, with relative links."""

import os
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from posixpath import relpath
from typing import NamedTuple
from urllib.parse import unquote
from xml.sax.saxutils import escape

import django
from django.http.response import HttpResponseBase
from django.test import Client

from builder.errata.snapshot import WORK
from builder.errors import OutputNotWritten
from builder.files import read_limited, write_atomic
from builder.findings import Finding
from builder.messages import describe_os_error, gettext as _
from builder.packs.project import Project
from builder.usecases.build.build_options import CORES
from builder.usecases.release.release_templates import explain_errors
from builder.web.templating import STATIC_SITE

LANGUAGES = ("en", "de", "ru")
LINK = re.compile(r'\b(href|src|srcset|action|data-index|content)="([^"]*)"')
INDEX_LINK = re.compile(r'"(page|face)":"(/[^"]*)"')
PUBLIC_PREFIX = "/cards/"
"""The prefix of pages. They exist once in each language."""
SHARED_PREFIXES = ("/static/", "/faces/", "/colours.css")
"""The prefixes of files that all languages share."""
TOP_NAMES = (
    "index.html",
    "sitemap.xml",
    *LANGUAGES,
    *(prefix.strip("/") for prefix in SHARED_PREFIXES),
)
"""The names of files and folders that a site has at its top."""
SERVER = "http://localhost/"

SITEMAP = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>\n'
)
FRONT_PAGE_TITLE = "<title>Squadpress</title>"
"""The mark of a folder with a site of this program."""
FRONT_PAGE = (
    '<!doctype html><html lang="en"><meta charset="utf-8">'
    '<meta http-equiv="refresh" content="0; url={first}">'
    f"{FRONT_PAGE_TITLE}"
    '<a href="{first}">Squadpress</a></html>\n'
)


class WrittenSite(NamedTuple):
    """The result of writing a static site: its number of files, and errors of cards."""

    file_count: int
    errors: tuple[Finding, ...]


FILES_PER_REPORT = 1000
"""Files after which the progress is reported."""


@dataclass(frozen=True, slots=True)
class SiteProgress:
    """Reports the progress of a site.

    `start` gets the pack, release and language whose pictures are made next, `count_faces` the
    numbers of rendered and of all faces, and `count_files` the number of written files.
    """

    start: Callable[[str], None] = lambda _what: None
    count_faces: Callable[[int, int], None] | None = None
    count_files: Callable[[int], None] = lambda _count: None


def write_site(
    project: Project,
    states: Mapping[str, str],
    output: Path,
    base: str,
    data: Path,
    progress: SiteProgress = SiteProgress(),
) -> WrittenSite:
    """Write a static site with the card pages of packs into a folder.

    `states` holds the release to show by pack, or `work` for the edited files. `base` is the
    future address, for feeds and previews. Pictures are kept in `data` for the next time.
    Raise OutputNotWritten for a file that cannot be written, or that another program wrote, and
    PackUnreadable for a pack that cannot be read completely.
    """
    _refuse_foreign_files(output)
    os.environ |= {
        "SQUADPRESS_PROJECT": str(project.root),
        "SQUADPRESS_DATA": str(data),
        "DJANGO_SETTINGS_MODULE": "builder.web.settings",
    }
    for name in ("SQUADPRESS_ORIGIN", "SQUADPRESS_PRIVATE"):
        os.environ.pop(name, None)
    django.setup()
    from builder.web.cards.faces import (
        PictureLimits,
        get_pictures_folder,
        make_pictures,
    )
    from builder.web.cards.library import get_library

    limits = PictureLimits(workers=CORES, progress=progress.count_faces)
    errors: list[Finding] = []
    for pack, state in states.items():
        release = None if state == WORK else state
        checker = get_library().get_card_checker(pack, release)
        for lang in checker.pack.manifest.languages.all:
            progress.start(f"{pack} {state} {lang}")
            pack_errors = make_pictures(
                project, get_pictures_folder(), pack, lang, release, limits
            )
            errors += explain_errors(project, pack, release, pack_errors)
    try:
        count = _SiteWriter(states, output, base.rstrip("/")).write(
            progress.count_files
        )
        return WrittenSite(count, tuple(dict.fromkeys(errors)))
    except OSError as error:
        message = _(
            "{file} cannot be written: {reason}",
            file=output,
            reason=describe_os_error(error),
        )
        raise OutputNotWritten(message) from error


def _refuse_foreign_files(folder: Path) -> None:
    """Raise OutputNotWritten if a site would replace files that are not those of a site.

    Other files, such as those of git, are never touched.
    """
    front_page = ""
    with suppress(OSError, ValueError):
        front_page = read_limited(folder / "index.html").decode()
    if FRONT_PAGE_TITLE in front_page:
        return
    for name in TOP_NAMES:
        path = folder / name
        if os.path.lexists(path):
            form = _("{file} exists, but {folder} has no site of this program")
            message = _(form, file=path, folder=folder)
            raise OutputNotWritten(message, _("Move it, or choose another folder."))


class _SiteWriter:
    """Writes a static site by requesting each page and following its links.

    Pages are called by the path that they have in the site, with their language.
    """

    def __init__(self, states: Mapping[str, str], output: Path, base: str) -> None:
        self.states, self.output, self.base = states, output, base
        self.written_paths: set[str] = set()
        self.pending_paths = [f"/{lang}{PUBLIC_PREFIX}" for lang in LANGUAGES]
        self.client = Client()
        self.client.defaults["SERVER_NAME"] = "localhost"
        # Only `get_site_states` reads this value.
        self.client.defaults[STATIC_SITE] = states  # type: ignore[assignment]

    def write(self, count_files: Callable[[int], None]) -> int:
        """Write the front page, all pages that the first ones lead to, and the sitemap."""
        # It comes first, because it marks the folder: an interrupted site is written again.
        first = f"{LANGUAGES[0]}{PUBLIC_PREFIX}".lstrip("/")
        self._write_file("/", FRONT_PAGE.format(first=first).encode())
        while self.pending_paths:
            path = self.pending_paths.pop()
            if path not in self.written_paths:
                self.written_paths.add(path)
                self._write_file(path, self._render(path))
                if len(self.written_paths) % FILES_PER_REPORT == 0:
                    count_files(len(self.written_paths))
        if self.base:
            pages = sorted(path for path in self.written_paths if path.endswith("/"))
            urls = "".join(
                f"<url><loc>{escape(self.base + page)}</loc></url>" for page in pages
            )
            self._write_file("/sitemap.xml", SITEMAP.format(urls=urls).encode())
        return len(self.written_paths) + 2

    def _render(self, path: str) -> bytes:
        first_part = path.split("/")[1]
        lang = first_part if first_part in LANGUAGES else ""
        address = path.removeprefix(f"/{lang}") if lang else path
        # No page of a site sets a cookie, so one client serves them all and loads its middleware
        # once.
        response = self.client.get(address, headers={"accept-language": lang or "en"})
        if response.status_code != 200:
            raise AssertionError(f"{path}: {response.status_code}")
        content = _read_content(response)
        content_type = response.get("Content-Type", "")
        if content_type.startswith("text/html"):
            return self._relink_page(content.decode(), path, lang).encode()
        if content_type.startswith(("application/atom", "application/feed")):
            return content.decode().replace(SERVER, f"{self.base}/{lang}/").encode()
        if content_type.startswith("application/json"):
            return self._relink_data(content.decode(), path, lang).encode()
        return content

    def _relink_data(self, text: str, path: str, lang: str) -> str:
        """Replace the server's addresses in a JSON file by those of the site.

        By relative ones in the search index, by absolute ones elsewhere.
        """
        if path.endswith("/index.json"):

            def relink(match: re.Match[str]) -> str:
                return f'"{match[1]}":"{self._make_link(match[2], path, lang)}"'

            return INDEX_LINK.sub(relink, text)
        text = text.replace(f"{SERVER}faces/", f"{self.base}/faces/")
        return text.replace(f"{SERVER}cards/", f"{self.base}/{lang}/cards/")

    def _relink_page(self, page: str, path: str, lang: str) -> str:
        """Make the links of a page relative, so that the site works at any address."""

        def relink(match: re.Match[str]) -> str:
            name, value = match.groups()
            if name == "srcset":
                links = []
                for part in value.split(","):
                    link, _space, width = part.strip().partition(" ")
                    links.append(f"{self._make_link(link, path, lang)} {width}")
                value = ", ".join(links)
            elif name == "content":
                value = re.sub(f"^{SERVER}", f"{self.base}/", value)
            else:
                value = self._make_link(value, path, lang)
            return f'{name}="{value}"'

        return LINK.sub(relink, page)

    def _make_link(self, link: str, path: str, lang: str) -> str:
        """Return a relative link to another file of the site, and add that file to the site."""
        if link.startswith("lang:"):
            target = f"/{link.removeprefix('lang:')}{path.removeprefix(f'/{lang}')}"
        elif link.startswith(PUBLIC_PREFIX):
            target = f"/{lang}{link}"
        elif link.startswith(SHARED_PREFIXES):
            target = link
        else:
            return link
        target, hash_sign, fragment = target.partition("#")
        target = target.partition("?")[0]
        self.pending_paths.append(target)
        folder = _get_file(path).rpartition("/")[0] or "/"
        relative = relpath(_get_file(target), folder)
        if target.endswith("/"):
            relative = relative.removesuffix("index.html") or "./"
        return f"{relative}{hash_sign}{fragment}"

    def _write_file(self, path: str, content: bytes) -> None:
        file = self.output / unquote(_get_file(path)).lstrip("/")
        # Most files of a site stay the same, and uploads compare the times of files.
        if file.is_file() and file.read_bytes() == content:
            return
        # A site is written again after a crash, and flushing its files takes half of the time.
        write_atomic(file, content, durable=False)


def _get_file(path: str) -> str:
    return f"{path}index.html" if path.endswith("/") else path


def _read_content(response: HttpResponseBase) -> bytes:
    if response.streaming:
        return b"".join(response.streaming_content)  # type: ignore[attr-defined]
    content: bytes = response.content  # type: ignore[attr-defined]
    return content
