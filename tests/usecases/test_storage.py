"""All that a player does with squads, served from memory: no use case reads or writes a file by itself."""

from __future__ import annotations

import io
import json
from datetime import date
from pathlib import Path
from typing import IO, Any

import pytest

from builder.errata.release import Release
from builder.errata.snapshot import WORK, Snapshot
from builder.errors import UsageError
from builder.model.card import ChangeType, HistoryEntry, Migration
from builder.model.roster import Collection
from builder.model.rules import Source
from builder.packs.translation_files import FilledText
from builder.report.release import notes_markdown
from builder.roster.operations import Add
from builder.solver.complete import Wish
from builder.usecases.pack_files import PackFiles
from builder.usecases.release.cards import bump_cards, by_language, coverages, take_texts
from builder.usecases.release.impact import compare, impact
from builder.usecases.release.new import make_release
from builder.usecases.release.notes import compose_release_notes
from builder.usecases.release.publish import publish
from builder.usecases.roster.attack_report import declared, statistics
from builder.usecases.roster.check_roster import (
    JudgedRoster,
    Judges,
    OwnedCards,
    judge_roster,
    not_owned,
)
from builder.usecases.roster.choices import Offers
from builder.usecases.roster.complete_roster import complete_roster
from builder.usecases.roster.edit import Editor, open_editor
from builder.usecases.roster.explain import explained
from builder.usecases.roster.reading import read_squad
from builder.usecases.roster.roster_files import RosterFiles
from builder.usecases.roster.seal import disclose, reveal, seal, shown_copy
from builder.usecases.roster.share import as_json, as_text, from_token, token
from builder.usecases.roster.show import tell_rules
from builder.usecases.roster.verdict import Submission, listing, verdict, verify
from builder.usecases.storage import PackStorage, RosterStorage, state_of
from tests.rules.orchard import CARDS, pack, roster
from tests.usecases.memory import MemoryPacks, MemoryReleases, MemoryRosters

FIRST, SECOND = date(2026, 4, 1), date(2026, 6, 1)


def snapshot(cards: list[dict[str, Any]]) -> Snapshot:
    made = pack(cards=cards)
    return Snapshot(
        pack="orchard",
        label=WORK,
        manifest=made.manifest.model_dump(mode="json", exclude_none=True),
        vocabulary=made.vocabulary.model_dump(mode="json", exclude_none=True),
        rules=made.rules.model_dump(
            mode="json", exclude_none=True, exclude_defaults=True, by_alias=True
        ),
        cards={value["id"]: {"revision": 1, "released": "2026-01-01", **value} for value in cards},
        texts={value["id"]: () for value in cards},
    )


@pytest.fixture
def packs(monkeypatch: pytest.MonkeyPatch) -> MemoryPacks:
    def watched(file: str | Path, mode: str = "r", *args: Any, **options: Any) -> IO[Any]:
        assert set(mode) <= set("rbt"), f"a use case writes {file}"
        assert not str(file).endswith((".yaml", ".json")), f"a use case reads {file}"
        return opening(file, mode, *args, **options)

    opening = io.open
    monkeypatch.setattr(io, "open", watched)
    monkeypatch.setattr("builtins.open", watched)
    return MemoryPacks(snapshot(CARDS))


@pytest.fixture
def rosters() -> MemoryRosters:
    legal = roster("ada", {"card": "cy", "attachments": ["pail"]}, deck=("jam",), size=20)
    return MemoryRosters({"legal": legal, "broken": roster("bo", "ada", "kite")})


def judged(packs: PackStorage, rosters: RosterStorage, name: str) -> JudgedRoster:
    return judge_roster(Judges(packs), rosters.load(name), name)


def test_a_squad_is_judged_explained_and_told_what_it_may_have(
    packs: MemoryPacks, rosters: MemoryRosters
) -> None:
    legal, broken = judged(packs, rosters, "legal"), judged(packs, rosters, "broken")
    assert (legal.legal, broken.legal) == (True, False)
    assert any("kite" in finding.message.lower() for finding in broken.findings)
    assert "remove" in "\n".join(explained(broken))
    assert {offer.id for offer in Offers(legal).values() if offer.open} >= {"di", "sack"}


def test_an_edit_is_made_and_taken_back(packs: MemoryPacks, rosters: MemoryRosters) -> None:
    before = rosters.squads["legal"]
    editor: Editor = open_editor(packs, rosters, "legal")
    editor.do(Add("sack", Source.ATTACHMENTS, editor.line("cy")), "a sack for Cy")
    assert [item.card for item in rosters.squads["legal"].entries[1].attachments] == [
        "pail",
        "sack",
    ]
    assert rosters.undo("legal") == "a sack for Cy"
    assert rosters.squads["legal"] == before


def test_a_squad_is_completed_from_what_is_owned(
    packs: MemoryPacks, rosters: MemoryRosters
) -> None:
    shelf = Collection.model_validate({"pack": "orchard", "owned": {"ada": 1, "cy": 1, "di": 1}})
    owned = OwnedCards("mine", shelf)
    answer = complete_roster(judged(packs, rosters, "legal"), Wish(want=("di",)), owned)
    (squad,) = answer.squads
    assert squad.lines[0].startswith("+ Di")
    rosters.create("full", squad.roster, like="legal")
    assert judged(packs, rosters, "full").legal
    both = {name: rosters.squads[name] for name in ("legal", "full")}
    assert {finding.code for finding in not_owned(Judges(packs), both, owned, "en")} == {
        "roster/not-owned"
    }


def test_a_squad_is_handed_on(packs: MemoryPacks, rosters: MemoryRosters) -> None:
    one = judged(packs, rosters, "legal")
    assert from_token(packs, token(one)) == (rosters.squads["legal"], ())
    assert read_squad(packs, as_json(one)).roster == rosters.squads["legal"]
    assert "Ada (6)" in as_text(one)


def test_a_squad_is_sealed_shown_and_proved(packs: MemoryPacks, rosters: MemoryRosters) -> None:
    sealed = seal(judged(packs, rosters, "legal"))
    shown = shown_copy(packs, dict(sealed.copy), "their copy", None)
    assert shown is not None
    assert "Pail" not in as_text(shown[0])
    proof = disclose(dict(sealed.key), ("whole",), "my key")
    found = reveal(packs, dict(sealed.copy), proof, ("their copy", "the proof"))
    assert [item.wrong for item in found.secrets] == [""]
    assert found.squad is not None
    assert "Pail" in as_text(found.squad)


def test_a_verdict_is_repeated_and_lists_become_a_table(
    packs: MemoryPacks, rosters: MemoryRosters
) -> None:
    stated = verdict(judged(packs, rosters, "legal"))
    assert verify(packs, stated, "a verdict").differences == ()
    made = listing(
        Judges(packs), [Submission(name, "orchard", rosters.load(name)) for name in rosters.names()]
    )
    assert [(row.name or row.file, row.legal) for row in made.rows] == [
        ("legal", True),
        ("broken", False),
    ]


def test_a_release_is_judged_and_what_it_does_to_squads_is_told(
    packs: MemoryPacks, rosters: MemoryRosters
) -> None:
    made = make_release(packs, "orchard", "1.0.0", FIRST, FIRST)
    assert "i18n/missing" in {finding.code for finding in made.findings}
    packs.kept.write(made.proposal.state, "1.0.0", Release("1.0.0", FIRST, FIRST), None)
    renamed = [
        {**value, "id": "cyd", "revision": 1} if value["id"] == "cy" else value for value in CARDS
    ]
    step = Migration.model_validate({"old": "cy", "new": ["cyd"], "type": "rename", "date": SECOND})
    later = MemoryPacks(snapshot(renamed), MemoryReleases(packs.kept.states, (step,)))
    old, new = state_of(later, "orchard", "1.0.0")[0], state_of(later, "orchard", "work")[0]
    one = impact(compare(old, new, None), rosters.load("legal"), "legal")
    assert (one.legal_before, one.legal_after) == (True, True)
    assert one.migrated is not None
    assert rosters.migrate("legal", one.migrated, "1.1.0")
    assert [entry.card for entry in rosters.squads["legal"].entries] == ["ada", "cyd"]


def test_a_card_is_revised_and_its_history_told(packs: MemoryPacks) -> None:
    packs.kept.write(
        state_of(packs, "orchard", "work")[0], "1.0.0", Release("1.0.0", FIRST, FIRST), None
    )
    loaded = packs.load("orchard")
    note = by_language(loaded, ["Ada is older now."])
    entry = HistoryEntry(revision=1, released=SECOND, type=ChangeType.WORDING, note=note)
    assert [number for _, number in bump_cards(packs, "orchard", loaded, {"ada": entry})] == [2]
    assert packs.work.cards["ada"]["revision"] == 2
    old, new = state_of(packs, "orchard", "1.0.0")[0], state_of(packs, "orchard", "work")[0]
    assert "Ada is older now." in "".join(map(notes_markdown, compose_release_notes(old, new, ())))
    with pytest.raises(UsageError, match="adda"):
        bump_cards(packs, "orchard", loaded, {"adda": entry})


def test_what_a_translator_filled_is_taken_in(packs: MemoryPacks) -> None:
    (lang,) = packs.work.languages[1:]
    texts = [FilledText("ada", "name", "Ada", "Adele")]
    assert [many for _place, many in take_texts(packs, "orchard", lang, texts, "a file")] == [1]
    assert packs.work.translations[lang]["ada"]["name"]["text"] == "Adele"
    (found,) = coverages(packs, "orchard")
    assert "ada" not in {item.card for item in found.open}


def test_releases_are_published(packs: MemoryPacks) -> None:
    state = state_of(packs, "orchard", "work")[0]
    with pytest.raises(UsageError, match="no release"):
        publish(packs.releases("orchard"), "orchard")
    packs.kept.write(state, "1.0.0", Release("1.0.0", FIRST, FIRST), None)
    packs.kept.write(state, "1.1.0", Release("1.1.0", SECOND, SECOND), "1.0.0")
    files, findings = publish(
        packs.releases("orchard"), "orchard", lambda _lines, _last: ({"1.1.0/set.pdf": b"%PDF"}, ())
    )
    assert findings == ()
    assert json.loads(files["v1/latest.json"])["version"] == "1.1.0"
    assert files["v1/1.0.0/manifest.json"] == packs.kept.parts("1.0.0")["manifest.json"]
    assert b"v1/1.1.0/set.pdf" in files["index.html"]


def test_a_squad_is_counted_and_its_rules_are_told(
    packs: MemoryPacks, rosters: MemoryRosters
) -> None:
    one = judged(packs, rosters, "legal")
    sheet = statistics(one, declared(packs, "orchard"))
    assert sheet is not None
    assert (sheet.models, sheet.attacks) == (2, ())
    ((_game, told),) = tell_rules(packs, ("orchard",), None)
    assert {rule.id for rule in told} == {
        rule.id for rule in packs.load("orchard").pack.rules.rules
    }


def test_files_serve_what_memory_serves() -> None:
    """For mypy as much as for pytest: both keep to the protocols."""
    served: list[tuple[type[PackStorage], type[RosterStorage]]] = [
        (PackFiles, RosterFiles),
        (MemoryPacks, MemoryRosters),
    ]
    assert len(served) == 2
