"""Every kind of file that a stranger may hand over: where it lies in a toy project, and what is done with it."""

from __future__ import annotations

import json
import shutil
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from zipfile import ZipFile

from builder.errors import SquadpressError
from builder.packs.exchange import decode_token, encode_token
from builder.packs.pack_files import PackFiles, write_json
from builder.packs.project import Project
from builder.packs.rosters import load_collection
from builder.render.fonts import find_font_file
from builder.render.html.packfonts import load_pack_fonts
from builder.render.jobs import FaceJob
from builder.render.renderer import Renderer
from builder.roster.choice_keywords import add_choice_keywords
from builder.usecases.build.build_options import get_render_folders
from builder.usecases.roster.roster_files import check_roster_files
from builder.usecases.roster.seal import make_disclosure, seal_roster
from builder.usecases.roster.share import make_token
from builder.usecases.roster.verdict import make_verdict
from tests.hostile.attacks import call, forge, put, released, say
from tests.house.source import ROOT

SHEET = "xl/worksheets/sheet1.xml"


@dataclass(frozen=True)
class FuzzKind:
    """Files to begin with, and what is done once a spoiled one lies in the place of the first."""

    name: str
    files: tuple[Path, ...]
    use: Callable[[Path], object]
    share: int = 4
    """How often it is tried, among the others."""
    seeds: tuple[bytes, ...] = field(default=())


def kinds(folder: Path) -> tuple[FuzzKind, ...]:  # noqa: C901 - a table
    """All kinds, in a new project below this folder."""
    release = released(folder)
    project = Project(folder)
    pack_folder, templates = (
        project.get_cards_dir("lanterns"),
        project.get_templates_dir("lanterns"),
    )
    squad = folder / "squad.yaml"
    shutil.copy(pack_folder / "rosters" / "marsh-walk.yaml", squad)
    _add_files(folder)
    judged = next(check_roster_files(project, (squad,)))
    made = seal_roster(judged)
    paths = {
        name: folder / f"{name}.json"
        for name in ("copy", "key", "proof", "verdict", "roster")
    }
    shared = make_token(judged)
    values = {"copy": made.copy, "key": made.key, "proof": make_disclosure(dict(made.key), ("#1.1", "whole"), "key"),
              "verdict": make_verdict(judged) or {}}  # fmt: skip
    for name, value in values.items():
        write_json(paths[name], value)
    paths["roster"].write_text(
        call(folder, "roster", "share", squad, "--as", "json")[1], encoding="utf-8"
    )
    (folder / "token").write_text(json.dumps(decode_token(shared)), encoding="utf-8")

    def check(_path: Path) -> None:
        call(folder, "check", "lanterns")

    def roster(path: Path) -> None:
        words = _one_of(
            path,
            ("check", "--explain"),
            ("show",),
            ("check",),
            ("share", "--as", "text"),
        )
        call(folder, "roster", words[0], path, *words[1:])

    def reveal(path: Path) -> None:
        ways = {"copy": (("--proof", paths["proof"]), ()), "proof": (("--proof", paths["proof"]),),
                "key": (("--open", "#1.1"), ())}  # fmt: skip
        call(folder, "roster", "reveal", paths["key" if path == paths["key"] else "copy"],
             *_one_of(path, *ways[path.stem]))  # fmt: skip

    def release_of(path: Path) -> None:
        if path.name != "manifest.json" and path.stat().st_size % 4:
            data = path.read_bytes()
            entry = {"path": path.relative_to(release).as_posix(), "bytes": len(data),
                     "sha256": sha256(data).hexdigest()}  # fmt: skip
            forge(release, "manifest.json", lambda all_: put(all_["files"], entry))
        call(folder, *_one_of(
            path, ("release", "diff", "1.0.0"), ("release", "notes", "1.0.0"),
            ("release", "publish", "--no-pdf", "--output", folder / "out"),
            ("roster", "check", squad, "--as-of", "1.0.0")))  # fmt: skip
        shutil.rmtree(folder / "out", ignore_errors=True)

    def opened(path: Path) -> None:
        data = path.read_bytes()
        with suppress(ValueError, RecursionError):
            value = json.loads(data)
            json.dumps(value).encode()
            with suppress(UnicodeEncodeError):
                call(folder, "roster", "open", encode_token(value))
        call(folder, "roster", "open", data.decode("latin-1").replace("\0", ""))
        call(folder, "roster", "open", "SQP1." + zlib.compress(data).hex()[:9000])

    def table(path: Path) -> None:
        words = _one_of(
            path, ("import",), ("import", "--delete", "--clear-empty"), ("new",)
        )
        if words[0] == "import":
            call(folder, "table", words[0], path, "--kind", "spirit", *words[1:])
        else:
            say("new", folder / "mine", "--from", path)
            shutil.rmtree(folder / "mine", ignore_errors=True)

    def filled(path: Path) -> None:
        _set(project, path, really=False)

    def typeset(path: Path) -> None:
        _set(project, path, really=True)

    def files(place: Path, pattern: str) -> tuple[Path, ...]:
        return tuple(sorted(place.glob(pattern)))

    def checker(path: Path) -> None:
        call(folder, "preflight", path, "--preset", "drivethrucards")

    parts = [
        path for path in files(release, "**/*.json") if path.name != "manifest.json"
    ]
    pdfs = tuple(
        sorted(
            (ROOT / "tests").glob("**/corpus/**/*.pdf"),
            key=lambda path: path.stat().st_size,
        )[:40]
    )
    return (
        FuzzKind("card", files(pack_folder, "spirit/*.yaml"), check, 5),
        FuzzKind("pack", (pack_folder / "pack.yaml",), check, 5),
        FuzzKind("rules", (pack_folder / "rules.yaml",), check, 5),
        FuzzKind("vocabulary", (pack_folder / "vocabulary.yaml",), check),
        FuzzKind("translation", files(pack_folder, "i18n/de/spirit/*.yaml"), check, 3),
        FuzzKind("gauges", (pack_folder / "gauges.yaml",), lambda _path: (
            call(folder, "check", "lanterns"), _gauges(project))),
        FuzzKind("stats", (pack_folder / "stats.yaml",), lambda _path: (
            call(folder, "check", "lanterns"), call(folder, "roster", "stats", squad)), 3),
        FuzzKind("products", (pack_folder / "products.yaml",), check, 2),
        FuzzKind("play formats", (pack_folder / "formats.yaml",), lambda _path: (
            call(folder, "check", "lanterns"), call(folder, "roster", "check", squad, "--play-format", "short")), 3),
        FuzzKind("CSV", (folder / "spirit.csv",), table, 3),
        FuzzKind("workbook", (folder / "spirit.xlsx",), table, 2),
        FuzzKind("sheet of a workbook", (folder / "sheet.xml",), lambda path: table(
            _with_sheet(folder / "spirit.xlsx", path.read_bytes())), 3),
        FuzzKind("migrations", (pack_folder / "migrations.yaml",), check, 2),
        FuzzKind("schema", files(project.get_schemas_dir("lanterns"), "*.json"), check, 5),
        FuzzKind("roster", (squad, *files(pack_folder, "rosters/*.yaml")), roster, 6),
        FuzzKind("collection", (folder / "shelf.yaml",), lambda path: _refused(load_collection, path, project), 3),
        FuzzKind("preset", (folder / "templates/presets/shop.yaml",), lambda _path: call(
            folder, "preflight", folder / "cards", "--preset", "shop"), 3),
        FuzzKind("release", (release / "manifest.json", *parts), release_of, 6),
        FuzzKind("seal", (paths["copy"], paths["proof"], paths["key"]), reveal, 6),
        FuzzKind("verdict", (paths["verdict"],), lambda path: call(folder, "roster", "verify", path), 3),
        FuzzKind("roster as JSON", (paths["roster"],), lambda path: call(folder, "roster", "open", f"@{path}"), 3),
        FuzzKind("token", (folder / "token",), opened, 4),
        FuzzKind("PO", (folder / "lanterns-de.po",), lambda path: call(folder, "translations", "--take", path), 2),
        FuzzKind("XLIFF", (folder / "lanterns-de.xlf",), lambda path: call(folder, "translations", "--take", path), 2),
        FuzzKind("template", files(templates, "spirit/*.j2"), filled, 6),
        FuzzKind("font", (templates / "fonts/a.ttf",), lambda _path: load_pack_fonts(get_render_folders(project, "lanterns")), 2),
        FuzzKind("style", files(templates, "**/*.css"), typeset, 1),
        FuzzKind("drawing", files(templates, "icons/*.svg"), filled, 4),
        FuzzKind("picture", (folder / "art.png",), checker, 3, _pictures()),
        FuzzKind("PDF", (folder / "file.pdf",), checker, 2, tuple(path.read_bytes() for path in pdfs) or _pdf()),
        FuzzKind("order", (folder / "order/manifest.json",), lambda path: call(
            folder, "preflight", path.parent, "--preset", "drivethrucards"), 2),
    )  # fmt: skip


def _one_of(path: Path, *ways: tuple[str | Path, ...]) -> tuple[str | Path, ...]:
    """One of some commands, the same for the same file."""
    return ways[zlib.crc32(path.read_bytes()) % len(ways)]


def _refused(read: Callable[..., object], *given: object) -> None:
    with suppress(SquadpressError):
        read(*given)


def _add_files(folder: Path) -> None:
    """Kinds of files that the toy pack has none of."""
    cards = folder / "cards/lanterns"
    gauges = sorted(
        (ROOT / "cards").glob("*/gauges.yaml"), key=lambda path: path.stat().st_size
    )
    stats = sorted(
        (ROOT / "cards").glob("*/stats.yaml"), key=lambda path: path.stat().st_size
    )
    shutil.copy(gauges[0], cards / "gauges.yaml")
    shutil.copy(stats[0], cards / "stats.yaml")
    (cards / "migrations.yaml").write_text(
        "migrations:\n  - {old: gone-moth, new: dusk-moth, type: rename, date: 2026-03-01}\n"
    )
    (folder / "shelf.yaml").write_text(
        "pack: lanterns\nowned: {dusk-moth: 3, old-wick: {count: 2, painted: 1}}\n"
    )
    presets = folder / "templates/presets"
    presets.mkdir(parents=True, exist_ok=True)
    shop = (ROOT / "templates/base/presets/drivethrucards.yaml").read_text(
        encoding="utf-8"
    )
    (presets / "shop.yaml").write_text(
        shop.replace("id: drivethrucards", "id: shop"), encoding="utf-8"
    )
    (cards / "formats.yaml").write_text(
        "formats:\n  short:\n    name: {en: Short, de: Kurz}\n    pool:\n      - {kinds: [spirit]}\n"
        "    banned:\n      - {cards: [old-wick], from: 2026-01-10, reason: {en: Too bright., de: Zu hell.}}\n"
        "    restricted:\n      - {cards: [dusk-moth], max: 1}\n    points:\n      - {max: 12}\n",
        encoding="utf-8",
    )
    for form in ("csv", "xlsx"):
        call(folder, "table", "export", "lanterns", "spirit", folder / f"spirit.{form}")
    with ZipFile(folder / "spirit.xlsx") as book:
        (folder / "sheet.xml").write_bytes(book.read(SHEET))
    for form in ("po", "xliff"):
        call(folder, "translations", "--lang", "de", "--template", folder, "--as", form)
    (folder / "art.png").write_bytes(_pictures()[0])
    (folder / "file.pdf").write_bytes(_pdf()[0])
    (folder / "templates/lanterns/fonts").mkdir()
    (folder / "templates/lanterns/fonts/a.ttf").write_bytes(
        find_font_file("Roboto-Regular.ttf").read_bytes()[:280_000]
    )
    (folder / "order").mkdir()
    (folder / "order" / "a.pdf").write_bytes(_pdf()[0])
    order = {
        "made_by": "squadpress", "preset": "drivethrucards", "shop": "x", "pack": "lanterns", "title": "x", "state": "x",
        "colour": "x", "cards": [{"id": "a", "kind": "k", "name": "n", "lang": "en", "size": "s", "copies": 1,
                                  "fronts": [{"file": "a.pdf", "page": 1}], "backs": []}],
        "files": [{"name": "a.pdf", "size": "s", "pages": 1, "page": [63, 88], "trim": [57, 82], "sha256": "0" * 64}],
    }  # fmt: skip
    (folder / "order/manifest.json").write_text(json.dumps(order), encoding="utf-8")


def _with_sheet(workbook: Path, sheet: bytes) -> Path:
    """The workbook with another sheet in it: what is spoiled is then read as cells, not refused as an archive."""
    made = workbook.with_name("made.xlsx")
    with ZipFile(workbook) as book, ZipFile(made, "w") as into:
        for name in book.namelist():
            into.writestr(name, sheet if name == SHEET else book.read(name))
    return made


def _gauges(project: Project) -> None:
    from builder.geometry.gauges.sheet import PAPERS
    from builder.usecases.build.gauges import render_gauges

    loaded = PackFiles(project).load_pack("lanterns")
    if loaded.pack is not None and loaded.gauges is not None:
        with suppress(SquadpressError):
            render_gauges(project, loaded, "en", next(iter(PAPERS)))


def _set(project: Project, path: Path, *, really: bool) -> None:
    """A face filled in with what lies there now, and perhaps set."""
    loaded = PackFiles(project).load_pack("lanterns")
    assert loaded.pack is not None
    renderer = Renderer(
        add_choice_keywords(loaded.pack),
        get_render_folders(project, "lanterns"),
        workers=1,
    )
    side = "back" if "back" in path.name else "front"
    with suppress(SquadpressError):
        for card in ("dusk-moth", "old-wick") if not really else ("dusk-moth",):
            job = FaceJob("spirit", side, "en", card=card)  # type: ignore[arg-type]
            if really:
                renderer.render([job])
            else:
                renderer.fill(job, renderer.make_key(job), [])


def _pictures() -> tuple[bytes, ...]:
    from io import BytesIO

    from PIL import Image

    found = []
    for form, mode in (
        ("PNG", "RGB"),
        ("JPEG", "RGB"),
        ("PNG", "P"),
        ("TIFF", "CMYK"),
        ("GIF", "P"),
        ("WEBP", "RGB"),
    ):
        out = BytesIO()
        Image.linear_gradient("L").resize((60, 84)).convert(mode).save(out, form)
        found.append(out.getvalue())
    return tuple(found)


def _pdf() -> tuple[bytes, ...]:
    from io import BytesIO

    from pikepdf import Pdf

    out = BytesIO()
    with Pdf.new() as pdf:
        pdf.add_blank_page(page_size=(180, 252))
        pdf.pages[0].contents_add(b"q 1 0 0 rg 10 10 50 50 re f Q BT ET")
        pdf.save(out)
    return (out.getvalue(),)
