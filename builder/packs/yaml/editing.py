"""Change one place of a YAML text and leave everything else byte for byte.

Comments, order, quotes and line breaks stay. The text is composed only to find the positions of
values. The change is made in the text itself, which is then composed again.
"""

import json
import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError
from ruamel.yaml.nodes import CollectionNode, MappingNode, Node, ScalarNode, SequenceNode

from builder.errors import InputUnreadable
from builder.messages import gettext as _
from builder.model.base import DataPath, Json, format_path

PLAIN_SCALAR = re.compile(r"(?:\d{4}-\d\d-\d\d|[^\W\d_](?:[\w .()!;/«»„“”—–+%-]*[\w.()!»”%])?)\Z")
"""Texts that need no quotes, inside and outside brackets."""
UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
"""Characters that JSON permits in a text, but that YAML refuses or reads as line breaks."""
RESERVED_WORDS = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})
"""Words that YAML 1.1 or 1.2 does not read as text."""


def format_scalar(value: Json) -> str:
    """Return a scalar as YAML that means the same inside and outside brackets."""
    is_plain = isinstance(value, str) and PLAIN_SCALAR.match(value) is not None
    if isinstance(value, str) and is_plain and value.lower() not in RESERVED_WORDS:
        return value
    return UNPRINTABLE.sub(
        lambda match: f"\\u{ord(match[0]):04x}", json.dumps(value, ensure_ascii=False)
    )


def format_flow(value: Json) -> str:
    """Return a value on one line."""
    if isinstance(value, Mapping):
        entries = [f"{format_scalar(key)}: {format_flow(item)}" for key, item in value.items()]
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


def format_block(value: Mapping[str, Json], margin: str = "", deep: bool = True) -> list[str]:
    """Return a map as lines, one for each entry.

    A long map or list in it has lines of its own. With `deep` so has one that holds maps.
    """
    lines: list[str] = []
    for key, item in value.items():
        head = f"{margin}{format_scalar(key)}:"
        line = f"{head} {format_flow(item)}"
        is_long = len(line) > MAX_LINE_COLUMNS or (deep and _holds_maps(item))
        if len(head) > MAX_KEY_COLUMNS:
            lines += [f"{margin}? {format_scalar(key)}", f"{margin}: {format_flow(item)}"]
        elif isinstance(item, Mapping) and item and is_long:
            lines += [head, *format_block(item, f"{margin}  ", deep)]
        elif isinstance(item, list) and item and is_long:
            lines += [head, *(f"{margin}  - {format_flow(inner_item)}" for inner_item in item)]
        elif isinstance(item, str) and len(head) < MIN_BLOCK_COLUMNS:
            lines += _break_line(line, f"{margin}  ")
        else:
            lines.append(line)  # a key must not be broken
    return lines


def _holds_maps(value: Json) -> bool:
    """Return True if a map or list has a map in it."""
    items: Iterable[Json] = ()
    if isinstance(value, Mapping):
        items = value.values()
    elif isinstance(value, list):
        items = value
    return any(isinstance(item, Mapping) for item in items)


def _break_line(line: str, margin: str, start_column: int = 0) -> list[str]:
    """Break a scalar into lines that mean the same. The first one begins at a column."""
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


def _has_brackets(node: Node) -> bool:
    """Return True for a map or list in brackets."""
    return isinstance(node, CollectionNode) and bool(node.flow_style)


class YamlText:
    """A YAML text that is being edited. Each method changes one place; `text` is the result."""

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
        """Replace a scalar, and keep its quotes."""
        node = self._find_node(path)
        if not isinstance(node, ScalarNode):
            raise self._make_error(_("there is no single value at {path}", path=format_path(path)))
        text = str(value)
        if node.style in ("|", ">"):
            block = self._format_block(node, text)
            if block:
                self._replace_node(node, block)
                return
        quote = node.style if node.style in ("'", '"') else ""
        keeps_quotes = quote and text.isprintable() and quote not in text and "\\" not in text
        scalar = f"{quote}{text}{quote}" if keeps_quotes else format_scalar(value)
        lines = _break_line(scalar, self._find_margin(node), node.start_mark.column)
        self._replace_node(node, self.newline.join(lines))

    def _find_margin(self, node: Node) -> str:
        """Return the spaces before the second line of a value."""
        start = self.body.rfind("\n", 0, node.start_mark.index) + 1
        line = self.body[start : node.start_mark.index]
        return " " * (len(line) - len(line.lstrip(" -")) + 2)

    def _format_block(self, node: ScalarNode, text: str) -> str:
        """Return a text as a block scalar with the style and margin of an old one.

        Empty if YAML would read it as another text.
        """
        head, _unused, old = self.body[node.start_mark.index : node.end_mark.index].partition("\n")
        old_lines = [line for line in old.splitlines() if line.strip()]
        margin = self._find_margin(node)
        if old_lines:
            margin = old_lines[0][: len(old_lines[0]) - len(old_lines[0].lstrip())]
        lines = text.rstrip("\n").split("\n")
        if node.style == ">":  # single line breaks are spaces there
            width = max(MIN_BLOCK_COLUMNS, MAX_LINE_COLUMNS - len(margin))
            wrapped_lines: list[str] = []
            for line in lines:
                wrapped_lines += [*textwrap.wrap(line, width, break_on_hyphens=False), ""]
            lines = wrapped_lines[:-1]
        indented_lines = [margin + line if line else "" for line in lines]
        block = self.newline.join((head.rstrip("\r"), *indented_lines))
        try:
            is_same = YAML(typ="safe").load(f"- {block}\n") == [text]
        except YAMLError:
            is_same = False
        return block if is_same else ""

    def change_value(self, path: DataPath, old: Json, new: Json) -> None:
        """Change the value `old` at `path` to `new`. Equal parts are not touched."""
        kind = self.find_kind(path)
        if new and isinstance(old, dict) and isinstance(new, dict) and kind == "map":
            self._change_map(path, old, new)
        elif new and isinstance(old, list) and isinstance(new, list) and kind == "list":
            self._change_list(path, old, new)
        elif isinstance(old, str) and isinstance(new, str):
            self.set_scalar(path, new)
        else:
            self.replace_value(path, new)

    def _change_list(self, path: DataPath, old: Sequence[Json], new: Sequence[Json]) -> None:
        for index, (old_item, new_item) in enumerate(zip(old, new, strict=False)):
            if new_item != old_item:
                self.change_value((*path, index), old_item, new_item)
        # from the end, so that the indexes of the other items stay valid
        for index in reversed(range(len(new), len(old))):
            self.remove_item((*path, index))
        for item in new[len(old) :]:
            self.append_item(path, item)

    def _change_map(self, path: DataPath, old: Mapping[str, Json], new: dict[str, Json]) -> None:
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
        # last, because a map without entries would no longer be a map
        for key in removed_keys:
            self.drop_key((*path, key))

    def set_entry(self, path: DataPath, key: str, value: Json) -> None:
        """Set the entry `key` of the map at `path`; add it at the map's end if it is missing."""
        node = self._find_node(path)
        if not isinstance(node, CollectionNode):
            raise self._make_error(_("{path} is not a map", path=format_path(path)))
        old = self._find_node((*path, key))
        line = f"{format_scalar(key)}: {format_flow(value)}"
        if old is not None:
            self._replace_node(old, format_flow(value))
        elif not node.value and (not path or isinstance(path[-1], int) or self._is_in_flow(path)):
            self._replace_node(node, f"{{{line}}}")
        elif not node.value:
            margin = " " * (self._find_key(path).start_mark.column + 2)
            start = len(self.body[: node.start_mark.index].rstrip())
            self._splice_text(start, node.end_mark.index, f"{self.newline}{margin}{line}")
        elif node.flow_style:
            end = node.value[-1][1].end_mark.index
            self._splice_text(end, end, f", {line}")
        else:
            lines = format_block({key: value}, " " * node.start_mark.column, deep=False)
            self._insert_below(self._find_end(node), lines)

    def replace_value(self, path: DataPath, value: Json) -> None:
        """Replace the value at `path` by one on a single line."""
        self._replace_node(self._require_node(path), format_flow(value))

    def _replace_node(self, node: Node, new: str) -> None:
        """Replace any value by one on a single line."""
        start, end = node.start_mark.index, node.end_mark.index
        if isinstance(node, CollectionNode) and not node.flow_style:
            if node is not self.root:
                start = self._find_value_start(node)
                comments = self.body[start : node.start_mark.index].rstrip()
                new = f" {new}{comments}"
            self._splice_text(start, self._find_end(node), new)
            return
        if start == end:
            new = self._find_separator(node) + new
        after = ""
        if isinstance(node, ScalarNode) and node.style in ("|", ">"):
            # A block scalar ends with its line breaks, and blank lines below belong to it. After
            # the indicator `+` they are part of the text.
            old = self.body[start:end]
            _indicator, mark, comment = old.partition("\n")[0].rstrip().partition(" #")
            if not new.startswith(node.style):
                new += mark + comment
            has_keep_indicator = re.match(r".\d?\+", old) is not None
            blank_lines = old[len(old.rstrip()) :].count("\n")
            after = self.newline * (1 if has_keep_indicator else max(1, blank_lines))
        self._splice_text(start, end, new + after)

    def append_item(self, path: DataPath, value: Json, after: str = "") -> None:
        """Add an item at the end of the list at `path`, in the style of the last item.

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
        """Add items at the end of the list at `path`, as `append_item` does, but parse it once."""
        if not values:
            return
        node = self._find_node(path)
        if not isinstance(node, SequenceNode) or not node.value:
            self.append_item(path, values[0])
            node, values = self._find_node(path), values[1:]
            assert isinstance(node, SequenceNode)  # otherwise the first item was refused
        self._append_items(node, values)

    def _append_items(self, node: SequenceNode, values: Sequence[Json]) -> None:
        """Put items at the end of a list."""
        if not values:
            return
        if node.flow_style or not node.value:
            at = node.value[-1].end_mark.index if node.value else node.start_mark.index + 1
            listed = ", ".join(format_flow(value) for value in values)
            self._splice_text(at, at, (", " if node.value else "") + listed)
            return
        last = node.value[-1]
        dash = self._find_dash(node, len(node.value) - 1)
        margin = " " * (dash - (self.body.rfind("\n", 0, dash) + 1))
        lines: list[str] = []
        for value in values:
            for index, line in enumerate(self._format_item(value, last)):
                lines.append(margin + ("  " if index else "- ") + line)
        self._insert_below(self._find_end(last), lines)

    def _format_item(self, value: Json, last: Node) -> list[str]:
        """Format an item like the last item of the list: a map may take up several lines."""
        is_block = isinstance(last, MappingNode) and not last.flow_style
        if not isinstance(value, Mapping) or not value or not is_block:
            return [format_flow(value)]
        return [f"{format_scalar(key)}: {format_flow(item)}" for key, item in value.items()]

    def _insert_first_item(self, key: str, node: Node | None, item: str, after: str) -> None:
        """Insert the first item of a top-level list below its key.

        Without the key, insert it below the key `after`, or at the end.
        """
        if node is not None:
            colon = self.body.index(":", self._find_key((key,)).end_mark.index) + 1
            comments = self.body[colon : node.start_mark.index].rstrip()
            self.body = self.body[:colon] + comments + self.body[max(colon, node.end_mark.index) :]
            self._insert_below(colon, [f"  - {item}"])
            return
        before = self._find_node((after,)) if after else self.root
        if before is None:
            raise self._make_error(_("{key} is missing", key=after))
        if self.root.flow_style:
            self._splice_text(before.end_mark.index, before.end_mark.index, f", {key}: [{item}]")
            return
        margin = " " * self.root.start_mark.column
        self._insert_below(self._find_end(before), [f"{margin}{key}:", f"{margin}  - {item}"])

    def remove_item(self, path: DataPath) -> None:
        """Remove the item at `path` from its list; comments on their own lines stay."""
        node, index = self._find_node(path[:-1]), path[-1]
        assert isinstance(index, int)
        assert isinstance(node, SequenceNode)
        item = node.value[index]
        if node.flow_style:
            self._remove_flow_item([(element, element) for element in node.value], index)
            return
        dash = self._find_dash(node, index)
        start = self.body.rfind("\n", 0, dash) + 1
        is_first_on_line = not self.body[start:dash].strip()
        if len(node.value) == 1 and not (path[:-1] and isinstance(path[-2], str)):
            self._replace_node(node, "[]")
            return
        if not is_first_on_line:
            # The next item takes the place behind the dash of the outer list.
            self._splice_text(dash, self._find_dash(node, index + 1), "")
            return
        end = self.body.find("\n", self._find_end(item))
        remaining_text = self.body[:start]
        if end >= 0:
            remaining_text += self.body[end + 1 :]
        if len(node.value) == 1:
            # a key without items would mean null
            colon = self.body.index(":", self._find_key(path[:-1]).end_mark.index) + 1
            remaining_text = f"{remaining_text[:colon]} []{remaining_text[colon:]}"
        self.body = remaining_text
        self.root = self._parse_body()

    def drop_key(self, path: DataPath) -> None:
        """Remove a key from its map; a comment after its last line gets its own line.

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
        last = self._find_end(node)
        start = self.body.rfind("\n", 0, key.start_mark.index) + 1
        line_end = self.body.find("\n", last)
        margin = self.body[start : key.start_mark.index]
        if margin.strip():
            return
        comment = self.body[last : line_end if line_end >= 0 else None].strip()
        comment_line = f"{margin}{comment}{self.newline}" if comment else ""
        end = line_end + 1 if line_end >= 0 else len(self.body)
        self._splice_text(start, end, comment_line)

    def _remove_flow_item(self, items: Sequence[tuple[Node, Node]], index: int) -> None:
        """Remove an item from an inline list, given its first and last node, with one comma.

        All comments stay.
        """
        start = items[index][0].start_mark.index
        end = items[index][1].end_mark.index
        comma = self._skip_blanks(end)
        if self.body[comma] == ",":
            gap = self.body[end:comma] + self.body[comma + 1 : self._skip_blanks(comma + 1)]
            if "#" not in gap:
                gap = ""
            elif self.body[start - 1].isspace():
                gap = gap.lstrip(" ")
            self._splice_text(start, self._skip_blanks(comma + 1), gap)
        elif index:
            before = items[index - 1][1].end_mark.index
            comma = self._skip_blanks(before)
            gap = self.body[before:comma] + self.body[comma + 1 : start]
            self._splice_text(before, end, gap if "#" in gap else "")
        else:
            self._splice_text(start, end, "")

    def _skip_blanks(self, index: int) -> int:
        """Return the index of the first character that is neither a space nor in a comment."""
        match = BLANKS.match(self.body, index)
        return match.end() if match else index

    def find_kind(self, path: DataPath) -> str:
        """Return `map`, `list` or `scalar`; the empty text if there is no value."""
        node = self._find_node(path)
        if node is None:
            return ""
        return {MappingNode: "map", SequenceNode: "list", ScalarNode: "scalar"}[type(node)]

    def read_scalar(self, path: DataPath) -> str:
        """Return the text of the scalar at `path`."""
        return str(self._require_node(path).value)

    def is_empty_list(self, path: DataPath) -> bool:
        """Return True for a list without items."""
        node = self._find_node(path)
        return isinstance(node, SequenceNode) and not node.value

    def _insert_below(self, index: int, lines: list[str]) -> None:
        """Insert whole lines below the line that holds `index`."""
        line_end = self.body.find("\n", index)
        if line_end < 0:
            end = len(self.body)
            self._splice_text(end, end, self.newline + self.newline.join(lines))
        else:
            new_lines = "".join(line + self.newline for line in lines)
            self._splice_text(line_end + 1, line_end + 1, new_lines)

    def _find_end(self, node: Node) -> int:
        """Return the index just behind a node's last character."""
        while isinstance(node, CollectionNode) and not node.flow_style and node.value:
            last = node.value[-1]
            node = last[1] if isinstance(last, tuple) else last
        is_block_text = isinstance(node, ScalarNode) and node.style in ("|", ">")
        if is_block_text and re.match(r".\d?\+", self.body[node.start_mark.index :][:3]):
            # Blank lines at its end are part of the text.
            end = int(node.end_mark.index)
            return end - 1 if self.body[end - 1] == "\n" else end
        return len(self.body[: node.end_mark.index].rstrip())

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
            if isinstance(step, int):
                is_present = isinstance(node, SequenceNode) and step < len(node.value)
                node = node.value[step] if node is not None and is_present else None
            elif isinstance(node, MappingNode):
                node = next((value for key, value in node.value if key.value == step), None)
            else:
                return None
        return node

    def _make_error(self, reason: str) -> InputUnreadable:
        message = _("{file} cannot be edited: {reason}", file=self.file, reason=reason)
        return InputUnreadable(
            message, _("Fix the file first. `squadpress check` shows the location.")
        )

    def _require_node(self, path: DataPath) -> Node:
        """Return the node at a path where there must be one."""
        node = self._find_node(path)
        assert node is not None
        return node

    def _find_dash(self, parent: Node, index: int) -> int:
        """Return the offset of the dash of a block list's item."""
        if index == 0:
            return int(parent.start_mark.index)
        return self._skip_blanks(self._find_end(parent.value[index - 1]))

    def _find_parent(self, node: Node) -> tuple[Node, int]:
        """Return the map or list that holds a node, and the node's index there."""
        pending: list[Node] = [self.root]
        while pending:
            parent = pending.pop()
            children = parent.value if isinstance(parent, CollectionNode) else []
            values = [child[1] if isinstance(child, tuple) else child for child in children]
            for index, value in enumerate(values):
                if value is node:
                    return parent, index
            pending += values
        raise AssertionError("the node is not part of the text")

    def _find_value_start(self, node: Node) -> int:
        """Return the index behind the colon or dash before a block map or list."""
        parent, index = self._find_parent(node)
        if isinstance(parent, MappingNode):
            sign = self._skip_blanks(parent.value[index][0].end_mark.index)
        else:
            sign = self._find_dash(parent, index)
        return sign + 1

    def _find_separator(self, node: Node) -> str:
        """Return the characters that are missing before the text of a value that was empty."""
        parent, index = self._find_parent(node)
        if isinstance(parent, MappingNode):
            key = parent.value[index][0]
            if ":" not in self.body[key.end_mark.index : node.start_mark.index]:
                return ": "
        return "" if self.body[node.start_mark.index - 1].isspace() else " "

    def _is_in_flow(self, path: DataPath) -> bool:
        """Return True if a list or map around the value at `path` has brackets."""
        parents = [self._require_node(path[:length]) for length in range(len(path))]
        return any(_has_brackets(parent) for parent in parents)

    def _find_key(self, path: DataPath) -> Node:
        for key, _value in self._require_node(path[:-1]).value:
            if key.value == path[-1]:
                return key  # type: ignore[no-any-return]
        raise self._make_error(_("it has no key {key}", key=path[-1]))
