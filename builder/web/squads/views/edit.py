"""Changes of a squad: a form's button says what is done, and the page that sent it comes again."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from uuid import UUID

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import resolve, reverse
from django.views.decorators.http import require_POST

from builder.errors import UsageError
from builder.messages import gettext as _
from builder.model.base import DataPath
from builder.model.roster import MAX_COPIES, Entry, Roster
from builder.model.rules import Source
from builder.roster.operations import (
    Add,
    Annotate,
    Choose,
    Duplicate,
    Edit,
    Remove,
    Rename,
    Reorder,
    SetParam,
    Tie,
)
from builder.roster.resolve import SOURCE_OF
from builder.web.accounts.owner import get_owner
from builder.web.cards.library import get_library
from builder.web.squads.squad_view import SquadSight
from builder.web.squads.storage import SquadStorage
from builder.web.squads.views.squad import own_squad, refuse_guest

Made = tuple[Edit, str]
"""An edit, and what it is called when it is taken back."""
LONGEST = 80
"""Letters of a name."""
LONGEST_NOTE = 1000


@require_POST
def edit(request: HttpRequest, key: UUID) -> HttpResponse:
    """Do what the pressed button says, `do` with its words, and show the page again from which it came."""
    storage, form = SquadStorage(get_library(), get_owner(request)), request.POST
    verb, *words = form.get("do", "").split(" ")
    wanted = next_page(key, form.get("next", ""))
    if verb in ("undo", "redo"):
        (storage.undo if verb == "undo" else storage.redo)(str(key))
    else:
        asked = Asked(own_squad(request, key), words, form)
        if (make := EDITS.get(verb)) is None:
            raise _stale()
        try:
            made = make(asked)
        except (IndexError, ValueError, KeyError):
            raise _stale() from None
        replace(storage, row=asked.sight.row).edit(str(key), *made)
        if verb == "remove":
            wanted = reverse("squad", args=[key])
        if isinstance(made[0], Reorder):
            wanted = reverse("model", args=[key, made[0].to + 1])
    return shown_again(request, wanted) if request.headers.get("HX-Request") else redirect(wanted)


def shown_again(request: HttpRequest, address: str) -> HttpResponse:
    """A page of this squad's, without the browser having to ask for it: what the form said of it stays known to it."""
    path, _mark, query = address.partition("?")
    request.method, request.path, request.path_info, request.META["QUERY_STRING"] = (
        "GET",
        path,
        path,
        query,
    )
    request.GET = QueryDict(query)
    view, args, named = resolve(path)
    response: HttpResponse = view(request, *args, **named)
    response.headers["HX-Replace-Url"] = address
    return response


def next_page(key: UUID, wanted: str) -> str:
    """Where to go on: the page that was asked for, if it is one of this squad's."""
    own = reverse("squad", args=[key])
    return (
        wanted
        if wanted.split("?")[0].startswith(own) and "//" not in wanted and "\\" not in wanted
        else own
    )


def _stale() -> UsageError:
    return UsageError(
        _("the squad has changed since this page was loaded"),
        _("Reload the page and try again."),
    )


@dataclass(frozen=True, slots=True)
class Asked:
    """What a button asks for: its words, the rest of the form, and the squad as it is."""

    sight: SquadSight
    words: list[str]
    form: Mapping[str, str]

    @property
    def roster(self) -> Roster:
        """The squad."""
        roster = self.sight.judged.roster
        if roster is None:
            raise UsageError(_("this squad cannot be read"), _("Undo the last change."))
        return roster

    def line(self, place: int = 0) -> int:
        """The entry meant by its number and its card, both stated, so that no other is changed by mistake."""
        line, card = int(self.words[place]) - 1, self.words[place + 1]
        if line < 0 or self.roster.entries[line].card != card:
            raise _stale()
        return line

    def card(self, place: int = 0) -> str:
        """A card of the game."""
        card = self.words[place]
        return self.sight.pack.cards[card].id

    def name(self, card: str) -> str:
        """A card's name."""
        return self.sight.names.card(card)


def _add(asked: Asked) -> Made:
    """`add CARD [choice=value ...]`: as a model or into the deck."""
    card = asked.card()
    source = SOURCE_OF[asked.sight.pack.role(asked.sight.pack.cards[card])]
    choices = tuple(
        (name, value) for name, _is, value in (word.partition("=") for word in asked.words[1:])
    )
    count = next(
        (
            option.bundle
            for offer in [asked.sight.offers.get(card)]
            if offer
            for option in offer.fitting
        ),
        1,
    )
    if source is Source.ATTACHMENTS:
        raise _stale()
    return Add(card, source, count=count, choices=choices), _("added {card}", card=asked.name(card))


def _give(asked: Asked) -> Made:
    """`give NUMBER MODEL CARD`: to a model."""
    line, card = asked.line(), asked.card(2)
    told = _("gave {card} to {bearer}", card=asked.name(card), bearer=asked.sight.lines[line].name)
    return Add(card, Source.ATTACHMENTS, line), told


def _take(asked: Asked) -> Made:
    """`take NUMBER MODEL INDEX CARD`: from a model."""
    line, index = asked.line(), int(asked.words[2])
    card = asked.roster.entries[line].attachments[index].card
    if card != asked.words[3]:
        raise _stale()
    told = _(
        "took {card} from {bearer}", card=asked.name(card), bearer=asked.sight.lines[line].name
    )
    return Remove(("entries", line, "attachments", index), card), told


def _remove(asked: Asked) -> Made:
    """`remove NUMBER MODEL`: a model with all it carries."""
    line = asked.line()
    entry = asked.roster.entries[line]
    return Remove(("entries", line), entry.card, entry.count), _(
        "removed {card}", card=asked.sight.lines[line].name
    )


def _drop(asked: Asked) -> Made:
    """`drop INDEX CARD`: a card of the deck, one copy."""
    index, card = int(asked.words[0]), asked.words[1]
    if asked.roster.deck[index].card != card:
        raise _stale()
    return Remove(("deck", index), card), _("removed {card}", card=asked.name(card))


def _less(asked: Asked) -> Made:
    """`less CARD`: one copy of a card, the last of it."""
    card, roster = asked.words[0], asked.roster
    places: list[DataPath] = [
        ("entries", n) for n, entry in enumerate(roster.entries) if entry.card == card
    ]
    places += [("deck", n) for n, item in enumerate(roster.deck) if item.card == card]
    return Remove(places[-1], card), _("removed {card}", card=asked.name(card))


def _count(asked: Asked) -> Made:
    """`count NUMBER MODEL`, with the copies wanted in the form."""
    line = asked.line()
    entry, wanted = asked.roster.entries[line], int(asked.form.get("count") or asked.words[2])
    if not 1 <= wanted <= MAX_COPIES or wanted == entry.count:
        raise _stale()
    told = _("made it {count} × {card}", count=wanted, card=asked.sight.lines[line].name)
    more = wanted - entry.count
    return Add(entry.card, Source.ENTRIES, line, more) if more > 0 else Remove(
        ("entries", line), entry.card, -more
    ), told


def _choose(asked: Asked) -> Made:
    """`choose NUMBER MODEL NAME`, with the value in the form."""
    line, name = asked.line(), asked.words[2]
    value = asked.form.get("value", "").strip()[:LONGEST]
    title = asked.sight.names.field(f"choice.{name}")
    told = _(
        "chose {choice}: {value}",
        choice=title,
        value=asked.sight.names.value(f"choice.{name}", value) or "–",
    )
    return Choose(line, name, value), told


def _tie(asked: Asked) -> Made:
    """`tie NUMBER MODEL LINK`, with the line that is named in the form, -1 for none."""
    line, link, target = asked.line(), asked.words[2], int(asked.form.get("value", "-1"))
    title = asked.sight.names.link(link)
    if target < 0:
        return Tie(line, link), _("took “{link}” away", link=title)
    entry: Entry = asked.roster.entries[target]
    return Tie(line, link, target), _(
        "{link}: {card}", link=title, card=entry.name or asked.name(entry.card)
    )


def _rename(asked: Asked) -> Made:
    """`rename [NUMBER MODEL]`, with the name in the form: a model, or the squad itself."""
    name = " ".join(asked.form.get("value", "").split())[:LONGEST]
    return Rename(name, asked.line() if asked.words else -1), _("named {name}", name=name or "–")


def _note(asked: Asked) -> Made:
    """`note NUMBER MODEL`, with the remark in the form."""
    refuse_guest(asked.sight)
    line = asked.line()
    note = asked.form.get("value", "").replace("\r\n", "\n").strip()[:LONGEST_NOTE]
    return Annotate(note, line), _("noted on {card}", card=asked.sight.lines[line].name)


def _duplicate(asked: Asked) -> Made:
    """`duplicate NUMBER MODEL`."""
    line = asked.line()
    return Duplicate(line), _("duplicated {card}", card=asked.sight.lines[line].name)


def _reorder(asked: Asked) -> Made:
    """`reorder NUMBER MODEL PLACE`: up or down the list."""
    line = asked.line()
    to = max(0, min(int(asked.words[2]) - 1, len(asked.roster.entries) - 1))
    return Reorder(line, to), _("moved {card}", card=asked.sight.lines[line].name)


def _param(asked: Asked) -> Made:
    """`param NAME`, with the value in the form."""
    name, value = asked.words[0], asked.form.get("value", "").strip()
    param = asked.sight.pack.manifest.roster.params[name]
    if not param.allows(value):
        reason = _(
            "{name} cannot be {value}", name=asked.sight.names.param(name), value=value[:LONGEST]
        )
        raise UsageError(reason, _("Allowed values: {listed}.", listed=", ".join(param.allowed)))
    told = _(
        "{name}: {value}",
        name=asked.sight.names.param(name),
        value=asked.sight.names.param_value(name, value),
    )
    return SetParam(name, value if param.type == "choice" else int(value)), told


def _swap(asked: Asked) -> Made:
    """`swap CARD NUMBER EDITION`: a refused card, and what leaves for it."""
    card, number, edition = asked.card(), int(asked.words[1]), int(asked.words[2])
    if edition != asked.sight.row.edition:
        raise _stale()
    told, edit = asked.sight.offers[card].swaps[number]
    return edit, told


def _repair(asked: Asked) -> Made:
    """`repair VIOLATION REPAIR EDITION`: one of the repairs that the verdict names."""
    verdict, (violation, number, edition) = asked.sight.judged.verdict, map(int, asked.words)
    if verdict is None or edition != asked.sight.row.edition:
        raise _stale()
    repair = verdict.violations[violation].repairs[number]
    told = dict(asked.sight.troubles[violation].repairs)[number]
    return repair.operations, told


EDITS: Mapping[str, Callable[[Asked], Made]] = {
    "add": _add,
    "give": _give,
    "take": _take,
    "remove": _remove,
    "drop": _drop,
    "less": _less,
    "count": _count,
    "choose": _choose,
    "tie": _tie,
    "rename": _rename,
    "note": _note,
    "duplicate": _duplicate,
    "reorder": _reorder,
    "param": _param,
    "repair": _repair,
    "swap": _swap,
}
"""What a button may do, by its first word."""
