"""Random YAML documents with comments, and random changes of their values."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from random import Random

from builder.model.base import DataPath, Json
from builder.packs.yaml.editing import YamlText, format_scalar

WORDS = (
    "a",
    "Ash rifle",
    "5",
    "true",
    "24″",
    "it's #1",
    "x: y",
    "é\u2028",
    "-",
    "",
    "no",
)
SCALARS: tuple[Json, ...] = (
    None,
    True,
    5,
    -1,
    2.5,
    *WORDS,
    "long text " * 14 + "end",
    "w" * 130,
)


@dataclass
class DocumentWriter:
    """Writes values as YAML in a random style. Remembers the path of each comment."""

    random: Random
    paths_by_comment: dict[str, DataPath] = field(default_factory=dict)

    def write(self, value: dict[str, Json]) -> str:
        """Return a document whose root is a map."""
        if not value or self.random.random() < 0.1:
            return self.write_flow(value, (), "  ") + "\n" * self.random.randrange(2)
        text = "\n".join(self.write_lines(value, (), ""))
        return text + "\n" * self.random.randrange(2)

    def make_comment(self, path: DataPath) -> str:
        """Return a new comment; usually the empty text."""
        if self.random.random() < 0.8:
            return ""
        comment = f"# -note: {len(self.paths_by_comment)};"
        self.paths_by_comment[comment] = path
        return comment

    def write_lines(self, value: Json, path: DataPath, margin: str) -> list[str]:
        """Return the lines of a block map or list."""
        lines: list[str] = []
        for step, item in list_children(value):
            item_path = (*path, step)
            comment = self.make_comment(item_path)
            if comment and lines:
                lines.append(margin + comment)
            elif comment:
                del self.paths_by_comment[comment]
            head = "-" if isinstance(step, int) else f"{format_scalar(step)}:"
            lines += self.write_entry(margin + head, item, item_path, margin)
        return lines

    def write_entry(
        self, head: str, value: Json, path: DataPath, margin: str
    ) -> list[str]:
        """Return the lines of a value below or behind its key or dash."""
        comment = self.make_comment(path)
        tail = f" {comment}" if comment else ""
        is_block = (
            isinstance(value, dict | list) and value and self.random.random() < 0.5
        )
        if is_block:
            deeper = margin + (
                "  " if head.endswith("-") or self.random.random() < 0.5 else "   "
            )
            if (
                isinstance(value, list)
                and not head.endswith("-")
                and self.random.random() < 0.3
            ):
                deeper = margin
            lines = self.write_lines(value, path, deeper)
            if head.endswith("-") and not tail and self.random.random() < 0.7:
                return [f"{head} {lines[0].lstrip()}", *lines[1:]]
            return [head + tail, *lines]
        is_plain = (
            isinstance(value, str) and value.isprintable() and value[:1].isalpha()
        )
        if is_plain and self.random.random() < 0.3:
            sign = self.random.choice(["|-", ">-"])
            return [f"{head} {sign}{tail}", f"{margin}    {value}"]
        text = self.write_flow(value, path, margin + "    ")
        return [(f"{head} {text}" if text else head) + tail]

    def write_flow(self, value: Json, path: DataPath, margin: str) -> str:
        """Return a value in brackets, or a scalar."""
        if not isinstance(value, dict | list):
            if (
                value is None
                and self.random.random() < 0.5
                and isinstance(path[-1], str)
            ):
                return ""
            return self.write_scalar(value)
        is_map = isinstance(value, dict)
        text = "{" if is_map else "["
        children = list_children(value)
        for number, (step, item) in enumerate(children):
            item_path = (*path, step)
            head = f"{format_scalar(step)}: " if isinstance(step, str) else ""
            text += self.make_flow_gap(item_path, margin)
            text += head + self.write_flow(item, item_path, margin)
            if number + 1 < len(children):
                text += "," + (self.make_flow_gap(item_path, margin) or " ")
            elif self.random.random() < 0.2:
                text += ","
        if self.random.random() < 0.1:
            text += f"\n{margin}"
        return text + ("}" if is_map else "]")

    def make_flow_gap(self, path: DataPath, margin: str) -> str:
        """Return a comment or line break inside brackets; usually the empty text."""
        comment = self.make_comment(path) if self.random.random() < 0.4 else ""
        if comment:
            return f" {comment}\n{margin}"
        return f"\n{margin}" if self.random.random() < 0.1 else ""

    def write_scalar(self, value: Json) -> str:
        """Return a scalar, quoted or not."""
        if isinstance(value, str) and value.isprintable() and "\\" not in value:
            if self.random.random() < 0.2 and "'" not in value:
                return f"'{value}'"
            if self.random.random() < 0.2 and '"' not in value:
                return f'"{value}"'
        return format_scalar(value)


def list_children(value: Json) -> list[tuple[str | int, Json]]:
    """Return the entries of a map, or the items of a list with their indexes."""
    if isinstance(value, dict):
        return list(value.items())
    return list(enumerate(value)) if isinstance(value, list) else []


def make_value(random: Random, depth: int) -> Json:
    """Return a random value."""
    kind = random.random()
    if depth and kind < 0.3:
        return make_map(random, depth - 1)
    if depth and kind < 0.6:
        return [make_value(random, depth - 1) for _ in range(random.randrange(4))]
    return random.choice(SCALARS)


def make_map(random: Random, depth: int) -> dict[str, Json]:
    """Return a random map."""
    keys = random.sample(
        ["a", "name", "two words", "5", "x: y", "rows"], random.randrange(5)
    )
    return {key: make_value(random, depth) for key in keys}


def change_value(random: Random, value: Json) -> Json:
    """Return a value with a few parts set, added or removed."""
    if isinstance(value, dict):
        changed = {key: change_value(random, item) for key, item in value.items()}
        for key in list(changed):
            if random.random() < 0.15:
                del changed[key]
        if random.random() < 0.2:
            changed[random.choice(["new", "a", "rows"])] = make_value(random, 2)
        return changed
    if isinstance(value, list):
        items = [change_value(random, item) for item in value if random.random() < 0.9]
        return items + [make_value(random, 2)] * (random.random() < 0.2)
    return random.choice(SCALARS) if random.random() < 0.3 else value


def change_one_place(
    random: Random, value: dict[str, Json], edit: YamlText
) -> dict[str, Json]:
    """Make one change with a method of `edit`. Return the value that the text must have."""
    new = copy.deepcopy(value)
    paths = list_paths(new)
    path = random.choice(paths)
    parent, node = get_value(new, path[:-1]), get_value(new, path)
    item = make_value(random, 2)
    if isinstance(node, list) and path and random.random() < 0.5:
        edit.append_item(path, item)
        node.append(item)
    elif isinstance(node, dict) and random.random() < 0.5:
        edit.set_entry(path, "new", item)
        node["new"] = item
    elif path and isinstance(parent, list) and random.random() < 0.5:
        edit.remove_item(path)
        del parent[path[-1]]
    elif (
        path
        and isinstance(parent, dict)
        and (len(path) == 1 or isinstance(path[-2], str))
    ):
        if len(parent) > 1 or len(path) > 1:
            edit.drop_key(path)
            del parent[path[-1]]
    elif path:
        edit.replace_value(path, item)
        parent[path[-1]] = item
    return new


def list_paths(value: Json, path: DataPath = ()) -> list[DataPath]:
    """Return the paths of a value and of all values in it."""
    paths = [path]
    for step, item in list_children(value):
        paths += list_paths(item, (*path, step))
    return paths


def get_value(value: Json, path: DataPath) -> Json:
    """Return the value at a path."""
    for step in path:
        value = value[step]
    return value


def keeps_comment(old: Json, new: Json, path: DataPath) -> bool:
    """Return True if the comment of the entry at a path must stay."""
    is_item = False
    for step in path:
        both_are_maps = isinstance(old, dict) and isinstance(new, dict)
        both_are_lists = isinstance(old, list) and isinstance(new, list)
        if not new or not (both_are_maps or both_are_lists):
            return False
        if is_item and both_are_maps and not old.keys() <= new.keys():
            return False  # such a map is written anew
        if step not in new if both_are_maps else step >= min(len(old), len(new)):
            return False
        old, new, is_item = old[step], new[step], isinstance(step, int)
    return True
