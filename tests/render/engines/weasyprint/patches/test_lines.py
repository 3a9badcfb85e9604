"""Lines end where they must, whatever stands beside a text."""

import re

import pytest

from builder.render.engines.weasyprint.patches import apply_corrections

PARAGRAPHS = {
    "a tag after a space": (
        "Сколько бы правил ни действовало, <i>APL</i> отличается от своего не больше чем на 1."
    ),
    ("a tag tied by a no-break space"): (
        "Оба в ней, если один виден и стоит в пределах\u00a0<i>3″</i>."
    ),
    "words between two tags": "<i>WS</i> и <i>BS</i> вместо −1\u00a0<i>Leadership</i> до конца хода.",
    "a tied group": "Враг получает попадание <i>4\u00a00\u00a01</i>.",
    "many tags": "Move up to <i>6</i> and then fire at any <i>one</i> target in\u00a0<i>reach</i> of it.",
}
WIDTHS = range(110, 420, 2)


@pytest.fixture(scope="module")
def lines():
    """Return the lines of a paragraph in each width in pixels.

    Its tags change nothing of how it looks.
    """
    from weasyprint import CSS, HTML

    apply_corrections()

    def broken(html: str) -> dict[int, list[str]]:
        page = "@page{size:1000px 99999px;margin:0}p{margin:0;font:16px Roboto}i{font:inherit}"
        text = "".join(f'<p style="width:{width}px">{html}</p>' for width in WIDTHS)
        document = HTML(string=f"<body>{text}").render(stylesheets=[CSS(string=page)])
        blocks = [
            box
            for box in document.pages[0]._page_box.descendants()
            if box.element_tag == "p"
        ]
        found = [block for block in blocks if type(block).__name__ == "BlockBox"]
        return {
            width: [told(line) for line in block.children]
            for width, block in zip(WIDTHS, found, strict=True)
        }

    def told(line) -> str:
        return "".join(getattr(box, "text", "") for box in line.descendants()).strip(
            " "
        )

    return broken


@pytest.mark.slow
@pytest.mark.parametrize("html", PARAGRAPHS.values(), ids=PARAGRAPHS)
def test_a_paragraph_breaks_as_if_it_had_no_tags(lines, html):
    assert lines(html) == lines(re.sub("<.*?>", "", html))


@pytest.mark.slow
@pytest.mark.parametrize("html", PARAGRAPHS.values(), ids=PARAGRAPHS)
def test_a_wider_paragraph_never_takes_more_lines(lines, html):
    counts = [len(found) for found in lines(html).values()]
    assert counts == sorted(counts, reverse=True)
