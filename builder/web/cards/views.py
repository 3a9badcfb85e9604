"""Cards for everybody: lists and search, a page for each card and release, as data too. No account, no squad."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time

from django.http import FileResponse, Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.timezone import localdate
from django.views.decorators.http import require_GET, require_safe

from builder.errata.notes import Notes
from builder.errata.snapshot import WORK
from builder.model.card import Card
from builder.model.pack import Pack, Role
from builder.report.release import dates, heading
from builder.rules.names import Names
from builder.usecases.pack_states import state_of
from builder.web.cards.cardtext import card_text
from builder.web.cards.faces import WIDTHS, FacePicture, faces_of, fan, picture_file
from builder.web.cards.history import heir_of, history_of, usable_in
from builder.web.cards.library import card_language, library, names_of
from builder.web.cards.search import words_of
from builder.web.templating import get_page_language, get_site_states, render_page

MARKS = ".,:;!?()«»„“”…"
"""What stands around words and is no part of them."""
AT_ONCE = 60
"""Cards of a list's page."""


@dataclass(frozen=True, slots=True)
class ListedCard:
    """A card in a list."""

    card: Card
    name: str
    face: FacePicture | None
    address: str


@require_safe
def games(request: HttpRequest) -> HttpResponse:
    """All games whose cards are shown here."""
    lang = get_page_language()
    states = get_site_states(request)
    releases = {pack: _release_of(state) for pack, state in states.items()}
    packs = (
        [library().pack(pack, release) for pack, release in releases.items()]
        if states
        else library().games()
    )
    known = [
        (pack, names_of(pack, lang), fan(pack, faces_of(pack, lang, releases.get(pack.id) or None)))
        for pack in packs
    ]
    return render_page(request, "cards/games", games=known)


@require_safe
def game(request: HttpRequest, pack: str) -> HttpResponse:
    """A game's kinds of cards and its releases; with `q` the cards that say all of these words."""
    shown = _Game(request, pack)
    asked = request.GET.get("q", "")[:100].strip()
    found = list(shown.searched(asked)) if asked else []
    kinds = [(kind, *shown.kind(kind)) for kind in shown.kinds()]
    releases = [*reversed(shown.history.steps)]
    first = shown.history.releases[:1]
    return render_page(request, "cards/game", shown=shown, kinds=kinds, asked=asked, found=found[:AT_ONCE],
                many=len(found), steps=releases, first=first)  # fmt: skip


@require_safe
def kind(request: HttpRequest, pack: str, kind: str, number: int = 1) -> HttpResponse:
    """The cards of one kind, by sides."""
    shown = _Game(request, pack)
    if kind not in shown.kinds():
        raise Http404
    cards = shown.of_kind(kind)
    pages = -(-len(cards) // AT_ONCE)
    if not 1 <= number <= pages:
        raise Http404
    listed = [shown.listed(card) for card in cards[(number - 1) * AT_ONCE : number * AT_ONCE]]
    return render_page(request, "cards/kind", shown=shown, kind=kind, title=shown.plural(kind), cards=listed,
                many=len(cards), number=number, pages=pages)  # fmt: skip


@require_safe
def card(request: HttpRequest, pack: str, kind: str, card: str) -> HttpResponse:
    """One card: its faces, what it says in every language, what became of it, where it may be used."""
    shown = _Game(request, pack)
    found = shown.pack.cards.get(card)
    if found is None or found.kind != kind:
        return _moved(shown, card, "card")
    carriers = library().cards_judge(pack, shown.release).evaluator.carriers
    texts = {lang: card_text(shown.pack, found, lang) for lang in shown.languages()}
    bearers: tuple[ListedCard, ...] = ()
    if shown.pack.role(found) is Role.ATTACHMENT:
        bearers = tuple(shown.listed(shown.pack.cards[one]) for one in carriers(found))
    formats = usable_in(pack, card, shown.names, get_page_language(), shown.release)
    preview = ""
    if shown.faces.get(card):
        preview = request.build_absolute_uri(
            reverse("face", args=[shown.faces[card][0].address, 540])
        )
    return render_page(request, "cards/card", shown=shown, card=found, listed=shown.listed(found), texts=texts,
                faces=shown.faces.get(card, ()), happened=shown.history.of(card), bearers=bearers,
                formats=formats, listings=shown.history.listed(card), preview=preview)  # fmt: skip


@require_safe
def card_data(request: HttpRequest, pack: str, kind: str, card: str) -> HttpResponse:
    """One card as data, with the addresses of its page and pictures."""
    shown = _Game(request, pack)
    found = shown.pack.cards.get(card)
    if found is None or found.kind != kind:
        return _moved(shown, card, "card_data")
    data = {
        **found.model_dump(mode="json"),
        **found.data,
        "names": {lang: Names(shown.pack, lang).card(card) for lang in shown.languages()},
        "formats": [
            {"format": one.format, "legality": one.stated.legality, "max": one.stated.most}
            | one.period.model_dump(mode="json", by_alias=True)
            for one in usable_in(pack, card, shown.names, get_page_language(), shown.release)
        ],
        "page": request.build_absolute_uri(shown.address(found)),
        "faces": [
            request.build_absolute_uri(reverse("face", args=[face.address, face.width]))
            for face in shown.faces.get(card, ())
        ],
    }
    response = JsonResponse(data, json_dumps_params={"ensure_ascii": False, "indent": 1})
    response["Access-Control-Allow-Origin"] = "*"
    return response


@require_safe
def index(request: HttpRequest, pack: str) -> HttpResponse:
    """All cards of a game, and for each word the places in that list of the cards that say it."""
    shown = _Game(request, pack)
    said, words, cards = words_of(pack, shown.release, shown.lang), dict[str, list[int]](), []
    for number, one in enumerate(map(shown.listed, shown.sorted())):
        face = reverse("face", args=[one.face.address, 240]) if one.face else ""
        cards.append({"name": one.name, "page": one.address, "face": face})
        for word in {word.strip(MARKS) for word in said[one.card.id].split()} - {""}:
            words.setdefault(word, []).append(number)
    words = dict(sorted(words.items()))
    written = {"ensure_ascii": False, "separators": (",", ":")}
    return JsonResponse({"cards": cards, "words": words}, json_dumps_params=written)


@require_safe
def release(request: HttpRequest, pack: str, version: str) -> HttpResponse:
    """What one release changed."""
    shown = _Game(request, pack)
    step = next((step for step in shown.history.steps if step.new == version), None)
    if step is None:
        return _first(request, shown, version)
    return render_page(
        request, "cards/release", shown=shown, step=step, title=heading(step), dates=dates(step)
    )


@require_safe
def feed(request: HttpRequest, pack: str) -> HttpResponse:
    """The releases of a game as an Atom feed."""
    shown = _Game(request, pack)
    here = request.build_absolute_uri(reverse("cards_game", args=[pack]))
    atom = Atom1Feed(title=shown.title, link=here, description=shown.title, language=shown.lang,
                     feed_url=request.build_absolute_uri())  # fmt: skip
    for step, link, told in _announced(request, shown):
        atom.add_item(title=_title_with_state(shown, step), link=link, description=told, unique_id=link,
                      pubdate=_noon(step.released), updateddate=_noon(_changed_on(shown, step)))  # fmt: skip
    return HttpResponse(
        atom.writeString("utf-8"), content_type="application/atom+xml; charset=utf-8"
    )


@require_safe
def json_feed(request: HttpRequest, pack: str) -> HttpResponse:
    """The same as a JSON Feed (jsonfeed.org, version 1.1)."""
    shown = _Game(request, pack)
    items = [
        {"id": link, "url": link, "title": _title_with_state(shown, step), "content_text": told,
         "date_published": moment.isoformat() if (moment := _noon(step.released)) else None}
        for step, link, told in _announced(request, shown)
    ]  # fmt: skip
    feed = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": shown.title,
        "home_page_url": request.build_absolute_uri(reverse("cards_game", args=[pack])),
        "feed_url": request.build_absolute_uri(),
        "language": shown.lang,
        "items": items,
    }
    response = JsonResponse(feed, json_dumps_params={"ensure_ascii": False, "indent": 1})
    response["Content-Type"] = "application/feed+json; charset=utf-8"
    return response


def _announced(request: HttpRequest, shown: "_Game") -> Iterator[tuple[Notes, str, str]]:
    """The releases that changed something, newest first, with the address of each and what is told of it in feeds."""
    for step in reversed([step for step in shown.history.steps if step.new != WORK]):
        link = request.build_absolute_uri(reverse("cards_release", args=[shown.pack.id, step.new]))
        yield step, link, "\n".join(filter(None, (dates(step), step.withdrawn, *step.summary)))


def _title_with_state(shown: "_Game", step: Notes) -> str:
    """The title of a release in feeds: with its state, unless it is in force or was followed by another."""
    release = next(
        (release for release in shown.history.releases if release.version == step.new), None
    )
    if release is None:
        return heading(step)
    is_special = release.effective > localdate() or release.is_withdrawn(localdate())
    return f"{heading(step)} ({shown.state(step.new)})" if is_special else heading(step)


def _changed_on(shown: "_Game", step: Notes) -> date | None:
    """The day on which there was last something new about a release: its publication, or its withdrawal."""
    mark = next((one.withdrawal for one in shown.history.releases if one.version == step.new), None)
    return mark.date if mark is not None else step.released


def _first(request: HttpRequest, shown: "_Game", version: str) -> HttpResponse:
    """The page of the release that nothing came before: what it holds."""
    first = next((one for one in shown.history.releases[:1] if one.version == version), None)
    if first is None:
        raise Http404
    cards = state_of(library().packs, shown.pack.id, version)[0].cards.values()
    many = Counter(str(card.get("kind")) for card in cards)
    kinds = [(kind, shown.plural(kind), many[kind]) for kind in shown.kinds() if many[kind]]
    return render_page(request, "cards/first", shown=shown, first=first, kinds=kinds)


class _Game:
    """A game as its public pages show it, in the language of the page."""

    def __init__(self, request: HttpRequest, pack: str) -> None:
        if pack not in library().packs.packs():
            raise Http404
        state = get_site_states(request).get(pack, "")
        self.unpublished, self.release = state == WORK, _release_of(state)
        self.pack: Pack = library().pack(pack, self.release)
        self.lang = card_language(self.pack, get_page_language())
        self.names: Names = names_of(self.pack, get_page_language())
        self.faces = faces_of(self.pack, get_page_language(), self.release or None)
        self.title = self.names.of(self.pack.manifest.name, pack)
        self.currency = self.names.of(self.pack.manifest.roster.currency, "")
        self.history = history_of(pack, get_page_language())
        if self.release:
            self.history = self.history.up_to(self.release)

    def state(self, version: str) -> str:
        """Return the state of a release today, in words."""
        return self.history.state_of(version, get_page_language())

    def languages(self) -> tuple[str, ...]:
        """The game's languages, that of the page first."""
        return tuple(sorted(self.pack.manifest.languages.all, key=lambda lang: lang != self.lang))

    def kinds(self) -> list[str]:
        """The kinds that have cards."""
        there = {card.kind for card in self.pack.cards.values()}
        return [kind for kind in self.pack.manifest.kinds if kind in there]

    def plural(self, kind: str) -> str:
        """What a kind's cards are called together."""
        stated = self.pack.manifest.kinds[kind]
        return self.names.of(stated.plural, "") or self.names.kind(kind)

    def kind(self, kind: str) -> tuple[str, int, list[ListedCard]]:
        """Its name, how many cards it has, and some of them."""
        cards = self.of_kind(kind)
        step = max(1, len(cards) // 6)
        return self.plural(kind), len(cards), [self.listed(card) for card in cards[::step][:6]]

    def sorted(self) -> list[Card]:
        """All cards: by kind, side and name."""
        kinds, sides = self.kinds(), [*self.pack.vocabulary.factions]

        def place(card: Card) -> tuple[int, int, str]:
            side = sides.index(card.faction) if card.faction in sides else len(sides)
            return kinds.index(card.kind), side, self.names.card(card.id).casefold()

        return sorted(self.pack.cards.values(), key=place)

    def of_kind(self, kind: str) -> list[Card]:
        """The cards of one kind."""
        return [card for card in self.sorted() if card.kind == kind]

    def searched(self, asked: str) -> Iterator[ListedCard]:
        """The cards that say all of these words."""
        words, wanted = words_of(self.pack.id, self.release, self.lang), asked.casefold().split()
        return (
            self.listed(card)
            for card in self.sorted()
            if all(word in words[card.id] for word in wanted)
        )

    def listed(self, card: Card) -> ListedCard:
        """One card as lists show it."""
        face = next(iter(self.faces.get(card.id, ())), None)
        return ListedCard(card, self.names.card(card.id), face, self.address(card))

    def address(self, card: Card) -> str:
        """Where its page is."""
        return reverse("card", args=[self.pack.id, card.kind, card.id])


def _noon(day: date | None) -> datetime | None:
    """A day as a moment, the same in every run."""
    return None if day is None else datetime.combine(day, time(12), UTC)


def _release_of(state: str) -> str:
    """The release that a static site shows; empty for the edited files."""
    return "" if state == WORK else state


def _moved(shown: _Game, card: str, view: str) -> HttpResponse:
    """To the card that stands for an id that is gone; addresses last."""
    pack = shown.pack
    heir = card if card in pack.cards else heir_of(pack.id, card, shown.release)
    if heir is None:
        raise Http404
    return redirect(view, pack=pack.id, kind=pack.cards[heir].kind, card=heir, permanent=True)


COLOUR = re.compile(r"#[0-9a-fA-F]{3,8}\Z")


@require_GET
def colours(request: HttpRequest) -> HttpResponse:
    """The colours of all games' sides, as a style sheet: each holds within its game's pages."""
    rules = [
        f".game-{pack.id} .side-{key} {{ --side: {one.colour}; --side-tint: {one.tint} }}"
        for pack in library().games()
        for key, one in pack.vocabulary.factions.items()
        if COLOUR.match(one.colour) and COLOUR.match(one.tint)
    ]
    response = HttpResponse("\n".join(rules) + "\n", content_type="text/css")
    response["Cache-Control"] = "max-age=3600"
    return response


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
