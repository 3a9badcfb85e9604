"""Laws of edits by command.

Whatever the file looks like, it says what the edit means, keeps the player's remarks, and undo
gives back every byte.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings, strategies as st

from builder.model.rules import Source
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.roster.operations import (
    Add,
    Annotate,
    Duplicate,
    Edit,
    Move,
    Remove,
    Rename,
    SetChoice,
    SetLink,
    SetParam,
)
from builder.usecases.roster.edit import Editor, open_editor
from builder.usecases.roster.roster_files import RosterFiles
from tests.usecases.toy import toy_project

MODELS, CARRIED = (
    ("old-wick", "reed-mother", "dusk-moth"),
    ("amber-brooch", "willow-flute", "heron-quill"),
)
NAMES = (
    "Grandfather",
    "О'Нил",
    'a "b" #c',
    "- x: y",
    "yes",
    "12",
    "Длинное имя: с двоеточием",
    "[x]",
    "é\\n",
)


class Writer:
    """Draw a roster's text in any style of authors, each comment with its line."""

    def __init__(self, data: st.DataObject) -> None:
        self.data = data
        self.remarks = 0

    def pick(self, *items: str) -> str:
        return self.data.draw(st.sampled_from(items))

    def yes(self) -> bool:
        return self.data.draw(st.booleans())

    def tail(self, whose: str) -> str:
        """Return a remark behind something, or nothing."""
        self.remarks += 1
        return f"   # {whose}.{self.remarks}" if self.yes() else ""

    def own(self, margin: int, whose: str = "own") -> list[str]:
        """Return a remark on a line of its own, or an empty line, or nothing."""
        self.remarks += 1
        return self.data.draw(
            st.sampled_from(
                [[], [], [""], [" " * margin + f"# {whose}.{self.remarks}"]]
            )
        )

    def carried(self) -> list[str]:
        cards = self.data.draw(st.lists(st.sampled_from(CARRIED), max_size=3))
        return [
            self.pick(card, f"{{card: {card}}}", f"{{card: {card}, slot: palm}}")
            for card in cards
        ]

    def entry(self, number: int) -> list[str]:
        whose, card, load = f"e{number}", self.pick(*MODELS), self.carried()
        fields = [f"card: {self.pick(card, repr(card))}"]
        fields += [f"count: {self.data.draw(st.integers(1, 4))}"] if self.yes() else []
        fields += (
            [self.pick("name: Anna", "name: 'Old Anna'", 'name: "A: b"')]
            if self.yes()
            else []
        )
        style = self.pick("bare", "flow", "block", "block")
        if style == "bare" and not load and len(fields) == 1:
            return [*self.own(2), f"  - {card}{self.tail(whose)}"]
        if style == "flow":
            fields += [f"attachments: [{', '.join(load)}]"] if load else []
            return [*self.own(2), f"  - {{{', '.join(fields)}}}{self.tail(whose)}"]
        lines = [f"{field}{self.tail(whose)}" for field in fields]
        if load and self.yes():
            lines += [
                f"attachments:{self.tail(whose)}",
                *(f"  - {item}{self.tail(whose)}" for item in load),
            ]
        elif load:
            lines.append(f"attachments: [{', '.join(load)}]{self.tail(whose)}")
        body = ["  - " + lines[0]]
        for line in lines[1:]:
            body += [*self.own(4, f"i{number}"), "    " + line]
        return [*self.own(2), *body]

    def text(self) -> str:
        head = ["# first", f"pack: lanterns{self.tail('head')}", "embers: 40"]
        head += (
            [self.pick("name: Walk", "name: 'A walk'", "name: >-\n  A long\n  walk")]
            if self.yes()
            else []
        )
        number = self.data.draw(st.integers(0, 4))
        entries = [line for index in range(number) for line in self.entry(index)]
        key = "entries:" if number else "entries: []"
        lines = [
            *head,
            *self.own(0),
            f"{key}{self.tail('head')}",
            *entries,
            *self.own(2),
        ]
        if not number and self.yes():
            lines = head
        text = "\n".join(lines) + self.pick("\n", "\n", "")
        return self.pick("", "", "\ufeff") + (
            text.replace("\n", "\r\n") if self.yes() else text
        )


def some_edit(data: st.DataObject, editor: Editor) -> Edit:
    """Return an edit that a command could make."""
    entries = editor.roster.entries
    lines = st.integers(0, len(entries) - 1)
    edits = ["model", "param"]
    if entries:
        edits += ["carried", "name", "twin", "out", "more", "choice", "tie"]
    loaded = [line for line, entry in enumerate(entries) if entry.attachments]
    edits += ["off", "move", "exchange"] if loaded else []
    kind = data.draw(st.sampled_from(edits))
    if kind == "param":
        return SetParam("season", data.draw(st.sampled_from(["thaw", "frost"])))
    if kind == "model":
        return Add(
            data.draw(st.sampled_from(MODELS)),
            Source.ENTRIES,
            count=data.draw(st.integers(1, 3)),
        )
    if kind in ("off", "move", "exchange"):
        line = data.draw(st.sampled_from(loaded))
        removal = editor.find_attachment(
            line,
            data.draw(
                st.sampled_from([item.card for item in entries[line].attachments])
            ),
        )
        if kind == "exchange":
            addition = Add(
                data.draw(st.sampled_from(CARRIED)),
                Source.ATTACHMENTS,
                data.draw(lines),
            )
            return (removal, addition, SetChoice(line, "mask", "otter"))
        return (
            Move(removal.path, removal.card, data.draw(lines))
            if kind == "move"
            else removal
        )
    return edit_of_line(data, editor, kind, data.draw(lines))


def edit_of_line(data: st.DataObject, editor: Editor, kind: str, line: int) -> Edit:
    """Return an edit of one model."""
    entries = editor.roster.entries
    if kind == "more":
        return Add(
            entries[line].card, Source.ENTRIES, line, data.draw(st.integers(1, 3))
        )
    if kind == "choice":
        return SetChoice(
            line, "mask", data.draw(st.sampled_from(["heron", "otter", ""]))
        )
    if kind == "tie":
        target = data.draw(st.integers(0, len(entries) - 1))
        return data.draw(
            st.sampled_from([SetLink(line, "host", target), SetLink(line, "host")])
        )
    if kind == "carried":
        slot = data.draw(st.sampled_from([None, "palm"]))
        return Add(
            data.draw(st.sampled_from(CARRIED)),
            Source.ATTACHMENTS,
            line,
            data.draw(st.integers(1, 2)),
            slot,
        )
    if kind == "name":
        name = data.draw(st.sampled_from(NAMES))
        return data.draw(
            st.sampled_from([Rename(name), Rename(name, line), Annotate(name, line)])
        )
    return (
        Duplicate(line)
        if kind == "twin"
        else editor.find_removal(f"#{line + 1}", data.draw(st.integers(1, 4)))
    )


def remarks(text: bytes) -> list[str]:
    """Return all remarks, each with whose line it is on."""
    return re.findall(r"# (first|(?:own|head|[ei]\d)\.\d+)", text.decode())


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Project:
    return Project(toy_project(tmp_path_factory.mktemp("project")))


# Making a failing file smaller would take minutes, and the files are small.
@settings(phases=[Phase.generate])
@given(st.data())
def test_edits_mean_what_they_say_keep_remarks_and_are_taken_back_to_the_byte(
    home: Project, data: st.DataObject
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "squad.yaml"
        file.write_bytes(Writer(data).text().encode())
        roster_files = RosterFiles(home)
        states = [file.read_bytes()]
        whose = list(
            range(
                len(
                    open_editor(PackFiles(home), roster_files, str(file)).roster.entries
                )
            )
        )  # the number that each line had at first, -1 for none
        for _ in range(data.draw(st.integers(1, 4))):
            editor = open_editor(PackFiles(home), roster_files, str(file))
            edit = some_edit(data, editor)
            editor.make_edit(
                edit, "an edit"
            )  # refuses to write what does not say what the edit means
            states.append(file.read_bytes())
            first_edit = (
                edit[0] if isinstance(edit, tuple) else edit
            )  # what an exchange begins with
            line = (
                int(first_edit.path[1]) if isinstance(first_edit, Remove | Move) else 0
            )
            whose += [-1] * (len(editor.roster.entries) > len(whose))
            lost = [
                remark
                for remark in remarks(states[-2])
                if remark not in remarks(states[-1])
            ]
            if len(editor.roster.entries) < len(whose):
                assert {remark[:2] for remark in lost} <= {
                    f"e{whose[line]}",
                    f"i{whose[line]}",
                }
                whose.pop(line)
            elif isinstance(first_edit, Remove | Move):
                assert len(lost) <= 1
                assert {remark[:2] for remark in lost} <= {f"e{whose[line]}"}
            else:
                assert lost == []
            ends = states[-1].count(b"\r\n")
            assert ends == (states[-1].count(b"\n") if b"\r\n" in states[0] else 0)
        while len(states) > 1:
            assert file.read_bytes() == states.pop()
            roster_files.undo(str(file))
        assert file.read_bytes() == states[0]
