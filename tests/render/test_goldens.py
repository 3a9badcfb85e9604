"""What the toy packs look like, at three levels.

The HTML of every face, facts of the file, a small picture.

`make goldens` accepts what they look like now.
"""

from __future__ import annotations

import json
import os
from io import BytesIO
from pathlib import Path

import pikepdf
import pytest

from builder.packs.loading import load_pack
from builder.render.filling import list_card_jobs
from builder.render.renderer import Renderer
from builder.usecases.build.build_options import get_render_folders

pytestmark = pytest.mark.slow
COLD = True

GOLDENS = Path(__file__).parent / "goldens"
UPDATE = bool(os.environ.get("SQUADPRESS_UPDATE_GOLDENS"))
PACKS = ("lanterns", "brigade")
DPI = 40


def golden(name: str, data: bytes) -> bytes:
    """Return the accepted bytes; with an update, these from now on."""
    path = GOLDENS / name
    if UPDATE:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
    return path.read_bytes()


@pytest.fixture
def engine() -> str:
    """Return the one that the goldens were made with."""
    return "weasyprint"


@pytest.mark.parametrize("pack_id", PACKS)
def test_html_golden(request, pack_id):
    project = request.getfixturevalue(pack_id)
    loaded = load_pack(project, pack_id)
    assert loaded.pack is not None
    renderer = Renderer(loaded.pack, get_render_folders(project, pack_id))
    jobs = [
        job
        for lang in loaded.pack.manifest.languages.all
        for card in loaded.pack.cards.values()
        for job in list_card_jobs(renderer, card, lang, "full")
    ]
    findings: list = []
    pages = [renderer.fill(job, "", findings) for job in dict.fromkeys(jobs)]
    assert findings == []
    text = "\n\n".join(f"<!-- {page.label} -->\n{page.html}" for page in pages if page)
    assert golden(f"{pack_id}.html", text.encode()).decode() == text


@pytest.mark.parametrize("pack_id", PACKS)
def test_file_golden(request, build, pack_id):
    project = request.getfixturevalue(pack_id)
    facts = {}
    for built in build(project).files:
        with pikepdf.open(built.path) as pdf:
            facts[built.path.name] = {
                "pages": [
                    [round(float(edge), 1) for edge in page.mediabox]
                    for page in pdf.pages
                ],
                "forms": [len(page.resources.XObject) for page in pdf.pages],
                "fonts": sorted(
                    str(item.BaseFont)
                    for item in pdf.objects
                    if isinstance(item, pikepdf.Dictionary)
                    and item.get("/Subtype") == "/Type0"
                ),
            }
    text = json.dumps(facts, indent=1) + "\n"
    assert golden(f"{pack_id}.json", text.encode()).decode() == text


@pytest.mark.parametrize("pack_id", PACKS)
def test_picture_golden(request, build, pack_id):
    from PIL import Image, ImageChops, ImageStat

    project = request.getfixturevalue(pack_id)
    built = build(
        project, langs=(load_pack(project, pack_id).pack.manifest.languages.source,)
    ).files[0]
    now = picture(built.path)
    out = BytesIO()
    now.save(out, "PNG")
    before = Image.open(BytesIO(golden(f"{pack_id}.png", out.getvalue())))
    assert before.size == now.size
    # Rasterisers of different versions smooth edges differently; a moved word shows as far more
    # than this.
    difference = ImageChops.difference(before, now).point(
        lambda value: 255 if value > 64 else 0
    )
    assert ImageStat.Stat(difference).mean[0] < 0.2


def picture(path: Path):
    """Return the first two pages side by side, small and grey."""
    import pypdfium2
    from PIL import Image

    pages = [
        page.render(scale=DPI / 72, grayscale=True).to_pil()
        for page in list(pypdfium2.PdfDocument(path))[:2]
    ]
    whole = Image.new(
        "L",
        (sum(page.width for page in pages), max(page.height for page in pages)),
        255,
    )
    left = 0
    for page in pages:
        whole.paste(page, (left, 0))
        left += page.width
    return whole
