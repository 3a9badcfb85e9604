"""Orders without transparency: which faces become pictures, and which template is to blame."""

import pytest

from builder.findings import Location
from builder.packs.project import Project
from builder.pdfinfo.read import read_pdf
from tests.usecases.test_shop import lanterns, manifest, order  # noqa: F401


@pytest.mark.slow
def test_only_what_lets_others_shine_through_becomes_a_picture_and_its_template_is_named(
    lanterns: Project,  # noqa: F811
) -> None:
    (lanterns.root / "cards/lanterns/pack.yaml").open("a", encoding="utf-8").write(
        "\nengine: weasyprint\n"
    )
    template = lanterns.root / "templates" / "lanterns" / "clearing" / "front.html.j2"
    template.write_text(
        template.read_text("utf-8") + '\n<hr style="opacity: 0.5">', "utf-8"
    )
    build_result = order(lanterns, "drivethrucards")
    (finding,) = [
        finding
        for finding in build_result.findings
        if finding.code == "press/flattened"
    ]
    assert finding.location == Location(
        file="templates/lanterns/clearing/front.html.j2"
    )
    listed = manifest(build_result)
    fronts = {
        (face["file"], face["page"]): card["kind"]
        for card in listed["cards"]
        for face in card["fronts"]
    }
    assert finding.message.startswith(
        f"clearing/front: {list(fronts.values()).count('clearing')} page"
    )
    for (file, number), kind in fronts.items():
        page = read_pdf(build_result.files[0].path / file).pages[number - 1]
        assert bool(list(page.images)) == (kind == "clearing")
