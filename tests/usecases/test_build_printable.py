"""A card that is not translated, or from another text, is not printed in that language.

Or is, and marked.
"""

from __future__ import annotations

import shutil
from datetime import date
from pathlib import Path

import pytest
from pypdfium2 import PdfDocument

from builder.findings import Severity
from builder.model.card import hash_source
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.usecases.build.build import build_pack
from builder.usecases.build.build_options import BuildResult
from builder.usecases.release.new import ReleaseRequest, make_release
from tests.usecases.toy import build_options, edit, toy_project

TRANSLATION = "cards/lanterns/i18n/de/charm/willow-flute.yaml"
SOURCE = "cards/lanterns/charm/willow-flute.yaml"


def build(folder: Path, **options: object) -> BuildResult:
    return build_pack(
        Project(folder),
        "lanterns",
        build_options(workers=0, only=("kind=charm",), **options),
    )


def marks(path: Path, mark: str) -> int:
    document = PdfDocument(path)
    return sum(page.get_textpage().get_text_bounded().count(mark) for page in document)


@pytest.fixture
def stale(tmp_path: Path) -> Path:
    folder = toy_project(tmp_path)
    edit(folder / SOURCE, "{dist:4}", "{dist:5}")
    return folder


def test_a_stale_translation_is_an_error_at_its_place(stale: Path) -> None:
    result = build(stale)
    (finding,) = result.findings
    assert result.files == ()
    assert (finding.code, finding.location.file, finding.location.line) == (
        "i18n/stale",
        TRANSLATION,
        4,
    )
    # The hint is also read after `print`, which has no such option.
    assert "`squadpress build --allow-untranslated`" in finding.hint


def test_languages_that_are_whole_are_built(stale: Path) -> None:
    assert build(stale, langs=("en",)).findings == ()


def test_cards_that_are_not_wanted_stop_nothing(stale: Path) -> None:
    options = build_options(workers=0, only=("amber-brooch",), langs=("de",))
    assert build_pack(Project(stale), "lanterns", options).findings == ()


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("  effect:", "  #effect:", "i18n/missing"),
        ('"Bewege ein {key:mothling} bis zu {dist:4}."', '""', "i18n/missing"),
        ('text: "Weidenflöte"', 'text: "Willow Flute"', "i18n/identical"),
    ],
)
def test_what_is_missing_or_was_only_copied_is_an_error(
    tmp_path: Path, old: str, new: str, code: str
) -> None:
    folder = toy_project(tmp_path)
    edit(folder / TRANSLATION, old, new)
    assert [finding.code for finding in build(folder).findings] == [code]


def test_a_card_without_a_file_is_an_error(tmp_path: Path) -> None:
    folder = toy_project(tmp_path)
    (folder / TRANSLATION).unlink()
    assert [finding.code for finding in build(folder).findings] == ["i18n/missing"]


def test_a_word_of_all_cards_that_lacks_a_wanted_language_is_an_error(
    tmp_path: Path,
) -> None:
    folder = toy_project(tmp_path)
    edit(
        folder / "cards/lanterns/vocabulary.yaml",
        "name: {en: Lumen, de: Leuchtkraft}",
        "name: {en: Lumen}",
    )
    assert [finding.code for finding in build(folder).findings] == ["i18n/missing-word"]
    assert build(folder, langs=("en",)).findings == ()
    assert [
        finding.severity for finding in build(folder, untranslated=True).findings
    ] == [Severity.WARNING]


def test_what_is_allowed_is_printed_and_marked(stale: Path) -> None:
    result = build(stale, untranslated=True)
    english, german = sorted(result.files, key=lambda file: "de" in file.path.name)
    assert [(finding.code, finding.severity) for finding in result.findings] == [
        ("i18n/stale", Severity.WARNING)
    ]
    assert marks(german.path, "Übersetzung veraltet") == 1
    assert marks(english.path, "Übersetzung") == 0
    edit(stale / TRANSLATION, "bis zu {dist:4}", "bis zu {dist:5}")
    (stale / TRANSLATION).unlink()
    result = build(stale, untranslated=True, langs=("de",))
    assert marks(result.files[0].path, "nicht übersetzt") == 1


def test_an_order_is_refused_or_marks_the_card_and_says_so(stale: Path) -> None:
    refused = build(stale, profile="shop:offset")
    assert refused.files == ()
    assert [
        finding.code
        for finding in refused.findings
        if finding.severity is Severity.ERROR
    ] == ["i18n/stale"]
    result = build(stale, profile="shop:offset", untranslated=True, langs=("de",))
    (package,) = (file.path for file in result.files)
    (cards,) = (path for path in package.glob("*.pdf") if path.name != "order.pdf")
    assert marks(cards, "Übersetzung veraltet") == 1
    assert "effect" in (package / "manifest.json").read_text("utf-8")


def test_images_of_an_order_are_marked_too(stale: Path) -> None:
    shop = {"profile": "shop:makeplayingcards", "langs": ("de",), "untranslated": True}
    (package,) = (file.path for file in build(stale, **shop).files)
    marked_images = {path.name: path.read_bytes() for path in package.rglob("*.png")}
    edit(
        stale / TRANSLATION,
        "9de8d7aa",
        hash_source("Move one {key:mothling} up to {dist:5}."),
    )
    assert build(stale, **shop).files
    plain_images = {path.name: path.read_bytes() for path in package.rglob("*.png")}
    assert [
        name for name in plain_images if plain_images[name] != marked_images[name]
    ] == ["003-willow-flute.png"]


def test_a_broken_file_of_the_pack_stops_a_build_at_its_place(tmp_path: Path) -> None:
    folder = toy_project(tmp_path)
    (folder / "templates/lanterns/art").mkdir()
    (folder / "templates/lanterns/art/moth.png").write_text("a text")
    result = build(folder)
    assert result.files == ()
    assert [(finding.code, finding.location.file) for finding in result.findings] == [
        ("looks/picture-format", "templates/lanterns/art/moth.png")
    ]


def test_what_could_take_all_memory_is_not_even_set(tmp_path: Path) -> None:
    folder = toy_project(tmp_path)
    with (folder / "templates/lanterns/pack.css").open("a") as sheet:
        sheet.write(".face { grid-template-columns: repeat(100000000, 1px) }\n")
    result = build(folder)
    assert (result.files, result.rendered_count, result.cached_count) == ((), 0, 0)
    assert [finding.code for finding in result.findings] == ["looks/too-much"]


@pytest.mark.parametrize(("way", "cards", "marked"), [("mark", 3, 1), ("omit", 2, 0)])
def test_a_partial_translation_is_printed_as_the_pack_says(
    stale: Path, way: str, cards: int, marked: int
) -> None:
    edit(
        stale / "cards/lanterns/pack.yaml",
        "translations: [de]",
        f"translations: [de], partial: {{de: {way}}}",
    )
    result = build(stale, langs=("de",))
    (finding,) = result.findings
    assert (finding.code, finding.severity) == ("i18n/partial", Severity.WARNING)
    assert finding.message.startswith("de: 1 of 3 cards")
    assert [file.cards for file in result.files] == [cards]
    assert marks(result.files[0].path, "nicht übersetzt") == marked
    assert (
        marks(result.files[0].path, "Move one") == marked
    )  # the source's text, not the old rule's
    assert marks(result.files[0].path, "Bewege ein") == 0


def test_a_release_has_its_own_languages_and_leaves_the_prints_of_others(
    tmp_path: Path,
) -> None:
    project = Project(toy_project(tmp_path))
    manifest, other_folder, day = (
        tmp_path / "cards/lanterns/pack.yaml",
        tmp_path / "german",
        date(2026, 4, 1),
    )
    release_result = make_release(
        PackFiles(project), "lanterns", ReleaseRequest("1.0.0", day, day)
    )
    assert release_result.frozen, release_result.findings
    build(tmp_path, langs=("de",), as_of="1.0.0")
    edit(manifest, "translations: [de]", "translations: []")
    shutil.move(tmp_path / "cards/lanterns/i18n/de", other_folder)
    release_result = make_release(
        PackFiles(project), "lanterns", ReleaseRequest("2.0.0", day, day)
    )
    assert release_result.frozen, release_result.findings
    edit(manifest, "translations: []", "translations: [de]")
    shutil.move(other_folder, tmp_path / "cards/lanterns/i18n/de")
    build(tmp_path, langs=("de",))
    assert build(tmp_path, langs=("en",), as_of="2.0.0").removed == ()
    edit(manifest, "translations: [de]", "translations: []")
    shutil.move(tmp_path / "cards/lanterns/i18n/de", other_folder)
    assert [path.name for path in build(tmp_path, langs=("en",)).removed] == [
        "lanterns-de-home-a4-kind-charm.pdf"
    ]
