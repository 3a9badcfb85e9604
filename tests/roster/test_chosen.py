"""A selected keyword is on the entry's card in every language, and on no other card."""

from __future__ import annotations

from dataclasses import replace

import pytest

from builder.model.pack import Choice, Pack, RosterForm, Term, TranslatedString
from builder.model.roster import Entry
from builder.roster.choice_keywords import (
    add_choice_keywords,
    apply_choices,
    get_original_id,
)
from tests.rules.orchard import card, pack

CHOICES = {
    "house": Choice(
        name={"en": "House"},
        values={"oak": {"en": "Oak"}, "elm": {"en": "Elm"}},
        keyword="any-house",
    ),
    "motto": Choice(name={"en": "Motto"}, free=True, keyword="any-motto"),
}
SWORN = card(
    {
        "id": "sworn",
        "kind": "person",
        "name": "Sworn",
        "keywords": ["any-house", "tall"],
        "text": (
            "One {key:any-house|Houseman} and {key: any-house }; {key:tall|Tall}. {key:any-motto}"
        ),
        "ally": "any-house",
        "deep": [{"text": "{key:any-house}"}],
    }
)


@pytest.fixture
def court() -> Pack:
    plain = pack(rules=[], cards=[])
    form = RosterForm(choices=CHOICES)
    words = {
        "any-house": Term(name={"en": "<House>"}),
        "any-motto": Term(name={"en": "<Motto>"}),
    }
    return add_choice_keywords(
        replace(
            plain,
            manifest=plain.manifest.model_copy(update={"roster": form}),
            vocabulary=plain.vocabulary.model_copy(
                update={"keywords": {**plain.vocabulary.keywords, **words}}
            ),
            cards={"sworn": SWORN},
            translations={
                "fr": {
                    "sworn": {"text": TranslatedString("Un {key:any-house|homme}", "0")}
                }
            },
        )
    )


def test_the_chosen_word_replaces_the_keyword_everywhere(court: Pack) -> None:
    known, found = apply_choices(court, Entry(card="sworn", choices={"house": "elm"}))
    assert found.keywords == ("elm", "tall")
    assert (
        found.data["text"]
        == "One {key:elm} and {key:elm}; {key:tall|Tall}. {key:any-motto}"
    )
    assert (found.data["ally"], found.data["deep"]) == ("elm", [{"text": "{key:elm}"}])
    assert known.translations["fr"][found.id]["text"].text == "Un {key:elm}"
    assert known.vocabulary.keywords["elm"].name == {"en": "Elm"}


def test_the_original_stays_and_two_choices_are_two_cards(court: Pack) -> None:
    known, oak = apply_choices(court, Entry(card="sworn", choices={"house": "oak"}))
    known, elm = apply_choices(known, Entry(card="sworn", choices={"house": "elm"}))
    assert known.cards["sworn"] is SWORN
    assert {oak.id, elm.id} < set(known.cards)
    assert oak.id != elm.id
    assert {
        get_original_id(oak.id),
        get_original_id(elm.id),
        get_original_id("sworn"),
    } == {"sworn"}


def test_the_same_choice_is_the_same_card(court: Pack) -> None:
    known, first = apply_choices(court, Entry(card="sworn", choices={"house": "oak"}))
    again, second = apply_choices(known, Entry(card="sworn", choices={"house": "oak"}))
    assert again is known
    assert first == second


def test_a_free_text_becomes_a_word_of_its_own(court: Pack) -> None:
    known, found = apply_choices(
        court, Entry(card="sworn", choices={"motto": "We {rest} | we rust"})
    )
    word = str(found.data["text"]).rpartition("{key:")[2].rstrip("}")
    assert list(known.vocabulary.keywords[word].name.values()) == [
        "We {rest} | we rust"
    ]


def test_without_such_a_choice_nothing_changes(court: Pack) -> None:
    known, found = apply_choices(court, Entry(card="sworn"))
    assert known is court
    assert found is SWORN
