"""Change one place of a YAML text and leave everything else byte for byte.

Comments, order, quotes and line breaks stay. The text is composed only to find the positions of
values. The change is made in the text itself, which is then composed again.
"""

import json
import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeGuard

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError
from ruamel.yaml.nodes import (
    CollectionNode,
    MappingNode,
    Node,
    ScalarNode,
    SequenceNode,
)

from builder.errors import InputUnreadable
from builder.messages import gettext as _
from builder.model.base import DataPath, Json, format_path

PLAIN_SCALAR = re.compile(
    r"(?:\d{4}-\d\d-\d\d|[^\W\d_](?:[\w .()!;/«»„“”—–+%-]*[\w.()!»”%])?)\Z"
)
"""Texts that need no quotes, inside and outside brackets."""
UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
"""Characters that JSON permits in a text, but that YAML refuses or reads as line breaks."""
RESERVED_WORDS = frozenset(
    {"true", "false", "null", "yes", "no", "on", "off", "y", "n"}
)
"""Words that YAML 1.1 or 1.2 does not read as text."""


def format_scalar(value: Json) -> str:
    """Return a text, number or truth value as YAML, with quotes if necessary."""
    is_word = isinstance(value, str) and value.lower() in RESERVED_WORDS
    if isinstance(value, str) and PLAIN_SCALAR.match(value) and not is_word:
        return value
    # JSON is YAML, but for these characters.
    text = json.dumps(value, ensure_ascii=False)
    return UNPRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def format_flow(value: Json) -> str:
    """Return a value as YAML on one line."""
    if isinstance(value, Mapping):
        entries = [
            f"{format_scalar(key)}: {format_flow(item)}" for key, item in value.items()
        ]
        return "{" + ", ".join(entries) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(format_flow(item) for item in value) + "]"
    return format_scalar(value)


BLANKS = re.compile(r"(?:\s|#[^\n]*)*")
"""Spaces, line breaks and comments."""
MAX_LINE_COLUMNS = 118
"""Columns at which lines are broken."""
MAX_KEY_COLUMNS = 1000
"""A longer key needs a question mark before it: YAML limits keys to 1024 characters."""
MIN_BLOCK_COLUMNS = 40
"""The least columns of a line in an indented block."""


def format_block(
    value: Mapping[str, Json], margin: str = "", deep: bool = True
) -> list[str]:
    """Return a map as YAML lines, one for each entry.

    A long map or list in it has lines of its own. With `deep` so has one that holds maps.
    """
    lines: list[str] = []
    for key, item in value.items():
        head = f"{margin}{format_scalar(key)}:"
        line = f"{head} {format_flow(item)}"
        is_long = len(line) > MAX_LINE_COLUMNS or (deep and _holds_maps(item))
        if len(head) > MAX_KEY_COLUMNS:
            lines += [
                f"{margin}? {format_scalar(key)}",
                f"{margin}: {format_flow(item)}",
            ]
        elif isinstance(item, Mapping | list) and item and is_long:
            lines += [head, *_format_long_value(item, f"{margin}  ", deep)]
        elif isinstance(item, str) and len(head) < MIN_BLOCK_COLUMNS:
            lines += _break_line(line, f"{margin}  ")
        else:
            # A line with a long key is not broken, because the key must stay in one piece.
            lines.append(line)
    return lines


def _format_long_value(value: Json, margin: str, deep: bool) -> list[str]:
    """Return a map or list as the lines below its key."""
    if isinstance(value, Mapping):
        return format_block(value, margin, deep)
    items = value if isinstance(value, list) else []
    return [f"{margin}- {format_flow(item)}" for item in items]


def _holds_maps(value: Json) -> bool:
    """Return True if a map or list contains a map."""
    items: Iterable[Json] = ()
    if isinstance(value, Mapping):
        items = value.values()
    elif isinstance(value, list):
        items = value
    return any(isinstance(item, Mapping) for item in items)


def _break_line(line: str, margin: str, start_column: int = 0) -> list[str]:
    """Break a long YAML text into lines that have the same meaning."""
    # YAML reads a line break as one space, so a place with two of them cannot be broken.
    if "  " in line.strip() or len(line) + start_column <= MAX_LINE_COLUMNS:
        return [line]
    # Spaces in the text would be dropped if the first word did not fit. An indent never is.
    lines = textwrap.wrap(
        line,
        MAX_LINE_COLUMNS,
        initial_indent=" " * start_column,
        subsequent_indent=margin,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [lines[0][start_column:], *lines[1:]]


KEEP_INDICATOR = re.compile(r".\d?\+")
"""The beginning of a block text whose blank lines at the end are part of it: `|+` or `>2+`."""


def _is_block_text(node: Node) -> TypeGuard[ScalarNode]:
    """Return True for a text that is written in lines below `|` or `>`."""
    return isinstance(node, ScalarNode) and node.style in ("|", ">")


def _has_brackets(node: Node) -> bool:
    """Return True for a map or list that is written in brackets."""
    return isinstance(node, CollectionNode) and bool(node.flow_style)


class YamlText:
    """A YAML text that is edited in place, so that comments and order stay.

    Each method changes one place. `text` is the result.
    """

    def __init__(self, text: str, file: str) -> None:
        self.byte_order_mark = text[:1] if text.startswith("\ufeff") else ""
        self.body = text.removeprefix("\ufeff")
        self.file = file
        self.newline = "\r\n" if "\r\n" in self.body else "\n"
        self.root = self._parse_body()

    @property
    def text(self) -> str:
        """The text with all changes so far."""
        return self.byte_order_mark + self.body

    def set_scalar(self, path: DataPath, value: Json) -> None:
        """Replace the text, number or truth value at a path, and keep its quotes."""
        node = self._find_node(path)
        if not isinstance(node, ScalarNode):
            raise self._make_error(
                _("there is no single value at {path}", path=format_path(path))
            )
        text = str(value)
        if _is_block_text(node):
            block = self._format_block(node, text)
            if block:
                self._replace_node(node, block)
                return
        scalar = format_scalar(value)
        quote = node.style if node.style in ("'", '"') else ""
        # A text that would need an escape gets the quotes that are always right.
        if quote and text.isprintable() and quote not in text and "\\" not in text:
            scalar = f"{quote}{text}{quote}"
        lines = _break_line(scalar, self._find_margin(node), node.start_mark.column)
        self._replace_node(node, self.newline.join(lines))

    def _find_margin(self, node: Node) -> str:
        """Return the spaces with which further lines of a value begin."""
        start = self._find_line_start(node.start_mark.index)
        line = self.body[start : node.start_mark.index]
        # The dashes of list items around the value count as spaces.
        indent = len(line) - len(line.lstrip(" -"))
        return " " * (indent + 2)

    def _find_line_start(self, index: int) -> int:
        return self.body.rfind("\n", 0, index) + 1

    def _format_block(self, node: ScalarNode, text: str) -> str:
        """Return a text as lines in the style of the old block, or "" if that would change it."""
        head, _unused, old = self.body[
            node.start_mark.index : node.end_mark.index
        ].partition("\n")
        margin = self._find_margin(node)
        old_margin = re.search(r"^[^\S\n]+(?=\S)", old, re.MULTILINE)
        if old_margin:
            margin = old_margin[0]
        lines = text.rstrip("\n").split("\n")
        # In a folded text, a single line break is a space.
        if node.style == ">":
            width = max(MIN_BLOCK_COLUMNS, MAX_LINE_COLUMNS - len(margin))
            wrapped_lines: list[str] = []
            for line in lines:
                wrapped_lines += [
                    *textwrap.wrap(line, width, break_on_hyphens=False),
                    "",
                ]
            lines = wrapped_lines[:-1]
        indented_lines = [margin + line if line else "" for line in lines]
        block = self.newline.join((head.rstrip("\r"), *indented_lines))
        # White space and line breaks at the ends of a block have many rules, so it is read back.
        try:
            is_same = YAML(typ="safe").load(f"- {block}\n") == [text]
        except YAMLError:
            is_same = False
        return block if is_same else ""

    def change_value(self, path: DataPath, old: Json, new: Json) -> None:
        """Change the value at a path from `old` to `new`. Equal parts are not touched."""
        kind = self.find_kind(path)
        if new and isinstance(old, dict) and isinstance(new, dict) and kind == "map":
            self._change_map(path, old, new)
        elif new and isinstance(old, list) and isinstance(new, list) and kind == "list":
            self._change_list(path, old, new)
        elif isinstance(old, str) and isinstance(new, str):
            self.set_scalar(path, new)
        else:
            self.replace_value(path, new)

    def _change_list(
        self, path: DataPath, old: Sequence[Json], new: Sequence[Json]
    ) -> None:
        for index, (old_item, new_item) in enumerate(zip(old, new, strict=False)):
            if new_item != old_item:
                self.change_value((*path, index), old_item, new_item)
        # From the end, so that the indexes of the other items stay valid.
        for index in reversed(range(len(new), len(old))):
            self.remove_item((*path, index))
        for item in new[len(old) :]:
            self.append_item(path, item)

    def _change_map(
        self, path: DataPath, old: Mapping[str, Json], new: dict[str, Json]
    ) -> None:
        node = self._require_node(path)
        removed_keys = [key for key in old if key not in new]
        is_item = bool(path) and isinstance(path[-1], int)
        is_bare = is_item and self.body[node.start_mark.index] != "{"
        if is_bare and (removed_keys or _has_brackets(node)):
            # The dash of the list item stands before the first key, so no key can be removed.
            # In `[a: 1]` the map has no brackets of its own, so it cannot have a second entry.
            self.replace_value(path, new)
            return
        for key, value in new.items():
            if key not in old:
                self.set_entry(path, key, value)
            elif value != old[key]:
                self.change_value((*path, key), old[key], value)
        # Last, because a map without entries would no longer be a map.
        for key in removed_keys:
            self.drop_key((*path, key))

    def set_entry(self, path: DataPath, key: str, value: Json) -> None:
        """Set an entry of the map at a path. Add it at the end if it is missing."""
        node = self._find_node(path)
        if not isinstance(node, CollectionNode):
            raise self._make_error(_("{path} is not a map", path=format_path(path)))
        old = self._find_node((*path, key))
        line = f"{format_scalar(key)}: {format_flow(value)}"
        # An empty map has brackets. Under a key of a block, lines can take their place.
        is_below_key = (
            bool(path) and isinstance(path[-1], str) and not self._is_in_flow(path)
        )
        if old is not None:
            self._replace_node(old, format_flow(value))
        elif not node.value and not is_below_key:
            self._replace_node(node, f"{{{line}}}")
        elif not node.value:
            margin = " " * (self._find_key(path).start_mark.column + 2)
            start = len(self.body[: node.start_mark.index].rstrip())
            self._splice_text(
                start, node.end_mark.index, f"{self.newline}{margin}{line}"
            )
        elif node.flow_style:
            end = node.value[-1][1].end_mark.index
            self._splice_text(end, end, f", {line}")
        else:
            lines = format_block({key: value}, " " * node.start_mark.column, deep=False)
            self._insert_below(self._find_end(node), lines)

    def replace_value(self, path: DataPath, value: Json) -> None:
        """Replace the value at a path by a value on one line."""
        self._replace_node(self._require_node(path), format_flow(value))

    def _replace_node(self, node: Node, new: str) -> None:
        """Replace a value by text on one line."""
        start, end = node.start_mark.index, node.end_mark.index
        if isinstance(node, CollectionNode) and not node.flow_style:
            if node is not self.root:
                # Comments between the key and the first line of the value come behind it.
                start = self._find_value_start(node)
                comments = self.body[start : node.start_mark.index].rstrip()
                new = f" {new}{comments}"
            self._splice_text(start, self._find_end(node), new)
            return
        if start == end:
            new = self._find_separator(node) + new
        if _is_block_text(node):
            new = self._finish_block(node, new)
        self._splice_text(start, end, new)

    def _finish_block(self, node: ScalarNode, new: str) -> str:
        """Return the text that replaces a block, with the comment and blank lines of the block.

        Blank lines below a block text belong to it. After the indicator `+` they are part of the
        text, and are not kept.
        """
        old = self.body[node.start_mark.index : node.end_mark.index]
        _indicator, mark, comment = old.partition("\n")[0].rstrip().partition(" #")
        if not new.startswith(node.style):
            new += mark + comment
        blank_lines = 1
        if not KEEP_INDICATOR.match(old):
            blank_lines = max(1, old[len(old.rstrip()) :].count("\n"))
        return new + self.newline * blank_lines

    def append_item(self, path: DataPath, value: Json, after: str = "") -> None:
        """Add an item at the end of the list at a path, in the style of the last item.

        A list that is missing or empty is begun: at the top of the file with a line for each item
        (below the key `after`, or at its end), else on one line.
        """
        node = self._find_node(path)
        is_missing = node is None or not node.value
        if len(path) == 1 and is_missing and (after or not self.root.flow_style):
            self._insert_first_item(str(path[0]), node, format_flow(value), after)
        elif node is None or (isinstance(node, ScalarNode) and not node.value):
            self.set_entry(path[:-1], str(path[-1]), [value])
        elif not isinstance(node, SequenceNode):
            raise self._make_error(_("{path} is not a list", path=format_path(path)))
        else:
            self._append_items(node, [value])

    def append_items(self, path: DataPath, values: Sequence[Json]) -> None:
        """Add several items at the end of the list at a path, and parse the text only once."""
        if not values:
            return
        node = self._find_node(path)
        if not isinstance(node, SequenceNode) or not node.value:
            self.append_item(path, values[0])
            node = self._find_node(path)
            values = values[1:]
            # Otherwise the first item was refused.
            assert isinstance(node, SequenceNode)
        self._append_items(node, values)

    def _append_items(self, node: SequenceNode, values: Sequence[Json]) -> None:
        """Add items at the end of a list."""
        if not values:
            return
        if node.flow_style or not node.value:
            listed = ", ".join(map(format_flow, values))
            end = node.start_mark.index + 1
            if node.value:
                listed = f", {listed}"
                end = node.value[-1].end_mark.index
            self._splice_text(end, end, listed)
            return
        last = node.value[-1]
        dash = self._find_dash(node, len(node.value) - 1)
        margin = " " * (dash - self._find_line_start(dash))
        lines: list[str] = []
        for value in values:
            first_line, *more_lines = self._format_item(value, last)
            lines.append(f"{margin}- {first_line}")
            lines += [f"{margin}  {line}" for line in more_lines]
        self._insert_below(self._find_end(last), lines)

    def _format_item(self, value: Json, last: Node) -> list[str]:
        """Return an item of a list as lines, in the style of the list's last item."""
        is_block = isinstance(last, MappingNode) and not last.flow_style
        if not isinstance(value, Mapping) or not value or not is_block:
            return [format_flow(value)]
        return [
            f"{format_scalar(key)}: {format_flow(item)}" for key, item in value.items()
        ]

    def _insert_first_item(
        self, key: str, node: Node | None, item: str, after: str
    ) -> None:
        """Insert the first item of a list at the top level of the file.

        Without the key, insert it below the key `after`, or at the end.
        """
        if node is not None:
            # The old value, such as `[]`, is removed, and a comment behind the key stays.
            colon = self._find_value_start_of_key((key,))
            comments = self.body[colon : node.start_mark.index].rstrip()
            rest = self.body[max(colon, node.end_mark.index) :]
            self.body = self.body[:colon] + comments + rest
            self._insert_below(colon, [f"  - {item}"])
            return
        before = self._find_node((after,)) if after else self.root
        if before is None:
            raise self._make_error(_("{key} is missing", key=after))
        if self.root.flow_style:
            end = before.end_mark.index
            self._splice_text(end, end, f", {key}: [{item}]")
            return
        margin = " " * self.root.start_mark.column
        self._insert_below(
            self._find_end(before), [f"{margin}{key}:", f"{margin}  - {item}"]
        )

    def remove_item(self, path: DataPath) -> None:
        """Remove the item at a path from its list. Comments on their own lines stay."""
        *list_path, index = path
        node = self._find_node(tuple(list_path))
        assert isinstance(index, int)
        assert isinstance(node, SequenceNode)
        if node.flow_style:
            self._remove_flow_item(
                [(element, element) for element in node.value], index
            )
            return
        is_only_item = len(node.value) == 1
        is_below_key = bool(list_path) and isinstance(list_path[-1], str)
        if is_only_item and not is_below_key:
            self._replace_node(node, "[]")
            return
        dash = self._find_dash(node, index)
        start = self._find_line_start(dash)
        if self.body[start:dash].strip():
            # The next item takes the place behind the dash of the outer list.
            self._splice_text(dash, self._find_dash(node, index + 1), "")
            return
        end = self.body.find("\n", self._find_end(node.value[index]))
        remaining_text = self.body[:start]
        if end >= 0:
            remaining_text += self.body[end + 1 :]
        if is_only_item:
            # A key without items would mean null.
            colon = self._find_value_start_of_key(tuple(list_path))
            remaining_text = f"{remaining_text[:colon]} []{remaining_text[colon:]}"
        self.body = remaining_text
        self.root = self._parse_body()

    def drop_key(self, path: DataPath) -> None:
        """Remove the key at a path from its map. Its comment stays.

        The first key of a list item is not removed, because it shares its line with the dash.
        """
        parent = self._find_node(path[:-1])
        key = self._find_key(path)
        node = self._require_node(path)
        assert isinstance(parent, MappingNode)
        if parent.flow_style:
            self._remove_flow_item(parent.value, parent.value.index((key, node)))
            return
        if len(parent.value) == 1:
            self._replace_node(parent, "{}")
            return
        start = self._find_line_start(key.start_mark.index)
        margin = self.body[start : key.start_mark.index]
        if margin.strip():
            return
        value_end = self._find_end(node)
        line_break = self.body.find("\n", value_end)
        end = line_break + 1 if line_break >= 0 else len(self.body)
        comment = self.body[value_end:end].strip()
        comment_line = f"{margin}{comment}{self.newline}" if comment else ""
        self._splice_text(start, end, comment_line)

    def _remove_flow_item(self, items: Sequence[tuple[Node, Node]], index: int) -> None:
        """Remove an item, given by its first and last node, from a list or map in brackets.

        All comments stay.
        """
        first, last = items[index]
        start = first.start_mark.index
        end = last.end_mark.index
        comma = self._skip_blanks(end)
        if self.body[comma] == ",":
            next_start = self._skip_blanks(comma + 1)
            gap = self.body[end:comma] + self.body[comma + 1 : next_start]
            # Without comments, the white space of the next item is dropped too.
            if "#" not in gap:
                gap = ""
            elif self.body[start - 1].isspace():
                gap = gap.lstrip(" ")
            self._splice_text(start, next_start, gap)
        elif index:
            before = items[index - 1][1].end_mark.index
            comma = self._skip_blanks(before)
            gap = self.body[before:comma] + self.body[comma + 1 : start]
            self._splice_text(before, end, gap if "#" in gap else "")
        else:
            self._splice_text(start, end, "")

    def _skip_blanks(self, index: int) -> int:
        """Return the index of the next character that is neither a space nor in a comment."""
        match = BLANKS.match(self.body, index)
        return match.end() if match else index

    def find_kind(self, path: DataPath) -> str:
        """Return "map", "list" or "scalar" for the value at a path, or "" if there is none."""
        node = self._find_node(path)
        if node is None:
            return ""
        kinds = {MappingNode: "map", SequenceNode: "list", ScalarNode: "scalar"}
        return kinds[type(node)]

    def read_scalar(self, path: DataPath) -> str:
        """Return the text of the scalar at a path."""
        return str(self._require_node(path).value)

    def is_empty_list(self, path: DataPath) -> bool:
        """Return True if the value at a path is a list without items."""
        node = self._find_node(path)
        return isinstance(node, SequenceNode) and not node.value

    def _insert_below(self, index: int, lines: list[str]) -> None:
        """Insert lines below the line that contains this index."""
        line_end = self.body.find("\n", index)
        text = self.newline.join(lines)
        if line_end < 0:
            end = len(self.body)
            self._splice_text(end, end, self.newline + text)
        else:
            self._splice_text(line_end + 1, line_end + 1, text + self.newline)

    def _find_end(self, node: Node) -> int:
        """Return the index after the last character of a value."""
        while isinstance(node, CollectionNode) and not node.flow_style and node.value:
            last = node.value[-1]
            node = last[1] if isinstance(last, tuple) else last
        end = int(node.end_mark.index)
        if _is_block_text(node) and KEEP_INDICATOR.match(
            self.body, node.start_mark.index
        ):
            # Blank lines at its end are part of the text.
            return end - 1 if self.body[end - 1] == "\n" else end
        return len(self.body[:end].rstrip())

    def _splice_text(self, start: int, end: int, new: str) -> None:
        self.body = self.body[:start] + new + self.body[end:]
        self.root = self._parse_body()

    def _parse_body(self) -> MappingNode | SequenceNode:
        try:
            root = YAML(typ="safe").compose(self.body)
        except (YAMLError, RecursionError, ValueError) as error:
            raise self._make_error(_("it is not a YAML file")) from error
        if not isinstance(root, MappingNode | SequenceNode):
            raise self._make_error(_("it is not a map"))
        return root

    def _find_node(self, path: DataPath) -> Node | None:
        node: Node | None = self.root
        for step in path:
            if isinstance(node, SequenceNode) and isinstance(step, int):
                node = node.value[step] if step < len(node.value) else None
            elif isinstance(node, MappingNode) and isinstance(step, str):
                values = (value for key, value in node.value if key.value == step)
                node = next(values, None)
            else:
                return None
        return node

    def _make_error(self, reason: str) -> InputUnreadable:
        message = _("{file} cannot be edited: {reason}", file=self.file, reason=reason)
        return InputUnreadable(
            message, _("Fix the file first. `squadpress check` shows the location.")
        )

    def _require_node(self, path: DataPath) -> Node:
        """Return the YAML node at a path, which must exist."""
        node = self._find_node(path)
        assert node is not None
        return node

    def _find_dash(self, parent: Node, index: int) -> int:
        """Return the index of the dash before an item of a list."""
        if index == 0:
            return int(parent.start_mark.index)
        return self._skip_blanks(self._find_end(parent.value[index - 1]))

    def _find_parent(self, node: Node) -> tuple[Node, int]:
        """Return the map or list that contains a node, and the node's index in it."""
        # Nodes do not know their parents, so the tree is searched.
        pending: list[Node] = [self.root]
        while pending:
            parent = pending.pop()
            values = parent.value if isinstance(parent, CollectionNode) else []
            if isinstance(parent, MappingNode):
                values = [value for _key, value in parent.value]
            for index, value in enumerate(values):
                if value is node:
                    return parent, index
            pending += values
        raise AssertionError("the node is not part of the text")

    def _find_value_start(self, node: Node) -> int:
        """Return the index after the colon or dash before a map or list."""
        parent, index = self._find_parent(node)
        if isinstance(parent, MappingNode):
            key = parent.value[index][0]
            return self._skip_blanks(key.end_mark.index) + 1
        return self._find_dash(parent, index) + 1

    def _find_value_start_of_key(self, path: DataPath) -> int:
        """Return the index after the colon of the key at a path."""
        return self.body.index(":", self._find_key(path).end_mark.index) + 1

    def _find_separator(self, node: Node) -> str:
        """Return the characters that are missing before a new value in an empty place."""
        parent, index = self._find_parent(node)
        if isinstance(parent, MappingNode):
            key = parent.value[index][0]
            if ":" not in self.body[key.end_mark.index : node.start_mark.index]:
                return ": "
        return "" if self.body[node.start_mark.index - 1].isspace() else " "

    def _is_in_flow(self, path: DataPath) -> bool:
        """Return True if the value at a path is inside brackets."""
        parents = [self._require_node(path[:length]) for length in range(len(path))]
        return any(_has_brackets(parent) for parent in parents)

    def _find_key(self, path: DataPath) -> Node:
        for key, _value in self._require_node(path[:-1]).value:
            if key.value == path[-1]:
                return key  # type: ignore[no-any-return]
        raise self._make_error(_("it has no key {key}", key=path[-1]))
