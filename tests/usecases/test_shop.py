"""Orders for print shops, from the command's side.

What lies in the package and what the manifest counts.
"""

from __future__ import annotations

import json
import re
import shutil
from base64 import b64encode
from io import BytesIO
from pathlib import Path

import pikepdf
import pytest
from PIL import Image
from pypdfium2 import PdfDocument

from builder.errors import ToolMissing, UsageError
from builder.findings import Finding, Location, Severity
from builder.messages import gettext, translate
from builder.packs.profiles import list_presets, load_preset
from builder.packs.project import Project
from builder.pdfinfo.ink import DrawnInks
from builder.pdfinfo.read import read_pdf
from builder.render.flow import render_flow
from builder.render.prepress.ink import GENERAL_REQUEST
from builder.usecases.build import shop
from builder.usecases.build.build import build_pack
from builder.usecases.build.build_options import BuildResult, HomeOptions
from builder.usecases.preflight.checked_files import CheckedFile
from tests.checks.preflight.second_judge import find_breaches, list_complaints
from tests.usecases.toy import build_options, toy_project

REPOSITORY = Path(__file__).resolve().parents[2]


@pytest.fixture
def lanterns(tmp_path: Path) -> Project:
    return Project(toy_project(tmp_path))


def order(project: Project, preset: str, **options: object) -> BuildResult:
    """Order from a shop.

    No profile of a shop's own printing condition is installed: the general one is accepted.
    """
    if preset == "mbprint":
        options.setdefault("icc", GENERAL_REQUEST)
    second_options = build_options(
        workers=0, langs=("en",), profile=f"shop:{preset}", **options
    )  # type: ignore[arg-type]
    return build_pack(project, "lanterns", second_options)


def test_an_order_is_not_converted_to_another_printing_condition_unless_requested(
    lanterns: Project,
) -> None:
    refused = order(lanterns, "mbprint", icc=None, only=("kind=spirit",))
    (finding,) = refused.findings
    assert (refused.files, finding.code, finding.severity) == (
        (),
        "press/profile",
        Severity.ERROR,
    )
    assert finding.message.startswith("the profile of FOGRA39 is not installed")
    assert "--icc general" in finding.hint
    accepted = order(lanterns, "mbprint", only=("kind=spirit",))
    notes = [
        finding for finding in accepted.findings if finding.code == "press/profile"
    ]
    assert [note.severity for note in notes] == [Severity.NOTE]
    assert "requested profile" in notes[0].message
    assert accepted.files


def test_a_shop_with_an_ink_limit_is_refused_without_ghostscript(
    lanterns: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "builder.usecases.build.shop.shutil.which", lambda _program: None
    )
    with pytest.raises(ToolMissing) as error:
        order(lanterns, "drivethrucards")
    assert "240 %" in error.value.message
    assert "Ghostscript" in error.value.remedy


def test_an_order_whose_ink_could_not_be_measured_is_refused(
    lanterns: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "builder.usecases.preflight.checked_files.draw_inks",
        lambda *_: DrawnInks(missing="Ghostscript gave up"),
    )
    result = order(lanterns, "drivethrucards", only=("kind=spirit",))
    errors = {
        finding.code
        for finding in result.findings
        if finding.severity is Severity.ERROR
    }
    assert (result.files, errors) == ((), {"preflight/ink-unmeasured"})


def manifest(result: BuildResult) -> dict:
    return json.loads((result.files[0].path / "manifest.json").read_text("utf-8"))


def test_every_preset_can_be_read(lanterns: Project) -> None:
    assert {
        "drivethrucards",
        "mbprint",
        "longpack",
        "makeplayingcards",
        "thegamecrafter",
        "azao",
        "offset",
    } <= set(list_presets(lanterns))
    for name in list_presets(lanterns):
        assert load_preset(lanterns, name).name


def test_an_unknown_shop_is_refused_with_the_nearest_name(lanterns: Project) -> None:
    with pytest.raises(UsageError) as error:
        load_preset(lanterns, "drivethrucard")
    assert "drivethrucards" in error.value.remedy


@pytest.mark.parametrize(
    ("profile", "options"),
    [
        ("shop:azao", {"home": HomeOptions(gap=3)}),
        ("shop:azao", {"gauges": "only"}),
        ("home-a4", {"zipped": True}),
        ("home-a4", {"icc": Path("some.icc")}),
    ],
)
def test_options_of_another_way_to_publish_are_refused(
    lanterns: Project, profile: str, options: dict
) -> None:
    with pytest.raises(UsageError):
        build_pack(
            lanterns,
            "lanterns",
            build_options(workers=0, langs=("en",), profile=profile, **options),
        )


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["drivethrucards", "offset"])
def test_checks_that_look_in_other_ways_pass_an_order(
    lanterns: Project, preset: str
) -> None:
    folder = order(lanterns, preset).files[0].path
    cards = [path for path in folder.rglob("*.pdf") if path.name != "order.pdf"]
    assert cards
    assert [
        complaint
        for path in cards
        for complaint in (*find_breaches(path), *list_complaints(path))
    ] == []
    assert list(list_complaints(folder / "order.pdf")) == []


@pytest.mark.slow
def test_an_order_of_nothing_is_refused(lanterns: Project) -> None:
    path = lanterns.get_cards_dir("lanterns") / "pack.yaml"
    text = path.read_text("utf-8").replace(
        "size: {width: 44, height: 63}",
        "table: true\n    size: {width: 44, height: 63}",
    )
    path.write_text(text, "utf-8")
    with pytest.raises(UsageError):
        order(lanterns, "azao", only=("kind=charm",))


@pytest.mark.slow
def test_a_pdf_for_a_cmyk_shop_is_what_it_says(lanterns: Project) -> None:
    result = order(lanterns, "drivethrucards")
    facts = read_pdf(result.files[0].path / "lanterns-en-us-poker.pdf")
    assert (facts.standard, facts.version) == ("PDF/X-1a:2003", "1.4")
    with pikepdf.open(result.files[0].path / "lanterns-en-us-poker.pdf") as pdf:
        assert str(pdf.docinfo.Title) == "Lanterns of Lowmarsh (en)"
    assert all(font.embedded for font in facts.fonts)
    for page in facts.pages:
        assert page.group is None
        assert {text.fill.family for text in page.texts if text.fill} <= {"CMYK"}
    assert "CMYK" in manifest(result)["colour"]


@pytest.mark.slow
def test_images_have_the_shops_pixels_and_reach_their_edges(lanterns: Project) -> None:
    result = order(lanterns, "thegamecrafter")
    folder = result.files[0].path
    sizes = {
        path.parent.parent.name: Image.open(path).size for path in folder.rglob("*.png")
    }
    assert sizes == {"en-poker": (825, 1125), "en-mini": (600, 825)}
    counted = manifest(result)
    assert counted["totals"]["cards"] == len(counted["cards"]) == result.files[0].cards
    image_names = {
        spot["file"]
        for card in counted["cards"]
        for spot in (*card["fronts"], *card["backs"])
    }
    assert image_names == {
        path.relative_to(folder).as_posix() for path in folder.rglob("*.png")
    }
    assert read_pdf(folder / "order.pdf").pages


@pytest.mark.slow
def test_a_pdf_has_the_shops_boxes_order_and_as_many_pages_as_the_manifest_says(
    lanterns: Project,
) -> None:
    result = order(lanterns, "drivethrucards")
    counted = manifest(result)
    folder = result.files[0].path
    pages = {
        file["name"]: read_pdf(folder / file["name"]).pages for file in counted["files"]
    }
    assert {name: len(texts) for name, texts in pages.items()} == {
        f["name"]: f["pages"] for f in counted["files"]
    }
    poker = pages["lanterns-en-us-poker.pdf"][0]
    assert (poker.media.width, poker.media.height) == pytest.approx(
        (69.85, 95.25), abs=0.01
    )
    assert (poker.trim.x, poker.trim.width, poker.trim.height) == pytest.approx(
        (3.175, 63.5, 88.9), abs=0.01
    )
    two_sided = next(card for card in counted["cards"] if card["kind"] == "spirit")
    assert two_sided["backs"][0]["page"] == two_sided["fronts"][0]["page"] - 1


def test_the_order_sheet_speaks_the_packs_language() -> None:
    from types import SimpleNamespace

    from jinja2 import Template

    path = REPOSITORY / "templates" / "base" / "order.html.j2"
    page = Template(path.read_text("utf-8"), extensions=["jinja2.ext.i18n"])
    page.environment.install_gettext_callables(  # type: ignore[attr-defined]
        lambda text: translate(gettext(text), "ru"),
        lambda message, *_: translate(gettext(message), "ru"),
        newstyle=True,
    )
    for release, state in (("", "карты в нынешнем виде"), ("1.2.0", "выпуск 1.2.0")):
        order = SimpleNamespace(
            release=release,
            state="the current cards",
            totals={},
            files=(),
            cards=(),
            remarks=(),
        )
        text = page.render(order=order, lang="ru")
        assert state in text
        assert "Обрез, мм" in text
        assert "the cards" not in text


@pytest.mark.slow
def test_copies_of_a_squad_are_pages_or_numbers_as_the_shop_wants(
    lanterns: Project,
) -> None:
    squad = lanterns.get_cards_dir("lanterns") / "rosters" / "three-mothers.yaml"
    listed = manifest(order(lanterns, "makeplayingcards", roster=squad))
    repeated = manifest(order(lanterns, "drivethrucards", roster=squad))
    assert (
        listed["totals"]["cards"]
        == repeated["totals"]["cards"]
        > listed["totals"]["different_cards"]
    )
    for card in repeated["cards"]:
        assert len(card["fronts"]) == card["copies"]


@pytest.mark.slow
def test_more_cards_than_a_shop_takes_become_parts(lanterns: Project) -> None:
    preset_folder = lanterns.root / "templates" / "presets"
    preset_folder.mkdir()
    text = (
        list_presets(lanterns)["makeplayingcards"]
        .read_text("utf-8")
        .replace("612", "3")
    )
    (preset_folder / "makeplayingcards.yaml").write_text(text, "utf-8")
    result = order(lanterns, "makeplayingcards")
    folders = {path.name for path in result.files[0].path.iterdir() if path.is_dir()}
    assert {"en-63x88-part1", "en-63x88-part2"} <= folders
    assert len(manifest(result)["cards"]) == result.files[0].cards


@pytest.mark.slow
def test_a_size_the_shop_does_not_make_is_an_error_and_writes_nothing(
    lanterns: Project,
) -> None:
    path = lanterns.get_cards_dir("lanterns") / "pack.yaml"
    path.write_text(
        path.read_text("utf-8").replace(
            "{width: 44, height: 63}", "{width: 50, height: 50}"
        ),
        "utf-8",
    )
    result = order(lanterns, "thegamecrafter")
    assert "press/size" in {finding.code for finding in result.findings}
    assert not result.files
    assert not list(lanterns.get_output_dir("lanterns").glob("*thegamecrafter*"))


@pytest.mark.slow
def test_the_same_order_twice_is_the_same_archive(lanterns: Project) -> None:
    first = order(lanterns, "azao", zipped=True).files[0]
    data = first.path.read_bytes()
    second = order(lanterns, "azao", zipped=True).files[0]
    assert second.path.suffix == ".zip"
    assert (first.changed, second.changed) == (True, False)
    assert second.path.read_bytes() == data


@pytest.mark.slow
def test_an_order_that_the_shop_would_refuse_is_not_handed_over(
    lanterns: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    finding = Finding(
        "preflight/ink", "too much ink", location=Location(file="cards.pdf", page=1)
    )
    monkeypatch.setattr(
        "builder.usecases.build.shopfiles.check_file",
        lambda path, *_: CheckedFile(path, "", (finding,), ()),
    )
    result = order(lanterns, "offset")
    assert result.files == ()
    assert finding in result.findings
    assert not list(lanterns.get_output_dir("lanterns").glob("*"))


@pytest.mark.slow
def test_images_that_the_shop_would_refuse_are_not_handed_over(
    lanterns: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    clear = Image.new("RGBA", (600, 825), (0, 0, 0, 0))
    monkeypatch.setattr(
        "builder.render.prepress.finisher.render_page", lambda *_: clear
    )
    result = order(lanterns, "thegamecrafter", only=("kind=charm",))
    assert result.files == ()
    assert "preflight/image-transparent" in {
        finding.code for finding in result.findings
    }


@pytest.mark.slow
def test_an_order_that_is_made_again_leaves_its_files(lanterns: Project) -> None:
    first = order(lanterns, "drivethrucards")
    times = {path: path.stat().st_mtime_ns for path in first.files[0].path.iterdir()}
    second_result = order(lanterns, "drivethrucards")
    assert not second_result.files[0].changed
    assert {
        path: path.stat().st_mtime_ns for path in second_result.files[0].path.iterdir()
    } == times
    assert (second_result.files[0].pages, second_result.files[0].cards) == (
        first.files[0].pages,
        first.files[0].cards,
    )
    assert second_result.findings == first.findings


@pytest.mark.slow
@pytest.mark.parametrize(
    "spoilt",
    ["a file is gone", "a file is other", "a card is other", "the preset is other"],
)
def test_an_order_is_made_again_where_anything_is_other(
    lanterns: Project, spoilt: str
) -> None:
    result = order(lanterns, "azao")
    folder = result.files[0].path
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    pdf = sorted(folder.glob("*.pdf"))[0]
    if spoilt == "a file is gone":
        pdf.unlink()
    elif spoilt == "a file is other":
        pdf.write_bytes(b"%PDF-1.4")
    elif spoilt == "a card is other":
        card = sorted((lanterns.get_cards_dir("lanterns") / "charm").glob("*.yaml"))[0]
        card.write_text(
            card.read_text("utf-8").replace("name:", "name: Xy", 1), "utf-8"
        )
    else:
        preset_folder = lanterns.root / "templates" / "presets"
        preset_folder.mkdir()
        (preset_folder / "azao.yaml").write_text(
            list_presets(lanterns)["azao"].read_text("utf-8") + "safe: 2\n", "utf-8"
        )
    second_result = order(lanterns, "azao")
    assert second_result.files[0].changed == (spoilt != "the preset is other")
    after = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert (after == before) == (spoilt != "a card is other")


@pytest.mark.slow
def test_a_shop_that_wants_outlines_gets_no_font_and_its_text_is_checked_all_the_same(
    lanterns: Project,
) -> None:
    preset_folder = lanterns.root / "templates" / "presets"
    preset_folder.mkdir()
    text = (
        list_presets(lanterns)["mbprint"]
        .read_text("utf-8")
        .replace("safe: 4", "safe: 14")
    )
    (preset_folder / "mbprint.yaml").write_text(text, "utf-8")
    result = order(lanterns, "mbprint")
    facts = read_pdf(result.files[0].path / "lanterns-en-63x88.pdf")
    assert facts.fonts == ()
    assert not [text for page in facts.pages for text in page.texts]
    codes = {finding.code for finding in result.findings}
    assert "preflight/text-outside-safe" in codes
    assert not codes & {
        "preflight/text-not-outlined",
        "press/outlines",
        "preflight/text-in-many-inks",
    }


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["drivethrucards", "mbprint", "thegamecrafter"])
def test_what_is_kept_of_an_order_gives_the_same_bytes_as_doing_it_anew(
    lanterns: Project, monkeypatch: pytest.MonkeyPatch, preset: str
) -> None:
    def files() -> dict[str, bytes]:
        folder = order(lanterns, preset).files[0].path
        contents = {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in folder.rglob("*")
            if path.is_file()
        }
        shutil.rmtree(folder)
        return contents

    first = files()
    cached_count = lanterns.cache.count("results")
    with monkeypatch.context() as patch:
        patch.setattr("builder.render.prepress.paint.Painter.rewrite", None)
        patch.setattr("builder.render.prepress.transparency._keep_half", None)
        patch.setattr("builder.render.prepress.outline.Outliner._outline_text", None)
        patch.setattr("builder.render.prepress.finisher.render_page", None)
        second_contents = files()
    shutil.rmtree(lanterns.cache_dir)
    assert cached_count
    assert first == second_contents == files()


@pytest.mark.slow
@pytest.mark.parametrize(
    "preset", ["drivethrucards", "mbprint", "offset", "longpack", "thegamecrafter"]
)
def test_an_order_of_more_faces_than_are_in_memory_is_the_same(
    lanterns: Project, monkeypatch: pytest.MonkeyPatch, preset: str
) -> None:
    def looks(folder: Path) -> dict[str, list[bytes]]:
        files = [
            path for path in sorted(folder.rglob("*.pdf")) if path.name != "order.pdf"
        ]
        pixels_by_file = {
            path.name: [
                page.render().to_numpy().tobytes() for page in PdfDocument(path)
            ]
            for path in files
        }
        return pixels_by_file | {
            path.name: [path.read_bytes()] for path in folder.rglob("*.png")
        }

    whole_order = order(lanterns, preset)
    folder = whole_order.files[0].path
    before, counted = looks(folder), (folder / "cards.csv").read_bytes()
    shutil.rmtree(folder)
    monkeypatch.setattr("builder.render.prepress.finisher.MAX_FACES_IN_MEMORY", 5)
    monkeypatch.setattr("builder.render.prepress.pages.MAX_FACES_IN_MEMORY", 5)
    parts = order(lanterns, preset)
    assert looks(folder) == before
    assert (folder / "cards.csv").read_bytes() == counted
    assert parts.findings == whole_order.findings


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["mbprint", "thegamecrafter", "drivethrucards"])
@pytest.mark.parametrize("pixels", [50, 300])
def test_coarse_art_is_reported_with_its_card_though_its_page_became_a_picture(
    lanterns: Project, preset: str, pixels: int
) -> None:
    template = lanterns.root / "templates" / "lanterns" / "clearing" / "front.html.j2"
    data = BytesIO()
    Image.effect_noise((pixels, pixels), 60).convert("RGB").save(data, "PNG")
    source = "data:image/png;base64," + b64encode(data.getvalue()).decode()
    art = f'<img style="width: 20mm; height: 20mm; opacity: 0.5" src="{source}">'
    template.write_text(template.read_text("utf-8") + art, "utf-8")
    result = order(lanterns, preset)
    findings = [
        finding
        for finding in result.findings
        if finding.code == "preflight/low-resolution"
    ]
    assert [finding.code for finding in findings] == ["preflight/low-resolution"] * (
        pixels == 50
    )
    for coarse_finding in findings:
        # 63.5 dpi: the engines round the place of a picture differently.
        assert re.search(r"50 × 50 pixels are 6[34] dpi", coarse_finding.message)
        assert coarse_finding.location.file is not None
        assert "two-stumps" in coarse_finding.location.file + coarse_finding.message
        assert (
            coarse_finding.location.page is None
        ) == coarse_finding.location.file.endswith(".png")
    assert bool(result.files) == (pixels == 300)


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["drivethrucards", "mbprint"])
def test_the_order_sheet_has_russian_words_for_whatever_an_order_remarks(
    lanterns: Project, monkeypatch: pytest.MonkeyPatch, preset: str
) -> None:
    pack = lanterns.get_cards_dir("lanterns") / "pack.yaml"
    pack.write_text(
        pack.read_text("utf-8").replace(
            "{width: 44, height: 63}", "{width: 63, height: 44}"
        ),
        "utf-8",
    )
    monkeypatch.setattr(
        "builder.usecases.build.shop.translate", lambda words, _: translate(words, "ru")
    )
    sheets: list[dict] = []
    monkeypatch.setattr(
        shop,
        "render_flow",
        lambda *arguments: (
            sheets.append(arguments[-1]["order"]) or render_flow(*arguments)
        ),
    )
    listed = manifest(order(lanterns, preset))
    notes = {note["en"] for note in load_preset(lanterns, preset).model_dump()["notes"]}
    for sheet_remark, remark in zip(
        sheets[0]["remarks"], listed["remarks"], strict=True
    ):
        assert (sheet_remark == remark) == (remark in notes), remark
    assert (
        ("красок" in sheets[0]["colour"])
        == ("ink" in listed["colour"])
        == (preset == "drivethrucards")
    )


@pytest.mark.second
@pytest.mark.slow
@pytest.mark.parametrize(
    "preset",
    [
        "azao",
        "drivethrucards",
        "longpack",
        "makeplayingcards",
        "mbprint",
        "offset",
        "thegamecrafter",
    ],
)
def test_either_engine_makes_an_order_that_a_shop_takes(
    lanterns: Project, preset: str
) -> None:
    pytest.importorskip("plutoprint")
    manifest = lanterns.get_cards_dir("lanterns") / "pack.yaml"
    text = manifest.read_text("utf-8")
    manifest.write_text(f"{text}\nengine: weasyprint\n", "utf-8")
    first = order(lanterns, preset, only=("kind=spirit",))
    manifest.write_text(f"{text}\nengine: plutoprint\n", "utf-8")
    second = order(lanterns, preset, only=("kind=spirit",))
    assert second.files
    assert first.rendered_count
    assert [finding.code for finding in second.findings] == [
        finding.code for finding in first.findings
    ]


@pytest.mark.slow
def test_icons_and_type_of_images_keep_the_shops_safe_distance(
    lanterns: Project,
) -> None:
    style = lanterns.get_templates_dir("lanterns") / "pack.css"
    text = style.read_text("utf-8")

    def told(left_mm: float) -> list[Finding]:
        style.write_text(f"{text}\n.kind-charm .title {{ left: {left_mm}mm }}", "utf-8")
        findings = order(lanterns, "thegamecrafter", only=("kind=charm",)).findings
        return [
            finding
            for finding in findings
            if finding.code == "preflight/text-outside-safe"
        ]

    (lanterns.get_templates_dir("lanterns") / "charm" / "front.html.j2").write_text(
        '<div class="title">{{ icon("wick") }}</div>', "utf-8"
    )
    assert not told(3 + 3.2), (
        "safe from the shop's cut, which lies 0.225 mm outside of the card's"
    )
    near_findings = told(3 + 2.2)
    assert near_findings
    assert all("fronts/" in (finding.location.file or "") for finding in near_findings)
