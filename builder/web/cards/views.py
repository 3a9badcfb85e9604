"""Public pages: games, lists of cards, search, a page for each card and release, feeds and data.

No account needed.
"""

import re
from collections import Counter
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import zip_longest

from django.core.paginator import InvalidPage, Paginator
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.timezone import localdate
from django.views.decorators.http import require_GET, require_safe

from builder.errata.notes import RulingEntry
from builder.errata.release import (
    Release,
    find_newest,
    find_release,
    find_release_in_force,
    list_periods,
)
from builder.errata.rulings import describe_review
from builder.errata.snapshot import WORK
from builder.messages import join_messages
from builder.model.card import Card
from builder.model.formats import Period
from builder.model.pack import Role
from builder.packs.privacy import is_imported
from builder.report.faq import format_faq_heading, list_faq_sections
from builder.report.feeds import (
    Feed,
    FeedEntry,
    format_atom,
    format_json_feed,
    make_feed_entry,
)
from builder.report.release import format_dates, format_heading
from builder.rules.names import Names
from builder.usecases.pack_states import load_named_state
from builder.web.cards.cardtext import make_card_text
from builder.web.cards.faces import (
    QUALITY_BY_WIDTH_PIXELS,
    FacePicture,
    get_faces,
    get_picture_file,
    pick_sample_faces,
)
from builder.web.cards.history import (
    find_reprints,
    find_successor,
    get_changes_since,
    get_history,
    get_rulings,
    list_format_spans,
)
from builder.web.cards.library import choose_card_language, get_library, get_names
from builder.web.cards.search import MAX_WORDS_LENGTH, find_cards, load_card_words
from builder.web.templating import (
    get_page_language,
    get_site_states,
    render_page,
    translate_text,
)

PUNCTUATION = ".,:;!?()«»„“”…"
"""Characters around words that are no part of them."""
CARDS_PER_PAGE = 60
SAMPLES_PER_KIND = 6
PREVIEW_WIDTH_PIXELS, LIST_WIDTH_PIXELS = 540, 240
COLOUR = re.compile(r"#[0-9a-fA-F]{3,8}\Z")
FACE_ADDRESS = re.compile(r"[0-9a-f]{24}")


@dataclass(frozen=True, slots=True)
class ListedCard:
    """A card in a list of cards: its name, picture and address."""

    card: Card
    name: str
    face: FacePicture | None
    address: str


@dataclass(frozen=True, slots=True)
class Printing:
    """A release that a printed copy may come from, with the days when it was in force."""

    version: str
    start: date | None = None
    end: date | None = None

    @property
    def days(self) -> str:
        """The days when the release was in force, in words. Empty if it never was."""
        period = Period(since=self.start, to=self.end)
        return (
            translate_text(join_messages(period.words))
            if self.start is not None
            else ""
        )


@require_safe
def show_games(request: HttpRequest) -> HttpResponse:
    """Show all games."""
    library = get_library()
    lang = get_page_language()
    states = get_site_states(request)
    if states:
        packs = [
            library.get_pack(name, _get_release(state))
            for name, state in states.items()
        ]
    else:
        packs = [pack for pack in library.list_games() if not pack.manifest.imported]
    games = []
    for pack in packs:
        release = _get_release(states.get(pack.id, ""))
        faces = get_faces(pack, lang, release or None)
        games.append((pack, get_names(pack, lang), pick_sample_faces(pack, faces)))
    return render_page(request, "cards/games", games=games)


@require_safe
def show_game(request: HttpRequest, pack: str) -> HttpResponse:
    """Show a game's kinds of cards and releases.

    With `q`, also the cards that contain these words.
    """
    game = _PublicGame(request, pack)
    query = request.GET.get("q", "")[:MAX_WORDS_LENGTH].strip()
    matches = game.search(query) if query else []
    return render_page(
        request,
        "cards/game",
        shown=game,
        kinds=[(kind, *game.sample_kind(kind)) for kind in game.list_kinds()],
        asked=query,
        found=[game.list_card(card) for card in matches[:CARDS_PER_PAGE]],
        many=len(matches),
        steps=game.history.steps[::-1],
        first=game.history.releases[:1],
    )


@require_safe
def show_kind(
    request: HttpRequest, pack: str, kind: str, number: int = 1
) -> HttpResponse:
    """Show one page of the cards of one kind."""
    game = _PublicGame(request, pack)
    paginator = Paginator(game.list_cards_of(kind), CARDS_PER_PAGE)
    try:
        cards = paginator.page(number)
    except InvalidPage:
        raise Http404 from None
    if not paginator.count:
        raise Http404
    return render_page(
        request,
        "cards/kind",
        shown=game,
        kind=kind,
        title=game.get_plural(kind),
        cards=[game.list_card(card) for card in cards],
        many=paginator.count,
        number=number,
        pages=paginator.num_pages,
    )


@require_safe
def show_card(request: HttpRequest, pack: str, kind: str, card: str) -> HttpResponse:
    """Show a card: its faces, its text in every language, its history, and where it may be used."""
    game = _PublicGame(request, pack)
    shown_card = game.pack.cards.get(card)
    if shown_card is None or shown_card.kind != kind:
        return _redirect_to_successor(game, card, "card")
    hosts: list[ListedCard] = []
    if game.pack.find_role(shown_card) is Role.ATTACHMENT:
        evaluator = get_library().get_card_checker(pack, game.release).evaluator
        host_ids = evaluator.find_hosts(shown_card)
        hosts = [game.list_card(game.pack.cards[host_id]) for host_id in host_ids]
    reprints = find_reprints(pack, game.release).get(card, ())
    faces = game.faces.get(card, ())
    preview = (
        reverse("face", args=[faces[0].address, PREVIEW_WIDTH_PIXELS]) if faces else ""
    )
    return render_page(
        request,
        "cards/card",
        shown=game,
        card=shown_card,
        listed=game.list_card(shown_card),
        texts={
            lang: make_card_text(game.pack, shown_card, lang)
            for lang in game.list_languages()
        },
        faces=faces,
        happened=game.history.list_card_notes(card),
        bearers=hosts,
        reprints=[game.list_card(game.pack.cards[item]) for item in reprints],
        formats=list_format_spans(
            pack, card, game.names, get_page_language(), game.release
        ),
        listings=game.history.list_format_notes(card),
        rulings=game.rulings.list_for_card(card),
        commentary=game.rulings.list_commentary(card=card),
        describe_review=_describe_review,
        preview=request.build_absolute_uri(preview) if preview else "",
    )


@require_safe
def export_card(request: HttpRequest, pack: str, kind: str, card: str) -> HttpResponse:
    """Return a card as JSON, with the addresses of its page and pictures."""
    game = _PublicGame(request, pack)
    shown_card = game.pack.cards.get(card)
    if shown_card is None or shown_card.kind != kind:
        return _redirect_to_successor(game, card, "card_data")
    formats = []
    for span in list_format_spans(
        pack, card, game.names, get_page_language(), game.release
    ):
        entry = {
            "format": span.format,
            "legality": span.legality.legality,
            "max": span.legality.maximum,
        }
        if span.announcement:
            entry["announcement"] = span.announcement
        formats.append(entry | span.period.model_dump(mode="json", by_alias=True))
    faces = [
        reverse("face", args=[face.address, face.width])
        for face in game.faces.get(card, ())
    ]
    data = {
        **shown_card.model_dump(mode="json"),
        **shown_card.data,
        "names": {
            lang: Names(game.pack, lang).name_card(card)
            for lang in game.list_languages()
        },
        "formats": formats,
        "rulings": [
            _make_ruling_data(entry) for entry in game.rulings.list_for_card(card)
        ],
        "page": request.build_absolute_uri(game.get_address(shown_card)),
        "faces": [request.build_absolute_uri(face) for face in faces],
    }
    response = JsonResponse(
        data, json_dumps_params={"ensure_ascii": False, "indent": 1}
    )
    response["Access-Control-Allow-Origin"] = "*"
    return response


@require_safe
def export_index(request: HttpRequest, pack: str) -> HttpResponse:
    """Return a search index as JSON: the game's cards, and the positions of cards by word."""
    game = _PublicGame(request, pack)
    card_words = load_card_words(pack, game.release, game.lang)
    cards = []
    positions_by_word: dict[str, list[int]] = {}
    for position, card in enumerate(game.sort_cards()):
        listed = game.list_card(card)
        face = ""
        if listed.face:
            face = reverse("face", args=[listed.face.address, LIST_WIDTH_PIXELS])
        cards.append({"name": listed.name, "page": listed.address, "face": face})
        words = {word.strip(PUNCTUATION) for word in card_words[card.id].split()}
        for word in words - {""}:
            positions_by_word.setdefault(word, []).append(position)
    index = {"cards": cards, "words": dict(sorted(positions_by_word.items()))}
    options = {"ensure_ascii": False, "separators": (",", ":")}
    return JsonResponse(index, json_dumps_params=options)


@require_safe
def show_rulings(request: HttpRequest, pack: str) -> HttpResponse:
    """Show the questions and answers of a game, by card and by rule."""
    game = _PublicGame(request, pack)
    if not game.rulings.rulings.rulings:
        raise Http404
    return render_page(
        request,
        "cards/rulings",
        shown=game,
        title=format_faq_heading(game.rulings),
        groups_by_part=list(list_faq_sections(game.rulings)),
        describe_review=_describe_review,
    )


@require_safe
def show_release(request: HttpRequest, pack: str, version: str) -> HttpResponse:
    """Show what a release changed. For the first release, show its contents."""
    game = _PublicGame(request, pack)
    for step in game.history.steps:
        if step.new == version:
            return render_page(
                request,
                "cards/release",
                shown=game,
                step=step,
                title=format_heading(step),
                dates=format_dates(step),
                describe_review=_describe_review,
            )
    return _show_first_release(request, game, version)


def _show_first_release(
    request: HttpRequest, game: "_PublicGame", version: str
) -> HttpResponse:
    first = game.find_release(version)
    if first is None or first != game.history.releases[0]:
        raise Http404
    cards = load_named_state(get_library().packs, game.pack.id, version)[
        0
    ].cards.values()
    counts = Counter(str(card.get("kind")) for card in cards)
    kinds = [
        (kind, game.get_plural(kind), counts[kind])
        for kind in game.list_kinds()
        if counts[kind]
    ]
    return render_page(request, "cards/first", shown=game, first=first, kinds=kinds)


@require_safe
def choose_copy(request: HttpRequest, pack: str) -> HttpResponse:
    """Show a form for the date or release of a printed copy.

    With `day`, redirect to its changes.
    """
    game = _PublicGame(request, pack)
    if game.current is None:
        raise Http404
    text = request.GET.get("day", "")
    release = find_release(game.history.releases, text) if text else None
    if release is not None:
        return redirect("cards_since_copy", pack=pack, version=release.version)
    return render_page(
        request, "cards/since", shown=game, printings=game.list_printings(), asked=text
    )


@require_safe
def show_since(request: HttpRequest, pack: str, version: str) -> HttpResponse:
    """Show all changes since a release, up to the shown release or the one in force."""
    game = _PublicGame(request, pack)
    release = game.find_release(version)
    if game.current is None or release is None:
        raise Http404
    step = None
    if release.number < game.current.number:
        step = get_changes_since(
            pack, version, game.current.version, get_page_language()
        )
    return render_page(
        request,
        "cards/since_copy",
        shown=game,
        copy=release,
        is_newer=release.number > game.current.number,
        step=step,
        dates=format_dates(step) if step is not None else "",
        printings=game.list_printings(),
        describe_review=_describe_review,
    )


@require_safe
def export_feed(request: HttpRequest, pack: str) -> HttpResponse:
    """Return the releases of a game as an Atom feed."""
    content = format_atom(_make_feed(request, pack))
    return HttpResponse(content, content_type="application/atom+xml; charset=utf-8")


@require_safe
def export_json_feed(request: HttpRequest, pack: str) -> HttpResponse:
    """Return the releases of a game as a JSON Feed."""
    content = format_json_feed(_make_feed(request, pack))
    return HttpResponse(content, content_type="application/feed+json; charset=utf-8")


def _make_feed(request: HttpRequest, pack: str) -> Feed:
    """Return a news feed of the game's releases, the newest first."""
    game = _PublicGame(request, pack)
    entries: list[FeedEntry] = []
    for step in reversed(game.history.steps):
        address = reverse("cards_release", args=[pack, step.new])
        link = request.build_absolute_uri(address)
        entry = make_feed_entry(step, game.history.releases, localdate(), link, link)
        if entry is not None:
            entries.append(entry)
    home = request.build_absolute_uri(reverse("cards_game", args=[pack]))
    own_address = request.build_absolute_uri()
    return Feed(home, game.title, game.lang, tuple(entries), home, own_address)


@require_GET
def export_colours(request: HttpRequest) -> HttpResponse:
    """Return a style sheet with the colours of all games' sides.

    They apply within pages of their game.
    """
    rules = []
    for pack in get_library().list_games():
        for key, side in pack.vocabulary.factions.items():
            if COLOUR.match(side.colour) and COLOUR.match(side.tint):
                colours = f"--side: {side.colour}; --side-tint: {side.tint}"
                rules.append(f".game-{pack.id} .side-{key} {{ {colours} }}")
    response = HttpResponse("\n".join(rules) + "\n", content_type="text/css")
    response["Cache-Control"] = "max-age=3600"
    return response


@require_GET
def export_face(request: HttpRequest, address: str, width: int) -> HttpResponseBase:
    """Return the picture of a card face. The content at an address never changes."""
    if not FACE_ADDRESS.fullmatch(address) or width not in QUALITY_BY_WIDTH_PIXELS:
        raise Http404
    try:
        file = get_picture_file(address, width).open("rb")
    except OSError:
        raise Http404 from None
    headers = {"Cache-Control": "public, max-age=31536000, immutable"}
    return FileResponse(file, content_type="image/webp", headers=headers)


class _PublicGame:
    """A game as its public pages show it, in the language of the page."""

    def __init__(self, request: HttpRequest, pack: str) -> None:
        library = get_library()
        page_lang = get_page_language()
        # These pages are public: the server of a player's own computer lets any website read them.
        if pack not in library.packs.list_packs() or is_imported(library.project, pack):
            raise Http404
        state = get_site_states(request).get(pack, "")
        self.unpublished = state == WORK
        self.release = _get_release(state)
        self.pack = library.get_pack(pack, self.release)
        self.lang = choose_card_language(self.pack, page_lang)
        self.names = get_names(self.pack, page_lang)
        self.faces = get_faces(self.pack, page_lang, self.release or None)
        self.title = self.names.choose_name(self.pack.manifest.name, pack)
        self.currency = self.names.choose_name(self.pack.manifest.roster.currency, "")
        self.history = get_history(pack, page_lang)
        if self.release:
            self.history = self.history.limit_to(self.release)
        self.rulings = get_rulings(pack, self.release, page_lang)
        if self.release:
            # Readers must not take an answer or remark about a later release for this one.
            self.rulings = self.rulings.limit_to_past(
                localdate(), self._list_past_versions()
            )

    @property
    def current(self) -> Release | None:
        """The release that the pages show: the chosen one, the one in force, or the newest."""
        releases = self.history.releases
        in_force = find_release_in_force(releases, localdate())
        return self.find_release(self.release) or in_force or find_newest(releases)

    def _list_past_versions(self) -> list[str]:
        """Return the valid releases up to the shown one."""
        shown = self.find_release(self.release)
        return [
            release.version
            for release in self.history.releases
            if shown is not None
            and release.number <= shown.number
            and not release.is_withdrawn(localdate())
        ]

    def list_printings(self) -> list[Printing]:
        """Return the releases that a printed copy may come from, the newest first."""
        releases = self.history.releases
        periods = list_periods(releases)
        printings: list[Printing] = []
        for (start, release), following in zip_longest(periods, periods[1:]):
            end = following[0] - timedelta(1) if following else None
            printings.append(Printing(release.version, start, end))
        listed_versions = {printing.version for printing in printings}
        versions = [release.version for release in releases]
        others = [version for version in versions if version not in listed_versions]
        return [*map(Printing, reversed(others)), *reversed(printings)]

    def describe_release(self, version: str) -> str:
        """Return the state of a release today, in words."""
        return self.history.describe_release(version, get_page_language())

    def find_release(self, version: str) -> Release | None:
        """Return the release of a version."""
        return next(
            (item for item in self.history.releases if item.version == version), None
        )

    def list_languages(self) -> tuple[str, ...]:
        """Return the languages of the game, that of the page first."""
        return tuple(
            sorted(self.pack.manifest.languages.all, key=lambda lang: lang != self.lang)
        )

    def list_kinds(self) -> list[str]:
        """Return the kinds that have at least one card."""
        kinds = {card.kind for card in self.pack.cards.values()}
        return [kind for kind in self.pack.manifest.kinds if kind in kinds]

    def get_plural(self, kind: str) -> str:
        """Return the plural name of a kind, such as the heading of its list."""
        plural = self.pack.manifest.kinds[kind].plural
        return self.names.choose_name(plural, "") or self.names.name_kind(kind)

    def sample_kind(self, kind: str) -> tuple[str, int, list[ListedCard]]:
        """Return the name of a kind, the number of its cards, and some of them."""
        cards = self.list_cards_of(kind)
        step = max(1, len(cards) // SAMPLES_PER_KIND)
        sample = [self.list_card(card) for card in cards[::step][:SAMPLES_PER_KIND]]
        return self.get_plural(kind), len(cards), sample

    def sort_cards(self) -> list[Card]:
        """Return all cards by kind, side and name."""
        kinds = self.list_kinds()
        sides = [*self.pack.vocabulary.factions]

        def make_key(card: Card) -> tuple[int, int, str]:
            side = sides.index(card.faction) if card.faction in sides else len(sides)
            return (
                kinds.index(card.kind),
                side,
                self.names.name_card(card.id).casefold(),
            )

        return sorted(self.pack.cards.values(), key=make_key)

    def list_cards_of(self, kind: str) -> list[Card]:
        """Return the cards of one kind."""
        return [card for card in self.sort_cards() if card.kind == kind]

    def search(self, text: str) -> list[Card]:
        """Return the cards that contain all words of a text."""
        return find_cards(
            self.sort_cards(), text, self.pack.id, self.release, self.lang
        )

    def list_card(self, card: Card) -> ListedCard:
        """Return a card as a row of a list."""
        face = next(iter(self.faces.get(card.id, ())), None)
        return ListedCard(
            card, self.names.name_card(card.id), face, self.get_address(card)
        )

    def get_address(self, card: Card) -> str:
        """Return the address of a card's page."""
        return reverse("card", args=[self.pack.id, card.kind, card.id])


def _make_ruling_data(entry: RulingEntry) -> dict[str, object]:
    return {
        "id": entry.id,
        "date": entry.day.isoformat(),
        "question": entry.question,
        "answer": entry.answer,
        "source": entry.source,
        "changedSince": list(entry.changed_names),
    }


def _describe_review(entry: RulingEntry) -> str:
    return translate_text(describe_review(entry))


def _get_release(state: str) -> str:
    """Return the release that a static site shows. Empty for the edited files."""
    return "" if state == WORK else state


def _redirect_to_successor(game: _PublicGame, card: str, view: str) -> HttpResponse:
    """Redirect from a removed card to the card that replaced it, so that old links work."""
    pack = game.pack
    card_id = (
        card if card in pack.cards else find_successor(pack.id, card, game.release)
    )
    if card_id is None:
        raise Http404
    kind = pack.cards[card_id].kind
    return redirect(view, pack=pack.id, kind=kind, card=card_id, permanent=True)
