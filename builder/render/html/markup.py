"""Rules text to HTML: each marked word becomes an element that style sheets can set."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from builder.model.markup import Break, Emphasis, Node, Strong, Tag, Text, parse_markup
from builder.render.html.typography import keep_name_together, keep_together
from builder.render.html.view import TemplateWords

if TYPE_CHECKING:
    from markupsafe import Markup

LOOKUPS = {
    "key": TemplateWords.keyword,
    "stat": TemplateWords.stat,
    "dice": TemplateWords.dice,
    "dist": TemplateWords.distance,
    "card": TemplateWords.card_name,
}
"""What a mark says where the text does not say it differently; other marks are terms."""


def render_markup(text: str, words: TemplateWords, plain: Collection[str] = ()) -> Markup:
    """A marked-up text as paragraphs; words are looked up in `words`, which names what does not exist.

    Marks of the types in `plain` ("term", "dist" ...) become their words alone, without an element.
    """
    from markupsafe import Markup

    paragraphs: list[list[Node]] = [[]]
    for node in parse_markup(str(text).strip()):
        if isinstance(node, Break):
            paragraphs.append([])
        else:
            paragraphs[-1].append(node)
    set_out = (
        _inline(keep_together(nodes, lambda tag: _read(tag, words)), words, plain)
        for nodes in paragraphs
        if nodes
    )
    return Markup("").join(Markup("<p>{}</p>").format(html) for html in set_out)


def _inline(nodes: tuple[Node, ...], words: TemplateWords, plain: Collection[str]) -> Markup:
    from markupsafe import Markup, escape

    parts: list[Markup] = []
    for node in nodes:
        match node:
            case Text():
                parts.append(escape(node.text))
            case Emphasis():
                parts.append(Markup("<em>{}</em>").format(_inline(node.children, words, plain)))
            case Strong():
                parts.append(
                    Markup("<strong>{}</strong>").format(_inline(node.children, words, plain))
                )
            case Tag():
                parts.append(_tag(node, words, plain))
            case Break():
                parts.append(Markup("<br>"))
    return Markup("").join(parts)


def _tag(tag: Tag, words: TemplateWords, plain: Collection[str]) -> Markup:
    from markupsafe import Markup, escape

    if tag.type == "icon":
        return words.icon(tag.id)
    word = _read(tag, words)
    if tag.type in plain:
        return escape(word)
    match tag.type:
        case "key":
            group = words.keyword_group(tag.id)
            return Markup('<em class="key{}">{}</em>').format(
                f" group-{group}" if group else "", word
            )
        case "stat":
            return Markup('<abbr class="stat">{}</abbr>').format(word)
        case "dice" | "dist" | "card":
            return Markup('<span class="{}">{}</span>').format(tag.type, word)
        case _:
            return Markup('<span class="term">{}</span>').format(word)


def _read(tag: Tag, words: TemplateWords) -> str:
    """What a mark says, an icon being one sign."""
    if tag.type == "icon":
        return "*"
    return keep_name_together(tag.shown or LOOKUPS.get(tag.type, TemplateWords.term)(words, tag.id))
