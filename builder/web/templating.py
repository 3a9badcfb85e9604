"""Renders pages with Jinja. Their texts come from the message catalogues of the program."""

import json
import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.template.utils import get_app_template_dirs
from django.templatetags.static import static
from django.urls import reverse
from django.utils.formats import date_format, localize
from django.utils.translation import get_language
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from builder.messages import DECIMAL_POINT, Message, ngettext, translate
from builder.model.languages import get_text_direction
from builder.units import pick_unit_form

STATIC_SITE = "squadpress.frozen"
"""The key in `request.META` of the states that a static site shows. No HTTP header can have this
name.
"""


def get_page_language() -> str:
    """Return the language of the page that is being rendered."""
    return (get_language() or "en").partition("-")[0]


def translate_text(text: str, /, **values: object) -> str:
    """Translate a message to the language of the page. Templates call this `_`."""
    if values:
        return translate(Message(text, **_unescape_values(values)), get_page_language())
    return _translate_constant(text, get_page_language())


@lru_cache(2_000)
def _translate_constant(text: str, lang: str) -> str:
    return translate(Message(text), lang)


def translate_plural(
    singular: str, plural: str, /, count: int, **values: object
) -> str:
    """Translate a message about `count` things to the language of the page.

    Templates call this `ngettext`.
    """
    message = ngettext(singular, plural, count, **_unescape_values(values))
    return translate(message, get_page_language())


def _unescape_values(values: Mapping[str, object]) -> dict[str, object]:
    """Return values without HTML escapes. The template escapes the whole message.

    The result of a template's macro is escaped already.
    """
    return {
        key: value.unescape() if isinstance(value, Markup) else value
        for key, value in values.items()
    }


@cache
def find_asset(name: str) -> str:
    """Return the address of a style sheet or script. It contains a hash of the content.

    Browsers keep it for a year. Templates call this `asset`.
    """
    path = finders.find(name)
    if not isinstance(path, str):
        raise FileNotFoundError(name)
    digest = sha256(Path(path).read_bytes()).hexdigest()[:12]
    return f"{static(name)}?v={digest}"


@lru_cache(20_000)
def _reverse(name: str, args: tuple[object, ...]) -> str:
    return reverse(name, args=args)


def get_address(name: str, args: Sequence[object] = ()) -> str:
    """Return the address of a page. Templates call this `url`."""
    return _reverse(name, tuple(args))


def format_day(moment: date) -> str:
    """Format a day in the language of the page. Templates use it as the filter `date`."""
    return str(localize(moment.date() if isinstance(moment, datetime) else moment))


def format_moment(moment: datetime, zone: str = "UTC", with_zone: bool = True) -> str:
    """Format a day and time in a time zone. Templates use it as the filter `at`."""
    text = date_format(moment.astimezone(ZoneInfo(zone)), "DATETIME_FORMAT")
    place = zone.rpartition("/")[2].replace("_", " ")
    return f"{text} ({place})" if with_zone else text


def format_number(number: float) -> str:
    """Format a number with at most 2 decimals in the language of the page.

    Templates call this filter `number`.
    """
    text = f"{round(number, 2) + 0:.2f}".rstrip("0").rstrip(
        "."
    )  # + 0 turns -0.0 into 0.0
    return text.replace(".", translate(DECIMAL_POINT, get_page_language()))


def make_environment(**options: object) -> Environment:
    """Make the Jinja environment that Django uses."""
    environment = Environment(
        loader=FileSystemLoader(get_app_template_dirs("templates")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        extensions=["jinja2.ext.i18n"],
    )
    environment.globals |= {
        "_": translate_text,
        "gettext": translate_text,
        "ngettext": translate_plural,
        "asset": find_asset,
        "url": get_address,
        "language": get_page_language,
        "text_direction": get_text_direction,
    }
    environment.filters |= {
        "date": format_day,
        "at": format_moment,
        "number": format_number,
        "unit_for": pick_unit_form,
    }
    return environment


def get_site_states(request: HttpRequest) -> Mapping[str, str]:
    """Return the release of each pack that a static site shows, or `work`.

    Empty for a page of the server.
    """
    states: Mapping[str, str] = request.META.get(STATIC_SITE, {})
    return states


def render_page(
    request: HttpRequest, template: str, /, **values: object
) -> HttpResponse:
    """Render a template as a response, with the values that all pages need.

    `token` is the CSRF token of the page's forms. `return_to` is the page to show after a change of
    the language. `frozen` is True for a page of a static site: it has no forms, and no squad is
    built there.
    """
    is_read = request.method in ("GET", "HEAD")
    return_to = (
        request.get_full_path() if is_read else request.headers.get("Referer", "")
    )
    common = {
        "token": get_token(request),
        "frozen": STATIC_SITE in request.META,
        "return_to": return_to,
    }
    return render(request, f"{template}.html.j2", common | values)


def format_json(value: object) -> Markup:
    """Return JSON that may stand in a page, for its script."""
    return Markup(json.dumps(value, separators=(",", ":")).replace("<", "\\u003c"))


def make_download(
    content: str | bytes, content_type: str, file_name: str
) -> HttpResponse:
    """Make a response that the browser saves as a file. Proxies must not store it."""
    data = content.encode() if isinstance(content, str) else content
    headers = {
        "Content-Disposition": f'attachment; filename="{file_name}"',
        "Cache-Control": "no-store",
    }
    return HttpResponse(data, content_type=content_type, headers=headers)


class PageQuery:
    """The query of an address. Links on the page change single parts of it."""

    def __init__(self, query: Mapping[str, str]) -> None:
        self.values = {key: query[key] for key in query}

    def replace(self, **parts: object) -> str:
        """Return the query with some parts replaced.

        Empty parts are left out. It leads to the first page.
        """
        values = (
            self.values
            | {"page": ""}
            | {key: str(value) for key, value in parts.items()}
        )
        return "?" + urlencode({key: value for key, value in values.items() if value})


def make_file_name(name: str) -> str:
    """Convert a name to a file name with ASCII letters, digits and single hyphens."""
    words = re.findall(r"[A-Za-z0-9]+", name)
    return "-".join(words)[:60]
