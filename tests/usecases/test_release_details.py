"""Details of a maintainer's work: pending revisions, drafts, dates, and rare sorts of changes."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from builder.errata.change import ABSENT
from builder.errata.difference import compare_states
from builder.errata.impact import find_risks
from builder.errata.notes import compose_notes
from builder.errata.snapshot import Snapshot
from builder.model.days import parse_day
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.report.release import format_notes, format_text
from builder.usecases.build.changed import list_other_changes
from builder.usecases.pack_states import load_named_state
from builder.usecases.release.new import ReleaseRequest, make_release
from builder.usecases.release.publish import publish_releases
from tests.program import run
from tests.usecases.toy import edit, toy_project

FIRST = date(2026, 4, 1)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """The pack released once."""
    project = Project(toy_project(tmp_path))
    release_result = make_release(
        PackFiles(project), "lanterns", ReleaseRequest("1.0.0", FIRST, FIRST)
    )
    assert release_result.frozen, release_result.findings
    return project


def bump_art(project: Project, text: str, day: str = "2026-05-01") -> None:
    notes = ("--note", text, "--note", f"de={text}")
    process = run(
        project.root,
        "card",
        "bump",
        "old-wick",
        "--type",
        "art",
        *notes,
        "--released",
        day,
    )
    assert process.returncode == 0, process.stderr


def get_history(project: Project) -> list[tuple[int, str]]:
    pack = PackFiles(project).load_pack("lanterns").pack
    assert pack is not None
    card = pack.cards["old-wick"]
    assert card.revision == card.history[-1].revision
    return [(entry.revision, entry.note["en"]) for entry in card.history]


def test_a_second_bump_changes_the_pending_entry(project: Project) -> None:
    bump_art(project, "New frame.")
    bump_art(project, "New frame and lamp.", "2026-05-02")
    assert get_history(project) == [(1, "First printing."), (2, "New frame and lamp.")]
    # A draft has the revision: the next change is another one.
    draft = ("release", "new", "1.1.0", "--effective", "2026-05-02", "--draft")
    assert run(project.root, *draft).returncode == 0
    bump_art(project, "Lamp lit.", "2026-05-03")
    assert [number for number, _text in get_history(project)] == [1, 2, 3]


def test_a_draft_can_be_discarded(project: Project) -> None:
    bump_art(project, "New frame.", "2026-5-2")
    draft = ("release", "new", "1.1.0", "--effective", "2026-5-2", "--draft")
    assert run(project.root, *draft).returncode == 0
    assert "draft, based on" in run(project.root, "release", "list").stdout
    second_process = run(project.root, "release", "discard", "1.1.0")
    assert (second_process.returncode, second_process.stdout) == (
        0,
        "The draft of 1.1.0 was deleted.\n",
    )
    assert "draft" not in run(project.root, "release", "list").stdout
    process = run(project.root, "release", "discard", "1.1.0")
    assert (process.returncode, process.stdout) == (2, "")


def test_days_may_lack_zeros(project: Project) -> None:
    assert parse_day("2026-2-1") == parse_day("2026-02-01") == date(2026, 2, 1)
    assert (
        parse_day("2026-2-31") is parse_day("2.1.2026") is parse_day("26-2-1") is None
    )
    assert run(project.root, "check", "--as-of", "2026-4-2", "lanterns").returncode == 0
    assert run(project.root, "release", "diff", "2026-4-2").returncode == 0
    assert run(project.root, "check", "--as-of", "2026-2-1", "lanterns").returncode == 2


def read_state(project: Project) -> Snapshot:
    return load_named_state(PackFiles(project), "lanterns", "1.0.0")[0]


def with_card(state: Snapshot, card: str, **fields: Any) -> Snapshot:
    changed = {**state.cards[card], **fields}
    return replace(state, label="2.0.0", cards={**state.cards, card: changed})


def render_surfaces(old: Snapshot, new: Snapshot) -> tuple[str, str, str, str]:
    """Return what diff, notes, the swap list and impact show."""
    difference = compare_states(old, new)
    risks = [
        f"{risk.card or risk.rule} {risk.reason}"
        for risk in find_risks(old, new, difference)
    ]
    return (
        format_text(difference),
        format_notes(compose_notes(old, new, difference, "en")),
        "\n".join(list_other_changes(old, new, "en")),
        "\n".join(risks),
    )


def test_a_card_of_another_kind_is_shown_everywhere(project: Project) -> None:
    old = read_state(project)
    diff, notes, _swaps, risks = render_surfaces(
        old, with_card(old, "two-stumps", kind="charm")
    )
    assert "stat: kind: clearing -> charm" in diff
    assert "- Kind: ~~Clearing~~ → **Charm**" in notes
    assert "two-stumps kind: clearing -> charm" in risks


def test_a_removed_language_is_shown_everywhere(project: Project) -> None:
    old = read_state(project)
    manifest = {**old.manifest, "languages": {"source": "en", "translations": []}}
    diff, notes, swaps, _risks = render_surfaces(
        old, replace(old, manifest=manifest, label="2.0.0")
    )
    for text in (diff, notes, swaps):
        assert "the language German was removed" in text
    (part,) = compare_states(old, replace(old, manifest=manifest)).parts
    assert part.new is ABSENT
    folder = project.get_cards_dir("lanterns")
    edit(folder / "pack.yaml", "translations: [de]", "translations: []")
    impact = run(project.root, "release", "impact", "1.0.0", "work").stdout
    assert "the language German was removed" in impact


def test_a_changed_rule_is_shown_everywhere(project: Project) -> None:
    old = read_state(project)
    rules = [dict(rule) for rule in old.rules["rules"]]  # type: ignore[union-attr, arg-type]
    rules[1] |= {"select": {"where": {"keywords": {"has": "mothling"}}}}
    diff, notes, swaps, risks = render_surfaces(
        old, replace(old, label="2.0.0", rules={**old.rules, "rules": rules})
    )
    assert "rules.one-kindler.select.where.keywords.has: kindler -> mothling" in diff
    assert "Selected cards: Condition: ~~Keywords contains Kindler~~" in notes
    assert "One kindler: The rule changed." in swaps
    assert "one-kindler the rule changed" in risks


def test_notes_up_to_the_working_files_name_what_they_cover(project: Project) -> None:
    def read_notes(old: str) -> str:
        return run(project.root, "release", "notes", old, "--lang", "en").stdout

    assert "what changed in 1.0.0" in read_notes("2026-04-02")
    bump_art(project, "New frame.")
    second_day = date(2026, 5, 1)
    request = ReleaseRequest("1.0.1", second_day, second_day)
    template = project.get_templates_dir("lanterns") / "charm" / "card.css"
    template.write_text(template.read_text() + "\n.title { color: #123 }\n")
    release_result = make_release(PackFiles(project), "lanterns", request)
    assert release_result.frozen, release_result.findings
    assert "what changed in 1.0.1\n" in read_notes("2026-04-02")
    assert "Published 2026-05-01" in read_notes("2026-04-02")
    template.write_text(template.read_text() + "\n.title { color: #456 }\n")
    assert "what changed since 1.0.0\n" in read_notes("2026-04-02")
    assert "what the next release changes" in read_notes("1.0.1")


def test_a_changed_template_is_shown_everywhere(project: Project) -> None:
    template = project.get_templates_dir("lanterns") / "charm" / "card.css"
    template.write_text(template.read_text() + "\n.title { color: #123 }\n")
    diff = run(project.root, "release", "diff", "1.0.0").stdout
    assert "Looks different: amber-brooch, heron-quill, willow-flute" in diff
    notes = run(project.root, "release", "notes", "1.0.0", "--lang", "en").stdout
    assert "Looks different: Charm: all 3 cards" in notes
    assert "No card changed." not in notes
    impact = run(project.root, "release", "impact", "1.0.0", "work").stdout
    assert "3 cards only look different\n" in impact


def test_a_picture_of_the_same_name_is_shown_everywhere(project: Project) -> None:
    old = read_state(project)
    path = "cards/lanterns/art/wick.png"
    old = replace(with_card(old, "old-wick", art="wick.png"), files={path: "a" * 64})
    new = replace(old, label="2.0.0", files={path: "b" * 64})
    diff, notes, _swaps, _risks = render_surfaces(old, new)
    assert "art: new picture" in diff
    assert "- Picture: new picture" in notes
    assert "Looks different: Old Wick" in notes


def test_a_publication_has_a_landing_page_in_each_language(project: Project) -> None:
    files, findings = publish_releases(
        PackFiles(project).open_releases("lanterns"),
        "lanterns",
        lambda _steps, _last: (
            {
                "1.0.0/lanterns-1.0.0-notes-de.pdf": b"a",
                "1.0.0/lanterns-1.0.0-notes-en.html": b"b",
                "1.0.0/lanterns-de-home-a4-since-0.9.0.pdf": b"c",
            },
            (),
        ),
    )
    assert not findings
    german, english = (files[f"index.{lang}.html"].decode() for lang in ("de", "en"))
    assert files["index.html"] == files["index.en.html"]
    assert '<html lang="de"' in german
    assert 'href="index.de.html"' in english
    assert (
        'href="v1/1.0.0/lanterns-1.0.0-notes-de.pdf">' in german.partition("<table>")[0]
    )
    assert "since-0.9.0.pdf" in german.partition("<table>")[0]
    assert "notes-de.pdf" not in english.partition("<table>")[0]
    assert ">Release notes (web page)</a>" in english
