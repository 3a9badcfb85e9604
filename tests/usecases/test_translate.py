from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from babel.messages.pofile import read_po, write_po

from builder.checks.registry import check_loaded_pack
from builder.errata.change import summarize_changes
from builder.errata.translations import TranslationState
from builder.errors import InputUnreadable, UsageError
from builder.packs.loading import load_pack
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.packs.translation_files import (
    XLIFF,
    FilledText,
    make_po_file,
    make_xliff_file,
    read_translations,
)
from builder.report.translations import format_text
from builder.usecases.release.cards import measure_coverages, take_texts
from builder.usecases.release.new import ReleaseRequest, make_release
from tests.usecases.toy import edit, toy_project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Return a released pack in which one text changed since, one is new and one was copied."""
    project = Project(toy_project(tmp_path))
    assert make_release(
        PackFiles(project),
        "lanterns",
        ReleaseRequest("1.0.0", date(2026, 4, 1), date(2026, 4, 1)),
    ).frozen
    spirits = project.get_cards_dir("lanterns") / "spirit"
    german = project.get_cards_dir("lanterns") / "i18n" / "de" / "spirit"
    edit(
        spirits / "old-wick.yaml",
        "*Once a game:* move {dist:2.5}.",
        "*Once a game:* move {dist:3}.",
    )
    edit(
        spirits / "dusk-moth.yaml",
        "tricks: {}",
        "tricks: {dive: {name: Dive, text: 'Move {dist:1}.'}}",
    )
    lines = (
        (german / "reed-mother.yaml")
        .read_text(encoding="utf-8")
        .splitlines(keepends=True)
    )
    index = next(
        index for index, line in enumerate(lines) if line.lstrip().startswith("name:")
    )
    before, _, after = lines[index].partition("text: ")
    lines[index] = f"{before}text: Reed Mother,{after.partition(',')[2]}"
    (german / "reed-mother.yaml").write_text("".join(lines), encoding="utf-8")
    return project


def test_each_string_stands_somewhere(project: Project) -> None:
    (german,) = measure_coverages(PackFiles(project), "lanterns")
    states = {(item.card, item.path): item.state for item in german.open}
    assert states == {
        ("dusk-moth", "tricks.dive.name"): TranslationState.MISSING,
        ("dusk-moth", "tricks.dive.text"): TranslationState.MISSING,
        ("old-wick", "tricks.lead.text"): TranslationState.STALE,
        ("reed-mother", "name"): TranslationState.IDENTICAL,
    }
    stale = next(item for item in german.open if item.state is TranslationState.STALE)
    assert stale.before == "*Once a game:* move {dist:2.5}."
    lines = format_text("lanterns", [german], "en").splitlines()
    assert lines[1].split() == ["de", "19", "15", "2", "1", "1", "79%"]
    assert "out of date: de old-wick tricks.lead.text" in lines


FILLED = {
    "Dive": "Sturz",
    "Move {dist:1}.": "Bewegung {dist:1}: 'kurz', \"genau\".",
    "*Once a game:* move {dist:3}.": "*Einmal je Spiel:* Bewegung {dist:3}.",
    "Reed Mother": "Reed Mother",
}


def by_babel(file: Path) -> None:
    """What a translator's program does with a PO file."""
    catalog = read_po(file.open("rb"))
    for message in catalog:
        if message.id in FILLED:
            message.string = FILLED[message.id]
            message.flags.discard("fuzzy")
    with file.open("wb") as out:
        write_po(out, catalog)


def by_hand(file: Path) -> None:
    """The same with XLIFF."""
    tree = ElementTree.parse(file)
    for unit in tree.iter(f"{{{XLIFF}}}trans-unit"):
        source, target = (
            unit.find(f"{{{XLIFF}}}source"),
            unit.find(f"{{{XLIFF}}}target"),
        )
        if source.text in FILLED:
            target.text = FILLED[source.text]
            target.set("state", "final")
    tree.write(file, encoding="utf-8", xml_declaration=True)


@pytest.mark.parametrize(
    ("name", "write", "fill"),
    [("de.po", make_po_file, by_babel), ("de.xlf", make_xliff_file, by_hand)],
)
def test_what_the_translator_fills_is_taken_in(
    project: Project, tmp_path: Path, name: str, write: Any, fill: Any
) -> None:
    packs, file = PackFiles(project), tmp_path / name
    (german,) = measure_coverages(packs, "lanterns")
    file.write_bytes(write("lanterns", german))
    assert (
        take_texts(packs, "lanterns", *read_translations(file), name) == ()
    )  # nobody has filled it yet
    fill(file)
    old_wick = (
        project.get_cards_dir("lanterns") / "i18n" / "de" / "spirit" / "old-wick.yaml"
    )
    before = old_wick.read_text(encoding="utf-8").splitlines()
    assert (
        sum(
            count
            for _, count in take_texts(
                packs, "lanterns", *read_translations(file), name
            )
        )
        == 4
    )
    (german,) = measure_coverages(packs, "lanterns")
    assert german.open == ()
    after = old_wick.read_text(encoding="utf-8").splitlines()
    assert [line for line in before if "lead.text" not in line] == [
        line for line in after if "lead.text" not in line
    ]
    codes = {
        finding.code for finding in check_loaded_pack(load_pack(project, "lanterns"))
    }
    assert (
        codes & {"i18n/missing", "i18n/stale", "i18n/identical", "yaml/syntax"} == set()
    )


def test_a_stale_text_is_fuzzy_and_reports_what_was_translated(
    project: Project,
) -> None:
    (german,) = measure_coverages(PackFiles(project), "lanterns")
    po_text = make_po_file("lanterns", german).decode()
    assert '#, fuzzy\n#| msgid "*Once a game:* move {dist:2.5}."' in po_text
    assert "python" not in po_text


def test_a_text_of_an_older_source_stays_stale(
    project: Project, tmp_path: Path
) -> None:
    (german,) = measure_coverages(PackFiles(project), "lanterns")
    file = tmp_path / "de.po"
    file.write_bytes(make_po_file("lanterns", german))
    by_babel(file)
    edit(
        project.get_cards_dir("lanterns") / "spirit" / "dusk-moth.yaml",
        "Move {dist:1}.",
        "Move {dist:4}.",
    )
    take_texts(PackFiles(project), "lanterns", *read_translations(file), "de.po")
    (german,) = measure_coverages(PackFiles(project), "lanterns")
    assert [(item.path, item.state) for item in german.open] == [
        ("tricks.dive.text", TranslationState.STALE)
    ]


def test_xliff_of_the_second_version_is_taken_too(tmp_path: Path) -> None:
    file = tmp_path / "de.xlf"
    file.write_text(
        '<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" '
        'version="2.0" '
        'srcLang="en" '
        'trgLang="de"><file id="f">'
        '<unit id="fox|name"><segment state="final"><source>The <pc id="1">fox</pc></source>'
        '<target>Der <pc id="1">Fuchs</pc></target></segment></unit>'
        '<unit id="owl|name"><segment state="initial"><source>Owl</source><target>?</target>'
        "</segment></unit></file></xliff>"
    )
    assert read_translations(file) == (
        "de",
        (FilledText("fox", "name", "The fox", "Der Fuchs"),),
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("de.xlf", '<!DOCTYPE x [<!ENTITY a "aaaa">]><xliff>&a;</xliff>'),
        ("de.xlf", "<xliff><file>"),
        ("de.xlf", "strings: []"),
        ("de.po", "hello"),
        (
            "de.po",
            (
                'msgid ""\nmsgstr "Content-Type: text/plain; charset=nothing\\n"\n\nmsgid '
                '"a"\nmsgstr "b"\n'
            ),
        ),
        (
            "de.po",
            'msgid ""\nmsgstr "Language: de\\n"\n\nmsgctxt "fox|name"\nmsgid "Fox"\nmsgstr "Fu',
        ),
        ("none.po", None),
    ],
)
def test_a_file_of_another_sort_is_refused(
    tmp_path: Path, name: str, text: str | None
) -> None:
    if text is not None:
        (tmp_path / name).write_text(text)
    with pytest.raises(InputUnreadable):
        read_translations(tmp_path / name)


def test_a_file_for_another_pack_is_refused(project: Project) -> None:
    with pytest.raises(UsageError, match="fr"):
        take_texts(PackFiles(project), "lanterns", "fr", (), "fr.po")
    with pytest.raises(UsageError, match=r"tricks\.none\.text"):
        take_texts(
            PackFiles(project),
            "lanterns",
            "de",
            (FilledText("old-wick", "tricks.none.text", "x", "y"),),
            "de.po",
        )


def test_a_translation_catches_up_in_a_release_of_its_own(tmp_path: Path) -> None:
    project = Project(toy_project(tmp_path))
    cards = project.get_cards_dir("lanterns")
    edit(
        cards / "pack.yaml",
        "translations: [de]",
        "translations: [de], partial: {de: mark}",
    )
    german = cards / "i18n" / "de" / "spirit" / "old-wick.yaml"
    complete_text = german.read_text(encoding="utf-8")
    german.write_text("id: old-wick\nstrings: {}\n")
    first = make_release(
        PackFiles(project),
        "lanterns",
        ReleaseRequest("1.0.0", date(2026, 4, 1), date(2026, 4, 1)),
    )
    assert first.frozen
    assert [finding.code for finding in first.findings] == ["i18n/partial"]
    german.write_text(complete_text, encoding="utf-8")
    second = make_release(
        PackFiles(project),
        "lanterns",
        ReleaseRequest("1.0.1", date(2026, 5, 1), date(2026, 5, 1)),
    )
    assert (second.frozen, second.findings) == (True, ())
    assert (
        summarize_changes(second.proposal.difference.cards)
        == "1 card with a new translation"
    )
