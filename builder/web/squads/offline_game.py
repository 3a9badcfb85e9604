"""A game as a browser stores it, so that squads are built and played without a network.

It has the names, costs and texts of all cards, but not the rules: these are checked by the server
when a squad is sent.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

from django.template.loader import render_to_string
from django.utils.timezone import localdate

from builder.errors import PackUnreadable
from builder.model.base import Json
from builder.model.card import Card
from builder.model.pack import Pack, Role
from builder.model.roster import Entry, Roster
from builder.model.sheets import SheetModel
from builder.roster.resolve import list_allowed_values
from builder.rules.choices import find_entry_sizes
from builder.rules.evaluate import Evaluator
from builder.rules.names import Names
from builder.usecases.build.squad import (
    count_boxes,
    has_unlimited_uses,
    list_stats,
    list_uses,
)
from builder.web.cards.cardtext import make_card_text
from builder.web.cards.faces import Faces, get_faces
from builder.web.cards.history import choose_new_squad_version
from builder.web.cards.library import (
    cache_per_library,
    choose_card_language,
    get_library,
    get_names,
)
from builder.web.cards.search import sort_squad_cards
from builder.web.squads.models import SavedSquad
from builder.web.squads.play_page import PlayCard, PlayModel
from builder.web.squads.roster_changes import load_bench
from builder.web.templating import find_asset, get_address, get_page_language

PICTURE_WIDTH_PIXELS = 540
"""The only stored width: half of a card fills a phone's screen sharply, and 40 kB are enough."""
MAX_HOST_TESTS = 60_000
"""Pairs of a model and an attachment. With more, every attachment is offered to every model."""
MARK, COPY_COMMENT = "@mark@", "<!-- copy -->"
"""What the page's script replaces by the prefix of a card's marks, and what divides its parts."""


def get_game_address(pack_id: str) -> str:
    """Return the address of the game in the language of the page.

    It changes with the game and with the program, so that a browser stores a new version.
    """
    version = choose_new_squad_version(pack_id, localdate())
    scripts = [
        find_asset(f"squadpress/{name}.js") for name in ("offline", "offline-play")
    ]
    parts = [get_library().stamps.get(pack_id, ""), version or "", *scripts]
    digest = sha256("\0".join(parts).encode()).hexdigest()[:12]
    query = f"?lang={get_page_language()}&v={digest}"
    return get_address("offline-game", [pack_id]) + query


def export_game(pack_id: str, lang: str) -> dict[str, object]:
    """Return a game for readers of a language, as a new squad would have its cards today."""
    version = choose_new_squad_version(pack_id, localdate())
    pack = get_library().get_pack(pack_id, version)
    # Pictures come from time to time, all else is cached.
    faces = get_faces(pack, lang, version)
    game = dict(_describe_game(pack_id, version, lang))
    game["faces"] = {
        card.id: _list_addresses(faces, card) for card in _list_cards(pack)
    }
    return game


def _list_addresses(faces: Faces, card: Card) -> list[tuple[str, bool]]:
    """Return the addresses of a card's pictures, and whether they are wider than high."""
    pictures = []
    for face in faces.get(card.id, ()):
        address = get_address("face", [face.address, PICTURE_WIDTH_PIXELS])
        pictures.append((address, face.width > face.height))
    return pictures


def _list_cards(pack: Pack) -> list[Card]:
    """Return the cards that a squad may hold, in the order of the catalogue."""
    return [
        card for card in sort_squad_cards(pack) if pack.find_role(card) != Role.NONE
    ]


def export_squad(row: SavedSquad, roster: Roster, is_own: bool) -> dict[str, object]:
    """Return a squad as the editor without a network begins with it.

    Notes on models are private.
    """
    entries = list(map(export_entry, roster.entries))
    bench = list(map(export_entry, load_bench(row.bench)))
    deck = [{"card": item.card, "count": item.count} for item in roster.deck]
    squad: dict[str, object] = {
        "edition": row.edition,
        "name": roster.name,
        "params": dict(roster.params),
        "side": "",
        "entries": entries,
        "deck": deck,
        "bench": bench,
    }
    if not is_own:
        for entry in (*entries, *bench):
            del entry["note"]
    return squad


def export_entry(entry: Entry) -> dict[str, Json]:
    """Return a model as a browser knows it."""
    return {
        "card": entry.card,
        "id": entry.id,
        "count": entry.count,
        "name": entry.name or "",
        "note": entry.note,
        "attachments": [item.card for item in entry.attachments],
        "choices": dict(entry.choices),
        "links": dict(entry.links),
    }


@cache_per_library(30)
def _describe_game(pack_id: str, version: str | None, lang: str) -> dict[str, object]:
    pack = get_library().get_pack(pack_id, version)
    return GameDescription(pack, version, lang).export()


@dataclass(frozen=True)
class GameDescription:
    """A game in the language of its reader, as the page's script reads it."""

    pack: Pack
    version: str | None
    lang: str

    @cached_property
    def _card_language(self) -> str:
        return choose_card_language(self.pack, self.lang)

    @cached_property
    def _names(self) -> Names:
        return get_names(self.pack, self.lang)

    @cached_property
    def _evaluator(self) -> Evaluator | None:
        """The rules of the game. None if they cannot be read."""
        try:
            return get_library().get_card_checker(self.pack.id, self.version).evaluator
        except PackUnreadable:
            return None

    def export(self) -> dict[str, object]:
        """Return the game without its pictures."""
        cards = _list_cards(self.pack)
        manifest = self.pack.manifest
        return {
            "pack": self.pack.id,
            "name": self._names.choose_name(manifest.name, self.pack.id),
            "currency": self._names.choose_name(manifest.roster.currency, ""),
            "sides": {
                key: self._names.name_value("faction", key)
                for key in self.pack.vocabulary.factions
            },
            "cards": [self._describe_card(card) for card in cards],
            "hosts": dict(self._find_hosts(cards)),
        }

    def _describe_card(self, card: Card) -> dict[str, object]:
        role = self.pack.find_role(card)
        top_html, copy_html = self._render_card(card, role)
        description: dict[str, object] = {
            "id": card.id,
            "name": self._names.name_card(card.id),
            "role": str(role),
            "side": card.faction or "",
            "kind": self._names.name_kind(card.kind),
            "cost": card.cost,
            "once": top_html,
            "each": copy_html,
        }
        if role == Role.ENTRY:
            description["bundle"] = self._find_bundle(card)
            description["choices"] = list(self._list_choices(card))
        return description

    def _render_card(self, card: Card, role: Role) -> tuple[str, str]:
        """Return the parts of a card on the play page: the one on top, and that of each copy."""
        lang, pack = self._card_language, self.pack
        uses = tuple(list_uses(pack, card, lang))
        is_model = role == Role.ENTRY
        name = self._names.name_card(card.id)
        spendable = (
            not is_model and not uses and not has_unlimited_uses(pack, card, lang)
        )
        text = make_card_text(pack, card, lang)
        # The script adds the pictures, which may be rendered later than this is cached.
        play_card = PlayCard(MARK, name, 1, uses, (), text, spendable, is_model)
        values = {
            "card": play_card,
            "model": self._make_model(card, play_card) if is_model else None,
            "hidden": role == Role.DECK,
            "saved": False,
        }
        html = render_to_string("squads/offline_card.j2", values)
        top_html, _comment, copy_html = html.partition(COPY_COMMENT)
        return _join_lines(top_html), _join_lines(copy_html)

    def _make_model(self, card: Card, play_card: PlayCard) -> PlayModel:
        cost = card.cost or 0
        boxes = count_boxes(self.pack, card)
        sheet = SheetModel(
            number=0,
            card=card.id,
            name=play_card.name,
            count=1,
            cost=cost,
            total=cost,
            boxes=boxes,
            stats=tuple(list_stats(self.pack, card, self._card_language)),
            remarks=(),
            reminders=(),
            carried=(),
            place="",
            choices={},
        )
        rows = (("", boxes),) if boxes else ()
        return PlayModel(sheet, card.faction or "", play_card, (), "", 1, rows)

    def _find_bundle(self, card: Card) -> int:
        """Return the number of models on a new line."""
        if self._evaluator is None:
            return 1
        empty_squad = self._evaluator.resolve_roster(Roster(pack=self.pack.id))
        return find_entry_sizes(card, empty_squad, self._evaluator)[0]

    def _list_choices(self, card: Card) -> Iterator[dict[str, object]]:
        """Yield the choices that a model has, with their values."""
        if self._evaluator is None:
            return
        domains = self._evaluator.domains
        for name, choice in self.pack.manifest.roster.choices.items():
            if not domains.is_made_by(name, card):
                continue
            keys: Iterable[str] = list_allowed_values(choice, self.pack)
            if choice.field is not None:
                keys = domains.list_items(name, card)
            key = f"choice.{name}"
            values = [(value, self._names.name_value(key, value)) for value in keys]
            if values or choice.free:
                title = self._names.name_field(key)
                yield {"name": name, "title": title, "values": values}

    def _find_hosts(self, cards: list[Card]) -> Iterator[tuple[str, list[int]]]:
        """Yield the attachments that not every model may have, and the numbers of those models."""
        models = [card.id for card in cards if self.pack.find_role(card) == Role.ENTRY]
        attachments = [
            card for card in cards if self.pack.find_role(card) == Role.ATTACHMENT
        ]
        is_small = len(models) * len(attachments) <= MAX_HOST_TESTS
        if self._evaluator is None or not is_small:
            return
        numbers = {model: number for number, model in enumerate(models)}
        for card in attachments:
            hosts = [numbers[host] for host in self._evaluator.find_hosts(card)]
            if len(hosts) < len(models):
                yield card.id, sorted(hosts)


def _join_lines(html: str) -> str:
    return "".join(line.strip() + "\n" for line in html.splitlines() if line.strip())
