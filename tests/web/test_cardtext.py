"""A card's text says all that its faces say, to whoever cannot read the picture."""

from __future__ import annotations

import re

import pytest

from builder.model.roster import Entry
from builder.roster.choice_keywords import apply_choices
from builder.web.cards.cardtext import CardText, make_card_text
from builder.web.cards.library import get_library


def text_of(pack: str, card: str, lang: str = "en") -> CardText:
    found = get_library().get_pack(pack)
    return make_card_text(found, found.cards[card], lang)


def test_numbers_of_attacks_lists_and_words_are_reported_with_their_names() -> None:
    own, press, bottle, throw, _assault = text_of("hydrophilia", "bouncer").passages
    assert ("Rarity", "1/12") in own.facts
    assert ("Slots", "armour, implant") in own.facts
    assert ("Damage", "physical damage 4") in press.facts
    assert [text.striptags() for text in bottle.texts] == ["Shooting"]
    assert ("properties", "Displacement") in throw.facts


def test_a_language_shows_no_words_of_another() -> None:
    told = "".join(
        f"{label} {value} "
        for passage in text_of("hydrophilia", "bouncer", "ru").passages
        for label, value in passage.facts
    )
    assert "Слоты броня, имплантат" in told
    assert "repeatable" not in told
    assert "properties" not in told


def test_parts_within_parts_are_reported_and_icons_are_words() -> None:
    titles = [passage.title for passage in text_of("hydrophilia", "actions").passages]
    assert titles[:3] == ["What a Model Can Do", "Movement — 1 AP", "Attack"]
    mission = text_of("killteam", "cold-store")
    assert "3 g square apart" in " ".join(
        text.striptags() for text in mission.passages[0].texts
    )


@pytest.mark.parametrize(
    ("pack", "card"), [("hydrophilia", "classic"), ("hydrophilia", "adrenal-pump")]
)
def test_what_is_drawn_and_what_rules_ask_is_no_text(pack: str, card: str) -> None:
    told = {
        label
        for passage in text_of(pack, card).passages
        for label, _value in passage.facts
    }
    assert told.isdisjoint({"x", "y", "polygon", "ge", "lacks", "Restrictions"})


def test_search_finds_a_word_that_only_a_fact_says() -> None:
    assert "displacement" in text_of("hydrophilia", "bouncer").words


def test_a_card_as_it_was_chosen_says_as_much() -> None:
    pack = get_library().get_pack("killteam")
    entry = Entry(card="oath-seneschal", choices={"order": "quenched-forge"})
    found, card = apply_choices(pack, entry)
    assert card.id != entry.card
    titles = [
        passage.title
        for passage in make_card_text(
            found, card, "en", original_id=entry.card
        ).passages
    ]
    assert titles[1:3] == ["Seal pistol", "Two-handed Verdict"]


@pytest.mark.parametrize("game", ["blades", "killteam", "worldofwar", "zod"])
def test_a_russian_page_names_every_number_in_russian(game: str) -> None:
    parts = [
        part
        for card in get_library().get_pack(game).cards
        for part in text_of(game, card, "ru").passages
    ]
    labels = {label for part in parts for label, _value in part.facts}
    assert [label for label in sorted(labels) if re.search("[a-z]{2}", label)] == []


def test_numbers_below_zero_and_what_is_merely_so_are_reported_as_on_the_card() -> None:
    facts = [fact for part in text_of("zod", "borzoi").passages for fact in part.facts]
    assert ("Full speed", "distance 10, heat 3, Accuracy \N{MINUS SIGN}1") in facts
    assert ("traits", "Close combat") in facts
