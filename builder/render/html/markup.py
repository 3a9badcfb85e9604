"""Rules text to HTML: each marked word becomes an element that style sheets can set."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from builder.model.markup import Break, Emphasis, Node, Strong, Tag, Text, parse_markup
from builder.render.html.typography import tied

if TYPE_CHECKING:
    from markupsafe import Markup

    from builder.render.html.words import Words


def rich(text: str, words: Words, plain: Collection[str] = ()) -> Markup:
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
    set_out = (_inline(tied(nodes, lambda tag: _said(tag, words)), words, plain) for nodes in paragraphs if nodes)
    return Markup("").join(Markup("<p>{}</p>").format(html) for html in set_out)


def _inline(nodes: tuple[Node, ...], words: Words, plain: Collection[str]) -> Markup:
    """The inside of one paragraph."""
    from markupsafe import Markup, escape

    parts: list[Markup] = []
    for node in nodes:
        match node:
            case Text():
                parts.append(escape(node.text))
            case Emphasis():
                parts.append(Markup("<em>{}</em>").format(_inline(node.children, words, plain)))
            case Strong():
                parts.append(Markup("<strong>{}</strong>").format(_inline(node.children, words, plain)))
            case Tag():
                parts.append(_tag(node, words, plain))
            case Break():
                parts.append(Markup("<br>"))
    return Markup("").join(parts)


def _tag(tag: Tag, words: Words, plain: Collection[str]) -> Markup:
    """One marked word."""
    from markupsafe import Markup, escape

    if tag.type == "icon":
        return words.icon(tag.id)
    word = _said(tag, words)
    if tag.type in plain:
        return escape(word)
    match tag.type:
        case "key":
            return Markup('<em class="key{}">{}</em>').format(_group(words.keyword_group(tag.id)), word)
        case "stat":
            return Markup('<abbr class="stat">{}</abbr>').format(word)
        case "dice" | "dist" | "card":
            return Markup('<span class="{}">{}</span>').format(tag.type, word)
        case _:
            return Markup('<span class="term">{}</span>').format(word)


def _said(tag: Tag, words: Words) -> str:
    """What a mark says, an icon being one sign."""
    if tag.type == "icon":
        return "*"
    return tag.shown or _word(tag, words)


def _word(tag: Tag, words: Words) -> str:
    """What a mark says where the text does not say it differently."""
    match tag.type:
        case "key":
            return words.keyword(tag.id)
        case "stat":
            return words.stat(tag.id)
        case "dice":
            return words.dice(tag.id)
        case "dist":
            return words.distance(tag.id)
        case "card":
            return words.card_name(tag.id)
        case _:
            return words.term(tag.id)


def _group(group: str | None) -> str:
    """The class of a word's group, after the others; nothing for a word without one."""
    return f" group-{group}" if group else ""
