"""Convert rules text to HTML: each marked word becomes an element."""

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


def render_markup(
    text: str, words: TemplateWords, plain_types: Collection[str] = ()
) -> Markup:
    """Convert a text with markup to HTML paragraphs.

    Names are looked up in `words`, which raises if one does not exist.

    Marks of the types in `plain_types` ("term", "dist" ...) become their words alone, without an
    element.
    """
    from markupsafe import Markup

    paragraphs: list[list[Node]] = [[]]
    for node in parse_markup(str(text).strip()):
        if isinstance(node, Break):
            paragraphs.append([])
        else:
            paragraphs[-1].append(node)
    parts: list[Markup] = []
    for nodes in paragraphs:
        if nodes:
            tied_nodes = keep_together(nodes, lambda tag: _read_tag(tag, words))
            html = _render_nodes(tied_nodes, words, plain_types)
            parts.append(Markup("<p>{}</p>").format(html))
    return Markup("").join(parts)


def _render_nodes(
    nodes: tuple[Node, ...], words: TemplateWords, plain_types: Collection[str]
) -> Markup:
    from markupsafe import Markup

    parts: list[Markup] = []
    for node in nodes:
        match node:
            case Text():
                parts.append(words.replace_symbols(node.text))
            case Emphasis():
                html = _render_nodes(node.children, words, plain_types)
                parts.append(Markup("<em>{}</em>").format(html))
            case Strong():
                html = _render_nodes(node.children, words, plain_types)
                parts.append(Markup("<strong>{}</strong>").format(html))
            case Tag():
                parts.append(_render_tag(node, words, plain_types))
            case Break():
                parts.append(Markup("<br>"))
    return Markup("").join(parts)


def _render_tag(tag: Tag, words: TemplateWords, plain_types: Collection[str]) -> Markup:
    from markupsafe import Markup, escape

    if tag.type == "icon":
        return words.icon(tag.id)
    word = _read_tag(tag, words)
    if tag.type in plain_types:
        return escape(word)
    match tag.type:
        case "key":
            group = words.keyword_group(tag.id)
            classes = f"key group-{group}" if group else "key"
            return Markup('<em class="{}">{}</em>').format(classes, word)
        case "stat":
            return Markup('<abbr class="stat">{}</abbr>').format(word)
        case "dice" | "dist" | "card":
            return Markup('<span class="{}">{}</span>').format(tag.type, word)
        case _:
            return Markup('<span class="term">{}</span>').format(word)


def _read_tag(tag: Tag, words: TemplateWords) -> str:
    """Return the text that a tag such as `{key:id}` prints. An icon counts as one character."""
    if tag.type == "icon":
        return "*"
    if tag.label:
        return keep_name_together(tag.label)
    look_up = LOOKUPS.get(tag.type, TemplateWords.term)
    return keep_name_together(look_up(words, tag.id))
