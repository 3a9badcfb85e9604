"""Compare the title card of an imported squad with the cards of the squad."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from builder.errors import InputUnreadable
from builder.findings import Finding, Location
from builder.messages import Message, gettext as _
from builder.model.base import Json, list_items, walk_values
from builder.model.import_record import ListRecord
from builder.model.roster import Roster
from builder.packs.project import Project
from builder.render.html.view import pick_text
from builder.roster.costs import calculate_costs
from builder.roster.resolve import Squad
from builder.rules.names import Names
from builder.usecases.imports import import_codes
from builder.usecases.imports.import_files import ImportFiles, find_stored_list
from builder.usecases.imports.pack_files import NAME_SEPARATOR
from builder.usecases.roster.check_roster import CheckedRoster


@dataclass(frozen=True, slots=True)
class UnitRow:
    """A unit in the table of a title card. The cost is that of all copies."""

    name: str
    cost: str


def check_title_card(project: Project, checked: CheckedRoster) -> Iterator[Finding]:
    """Yield warnings if a title card shows names or costs from before the author's edits."""
    roster, squad, checker = checked.roster, checked.squad, checked.checker
    if roster is None or squad is None or checker is None or roster.origin is None:
        return
    stored_list = _read_stored_list(project, roster)
    title_id = _find_title_card(stored_list) if stored_list is not None else ""
    title = checker.pack.cards.get(title_id)
    if stored_list is None or title is None:
        return
    folder = project.shorten_path(project.get_cards_dir(roster.pack))
    location = Location(file=f"{folder}/{title.kind}/{title_id}.yaml")
    names = Names(checker.pack, checked.lang)
    manifest = checker.pack.manifest
    unit = pick_text(manifest.roster.currency, checked.lang, manifest.languages.source)
    stored_title = stored_list.cards[title_id]
    differences = [
        *_compare_totals(title.data, stored_list, stored_title, squad, unit),
        *_compare_rows(title.data, stored_list, stored_title, squad, names),
    ]
    for message, hint in differences:
        yield import_codes.TITLE_CARD.finding(message, location, hint)


def _compare_totals(
    title: Mapping[str, Json],
    stored_list: ListRecord,
    stored_title: Mapping[str, Json],
    squad: Squad,
    unit: str,
) -> Iterator[tuple[Message, Message]]:
    """Yield a message and a hint if the total on a title card is wrong."""
    added_cost = calculate_costs(squad).total - _list_stored_rows(stored_list)[1]
    # The total of the file may contain costs without a card. They stay.
    total = f"{float(str(stored_title['total'])) + added_cost:.12g}"
    if str(title.get("total")) != total:
        message = _(
            "the title card shows {title} {unit}, the cards cost {total} {unit}",
            unit=unit,
            title=title.get("total", 0),
            total=total,
        )
        yield message, _('Write `total: "{total}"` in this card.', total=total)


def _compare_rows(
    title: Mapping[str, Json],
    stored_list: ListRecord,
    stored_title: Mapping[str, Json],
    squad: Squad,
    names: Names,
) -> Iterator[tuple[Message, Message]]:
    """Yield messages and hints about outdated names and costs on a title card."""
    old_rows = _list_stored_rows(stored_list)[0]
    facts_by_card: dict[str, tuple[str, float]] = {}
    counts: Counter[str] = Counter()
    for entry in squad.entries:
        card = entry.card
        facts_by_card[card.id] = (names.name_card(card.id), card.cost or 0)
        counts[card.id] += entry.count
    new_rows = _make_rows(counts, facts_by_card)
    new_units = [
        row for card_id, row in new_rows.items() if row != old_rows.get(card_id)
    ]
    # A long list continues on further cards of the deck.
    printed_rows: set[UnitRow] = set()
    for selected in squad.deck:
        printed_rows.update(_list_printed_rows(selected.card.data))
    missing_units = [
        f"{row.name} {row.cost}" for row in new_units if row not in printed_rows
    ]
    if missing_units:
        message = _(
            "the title card does not list {units}", units=", ".join(missing_units)
        )
        yield message, _("Write these names and costs in `rows` of its table `tables`.")
    code = _find_code(title)
    is_list_edited = bool(new_units or old_rows.keys() - new_rows)
    # A code that differs from the import was corrected, or at least seen.
    if code and code == _find_code(stored_title) and is_list_edited:
        message = _(
            "the QR code of the title card has the names and costs before your edits"
        )
        yield message, _("Correct its text: `code` in this card.")


def _read_stored_list(project: Project, roster: Roster) -> ListRecord | None:
    try:
        return find_stored_list(ImportFiles(project), roster)
    except InputUnreadable:
        # The next import reports a damaged record.
        return None


def _find_title_card(stored_list: ListRecord) -> str:
    """Return the id of the title card, which has the total. Empty if there is none."""
    for card_id, card in stored_list.cards.items():
        if "total" in card:
            return card_id
    return ""


def _list_stored_rows(stored_list: ListRecord) -> tuple[dict[str, UnitRow], float]:
    """Return the title card's rows and the total cost as of the last import."""
    counts: Counter[str] = Counter()
    for _index, entry in list_items(stored_list.squad.get("entries", [])):
        if isinstance(entry, dict):
            counts[str(entry["card"])] += int(str(entry["count"]))
    facts_by_card: dict[str, tuple[str, float]] = {}
    total = 0.0
    for card_id, card in stored_list.cards.items():
        cost = float(str(card.get("cost", 0)))
        facts_by_card[card_id] = (str(card.get("name")), cost)
        total += cost * counts[card_id]
    return _make_rows(counts, facts_by_card), total


def _make_rows(
    counts: Mapping[str, int], facts_by_card: Mapping[str, tuple[str, float]]
) -> dict[str, UnitRow]:
    """Return rows of a title card by card id. `facts_by_card` are (name, cost)."""
    rows = {}
    for card_id, count in counts.items():
        name, cost = facts_by_card[card_id]
        rows[card_id] = UnitRow(_cut_custom_name(name), f"{cost * count:.12g}")
    return rows


def _list_printed_rows(card: Mapping[str, Json]) -> Iterator[UnitRow]:
    """Yield the rows of all tables on a card."""
    faces = {face: card.get(face) for face in ("front", "back")}
    for path, value in walk_values(faces):
        if path[1:2] == ("tables",) and isinstance(value, dict) and "values" in value:
            # The table of a title card has one column: the cost.
            values = [str(cell) for _index, cell in list_items(value["values"])]
            yield UnitRow(_cut_custom_name(str(value.get("name"))), "".join(values))


def _cut_custom_name(name: str) -> str:
    """Remove the player's name from the name of a unit."""
    return name.partition(NAME_SEPARATOR)[0]


def _find_code(card: Mapping[str, Json]) -> Json:
    """Return the text of a card's QR code. None without one."""
    for face in ("front", "back"):
        content = card.get(face)
        if isinstance(content, Mapping) and content.get("code"):
            return content["code"]
    return None
