"""A history of a pack that contains everything a maintainer does, and what readers get of it."""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import pytest

from builder.model.card import hash_source
from builder.packs.project import Project
from builder.pdfinfo.read import read_pdf
from tests.program import run
from tests.usecases.test_reprints import add_reprint
from tests.usecases.toy import edit, toy_project

pytestmark = pytest.mark.slow
ATOM = "{http://www.w3.org/2005/Atom}"
RULINGS = """\
rulings:
  - id: two-flutes
    date: 2026-05-02
    cards: [willow-flute]
    rules: [embers]
    question: {en: "Two flutes?", de: "Zwei Flöten?"}
    answer: {en: Each moves one., de: Jede bewegt eine.}
commentary:
  - {release: 1.1.0, author: Ada, text: {en: A first look at costs., de: Erste Kosten.}}
"""
FORMATS = """\
formats:
  duel:
    name: {en: Duel, de: Duell}
    banned:
      - cards: [amber-brooch]
        from: 2026-07-01
        reason: {en: Too bright., de: Zu hell.}
        announcement: https://example.org/bans
"""
SQUAD = (
    "pack: lanterns\nversion: 1.0.0\nname: Mine\nembers: 9\n"
    "entries: [{card: old-wick}, {card: dusk-moth}]\n"
)


@dataclass
class Maintainer:
    """The folder of a pack, and the commands that change it."""

    root: Path

    @property
    def cards(self) -> Path:
        return self.root / "cards" / "lanterns"

    def do(self, *words: str | Path, status: int = 0) -> str:
        process = run(self.root, *words)
        assert process.returncode == status, (words, process.stdout, process.stderr)
        return process.stdout + process.stderr

    def bump(self, kind: str, day: str, note: str, *cards: str) -> str:
        notes = ("--note", note, "--note", f"de={note} (de)")
        return self.do(
            "card", "bump", *cards, "--type", kind, *notes, "--released", day
        )

    def release(self, version: str, day: str, *more: str) -> str:
        return self.do("release", "new", version, "--effective", day, *more)

    def edit(self, path: str, old: str, new: str) -> None:
        edit(self.cards / path, old, new)

    def remove(self, kind: str, card: str, migration: str) -> None:
        (self.cards / kind / f"{card}.yaml").unlink()
        (self.cards / "i18n" / "de" / kind / f"{card}.yaml").unlink(missing_ok=True)
        file = self.cards / "migrations.yaml"
        text = file.read_text("utf-8") if file.exists() else "migrations:\n"
        file.write_text(f"{text}  - {{old: {card}, {migration}}}\n", "utf-8")

    def rename(self, kind: str, card: str, new_id: str, day: str) -> None:
        for folder in (self.cards / kind, self.cards / "i18n" / "de" / kind):
            text = (folder / f"{card}.yaml").read_text("utf-8")
            text = text.replace(f"id: {card}", f"id: {new_id}")
            (folder / f"{new_id}.yaml").write_text(text, "utf-8")
        self.remove(kind, card, f"new: {new_id}, type: rename, date: {day}")

    def write_charm(self, card: str, name: str, *days: str) -> None:
        entries = [
            f"  - {{revision: {number}, released: {day}, type: rules, note: {{en: Moved., de: Neu.}}}}\n"
            for number, day in enumerate(days, 1)
        ]
        (self.cards / "charm" / f"{card}.yaml").write_text(
            f"id: {card}\nkind: charm\nname: {name}\ncost: 1\nrevision: {len(days)}\n"
            f"released: {days[-1]}\nhistory:\n{''.join(entries)}effect: Move {{dist:2}}.\n"
        )
        texts = {"name": name, "effect": "Move {dist:2}."}
        strings = [
            f'  {path}: {{text: "{text} (de)", source: "{hash_source(text)}"}}\n'
            for path, text in texts.items()
        ]
        translation = self.cards / "i18n" / "de" / "charm" / f"{card}.yaml"
        translation.write_text(f"id: {card}\nstrings:\n{''.join(strings)}", "utf-8")


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Maintainer:
    """The whole history, replayed."""
    desk = Maintainer(toy_project(tmp_path_factory.mktemp("replay")))
    front = desk.root / "templates" / "lanterns" / "spirit" / "front.html.j2"
    edit(front, '<div class="price', '<div data-block="price" class="price')
    shutil.rmtree(desk.cards / "rosters")
    (desk.cards / "rulings").mkdir()
    (desk.cards / "rulings" / "2026.yaml").write_text(RULINGS, "utf-8")
    for card, reprint in (
        ("old-wick", "old-wick-two"),
        ("dusk-moth", "moth-two"),
        ("dusk-moth", "moth-three"),
    ):
        add_reprint(Project(desk.root), card, reprint)
    desk.release("1.0.0", "2026-04-01")
    _change_costs(desk)
    _change_looks_and_rules(desk)
    _revert_and_renumber(desk)
    _plan_next_year(desk)
    return desk


def _change_costs(desk: Maintainer) -> None:
    """A price, first forgotten in the other print; a comma; stickers for both."""
    desk.edit("spirit/old-wick.yaml", "cost: 5", "cost: 6")
    output = desk.bump("balance", "2026-06-01", "Dearer.", "old-wick")
    assert "cards/reprint-unchanged" in output
    desk.edit("spirit/old-wick-two.yaml", "cost: 5", "cost: 6")
    # A second bump before the release changes the pending entry.
    desk.bump("balance", "2026-06-01", "Costs one more.", "old-wick", "--reprints")
    old, new = (
        "Move one {key:mothling} up to {dist:4}.",
        "Move, one {key:mothling} up to {dist:4}.",
    )
    desk.edit("charm/willow-flute.yaml", old, new)
    desk.edit("i18n/de/charm/willow-flute.yaml", hash_source(old), hash_source(new))
    desk.bump("misprint", "2026-06-01", "A comma.", "willow-flute")
    output = desk.do(
        "release", "stickers", "1.0.0", "--lang", "en", "--output", "stickers"
    )
    assert "3 stickers" in output
    desk.release("1.1.0", "2026-06-01", "--draft")
    desk.do("release", "discard", "1.1.0")
    desk.release("1.1.0", "2026-06-01")


def _change_looks_and_rules(desk: Maintainer) -> None:
    """Only a ban, only a rule, only a template: three releases without a changed card."""
    (desk.cards / "formats.yaml").write_text(FORMATS, "utf-8")
    desk.release("1.2.0", "2026-07-01")
    desk.edit("rules.yaml", "    exactly: 1\n", "    exactly: 2\n")
    desk.release("1.3.0", "2026-08-01")
    css = desk.root / "templates" / "lanterns" / "charm" / "card.css"
    css.write_text(css.read_text("utf-8") + ".face { background: #ffe9c9; }\n", "utf-8")
    for card in ("amber-brooch", "heron-quill", "willow-flute"):
        desk.bump("art", "2026-09-01", "Amber paper.", card)
    desk.release("1.3.1", "2026-09-01")


def _revert_and_renumber(desk: Maintainer) -> None:
    """Costs go back; a card is renamed, one split, one deleted; a draft; two equal numbers."""
    for card in ("old-wick", "old-wick-two"):
        desk.edit(f"spirit/{card}.yaml", "cost: 6", "cost: 5")
    desk.bump("balance", "2026-10-01", "Back to five.", "old-wick", "--reprints")
    desk.release("1.4.0", "2026-10-01")
    (desk.root / ".gitignore").write_text(".cache\noutput\n")
    for words in (
        ("init", "-q", "-b", "main"),
        ("add", "-A"),
        ("commit", "-q", "-m", "Add it"),
    ):
        names = ("-c", "user.name=a", "-c", "user.email=a@example.org")
        subprocess.run(["git", "-C", str(desk.root), *names, *words], check=True)
    assert "are equal" in desk.do("release", "diff", "--against", "main")
    desk.do("release", "renumber", "1.4.0", "1.5.0")


def _plan_next_year(desk: Maintainer) -> None:
    """A draft: a card renamed, one of another kind, one split, one deleted, a language dropped.

    An urgent price comes first.
    """
    day = "2026-12-01"
    desk.rename("spirit", "reed-mother", "marsh-mother", day)
    for folder in (desk.cards / "spirit", desk.cards / "i18n" / "de" / "spirit"):
        (folder / "moth-two.yaml").unlink()
    desk.write_charm("moth-two", "Moth Charm", "2026-01-10", day)
    desk.remove(
        "charm", "heron-quill", f"new: [heron-nib, heron-ink], type: split, date: {day}"
    )
    desk.write_charm("heron-nib", "Heron Nib", day)
    desk.write_charm("heron-ink", "Heron Ink", day)
    desk.remove("spirit", "moth-three", f"type: delete, date: {day}")
    desk.release("2.0.0", day, "--draft")
    desk.edit("spirit/dusk-moth.yaml", "cost: 1", "cost: 2")
    desk.do(
        *("card", "bump", "dusk-moth", "--type", "balance"),
        *("--note", "Urgent.", "--note", "de=Eilig.", "--released", "2026-11-01"),
    )
    desk.release("1.6.0", "2026-11-01", "--only", "dusk-moth")
    desk.do("release", "rebase", "2.0.0")
    desk.do("release", "new", "2.0.0", "--from-draft")
    desk.edit("pack.yaml", "translations: [de]", "translations: []")
    shutil.rmtree(desk.cards / "i18n")
    desk.release("2.1.0", "2027-01-01")


PREVIOUS = {
    "1.1.0": "1.0.0",
    "1.2.0": "1.1.0",
    "1.3.0": "1.2.0",
    "1.3.1": "1.3.0",
    "1.5.0": "1.3.1",
    "1.6.0": "1.5.0",
    "2.0.0": "1.6.0",
    "2.1.0": "2.0.0",
}
EXPECTED_NOTES = {
    "1.1.0": (
        "- 3 cards changed\n- More expensive: Old Wick (old-wick, old-wick-two) 5 → 6",
        "> A first look at costs. (Ada)",
        "- Effect: ~~Move~~ **Move,** one Mothling",
        "**To be reviewed: Willow Flute changed since.**",
    ),
    "1.2.0": (
        "**Banned in Duel: Amber Brooch** (from 2026-07-01)",
        "https://example.org/bans",
    ),
    "1.3.0": ("**One kindler** (Lowmarsh, 2)", "~~1~~ → **2**"),
    "1.3.1": ("- Looks different: Amber Brooch, Heron Quill, Willow Flute",),
    "1.5.0": ("gain, reverts 1.1.0", "- 2 cards changed"),
    "1.6.0": ("Urgent.",),
    "2.0.0": (
        "- Split: Heron Quill → Heron Nib, Heron Ink",
        "Only the id changed: reed-mother → marsh-mother.",
        "- Kind: ~~Spirit~~ → **Charm**",
        "- Withdrawn: Dusk Moth",
    ),
    "2.1.0": ("the language German was removed",),
}


@pytest.mark.parametrize("version", PREVIOUS)
def test_notes_tell_what_each_release_changed(desk: Maintainer, version: str) -> None:
    notes = desk.do("release", "notes", PREVIOUS[version], version, "--lang", "en")
    for text in EXPECTED_NOTES[version]:
        assert text in notes
    assert notes.count("Costs one more.") == (version == "1.1.0")
    assert "Carries:" not in notes  # it was empty and is gone


def test_releases_are_a_chain_without_the_number_that_was_given_twice(
    desk: Maintainer,
) -> None:
    output = desk.do("release", "list")
    assert [line.split()[0] for line in output.splitlines()[:9]] == ["1.0.0", *PREVIOUS]
    assert "verifies 8 of 9 releases" in output
    output = desk.do("check")
    assert "rulings/review" in output
    assert "0 errors" in output or "error" not in output


def test_the_sheet_of_stickers_has_one_for_each_changed_block(desk: Maintainer) -> None:
    page = read_pdf(
        desk.root / "stickers" / "lanterns-en-stickers-1.0.0-work.pdf"
    ).pages[0]
    words = [text.text for text in page.texts]
    assert {"Old Wick", "Willow Flute"} <= set(words)
    assert "Δ 2 · front" in words


def test_publication_and_site_tell_the_same(desk: Maintainer) -> None:
    public = desk.root / "public"
    desk.do("release", "publish", "--no-pdf", "--output", public)
    index = json.loads((public / "v1" / "index.json").read_text("utf-8"))
    assert [release["version"] for release in index["releases"]] == ["1.0.0", *PREVIOUS]
    entries = ElementTree.fromstring((public / "feed.en.atom").read_text("utf-8"))
    assert len(entries.findall(f"{ATOM}entry")) >= len(PREVIOUS)
    assert json.loads((public / "feed.en.json").read_text("utf-8"))["items"]
    assert "Two flutes?" in (public / "v1" / "faq" / "en.md").read_text("utf-8")
    player = desk.root / "player"
    player.mkdir()
    (player / "mine.yaml").write_text(SQUAD, "utf-8")
    output = run(player, "update", public, player / "mine.yaml", "--to", "2.0.0").stdout
    assert "changed: Old Wick, Dusk Moth" in output
    site = desk.root / "site"
    desk.do(
        "site", site, "--pack", "lanterns", "--base-url", "https://cards.example.org"
    )
    page = (
        site / "en" / "cards" / "lanterns" / "spirit" / "old-wick-two" / "index.html"
    ).read_text()
    assert "Other prints of this card" in page
    assert "Back to five." in page
    assert "Costs one more." in page
