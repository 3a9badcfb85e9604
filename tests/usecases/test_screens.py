"""Cards for screens, as someone who plays at a simulated table would use them."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner
from PIL import Image

from builder.cli.main import squadpress
from builder.packs.project import Project
from builder.render.prepress import raster
from builder.usecases.build.build_options import BuildResult, Selection, WorkerPool
from builder.usecases.build.pictures import PictureOptions
from builder.usecases.build.screens import build_screens
from tests.usecases.toy import toy_project


@pytest.fixture
def lanterns(tmp_path: Path) -> Project:
    return Project(toy_project(tmp_path))


def screens(project: Project, screen: PictureOptions, lang: str = "en") -> BuildResult:
    return build_screens(
        project, "lanterns", Selection(langs=(lang,)), screen, WorkerPool(0)
    )


@pytest.mark.slow
@pytest.mark.parametrize("form", ["png", "webp"])
def test_each_face_is_a_picture_of_its_true_size(lanterns: Project, form: str) -> None:
    built = screens(lanterns, PictureOptions(form, dpi=254)).files[0]  # type: ignore[arg-type]
    pictures = {
        path.name: Image.open(path).size for path in built.path.glob(f"*.{form}")
    }
    assert pictures[f"spirit-old-wick-front.{form}"] == (630, 880)
    assert pictures[f"charm-amber-brooch-front.{form}"] == (440, 630)
    assert len(pictures) == built.pages == 11
    assert not screens(lanterns, PictureOptions(form, dpi=254)).files[0].changed  # type: ignore[arg-type]


@pytest.mark.slow
def test_every_form_that_is_asked_for_is_made(lanterns: Project) -> None:
    forms = ["--as", "webp", "--as", "overview", "--as", "webp", "--dpi", "60"]
    words = [
        "screens",
        "lanterns",
        *forms,
        "--lang",
        "en",
        "--project",
        str(lanterns.root),
    ]
    output = CliRunner().invoke(squadpress, words, catch_exceptions=False).output
    folders = [
        line.partition(": ")[0] for line in output.splitlines() if "cards in" in line
    ]
    assert [Path(folder).name for folder in folders] == [
        "lanterns-en-webp",
        "lanterns-en-overview",
    ]
    assert all(Path(folder).is_dir() for folder in folders)


@pytest.mark.slow
def test_a_simulated_table_gets_sheets_without_gaps_and_every_card(
    lanterns: Project,
) -> None:
    built = screens(
        lanterns, PictureOptions("tabletop", url="https://example.org/cards/")
    ).files[0]
    saved = json.loads((built.path / "saved-object.json").read_text("utf-8"))
    sheets = {path.name: Image.open(path).size for path in built.path.glob("*.png")}
    names, texts = [], []
    for deck in saved["ObjectStates"]:
        (sheet,) = deck["CustomDeck"].values()
        for key in ("FaceURL", "BackURL"):
            assert sheet[key].startswith("https://example.org/cards/")
            width, height = sheets[sheet[key].rsplit("/", 1)[1]]
            is_shown = key == "FaceURL" or sheet["UniqueBack"]
            assert width % (sheet["NumWidth"] if is_shown else 1) == 0
            assert height % (sheet["NumHeight"] if is_shown else 1) == 0
            assert max(width, height) <= 4096
        contained_cards = deck.get("ContainedObjects") or [deck]
        assert (
            len(contained_cards)
            <= sheet["NumWidth"] * sheet["NumHeight"]
            < len(contained_cards) + sheet["NumWidth"]
        )
        assert [card["CardID"] for card in contained_cards] == deck.get(
            "DeckIDs", [contained_cards[0]["CardID"]]
        )
        assert sheet["UniqueBack"] == ("Charm" not in deck["Nickname"]), (
            "a common back is drawn once"
        )
        names += [card["Nickname"] for card in contained_cards]
        texts += [card["Description"] for card in contained_cards]
    assert len(names) == built.cards
    assert "Old Wick" in names
    assert 'Charm · 2 embers\nMove one Mothling up to 4".' in texts


@pytest.mark.slow
def test_gauges_lie_on_the_table_cut_out_as_they_are(lanterns: Project) -> None:
    (lanterns.get_cards_dir("lanterns") / "gauges.yaml").write_text(
        "groups:\n- id: g\n  title: {en: G, de: G}\n  gauges:\n"
        "  - {id: dim, type: token, name: {en: Dim, de: Trüb}, size: 25, faces: [{text: Dim, "
        "count: 3}]}\n"
        "  - {id: stick, type: reach, name: {en: Stick, de: Stab}, length: 4in}\n",
        encoding="utf-8",
    )
    folder = screens(lanterns, PictureOptions("tabletop", dpi=100)).files[0].path
    objects = json.loads((folder / "saved-object.json").read_text("utf-8"))[
        "ObjectStates"
    ]
    kinds = [
        (table_object["Nickname"], table_object["Name"])
        for table_object in objects
        if "CustomImage" in table_object
    ]
    assert kinds == [("Dim", "Custom_Token")] * 3 + [("Stick", "Custom_Tile")]
    token = Image.open(next((folder / "gauges").glob("*dim-front.png")))
    assert token.mode == "RGBA"
    assert token.getpixel((0, 0))[3] == 0
    assert token.getpixel((token.width // 2, token.height // 2))[3] == 255


@pytest.mark.slow
def test_a_game_of_the_card_game_simulator_has_a_picture_for_each_card(
    lanterns: Project,
) -> None:
    select = Selection(langs=("en",), product="marsh-box")
    result = build_screens(
        lanterns, "lanterns", select, PictureOptions("cgs", dpi=100), WorkerPool(0)
    )
    folder = result.files[0].path
    cards = json.loads((folder / "AllCards.json").read_text("utf-8"))
    assert all(
        (folder / "sets" / card["set"] / f"{card['id']}.png").is_file()
        for card in cards
    )
    assert (
        "3 [dusk-moth] Dusk Moth"
        in (folder / "decks" / "Spirits.txt").read_text("utf-8").splitlines()
    )
    assert Image.open(folder / "CardBack.png").size in {(248, 346), (173, 248)}
    assert [finding.code for finding in result.findings] == ["screens/one-back"]


class Sources(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [
            value for name, value in attrs if tag == "img" and name == "src" and value
        ]


@pytest.mark.slow
def test_the_gallery_shows_pictures_that_are_there(lanterns: Project) -> None:
    folder = screens(lanterns, PictureOptions("gallery", dpi=72)).files[0].path
    page = Sources()
    page.feed((folder / "index.html").read_text("utf-8"))
    assert {path.name for path in folder.glob("*.webp")} == set(page.found)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lang", "title", "side"),
    [
        ("en", "Lanterns of Lowmarsh", "back"),
        ("de", "Laternen im Niedermoor", "Rückseite"),
    ],
)
def test_the_gallery_speaks_its_cards_language(
    lanterns: Project, lang: str, title: str, side: str
) -> None:
    folder = screens(lanterns, PictureOptions("gallery", dpi=72), lang).files[0].path
    page = (folder / "index.html").read_text("utf-8")
    assert f'<html lang="{lang}">' in page
    assert f"<title>{title}</title>" in page
    assert f"<h1>{title}</h1>" in page
    alts = re.findall(r'<img [^>]*alt="([^"]*)"', page)
    assert len(alts) == page.count("<img ")
    assert len(set(alts)) == len(alts)
    assert any(alt.endswith(f", {side}") for alt in alts)
    assert {"en": "Charm · 1 embers", "de": "Talisman · 1 Glutstücke"}[lang] in page
    for file, width, height in re.findall(
        r'src="([^"]+)" width="(\d+)" height="(\d+)"', page
    ):
        assert Image.open(folder / file).size == (int(width), int(height))


@pytest.mark.slow
def test_the_overview_holds_all_faces_in_one_scale_and_says_which(
    lanterns: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    face_sizes: list[tuple[int, int]] = []
    make_overview_sheet = raster.make_overview_sheet
    monkeypatch.setattr(
        "builder.usecases.build.screens.make_overview_sheet",
        lambda faces, *rest: make_overview_sheet(
            [face_sizes.append(face.size) or face for face in faces], *rest
        ),
    )
    folder = screens(lanterns, PictureOptions("overview", dpi=127)).files[0].path
    picture = Image.open(folder / "overview.png")
    assert set(face_sizes) == {(223, 312), (156, 223)}
    assert picture.info["dpi"] == pytest.approx((90, 90), abs=0.1), (
        "printed as it is, cards are as large as cards"
    )
    row = [picture.getpixel((x, picture.height - 28)) for x in range(500)]
    line = row.count(raster.OVERVIEW_INK)
    assert line == pytest.approx(100 / 25.4 * 90, abs=30)


@pytest.mark.slow
def test_an_overview_of_many_faces_is_several_pictures(
    lanterns: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("builder.usecases.build.screens.MAX_OVERVIEW_PIXELS", 100_000)
    built = screens(lanterns, PictureOptions("overview", dpi=72)).files[0]
    assert len(list(built.path.glob("overview*.png"))) == built.pages > 2


@pytest.mark.slow
def test_a_card_that_cannot_be_set_writes_nothing(lanterns: Project) -> None:
    (lanterns.get_templates_dir("lanterns") / "spirit" / "front.html.j2").write_text(
        "{{ card.nothing }}"
    )
    result = screens(lanterns, PictureOptions("png"))
    assert result.findings
    assert not result.files
