"""A document is read the fast way only where that gives the very tree the engine's own reader gives."""

from __future__ import annotations

import pytest
import tinyhtml5

from builder.render.engine.weasyprint.patches.reading import read, reader

PLAIN = [
    "",
    "\n<section class=\"face front\"> <div class='a b'>one <b>two</b> three</div>\n</section>\n",
    '<p>a<br>b<br/>c <img src="x.svg" alt=""> d</p>',
    "<h2>Head <small>small</small></h2><div><p>one</p> <p>two <em>three</em></p></div>",
    '<div title="a &amp; b &lt; &#34;c&#34;">&lt;&#39;&gt; > «ё» 🎲</div>',
    '<div><svg viewBox="0 0 1 1" width="3mm"><g><path d="M0 0"/></g><text x="1">t</text></svg> tail</div>',
    "<b><div>block in words</div> after</b>",
    '<div a="1" data-b="2  3">\xa0</div>',
    "<table><tr><td>a</td></tr></table>",
    "<table> <tr> <th>a <p>b</p></th>\n<td><b>c</b> d</td> </tr>\n<tr></tr> </table> tail",
    '<table class="a">\n<col class="b"> <col>\n <tr><td>a</td></tr> </table><table></table>',
    "<table><col><thead><tr><th>a</th></tr></thead> <tbody> <tr><td>b</td></tr> </tbody></table>",
    "<table><tr><td><table><col><tr><td>in</td></tr></table></td></tr></table><table> <col> </table>",
    '<div title="1&#160;2">a&#171;b&#8198;c&#9999;</div>',
]

OTHER = [
    "<div>&nbsp;</div>",
    "<div>&#150;</div>",
    "<div>&#13;</div>",
    "<div>&#55296;</div>",
    "<p>one<p>two",
    "<p>one<div>two</div></p>",
    "<h1>one<h2>two</h2></h1>",
    "<table>a</table>",
    "<table><tr>a</tr></table>",
    "<table>a<tr><td>b</td></tr></table>",
    "<table><tr>a<td>b</td></tr></table>",
    "<table><td>a</td></table>",
    "<table><tr><td>a</td></tr><col></table>",
    "<table><tr><td>a</td></tr><tbody><tr><td>b</td></tr></tbody></table>",
    "<table><tbody><p>a</p></tbody></table>",
    "<table><caption>a</caption><tr><td>b</td></tr></table>",
    "<table><tr><td><tr></tr></td></tr></table>",
    "<p><table><tr><td>a</td></tr></table></p>",
    "<p>a<span><col></span></p>",
    "<div><tr><td>a</td></tr></div>",
    "<ul><li>a</li></ul>",
    "<div/>after",
    "<div class=a>b</div>",
    '<div class="a\nb">c</div>',
    '<div class="a>b">c</div>',
    "<DIV>a</DIV>",
    '<a href="x">a</a>',
    "<div><!-- a -->b</div>",
    "<b>one<i>two</b>three</i>",
    "<style>a > b {}</style>",
    "<svg><div>a</div></svg>",
    '<svg xmlns="http://www.w3.org/2000/svg"></svg>',
    "<svg><lineargradient></lineargradient></svg>",
    '<path d="M0 0"/>a',
    '<div>a</div></body></html>b<html lang=""><body>',
    '<div class="a" class="b">c</div>',
    "a < b",
    "a\x0bb",
    "<body>a</body>",
]


def document(body: str) -> str:
    return f'<!DOCTYPE html><html lang="ru"><head><title></title></head><body>{body}</body></html>'


def told(element) -> tuple:
    """A tree as plain values; no text and an empty one are the same to the engine."""
    return (
        element.tag,
        list(element.attrib.items()),
        element.text or "",
        element.tail or "",
        [told(child) for child in element],
    )


@pytest.mark.parametrize("body", PLAIN)
def test_a_plain_document_gives_the_same_tree(body):
    text = document(body)
    assert told(read(text)) == told(tinyhtml5.parse(text, namespace_html_elements=False))


@pytest.mark.parametrize("body", OTHER)
def test_what_could_be_read_in_two_ways_is_not_read(body):
    assert read(document(body)) is None


def test_the_engine_is_given_the_fast_reader(monkeypatch):
    """The engine's own reader must not be asked for a plain document: a slower way in would go unseen."""
    import weasyprint

    def slow(*_: object, **__: object) -> None:
        raise AssertionError("read the slow way")

    monkeypatch.setattr(tinyhtml5, "parse", reader(slow))
    assert weasyprint.HTML(string=document("<p>a</p>"), base_url="file:///pack/").etree_element[1][0].text == "a"
    with pytest.raises(AssertionError, match="slow way"):
        weasyprint.HTML(string=document("<p>a"), base_url="file:///pack/")


def test_another_beginning_is_not_read():
    assert read("<html><body><p>a</p></body></html>") is None
