"""`preflight FOLDER` and `preflight IMAGE` on the command line, and reports of orders."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from PIL import Image

from builder.packs.project import Project
from builder.usecases.build.build import build_pack
from tests.checks.preflight.make import GROUND, File, Sheet, write
from tests.cli.test_check_command import run
from tests.usecases.toy import build_options, toy_project


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder that is in no project."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an order made of images, by the program itself."""
    root = tmp_path_factory.mktemp("images")
    options = build_options(workers=0, langs=("en",), profile="shop:thegamecrafter")
    return build_pack(Project(toy_project(root)), "lanterns", options).files[0].path


@pytest.fixture
def order(made: Path, elsewhere: Path) -> Path:
    """Return a copy that may be spoilt."""
    return Path(shutil.copytree(made, elsewhere / "order"))


def image(path: Path, size: tuple[int, int] = (825, 1125), mode: str = "RGB") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new(mode, size).save(path, dpi=(300, 300))


@pytest.mark.slow
def test_an_order_of_images_is_sound_as_it_was_made(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    order: Path,
    elsewhere: Path,
) -> None:
    assert (
        run(
            monkeypatch,
            "preflight",
            "order",
            "--preset",
            "thegamecrafter",
            "--html",
            "report.html",
        )
        == 0
    )
    assert capsys.readouterr().out.endswith("no errors or warnings\n")
    page = (elsewhere / "report.html").read_text("utf-8")
    listed = json.loads((order / "manifest.json").read_text("utf-8"))["files"]
    assert all(f"<td>{file['name']}</td>" in page for file in listed)
    assert page.count("data:image/jpeg;base64,") == min(6, len(listed))


@pytest.mark.slow
def test_what_happened_to_an_order_is_reported_and_shown(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    order: Path,
    elsewhere: Path,
) -> None:
    lost, scaled, clear, cut = sorted(order.rglob("fronts/*.png"))[:4]
    lost.unlink()
    image(scaled, (800, 1100))
    with Image.open(clear) as one:
        Image.new("RGBA", one.size, (0, 0, 0, 0)).save(clear, dpi=(300, 300))
    cut.write_bytes(cut.read_bytes()[:500])
    image(order / "en-poker" / "fronts" / "more.png")
    assert (
        run(
            monkeypatch,
            "preflight",
            "order",
            "--preset",
            "thegamecrafter",
            "--html",
            "report.html",
        )
        == 1
    )
    captured = capsys.readouterr().out
    for path, code in (
        (lost, "error preflight/file-changed"),
        (scaled, "error preflight/image-pixels"),
        (clear, "error preflight/image-transparent"),
        (cut, "error preflight/file-unreadable"),
        (order / "en-poker" / "fronts" / "more.png", "warning preflight/file-changed"),
    ):
        name = path.relative_to(order).as_posix()
        assert any(
            line.startswith(name) and code in line for line in captured.splitlines()
        ), code
    page = (elsewhere / "report.html").read_text("utf-8")
    assert f"<h2>{scaled.relative_to(order).as_posix()}</h2>" in page


@pytest.mark.slow
def test_the_manifest_of_another_shop_is_not_followed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], order: Path
) -> None:
    assert run(monkeypatch, "preflight", "order", "--preset", "makeplayingcards") == 1
    captured = capsys.readouterr().out
    assert (
        "manifest.json: warning preflight/manifest: is for thegamecrafter" in captured
    )
    assert "two-stumps.png: error preflight/image-unpaired" in captured
    (order / "manifest.json").write_text(
        '{"made_by": "squadpress", "cards": 3}', "utf-8"
    )
    assert run(monkeypatch, "preflight", "order", "--preset", "thegamecrafter") == 1
    assert "warning preflight/manifest: cannot be read" in capsys.readouterr().out


def test_images_of_anyones_are_paired_by_their_names(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], elsewhere: Path
) -> None:
    for name in ("deck/axe front", "deck/axe back", "deck/bow front"):
        image(elsewhere / f"{name}.png")
    image(elsewhere / "deck" / "cap back.png")
    assert run(monkeypatch, "preflight", "deck", "--preset", "thegamecrafter") == 0
    capsys.readouterr()
    (elsewhere / "deck" / "cap back.png").unlink()
    image(elsewhere / "deck" / "axe2 front.png")
    image(elsewhere / "deck" / "axe2 back.png")
    assert run(monkeypatch, "preflight", "deck", "--preset", "thegamecrafter") == 1
    assert "bow front.png: error preflight/image-unpaired" in capsys.readouterr().out


def test_a_single_image_is_checked_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], elsewhere: Path
) -> None:
    image(elsewhere / "a.png")
    assert (
        run(
            monkeypatch,
            "preflight",
            "a.png",
            "--preset",
            "thegamecrafter",
            "--html",
            "a.html",
        )
        == 0
    )
    assert "<h2>Image</h2>" in (elsewhere / "a.html").read_text("utf-8")
    image(elsewhere / "a.png", (825, 1120))
    assert run(monkeypatch, "preflight", "a.png", "--preset", "thegamecrafter") == 1
    assert (
        "a.png: error preflight/image-pixels: 825 × 1120 pixels"
        in capsys.readouterr().out
    )
    (elsewhere / "b.png").write_text("no image", "utf-8")
    assert run(monkeypatch, "preflight", "b.png", "--preset", "thegamecrafter") == 3
    assert (
        run(
            monkeypatch,
            "preflight",
            "a.png",
            "--backs",
            "b.png",
            "--preset",
            "thegamecrafter",
        )
        == 2
    )
    capsys.readouterr()


@pytest.mark.slow
def test_the_report_of_several_files_shows_each_of_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], elsewhere: Path
) -> None:
    spoilt = File(
        (Sheet(), Sheet(f"{GROUND} 1 0 0 rg 10 10 5 5 re f")), intent="Offset"
    )
    write(elsewhere / "a-fronts.pdf", spoilt)
    write(elsewhere / "a-backs.pdf", spoilt)
    image(elsewhere / "stray.png")
    assert (
        run(
            monkeypatch, "preflight", ".", "--preset", "offset", "--html", "report.html"
        )
        == 1
    )
    page = (elsewhere / "report.html").read_text("utf-8")
    for heading in ("a-fronts.pdf, page 2", "a-backs.pdf, page 2", "stray.png"):
        assert f"<h2>{heading}</h2>" in page
    pair = [
        "preflight",
        "a-fronts.pdf",
        "--backs",
        "a-backs.pdf",
        "--preset",
        "offset",
        "--html",
        "pair.html",
    ]
    assert run(monkeypatch, *pair) == 1
    assert "<h2>a-backs.pdf, page 2</h2>" in (elsewhere / "pair.html").read_text(
        "utf-8"
    )
    capsys.readouterr()
