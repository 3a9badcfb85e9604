"""Changes of a squad.

The value of a form's button says what to do; the page that sent it is shown again.
"""

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
    Move,
    Remove,
    Rename,
    Reorder,
    SetChoice,
    SetLink,
    SetParam,
)
from builder.roster.resolve import SOURCE_BY_ROLE
from builder.web.accounts.owner import get_owner
from builder.web.cards.library import get_library
from builder.web.squads.roster_changes import (
    BenchChange,
    SquadChange,
    add_entry,
    dump_entry,
    duplicate_entry,
    load_bench,
    refuse_full_bench,
    split_entry,
)
from builder.web.squads.squad_view import SquadView
from builder.web.squads.storage import SquadStorage, migrate_entry, require_roster
from builder.web.squads.views.squad import load_own_squad, require_own
from builder.web.squads.waiting_changes import Replay, is_changed_elsewhere, load_base

DescribedEdit = tuple[SquadChange, str]
"""An edit, and its description for undo."""
MAX_NAME_LENGTH = 80
MAX_NOTE_LENGTH = 1000
MAX_REQUEST_LENGTH = 36


@require_POST
def edit_squad(request: HttpRequest, key: UUID) -> HttpResponse:
    """Apply the edit that the form value `do` names, then show the same page again."""
    storage = SquadStorage(get_library(), get_owner(request))
    sent_form = request.POST
    change_id = sent_form.get("change", "")[:MAX_REQUEST_LENGTH]
    storage = replace(storage, request=change_id)
    verb, *words = sent_form.get("do", "").split(" ")
    address = get_next_page(key, sent_form.get("next", ""))
    # A browser sends a change again if it got no answer.
    if storage.has_received(str(key)):
        return redirect(address)
    words, form = follow_models(request, key, verb, words)
    if verb == "undo":
        storage.undo(str(key))
    elif verb == "redo":
        storage.redo(str(key))
    else:
        edit_request = EditRequest(load_own_squad(request, key), words, form)
        edit, description = _make_edit(verb, edit_request)
        if verb == "copy":
            key = _find_target_squad(edit_request, storage)
        else:
            storage = replace(storage, row=edit_request.view.row)
        storage.edit(str(key), edit, description)
        if verb in ("remove", "bench", "copy"):
            address = reverse("squad", args=[key])
        if isinstance(edit, Reorder):
            address = reverse("model", args=[key, edit.to + 1])
    if request.headers.get("HX-Request"):
        return render_address(request, address)
    return redirect(address)


def follow_models(
    request: HttpRequest, key: UUID, verb: str, words: list[str]
) -> tuple[list[str], Mapping[str, str]]:
    """Return the arguments and the form of a change with the present numbers of its models.

    The numbers of a change that waited for a network are of the squad that its browser knew.
    """
    base = load_base(request.POST)
    if base is None:
        return words, request.POST
    view = load_own_squad(request, key)
    if not is_changed_elsewhere(view.row, base):
        return words, request.POST
    try:
        return Replay(view, base).relocate(verb, words, request.POST)
    except (IndexError, ValueError):
        raise make_stale_error() from None


def render_address(request: HttpRequest, address: str) -> HttpResponse:
    """Render the page of this squad that an address names, without a redirect.

    It still knows which tiles the form's page displayed.
    """
    path, _mark, query = address.partition("?")
    request.method, request.path, request.path_info = "GET", path, path
    request.META["QUERY_STRING"], request.GET = query, QueryDict(query)
    view, args, options = resolve(path)
    response: HttpResponse = view(request, *args, **options)
    response.headers["HX-Replace-Url"] = address
    return response


def get_next_page(key: UUID, address: str) -> str:
    """Return the address of a page of this squad. For other addresses, return the squad page."""
    squad_page = reverse("squad", args=[key])
    # Browsers read `//host` and `\host` as addresses of other websites.
    is_local = "//" not in address and "\\" not in address
    return (
        address
        if is_local and address.split("?")[0].startswith(squad_page)
        else squad_page
    )


def make_stale_error() -> UsageError:
    """Make the error for a form that was rendered before the squad's last change."""
    message = _("the squad has changed since this page was loaded")
    return UsageError(message, _("Reload the page and try again."))


@dataclass(frozen=True, slots=True)
class EditRequest:
    """An edit that a button requests: its arguments, the form, and the squad."""

    view: SquadView
    words: list[str]
    form: Mapping[str, str]

    @property
    def roster(self) -> Roster:
        """The squad before the edit."""
        return require_roster(self.view.result.roster)

    def get_line(self) -> int:
        """Return the index of the entry that the button names by number and card.

        A form with another card there is stale.
        """
        line = int(self.words[0]) - 1
        card = self.words[1]
        if line < 0 or self.roster.entries[line].card != card:
            raise make_stale_error()
        return line

    def get_line_name(self) -> str:
        """Return the name of the entry that the button names."""
        return self.view.entries[self.get_line()].name

    def get_card(self, position: int = 0) -> str:
        """Return the card at a position of the button's arguments."""
        return self.view.pack.cards[self.words[position]].id

    def get_name(self, card: str) -> str:
        """Return a card's name."""
        return self.view.names.name_card(card)

    def get_value(self, max_length: int = MAX_NAME_LENGTH) -> str:
        """Return the value that the user typed or chose in the form."""
        return self.form.get("value", "").strip()[:max_length]


def _make_edit(verb: str, request: EditRequest) -> DescribedEdit:
    if verb not in EDITS:
        raise make_stale_error()
    try:
        return EDITS[verb](request)
    except (IndexError, ValueError, KeyError):
        raise make_stale_error() from None


def make_add(request: EditRequest) -> DescribedEdit:
    """Return the edit that adds a model or a card of the deck: `add CARD [choice=value ...]`."""
    card = request.get_card()
    pack = request.view.pack
    source = SOURCE_BY_ROLE[pack.find_role(pack.cards[card])]
    if source is Source.ATTACHMENTS:
        raise make_stale_error()
    choices = []
    for word in request.words[1:]:
        name, _equals, value = word.partition("=")
        choices.append((name, value))
    offer = request.view.offers.get(card)
    count = offer.fitting[0].bundle if offer and offer.fitting else 1
    edit = Add(card, source, count=count, choices=tuple(choices))
    return edit, _("added {card}", card=request.get_name(card))


def make_give(request: EditRequest) -> DescribedEdit:
    """Return the edit that attaches a card to a model: `give NUMBER MODEL CARD`."""
    card = request.get_card(2)
    name = request.get_name(card)
    host = request.get_line_name()
    description = _("gave {card} to {bearer}", card=name, bearer=host)
    return Add(card, Source.ATTACHMENTS, request.get_line()), description


def make_take(request: EditRequest) -> DescribedEdit:
    """Return the edit that detaches a card from a model: `take NUMBER MODEL INDEX CARD`."""
    line = request.get_line()
    index = int(request.words[2])
    card = request.roster.entries[line].attachments[index].card
    if card != request.words[3]:
        raise make_stale_error()
    name = request.get_name(card)
    host = request.get_line_name()
    description = _("took {card} from {bearer}", card=name, bearer=host)
    return Remove(("entries", line, "attachments", index), card), description


def make_move(request: EditRequest) -> DescribedEdit:
    """Return the edit that gives a card of a model to another.

    The button sends `move NUMBER MODEL INDEX CARD NUMBER MODEL`.
    """
    removal, _description = make_take(request)
    assert isinstance(removal, Remove)
    target = replace(request, words=request.words[4:])
    name = request.get_name(removal.card)
    description = _("gave {card} to {bearer}", card=name, bearer=target.get_line_name())
    return Move(removal.path, removal.card, target.get_line()), description


def make_remove(request: EditRequest) -> DescribedEdit:
    """Return the edit that removes a model with its attachments: `remove NUMBER MODEL`."""
    line = request.get_line()
    entry = request.roster.entries[line]
    description = _("removed {card}", card=request.get_line_name())
    return Remove(("entries", line), entry.card, entry.count), description


def make_drop(request: EditRequest) -> DescribedEdit:
    """Return the edit that removes one copy of a card of the deck: `drop INDEX CARD`."""
    index = int(request.words[0])
    card = request.words[1]
    if request.roster.deck[index].card != card:
        raise make_stale_error()
    return Remove(("deck", index), card), _(
        "removed {card}", card=request.get_name(card)
    )


def make_less(request: EditRequest) -> DescribedEdit:
    """Return the edit that removes the last copy of a card: `less CARD`."""
    card, roster = request.words[0], request.roster
    paths: list[DataPath] = []
    for line, entry in enumerate(roster.entries):
        if entry.card == card:
            paths.append(("entries", line))
    for index, item in enumerate(roster.deck):
        if item.card == card:
            paths.append(("deck", index))
    return Remove(paths[-1], card), _("removed {card}", card=request.get_name(card))


def make_count(request: EditRequest) -> DescribedEdit:
    """Return the edit that changes the copies of a model to the number in the form.

    The button sends `count NUMBER MODEL`.
    """
    line = request.get_line()
    entry = request.roster.entries[line]
    count = int(request.form.get("count") or request.words[2])
    if not 1 <= count <= MAX_COPIES:
        raise make_stale_error()
    name = request.get_line_name()
    description = _("made it {count} × {card}", count=count, card=name)
    # A page without a network may not know the number of copies that a new line has.
    if count == entry.count:
        return (), description
    if count > entry.count:
        return Add(entry.card, Source.ENTRIES, line, count - entry.count), description
    return Remove(("entries", line), entry.card, entry.count - count), description


def make_choose(request: EditRequest) -> DescribedEdit:
    """Return the edit that sets a choice of a model to the value in the form.

    The button sends `choose NUMBER MODEL NAME`.
    """
    name = request.words[2]
    value = request.get_value()
    names = request.view.names
    title = names.name_field(f"choice.{name}")
    text = names.name_value(f"choice.{name}", value) or "–"
    description = _("chose {choice}: {value}", choice=title, value=text)
    return SetChoice(request.get_line(), name, value), description


def make_tie(request: EditRequest) -> DescribedEdit:
    """Return the edit that links a model to the line in the form, -1 for none.

    The button sends `tie NUMBER MODEL LINK`.
    """
    line = request.get_line()
    link = request.words[2]
    target = int(request.form.get("value", "-1"))
    title = request.view.names.name_link(link)
    if target < 0:
        return SetLink(line, link), _("took “{link}” away", link=title)
    entry = request.roster.entries[target]
    name = entry.name or request.get_name(entry.card)
    return SetLink(line, link, target), _("{link}: {card}", link=title, card=name)


def make_rename(request: EditRequest) -> DescribedEdit:
    """Return the edit that renames a model: `rename NUMBER MODEL`, or the squad: `rename`.

    The form contains the new name.
    """
    name = " ".join(request.form.get("value", "").split())[:MAX_NAME_LENGTH]
    line = request.get_line() if request.words else -1
    return Rename(name, line), _("named {name}", name=name or "–")


def make_note(request: EditRequest) -> DescribedEdit:
    """Return the edit that sets the note of a model to the text in the form.

    The button sends `note NUMBER MODEL`.
    """
    require_own(request.view)
    note = request.form.get("value", "").replace("\r\n", "\n").strip()[:MAX_NOTE_LENGTH]
    description = _("noted on {card}", card=request.get_line_name())
    return Annotate(note, request.get_line()), description


def make_duplicate(request: EditRequest) -> DescribedEdit:
    """Return the edit that duplicates a model with its attachments: `duplicate NUMBER MODEL`."""
    line = request.get_line()
    description = _("duplicated {card}", card=request.get_line_name())
    return (lambda roster: duplicate_entry(roster, line)), description


def make_split(request: EditRequest) -> DescribedEdit:
    """Return the edit that puts one copy of a stack on a line of its own: `split NUMBER MODEL`."""
    line = request.get_line()
    if request.roster.entries[line].count < 2:
        raise make_stale_error()
    description = _("split one {card} off", card=request.get_line_name())
    return (lambda roster: split_entry(roster, line)), description


def make_copy(request: EditRequest) -> DescribedEdit:
    """Return the edit that copies a model to the squad in the form: `copy NUMBER MODEL`."""
    entry = request.roster.entries[request.get_line()]
    # Links name models of this squad, and the file of an import belongs to it.
    update: dict[str, object] = {"links": {}, "origin": None}
    if not request.view.is_own:
        update["note"] = ""
    copied_entry = entry.model_copy(update=update)
    description = _("added {card}", card=request.get_line_name())
    return (lambda roster: add_entry(roster, copied_entry)), description


def _find_target_squad(request: EditRequest, storage: SquadStorage) -> UUID:
    """Return the squad of the same game to which the form wants to copy a model."""
    row = storage.load_row(request.get_value())
    if row.pack != request.view.row.pack:
        raise make_stale_error()
    return row.id


def make_bench(request: EditRequest) -> DescribedEdit:
    """Return the edit that moves a model to the bench: `bench NUMBER MODEL`."""
    line = request.get_line()
    entry = request.roster.entries[line]
    bench = request.view.row.bench
    refuse_full_bench(bench)
    description = _("benched {card}", card=request.get_line_name())
    removal = Remove(("entries", line), entry.card, entry.count)
    return BenchChange(removal, [*bench, dump_entry(entry)]), description


def make_unbench(request: EditRequest) -> DescribedEdit:
    """Return the edit that moves a model from the bench into the squad: `unbench INDEX CARD`."""
    entry, bench = _take_from_bench(request)
    current_entry = migrate_entry(get_library(), entry, request.view.row)
    description = _(
        "added {card}", card=entry.name or request.get_name(current_entry.card)
    )
    return BenchChange(
        lambda roster: add_entry(roster, current_entry), bench
    ), description


def make_forget(request: EditRequest) -> DescribedEdit:
    """Return the edit that deletes a model of the bench: `forget INDEX CARD`."""
    entry, bench = _take_from_bench(request)
    description = _("removed {card}", card=entry.name or request.get_name(entry.card))
    return BenchChange((), bench), description


def _take_from_bench(request: EditRequest) -> tuple[Entry, list[object]]:
    """Return the model that a button names on the bench, and the bench without it."""
    bench = list(request.view.row.bench)
    entry = load_bench([bench.pop(int(request.words[0]))])[0]
    if entry.card != request.words[1]:
        raise make_stale_error()
    return entry, bench


def make_reorder(request: EditRequest) -> DescribedEdit:
    """Return the edit that moves a model up or down the list: `reorder NUMBER MODEL PLACE`."""
    last_line = len(request.roster.entries) - 1
    new_line = max(0, min(int(request.words[2]) - 1, last_line))
    description = _("moved {card}", card=request.get_line_name())
    return Reorder(request.get_line(), new_line), description


def make_param(request: EditRequest) -> DescribedEdit:
    """Return the edit that sets a parameter to the value in the form: `param NAME`."""
    name = request.words[0]
    value = request.form.get("value", "").strip()
    names = request.view.names
    param = request.view.pack.manifest.roster.params[name]
    title = names.name_param(name)
    if not param.accepts_value(value):
        shown_value = value[:MAX_NAME_LENGTH]
        message = _("{name} cannot be {value}", name=title, value=shown_value)
        raise UsageError(
            message, _("Allowed values: {listed}.", listed=", ".join(param.allowed))
        )
    description = _(
        "{name}: {value}", name=title, value=names.name_param_value(name, value)
    )
    return SetParam(name, value if param.type == "choice" else int(value)), description


def make_swap(request: EditRequest) -> DescribedEdit:
    """Return the edit that adds a refused card and removes another for it.

    The button sends `swap CARD NUMBER EDITION`.
    """
    card = request.get_card()
    number = int(request.words[1])
    _require_edition(request, request.words[2])
    description, edit = request.view.offers[card].swaps[number]
    return edit, description


def make_repair(request: EditRequest) -> DescribedEdit:
    """Return the edit that applies a repair that the verdict names.

    The button sends `repair VIOLATION REPAIR EDITION`.
    """
    violation, number, edition = request.words
    _require_edition(request, edition)
    verdict = request.view.result.verdict
    if verdict is None:
        raise make_stale_error()
    repair = verdict.violations[int(violation)].repairs[int(number)]
    descriptions = dict(request.view.problems[int(violation)].repairs)
    return repair.operations, descriptions[int(number)]


def _require_edition(request: EditRequest, edition: str) -> None:
    """Raise UsageError if the squad has changed since its page was rendered."""
    if int(edition) != request.view.row.edition:
        raise make_stale_error()


EDITS: Mapping[str, Callable[[EditRequest], DescribedEdit]] = {
    "add": make_add,
    "give": make_give,
    "take": make_take,
    "remove": make_remove,
    "drop": make_drop,
    "less": make_less,
    "count": make_count,
    "choose": make_choose,
    "tie": make_tie,
    "rename": make_rename,
    "note": make_note,
    "duplicate": make_duplicate,
    "split": make_split,
    "copy": make_copy,
    "move": make_move,
    "bench": make_bench,
    "unbench": make_unbench,
    "forget": make_forget,
    "reorder": make_reorder,
    "param": make_param,
    "repair": make_repair,
    "swap": make_swap,
}
"""The actions of buttons, by the first word of their value."""
