"""The play page of an imported list, made of the facts that its worker stored."""

from markupsafe import Markup

from builder.messages import gettext as _
from builder.model.sheets import SheetModel
from builder.web.cards.cardtext import CardText, Passage
from builder.web.squads.imported_lists import get_faces_folder
from builder.web.squads.list_facts import ListCardFacts, ListFacts
from builder.web.squads.models import ImportedFile
from builder.web.squads.phases import group_by_phase
from builder.web.squads.play_page import PlayCard, PlayModel, PlayPage, list_reminders
from builder.web.squads.sizes import MAX_CARDS
from builder.web.templating import get_address, translate_text

MAX_STATS = 10
"""Values beside a unit's name. The others are in its table."""


def make_list_page(row: ImportedFile, facts: ListFacts) -> PlayPage:
    """Return the play page of an imported list."""
    models: list[PlayModel] = []
    deck: list[PlayCard] = []
    remaining = MAX_CARDS
    for card in facts.cards:
        if card.is_unit:
            shown_copies = min(card.copies, remaining)
            remaining -= shown_copies
            models.append(_make_model(len(models) + 1, card, shown_copies))
        elif not card.is_title:
            deck.append(_make_card(f"deck.{len(deck)}.{card.id}", card))
    key = row.id
    return PlayPage(
        key=str(key),
        title=row.name,
        game=row.system,
        css_class="imported",
        back_address=get_address("list", [key]),
        file=get_address("list-play-file", [key]),
        models=tuple(models),
        deck=tuple(deck),
        get_face_address=lambda face, width: get_address(
            "list-face", [key, face.address, width]
        ),
        faces_folder=get_faces_folder(key),
        phases=group_by_phase(
            [(phase,) for phase in facts.phases], list_reminders(models, deck)
        ),
    )


def _make_model(number: int, card: ListCardFacts, shown_copies: int) -> PlayModel:
    mark = f"{number}.{card.id}"
    sheet = SheetModel(
        number=number,
        card=card.id,
        name=card.name,
        count=card.copies,
        cost=card.cost,
        total=card.cost * card.copies,
        boxes=sum(count for _title, count in card.boxes),
        stats=_list_stats(card),
        remarks=card.equipment,
        reminders=(),
        carried=(),
        place="",
        choices={},
    )
    return PlayModel(
        sheet,
        "",
        _make_card(mark, card),
        (),
        card.notes,
        shown_copies,
        card.boxes,
        tuple(table.render_html() for table in card.tables),
        tuple((title, Markup(text)) for title, text in card.passages),
    )


def _list_stats(card: ListCardFacts) -> tuple[tuple[str, str], ...]:
    """Return the values of a card's stat line if there is only one."""
    tables = card.stats
    if len(tables) != 1 or len(tables[0].rows) != 1:
        return ()
    _name, values = tables[0].rows[0]
    return tuple(zip(tables[0].columns, values, strict=True))[:MAX_STATS]


def _make_card(mark: str, card: ListCardFacts) -> PlayCard:
    name = card.name or translate_text(_("Reference"))
    return PlayCard(mark, name, 1, (), card.faces, make_list_text(card))


def make_list_text(card: ListCardFacts) -> CardText:
    """Return the text of an imported card, for readers who cannot see its picture."""
    passages = [Passage("", (), (table.render_html(),)) for table in card.stats]
    if card.equipment:
        equipment = Markup("<p>{}</p>").format(", ".join(card.equipment))
        passages.append(Passage("", (), (equipment,)))
    if not card.is_unit:
        passages += [
            Passage(title, (), (Markup(text),)) for title, text in card.passages
        ]
    keywords = tuple((word, "") for word in card.keywords)
    return CardText(card.name, "", card.side, "", keywords, tuple(passages))
