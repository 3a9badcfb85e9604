"""Ways to cheat with a seal, each through the whole use case, with a squad of the toy pack.

The published vectors.
"""

from __future__ import annotations

import copy as copies
import json
import re
import unicodedata
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from hypothesis import given, strategies as st

from builder.errors import SquadpressError
from builder.model.base import Json
from builder.model.roster import Roster
from builder.packs.exchange import parse_json
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.usecases.roster.roster_files import check_roster_files
from builder.usecases.roster.seal import check_disclosure, make_disclosure, seal_roster
from builder.usecases.roster.sealing import (
    SCHEME,
    compute_commitment,
    format_fingerprint,
    hash_public_part,
    list_secrets,
    make_public_part,
    verify_disclosure,
)
from tests.cli.lanterns import LANTERNS, ROSTERS

Value: TypeAlias = dict[str, Any]
SEAL_MD = Path(__file__).resolve().parents[2] / "docs" / "seal.md"


@cache
def _sealed() -> tuple[Value, Value]:
    (checked_squad,) = check_roster_files(
        Project(LANTERNS), (ROSTERS / "marsh-walk.yaml",)
    )
    sealed_squad = seal_roster(checked_squad)
    return dict(sealed_squad.copy), dict(sealed_squad.key)


class Cheater:
    """One who seals, hands over the copy, and later a disclosure."""

    def __init__(self) -> None:
        self.copy, self.key = copies.deepcopy(_sealed())

    def proof(self, *names: str) -> Value:
        return copies.deepcopy(make_disclosure(self.key, names, "key"))

    def commit(self, name: str, value: Json, place: str | None = None) -> None:
        """Seal this in the copy under a name, perhaps in the place of another."""
        salt = self.key["salts"].setdefault(name, "5" * 64)
        self.copy["seals"][place or name] = compute_commitment(
            hash_public_part(self.copy), name, salt, value
        )

    def again(self) -> None:
        """Seal all once more, for what the copy shows now."""
        self.key["public"] = hash_public_part(self.copy)
        for name, value in list_secrets(
            Roster.model_validate(self.key["roster"])
        ).items():
            if name in self.copy["seals"]:
                self.commit(name, value)

    def wins(self, proof: Value) -> bool:
        """Return True if anything at all is called as sealed."""
        try:
            disclosure = check_disclosure(
                PackFiles(Project(LANTERNS)), self.copy, proof, ("copy", "proof")
            )
        except SquadpressError:
            return False
        return any(not item.flaw for item in disclosure.secrets)


def _aliased(alias: str) -> Callable[[Cheater], Value]:
    """Return a second name for a place, sealed with another card and disclosed."""

    def cheat(who: Cheater) -> Value:
        who.commit(alias, {"card": "heron-quill"})
        return {
            "format": 2,
            "public": hash_public_part(who.copy),
            "opened": {
                alias: {
                    "salt": who.key["salts"][alias],
                    "value": {"card": "heron-quill"},
                }
            },
        }

    return cheat


def _shown(change: Callable[[Value], object]) -> Callable[[Cheater], Value]:
    """Something that a copy does not show, sealed with all the rest."""

    def cheat(who: Cheater) -> Value:
        change(who.copy)
        who.again()
        return who.proof("#1.1")

    return cheat


def _late(change: Callable[[Value], object]) -> Callable[[Cheater], Value]:
    """Return a copy that was changed after all was sealed."""

    def cheat(who: Cheater) -> Value:
        change(who.copy)
        return who.proof("#1.1")

    return cheat


def _value(name: str, value: Json) -> Callable[[Cheater], Value]:
    """Something that cannot stand there, sealed and disclosed."""

    def cheat(who: Cheater) -> Value:
        who.commit(name, value)
        proof = who.proof(name)
        proof["opened"][name]["value"] = value
        return proof

    return cheat


def _proof(
    change: Callable[[Value], object], *names: str
) -> Callable[[Cheater], Value]:
    """Return an honest seal, and a disclosure that was tampered with."""

    def cheat(who: Cheater) -> Value:
        proof = who.proof(*(names or ("#1.1",)))
        change(proof)
        return proof

    return cheat


def _entries(copy: Value) -> list[Value]:
    entries: list[Value] = copy["roster"]["entries"]
    return entries


CHEATS: dict[str, Callable[[Cheater], Value]] = {
    "a blank at the end of a name": _aliased("#1.1 "),
    "a blank of no width": _aliased("#1.1\u200b"),
    "a leading zero": _aliased("#01.1"),
    "a full-width number sign": _aliased("\uff031.1"),
    "a digit of another alphabet": _aliased("#\u0661.1"),
    "a full-width digit": _aliased("#\uff11.1"),
    "a mark of direction": _aliased("\u200e#1.1"),
    "another dot": _aliased("#1\u2024.1"),
    "another case": _aliased("DECK.1"),
    "a soft hyphen": _aliased("de\u00adck.1"),
    "a Cyrillic letter": _aliased("d\u0435ck.1"),
    "a line break": _aliased("whole\n"),
    "place zero": _aliased("#1.0"),
    "a negative place": _aliased("#1.-1"),
    "one place more": _aliased("#1.5"),
    "one line more": _aliased("#99.1"),
    "one place more of the deck": _aliased("deck.9"),
    "a name of its own": _aliased("promise"),
    "another scheme": _shown(lambda copy: copy.update(scheme="squadpress-seal-1")),
    "another format": _shown(lambda copy: copy.update(format=3)),
    "a format that only equals": _shown(lambda copy: copy.update(format=2.0)),
    "legal, but not true": _shown(lambda copy: copy.update(legal=1)),
    "an illegal squad": _shown(lambda copy: copy.update(legal=False)),
    "other data": _shown(lambda copy: copy.update(data="e" * 64)),
    "data in capitals": _shown(lambda copy: copy.update(data=copy["data"].upper())),
    "a remark in the copy": _shown(lambda copy: copy.update(note="trust me")),
    "no data": _shown(lambda copy: copy.pop("data")),
    "a default spelled out": _shown(lambda copy: _entries(copy)[0].update(count=1)),
    "a number as text": _shown(lambda copy: _entries(copy)[0].update(count="2")),
    "what is carried shown too": _shown(
        lambda copy: _entries(copy)[0].update(attachments=[{"card": "heron-quill"}])
    ),
    "an unknown key of a line": _shown(
        lambda copy: _entries(copy)[0].update(remark="x")
    ),
    "an expectation": _shown(
        lambda copy: copy["roster"].update(expect={"legal": True})
    ),
    "another pack": _shown(lambda copy: copy["roster"].update(pack="brigade")),
    "a release that does not exist": _shown(
        lambda copy: copy["roster"].update(version="9.9.9")
    ),
    "a place left out": _shown(lambda copy: copy["seals"].pop("#1.4")),
    "a seal in capitals": _late(lambda copy: copy["seals"].update({"#1.4": "A" * 64})),
    "a seal that is none": _late(lambda copy: copy["seals"].update({"deck.2": None})),
    "a seal with a line break": _late(
        lambda copy: copy["seals"].update({"#1.4": copy["seals"]["#1.4"] + "\n"})
    ),
    "a card that is none": _value("#1.1", {"card": "no-such-card"}),
    "a model that is carried": _value("#1.1", {"card": "old-wick"}),
    "a card of the deck that is carried": _value("deck.1", {"card": "amber-brooch"}),
    "two cards at one place": _value(
        "#1.1", [{"card": "amber-brooch"}, {"card": "heron-quill"}]
    ),
    "a card and a promise": _value(
        "#1.1", {"card": "amber-brooch", "or": "heron-quill"}
    ),
    "a default of a card": _value("#1.1", {"card": "amber-brooch", "slot": None}),
    "a text": _value("#1.1", "amber-brooch"),
    "a number without end": _value("#1.1", 1e308),
    "a squad with another card": _value(
        "whole", {"pack": "lanterns", "entries": [{"card": "old-wick"}]}
    ),
    "no squad at all": _value("whole", None),
    "another value": _proof(
        lambda proof: proof["opened"]["#1.1"].update(value={"card": "heron-quill"})
    ),
    "nothing instead": _proof(lambda proof: proof["opened"]["#1.1"].update(value=None)),
    "another salt": _proof(lambda proof: proof["opened"]["#1.1"].update(salt="0" * 64)),
    "a salt in capitals": _proof(
        lambda proof: proof["opened"]["#1.1"].update(salt="F" * 64)
    ),
    "something besides": _proof(lambda proof: proof["opened"]["#1.1"].update(note="x")),
    "no public part": _proof(lambda proof: proof.pop("public")),
    "the public part of another copy": _proof(
        lambda proof: proof.update(public="0" * 64)
    ),
    "a remark in the disclosure": _proof(lambda proof: proof.update(legal=True)),
    "nothing disclosed": _proof(lambda proof: proof.update(opened={})),
    "an unknown secret beside an honest one": _proof(
        lambda proof: proof["opened"].update({"#1.1 ": proof["opened"]["#1.1"]})
    ),
    "the whole without a salt": _proof(
        lambda proof: proof["opened"]["whole"]["salts"].pop("#1.1"), "whole"
    ),
    "the whole with a salt too many": _proof(
        lambda proof: proof["opened"]["whole"]["salts"].update({"#9.9": "0" * 64}),
        "whole",
    ),
}


def test_an_honest_player_is_believed() -> None:
    for names in (
        ("#1.1",),
        ("#1.4",),
        ("deck.1",),
        ("whole",),
        ("#1.1", "deck.2", "whole"),
    ):
        who = Cheater()
        assert who.wins(who.proof(*names))


@pytest.mark.parametrize("cheat", CHEATS.values(), ids=CHEATS)
def test_who_cheats_proves_nothing(cheat: Callable[[Cheater], Value]) -> None:
    honest = Cheater()
    assert honest.wins(honest.proof("#1.1"))
    cheater = Cheater()
    assert not cheater.wins(cheat(cheater))


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1, "a": 2}',
        '{"a": {"b": 1, "b": 1}}',
        '{"a": NaN}',
        '{"a": 1e999}',
        '{"a": "\\ud800"}',
        "[" * 9999,
        '{"a": -Infinity}',
        '{"a": 1} x',
        "{}".encode("utf-16").decode("latin-1"),
    ],
)
def test_a_file_that_two_programs_may_read_differently_is_refused(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - whatever its words are
        parse_json(text.encode("latin-1"))


SPELLINGS = ("{}", "{} ", " {}", "{}\u200b", "{}\n", "\u2060{}", "{}\u00ad", "{}\0")


@given(st.data())
def test_one_fingerprint_proves_at_most_one_content(data: st.DataObject) -> None:
    """Whatever names and contents a sealer invents, no two contents of a place are proved."""
    who = Cheater()
    cards: list[Json] = [
        None,
        *({"card": card} for card in ("amber-brooch", "heron-quill")),
    ]
    place = data.draw(st.sampled_from(["#1.1", "#1.4", "deck.1"]))
    names = data.draw(
        st.lists(
            st.sampled_from(SPELLINGS).map(lambda form: form.format(place))
            | st.text(max_size=6),
            max_size=4,
        )
    )
    claims = [(name, data.draw(st.sampled_from(cards))) for name in (place, *names)]
    for name, value in claims:
        who.commit(name, value, data.draw(st.sampled_from([name, place])))
    mark, contents = format_fingerprint(who.copy), set()
    for name, value in claims:
        opened = {name: {"salt": who.key["salts"].get(name, "5" * 64), "value": value}}
        for item in verify_disclosure(
            who.copy,
            {"format": 2, "public": hash_public_part(who.copy), "opened": opened},
        ):
            if not item.flaw:
                assert (
                    unicodedata.normalize("NFKC", item.name).strip()
                    == item.name
                    == place
                )
                contents.add(json.dumps(item.value))
    assert format_fingerprint(who.copy) == mark
    assert len(contents) <= 1


def test_the_published_vectors_are_what_the_program_makes() -> None:
    squad = Roster.model_validate(
        {
            "pack": "orchard",
            "name": "Füchse",
            "params": {"size": 30},
            "entries": [
                {
                    "card": "fox",
                    "count": 2,
                    "attachments": [
                        {"card": "knife"},
                        {"card": "cloak", "slot": "back"},
                    ],
                }
            ],
            "deck": [{"card": "ambush", "count": 2}],
        }
    )
    public: Value = {
        "format": 2,
        "scheme": SCHEME,
        "data": sha256(b"orchard").hexdigest(),
        "legal": True,
        "roster": make_public_part(squad),
    }
    text = SEAL_MD.read_text(encoding="utf-8")
    rows = dict(
        re.findall(
            r"^\| `?([#\w.]+)`?(?: \(empty\))? \| `([^`]+)` \|$",
            text.replace("*public*", "public"),
            re.M,
        )
    )
    values = list_secrets(squad)
    salts = {name: sha256(f"salt {name}".encode()).hexdigest() for name in values}
    seals = {
        name: compute_commitment(hash_public_part(public), name, salts[name], value)
        for name, value in values.items()
    }
    assert rows["public"] == hash_public_part(public)
    assert rows["fingerprint"] == format_fingerprint({**public, "seals": seals})
    vectors = {name: seal for name, seal in rows.items() if name in seals}
    assert len(vectors) == 7
    assert vectors == {name: seals[name] for name in vectors}
    assert len(seals) == 13
