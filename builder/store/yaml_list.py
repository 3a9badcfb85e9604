"""Changes to the lists of a YAML text that touch nothing else: an item put at the end, taken out or replaced."""

from __future__ import annotations

from typing import Any

from builder.model.base import Json, Path
from builder.store.yaml_edit import YamlText, flow


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
