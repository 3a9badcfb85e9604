"""The pages' templates: Jinja, with words from the catalogues of the program."""

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

from builder.messages import Message, ngettext, translate
from builder.model.languages import text_direction

FROZEN = "squadpress.frozen"
"""What a request for a static site carries: for each of its packs the release that is shown, or `work`.

A header from outside cannot have this name.
"""


def language() -> str:
    """The language of the page that is being made."""
    return (get_language() or "en").partition("-")[0]


def say(text: str, /, **values: object) -> str:
    """A message of the program in the language of the page; called `_` in templates."""
    return translate(Message(text, **values), language()) if values else _plain(text, language())


@lru_cache(2_000)
def _plain(text: str, lang: str) -> str:
    return translate(Message(text), lang)


def say_many(one: str, many: str, /, count: int, **values: object) -> str:
    """A message about `count` things; called `ngettext` in templates."""
    return translate(ngettext(one, many, count, **values), language())


@cache
def asset(name: str) -> str:
    """The address of a style or script, with a digest of what is in it: browsers keep it for a year."""
    found = finders.find(name)
    if not isinstance(found, str):
        raise FileNotFoundError(name)
    digest = sha256(Path(found).read_bytes()).hexdigest()[:12]
    return f"{static(name)}?v={digest}"


@lru_cache(20_000)
def _address(name: str, args: tuple[object, ...]) -> str:
    return reverse(name, args=args)


def url(name: str, args: Sequence[object] = ()) -> str:
    """The address of a page; called `url` in templates."""
    return _address(name, tuple(args))


def day(moment: date) -> str:
    """A day as the reader's language writes it; called `date` in templates."""
    return str(localize(moment.date() if isinstance(moment, datetime) else moment))


def at(moment: datetime, zone: str = "UTC", named: bool = True) -> str:
    """A moment as the reader's language writes it, at a place, which is named; called `at` in templates."""
    place = f" ({zone.rpartition('/')[2].replace('_', ' ')})" if named else ""
    return date_format(moment.astimezone(ZoneInfo(zone)), "DATETIME_FORMAT") + place


def environment(**options: object) -> Environment:
    """Jinja as Django asks for it."""
    made = Environment(
        loader=FileSystemLoader(get_app_template_dirs("templates")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        extensions=["jinja2.ext.i18n"],
    )
    made.globals |= {"_": say, "gettext": say, "ngettext": say_many, "asset": asset, "url": url}
    made.globals |= {"language": language, "text_direction": text_direction}
    made.filters |= {"date": day, "at": at}
    return made


def shown_states(request: HttpRequest) -> Mapping[str, str]:
    """The packs of a static site, each with the release that is shown or `work`; empty for a page of the server."""
    states: Mapping[str, str] = request.META.get(FROZEN, {})
    return states


def frozen(request: HttpRequest) -> bool:
    """True while a page is made for a static site: nothing there takes forms, and no squad is built."""
    return FROZEN in request.META


def page(request: HttpRequest, template: str, /, **values: object) -> HttpResponse:
    """A page filled in; `token` is that of its forms, one for all of them, `return_to` where another language leads:
    here, or where the form was that this answers."""
    return_to = (
        request.get_full_path()
        if request.method in ("GET", "HEAD")
        else request.headers.get("Referer", "")
    )
    common = {"token": get_token(request), "frozen": frozen(request), "return_to": return_to}
    return render(request, f"{template}.html.j2", common | values)


class Query:
    """The query of an address, with parts put in and left out."""

    def __init__(self, stated: Mapping[str, str]) -> None:
        self.stated = {key: stated[key] for key in stated}

    def but(self, **parts: object) -> str:
        """The same with other parts; an empty part is left out, and the first page begun with."""
        told = {**self.stated, "page": "", **{key: str(value) for key, value in parts.items()}}
        return "?" + urlencode({key: value for key, value in told.items() if value})


def plain_name(name: str) -> str:
    """What is left of a name where it may hold plain letters and digits alone."""
    plain = "".join(sign if sign.isascii() and sign.isalnum() else "-" for sign in name)
    return "-".join(filter(None, plain.split("-")))[:60]
