"""Changes to a YAML text that touch nothing else: comments, order, quotes and line breaks stay byte for byte.

The text is composed only to learn where values stand; the change is made in the text itself and proved by reading it
again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, cast

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from builder.errors import InputUnreadable
from builder.messages import gettext as _
from builder.model.base import Json, Path

SAFE = re.compile(r"[^\W\d_](?:[\w .()!?;/«»„“”—–+%-]*[\w.()!?»”%])?\Z")
RESERVED = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})


def plain_or_quoted(value: Json) -> str:
    """A scalar as YAML that means the same inside and outside brackets."""
    if isinstance(value, str) and (
        re.fullmatch(r"\d{4}-\d\d-\d\d", value) or (SAFE.match(value) and value.lower() not in RESERVED)
    ):
        return value
    return json.dumps(value, ensure_ascii=False)


def flow(value: Json) -> str:
    """A value on one line."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{plain_or_quoted(key)}: {flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(flow(item) for item in value) + "]"
    return plain_or_quoted(value)


class YamlText:
    """One YAML text that is being edited. Each method changes one place; `text` is the result so far."""

    def __init__(self, text: str, file: str) -> None:
        self.mark = text[:1] if text.startswith("\ufeff") else ""
        self.body = text.removeprefix("\ufeff")
        self.file = file
        self.newline = "\r\n" if "\r\n" in self.body else "\n"
        self.root = self._compose()

    @property
    def text(self) -> str:
        """The text as it stands now."""
        return self.mark + self.body

    def set_scalar(self, path: Path, value: Json) -> None:
        """Put another scalar in the place of one that is there, in the same quotes."""
        node = self._node(path)
        if node is None or not isinstance(node.value, str):
            raise self._refused(_("no single value at {path}", path=".".join(map(str, path))))
        quote = node.style if node.style in ("'", '"') else ""
        new = f"{quote}{value}{quote}" if quote and str(value).isascii() and quote not in str(value) else None
        after = self.newline if node.style in ("|", ">") else ""
        self._splice(node.start_mark.index, node.end_mark.index, (new or plain_or_quoted(value)) + after)

    def put(self, path: Path, key: str, value: Json) -> None:
        """Set the entry `key` of the map at `path`: changed where it stands, else added at the map's end."""
        node = self._node(path)
        if node is None or not isinstance(node.value, list):
            raise self._refused(_("{path} is not a map", path=".".join(map(str, path))))
        old = self._node((*path, key))
        line = f"{plain_or_quoted(key)}: {flow(value)}"
        if old is not None:
            self._replace(old, flow(value))
        elif not node.value:
            margin = self._margin(path)
            self._splice(node.start_mark.index, node.end_mark.index, self.newline + " " * (margin + 2) + line)
        elif node.flow_style:
            self._splice(node.value[-1][1].end_mark.index, node.value[-1][1].end_mark.index, f", {line}")
        else:
            self._below(self._end(node), [" " * node.start_mark.column + line])

    def _replace(self, node: Any, new: str) -> None:
        """Put a value on one line in the place of any value."""
        block = isinstance(node.value, list) and not node.flow_style
        if not block:
            after = self.newline if getattr(node, "style", "") in ("|", ">") else ""
            self._splice(node.start_mark.index, node.end_mark.index, new + after)
            return
        start = len(self.body[: node.start_mark.index].rstrip())
        self._splice(start, self._end(node), f" {new}")

    def _margin(self, path: Path) -> int:
        """The column of the last key of a path."""
        parent = self._node(path[:-1])
        column = next(key.start_mark.column for key, _unused in parent.value if key.value == path[-1])
        return int(column)

    def append(self, path: Path, item: Mapping[str, Json], after: str) -> None:
        """Add a map at the end of the list at `path` (one key deep), written as the list's last item is.

        Where the list is missing it is begun below the key `after`.
        """
        node = self._node(path)
        if node is None:
            self._begin(str(path[0]), item, after)
        elif not isinstance(node.value, list):
            raise self._refused(_("{path} is not a list", path=path[0]))
        elif node.flow_style:
            at = node.value[-1].end_mark.index if node.value else node.start_mark.index + 1
            self._splice(at, at, (", " if node.value else "") + flow(cast("Json", item)))
        else:
            last = node.value[-1]
            dash = self.body.rindex("-", 0, last.start_mark.index)
            self._below(self._end(last), _lines(item, self._column(dash), block=not last.flow_style))

    def _begin(self, key: str, item: Mapping[str, Json], after: str) -> None:
        before = self._node((after,))
        if before is None:
            raise self._refused(_("{key} is missing", key=after))
        if self.root.flow_style:
            self._splice(before.end_mark.index, before.end_mark.index, f", {key}: [{flow(cast('Json', item))}]")
            return
        margin = self.root.start_mark.column
        self._below(self._end(before), [" " * margin + f"{key}:", *_lines(item, margin + 2, block=False)])

    def _below(self, index: int, lines: list[str]) -> None:
        """Insert whole lines below the line that holds `index`."""
        line_end = self.body.find("\n", index)
        if line_end < 0:
            self._splice(len(self.body), len(self.body), self.newline + self.newline.join(lines))
        else:
            self._splice(line_end + 1, line_end + 1, "".join(line + self.newline for line in lines))

    def _end(self, node: Any) -> int:
        """The index just behind a node's last character."""
        while isinstance(node.value, list) and not node.flow_style and node.value:
            last = node.value[-1]
            node = last[1] if isinstance(last, tuple) else last
        return len(self.body[: node.end_mark.index].rstrip())

    def _column(self, index: int) -> int:
        return index - (self.body.rfind("\n", 0, index) + 1)

    def _splice(self, start: int, end: int, new: str) -> None:
        self.body = self.body[:start] + new + self.body[end:]
        self.root = self._compose()

    def _compose(self) -> Any:
        try:
            root = YAML(typ="safe", pure=True).compose(self.body)
        except YAMLError as error:
            raise self._refused(_("it is not YAML")) from error
        if root is None or not isinstance(root.value, list):
            raise self._refused(_("it is not a map"))
        return root

    def _node(self, path: Path) -> Any:
        node = self.root
        for step in path:
            if isinstance(step, int):
                node = node.value[step] if isinstance(node.value, list) and step < len(node.value) else None
            else:
                node = next((value for key, value in node.value if key.value == step), None)
            if node is None:
                return None
        return node

    def _refused(self, reason: str) -> InputUnreadable:
        return InputUnreadable(
            _("{file} cannot be edited: {reason}", file=self.file, reason=reason),
            _("Mend the file first; `squadpress check` says where."),
        )


def _lines(item: Mapping[str, Json], margin: int, *, block: bool) -> list[str]:
    """A list item as lines, its dash at column `margin`."""
    if not block:
        return [" " * margin + "- " + flow(cast("Json", item))]
    lines = [f"{plain_or_quoted(key)}: {flow(value)}" for key, value in item.items()]
    return [" " * margin + ("  " if index else "- ") + line for index, line in enumerate(lines)]


class ListText(YamlText):
    """One YAML text whose lists are edited too."""

    def kind(self, path: Path) -> str:
        """`map`, `list`, `scalar`, or the empty text where nothing stands."""
        node = self._node(path)
        if node is None:
            return ""
        return {"mapping": "map", "sequence": "list"}.get(node.id, "scalar")

    def scalar(self, path: Path) -> str:
        """The text of the scalar at `path`."""
        return str(self._node(path).value)

    def replace(self, path: Path, value: Json) -> None:
        """Put a value on one line in the place of what is there."""
        self._replace(self._node(path), flow(value))

    def push(self, path: Path, value: Json) -> None:
        """Put an item at the end of the list at `path`.

        A list that is missing or empty is begun: with a line for each item at the top of the file, else on one line.
        """
        node = self._node(path)
        top = len(path) == 1 and not self.root.flow_style
        if top and (node is None or not node.value):
            self._begin_list(str(path[0]), node, flow(value))
        elif node is None or (node.id == "scalar" and not node.value):
            self.put(path[:-1], str(path[-1]), [value])
        elif node.id != "sequence":
            raise self._refused(f"{'.'.join(map(str, path))} is not a list")
        elif node.flow_style or not node.value:
            at = node.value[-1].end_mark.index if node.value else node.start_mark.index + 1
            self._splice(at, at, (", " if node.value else "") + flow(value))
        else:
            last = node.value[-1]
            margin = self._column(self._dash(last))
            self._below(self._end(last), [" " * margin + f"- {flow(value)}"])

    def _begin_list(self, key: str, node: Any, item: str) -> None:
        """The first item of a list at the top, below its key; behind the last line where there is no such key."""
        if node is None:
            self._below(self._end(self.root), [f"{key}:", f"  - {item}"])
            return
        colon = self.body.index(":", self._key((key,)).end_mark.index) + 1
        self.body = self.body[:colon] + self.body[max(colon, node.end_mark.index) :]
        self._below(colon, [f"  - {item}"])

    def drop(self, path: Path) -> None:
        """Take the item at `path` out of its list; remarks on lines of their own stay."""
        node, index = self._node(path[:-1]), path[-1]
        assert isinstance(index, int)
        item = node.value[index]
        if node.flow_style:
            start, end = item.start_mark.index, item.end_mark.index
            if index + 1 < len(node.value):
                end = node.value[index + 1].start_mark.index
            elif index:
                start = node.value[index - 1].end_mark.index
            self._splice(start, end, "")
            return
        start = self.body.rfind("\n", 0, self._dash(item)) + 1
        end = self.body.find("\n", self._end(item))
        alone = len(node.value) == 1
        colon = self.body.index(":", self._key(path[:-1]).end_mark.index) + 1 if alone else 0
        kept = self.body[:start] + self.body[end + 1 if end >= 0 else len(self.body) :]
        self.body = f"{kept[:colon]} []{kept[colon:]}" if alone else kept
        self.root = self._compose()

    def drop_key(self, path: Path) -> None:
        """Take a key out of its map, with a value on one line; a remark behind it gets a line of its own.

        It stays where it holds its line together: behind a dash, or with a value of several lines.
        """
        parent, key, node = self._node(path[:-1]), self._key(path), self._node(path)
        if parent.flow_style:
            index = next(index for index, (one, _) in enumerate(parent.value) if one is key)
            start, end = key.start_mark.index, node.end_mark.index
            if index + 1 < len(parent.value):
                end = parent.value[index + 1][0].start_mark.index
            elif index:
                start = parent.value[index - 1][1].end_mark.index
            self._splice(start, end, "")
            return
        start, end = self.body.rfind("\n", 0, key.start_mark.index) + 1, self.body.find("\n", node.end_mark.index)
        margin, rest = (
            self.body[start : key.start_mark.index],
            self.body[node.end_mark.index : end if end >= 0 else None],
        )
        if margin.strip() or node.start_mark.line != node.end_mark.line:
            return
        remark = f"{margin}{rest.strip()}{self.newline}" if rest.strip() else ""
        self._splice(start, end + 1 if end >= 0 else len(self.body), remark)

    def empty(self, path: Path) -> bool:
        """True for a list without items."""
        node = self._node(path)
        return node is not None and node.id == "sequence" and not node.value

    def _dash(self, item: Any) -> int:
        """Where the dash of an item of a block list stands."""
        return self.body.rindex("-", 0, item.start_mark.index + (0 if item.start_mark.index else 1))

    def _key(self, path: Path) -> Any:
        """The key node of the value at `path`."""
        return next(key for key, _ in self._node(path[:-1]).value if key.value == path[-1])
