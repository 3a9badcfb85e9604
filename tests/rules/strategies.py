"""Random rosters of a pack: mostly sensible, sometimes not."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from builder.model.pack import Pack, Role
from builder.model.roster import Attachment, DeckCard, Entry, Roster


def rosters(pack: Pack, most: int = 6) -> st.SearchStrategy[Roster]:
    """Rosters of up to `most` lines with attachments, ties, choices, deck and parameters."""
    by_role = {
        role: sorted(
            card.id for card in pack.cards.values() if pack.find_role(card) is role
        )
        for role in Role
    }
    form = pack.manifest.roster
    slots = st.sampled_from([None, None, None, "left", "back"])
    attachments = st.lists(
        st.builds(Attachment, card=_one(by_role[Role.ATTACHMENT]), slot=slots),
        max_size=3,
    )
    choices: dict[str, Any] = {
        name: st.sampled_from(sorted(choice.values))
        if choice.values
        else st.sampled_from(["a", "b"])
        for name, choice in form.choices.items()
    }
    links = {name: _one(by_role[Role.ENTRY]) for name in form.links}
    entry = st.builds(
        Entry,
        card=_one(by_role[Role.ENTRY]),
        count=st.integers(1, 3),
        attachments=attachments.map(tuple) if by_role[Role.ATTACHMENT] else st.just(()),
        choices=st.just({}) | st.fixed_dictionaries({}, optional=choices),
        links=st.just({}) | st.fixed_dictionaries({}, optional=links),
    )
    deck = st.lists(
        st.builds(DeckCard, card=_one(by_role[Role.DECK]), count=st.integers(1, 2)),
        max_size=3,
    )
    params: dict[str, Any] = {
        name: st.sampled_from(param.choices)
        if param.type == "choice"
        else st.integers(param.min or 1, 60)
        for name, param in form.params.items()
    }
    return st.builds(
        Roster,
        pack=st.just(pack.id),
        entries=st.lists(entry, max_size=most).map(tuple),
        deck=deck.map(tuple) if by_role[Role.DECK] else st.just(()),
        params=st.fixed_dictionaries({}, optional=params),
    )


def _one(names: list[str]) -> st.SearchStrategy[str]:
    return st.sampled_from(names) if names else st.nothing()
