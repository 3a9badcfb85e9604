"""Rules text to HTML: each marked word becomes an element that style sheets can set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from builder.model.markup import Break, Emphasis, Node, Strong, Tag, Text, parse_markup

if TYPE_CHECKING:
    from markupsafe import Markup

    from builder.render.words import Words


def rich(text: str, words: Words) -> Markup:
    """A marked-up text as paragraphs; words are looked up in `words`, which names what does not exist."""
    from markupsafe import Markup

    paragraphs: list[list[Node]] = [[]]
    for node in parse_markup(str(text).strip()):
        if isinstance(node, Break):
            paragraphs.append([])
        else:
            paragraphs[-1].append(node)
    set_out = (_inline(tuple(nodes), words) for nodes in paragraphs if nodes)
    return Markup("").join(Markup("<p>{}</p>").format(html) for html in set_out)


def _inline(nodes: tuple[Node, ...], words: Words) -> Markup:
    """The inside of one paragraph."""
    from markupsafe import Markup, escape

    parts: list[Markup] = []
    for node in nodes:
        match node:
            case Text():
                parts.append(escape(node.text))
            case Emphasis():
                parts.append(Markup("<em>{}</em>").format(_inline(node.children, words)))
            case Strong():
                parts.append(Markup("<strong>{}</strong>").format(_inline(node.children, words)))
            case Tag():
                parts.append(_tag(node, words))
            case Break():
                parts.append(Markup("<br>"))
    return Markup("").join(parts)


def _tag(tag: Tag, words: Words) -> Markup:
    """One marked word."""
    from markupsafe import Markup

    match tag.type:
        case "key":
            name = tag.shown or words.keyword(tag.id)
            return Markup('<em class="key{}">{}</em>').format(_group(words.keyword_group(tag.id)), name)
        case "stat":
            return Markup('<abbr class="stat">{}</abbr>').format(tag.shown or words.stat(tag.id))
        case "icon":
            return words.icon(tag.id)
        case "dice":
            return Markup('<span class="dice">{}</span>').format(tag.shown or words.dice(tag.id))
        case "dist":
            return Markup('<span class="dist">{}</span>').format(tag.shown or words.distance(tag.id))
        case "card":
            return Markup('<span class="card">{}</span>').format(tag.shown or words.card_name(tag.id))
        case _:
            return Markup('<span class="term">{}</span>').format(tag.shown or words.term(tag.id))


def _group(group: str | None) -> str:
    """The class of a word's group, after the others; nothing for a word without one."""
    return f" group-{group}" if group else ""
