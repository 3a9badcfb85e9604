"""Rules text as a tree: a small markup that templates print, checks verify and glossaries use.

Pure. The markup is `{type:id}`, `{type:id|shown form}`, `*emphasis*`, `**strong**` and a line
break. A backslash removes the meaning of the next character. Parsing never fails: errors are listed
with their offset, and their text is kept.
"""

import re
from dataclasses import dataclass
from typing import TypeAlias

TAGS = ("key", "stat", "term", "icon", "card", "dice", "dist")
"""The types of tag a text may use."""

# The characters that have a meaning. A backslash is one only before such a character.
_TOKEN = re.compile(
    r"\\(?P<escape>[\\{}*|])|(?P<stars>\*\*?)|(?P<open>\{)|(?P<close>\})|(?P<line>\r?\n)",
    re.DOTALL,
)
# `{type:id}` or `{type:id|shown form}`. Parts may be missing, so that the error can be named.
_TAG = re.compile(
    r"\{\s*(?P<type>[^\s:{}|\n]*)\s*(?P<colon>:?)\s*(?P<id>[^{}|\n]*?)\s*(?:\|(?P<shown>(?:\\.|[^{}\n])*))?\}"
)
_SPECIAL = re.compile(r"[\\{}*|]")
# `d6`, `2d6`, `2d6+1`, `d6×2`, or a plain number.
_DICE = re.compile(r"^\d*[dD]\d+([+\-−×*]\d+)?$|^\d+$")
# `6`, `2.5` or a range such as `6-12`.
_DIST = re.compile(r"^\d+([.,]\d+)?([-–]\d+([.,]\d+)?)?$")


@dataclass(frozen=True, slots=True)
class Text:
    """Text without markup."""

    text: str


@dataclass(frozen=True, slots=True)
class Break:
    """A line break, which starts a new paragraph."""


@dataclass(frozen=True, slots=True)
class Tag:
    """A marked word such as `{key:id}`. `label` is printed instead of the word's own name.

    `offset` counts characters from the start of the text.
    """

    type: str
    id: str
    label: str | None = None
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Emphasis:
    """Emphasised text, written as `*text*`."""

    children: "tuple[Node, ...]"


@dataclass(frozen=True, slots=True)
class Strong:
    """Strongly emphasised text, written as `**text**`."""

    children: "tuple[Node, ...]"


Node: TypeAlias = Text | Break | Tag | Emphasis | Strong


@dataclass(frozen=True, slots=True)
class MarkupError:
    """A mistake in a text with markup, and its offset.

    `code` is `unclosed`, `unopened`, `unknown-tag`, `no-id`, `dice` and so on. `offset` counts
    characters from the start of the text. `value` is the text at fault.
    """

    code: str
    offset: int
    value: str


@dataclass(frozen=True, slots=True)
class Markup:
    """A parsed text: its nodes and its errors."""

    nodes: tuple[Node, ...]
    errors: tuple[MarkupError, ...] = ()


@dataclass(slots=True)
class _Frame:
    """An open pair of asterisks, or the whole text, with the nodes parsed so far."""

    stars: str
    offset: int
    nodes: list[Node]


class _Parser:
    """Parses one text with markup."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.errors: list[MarkupError] = []
        self.stack = [_Frame("", 0, [])]

    def parse_all(self) -> Markup:
        """Parse the whole text."""
        match = _TOKEN.search(self.text)
        while match is not None:
            self.add_text(self.text[self.position : match.start()])
            self.position = match.end()
            self.handle_token(match)
            match = _TOKEN.search(self.text, self.position)
        self.add_text(self.text[self.position :])
        while len(self.stack) > 1:
            self.drop_frame()
        # Pairs that are never closed are reported at the end, but lie before other errors.
        self.errors.sort(key=lambda error: error.offset)
        return Markup(tuple(self.stack[0].nodes), tuple(self.errors))

    def handle_token(self, match: re.Match[str]) -> None:
        """Handle the next character, or pair of characters, that has a meaning."""
        if match["escape"]:
            self.add_text(match["escape"])
        elif match["line"]:
            self.add_node(Break())
        elif match["stars"]:
            self.handle_stars(match["stars"], match.start())
        elif match["open"]:
            self.handle_tag(match.start())
        else:
            self.errors.append(MarkupError("unopened", match.start(), "}"))
            self.add_text("}")

    def add_node(self, node: Node) -> None:
        """Add a node to the innermost open pair. Neighbouring texts are joined."""
        nodes = self.stack[-1].nodes
        previous = nodes[-1] if nodes else None
        if isinstance(node, Text) and isinstance(previous, Text):
            nodes[-1] = Text(previous.text + node.text)
        else:
            nodes.append(node)

    def add_text(self, text: str) -> None:
        """Add text, unless it is empty."""
        if text:
            self.add_node(Text(text))

    def handle_stars(self, stars: str, offset: int) -> None:
        """Open or close emphasis.

        `***` closes an inner `*` first.
        """
        is_triple = stars == "**" and self.text.startswith("*", self.position)
        if is_triple and self.stack[-1].stars == "*":
            stars = "*"
            self.position -= 1
        # The last one with these characters is closed. The first frame is the whole text.
        indices = [
            index for index, frame in enumerate(self.stack) if frame.stars == stars
        ]
        if not indices:
            self.stack.append(_Frame(stars, offset, []))
            return
        while len(self.stack) - 1 > indices[-1]:
            self.drop_frame()
        frame = self.stack.pop()
        children = tuple(frame.nodes)
        self.add_node(Strong(children) if stars == "**" else Emphasis(children))

    def drop_frame(self) -> None:
        """Report emphasis that is never closed, and keep its asterisks as text."""
        frame = self.stack.pop()
        self.errors.append(MarkupError("stars", frame.offset, frame.stars))
        self.add_text(frame.stars)
        for node in frame.nodes:
            self.add_node(node)

    def handle_tag(self, offset: int) -> None:
        """Parse a tag such as `{type:id|shown}` from its brace on."""
        match = _TAG.match(self.text, offset)
        if match is None:
            excerpt = self.text[offset : offset + 24].split("\n")[0]
            self.errors.append(MarkupError("unclosed", offset, excerpt))
            self.add_text("{")
            return
        self.position = match.end()
        label = match["shown"]
        if label is not None:
            # A shown form has no markup of its own, only backslashes before special characters.
            label = re.sub(r"\\(.)", r"\1", label)
        tag = Tag(match["type"], match["id"], label, offset)
        error = _find_tag_error(tag)
        if error is not None:
            self.errors.append(MarkupError(error, offset, match[0]))
        # Templates can print a tag with an odd value, but not one without a type or id.
        if error in ("unknown-tag", "no-id"):
            self.add_text(match[0])
        else:
            self.add_node(tag)


def _find_tag_error(tag: Tag) -> str | None:
    """Return the syntax error of a tag, or None. It is not checked whether its id exists."""
    if tag.type not in TAGS:
        return "unknown-tag"
    if not tag.id:
        return "no-id"
    if tag.type == "dice" and not _DICE.match(tag.id):
        return "dice"
    if tag.type == "dist" and not _DIST.match(tag.id):
        return "dist"
    return None


def parse_and_check(text: str) -> Markup:
    """Parse a text with markup. Return its nodes and its errors."""
    return _Parser(text).parse_all()


def parse_markup(text: str) -> tuple[Node, ...]:
    """Parse a text with markup. Parts with errors stay as plain text."""
    return parse_and_check(text).nodes


def escape_markup(text: str) -> str:
    """Return a text in which no character is markup."""
    return _SPECIAL.sub(r"\\\g<0>", text)


def list_tags(nodes: tuple[Node, ...]) -> tuple[Tag, ...]:
    """Return all tags of a parsed text, in reading order."""
    tags: list[Tag] = []
    for node in nodes:
        if isinstance(node, Tag):
            tags.append(node)
        elif isinstance(node, Emphasis | Strong):
            tags += list_tags(node.children)
    return tuple(tags)
