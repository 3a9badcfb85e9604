"""What a roster file was before each edit, newest last: kept in the project's cache, for `roster undo`."""

import json
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from builder.errors import OutputNotWritten, UsageError
from builder.files import write_atomic
from builder.messages import gettext as _
from builder.store.project import Project

DEPTH = 100
"""Edits that can be taken back."""


class History:
    """The earlier states of one file."""

    def __init__(self, project: Project, file: Path) -> None:
        self.file = file
        name = sha256(str(file.resolve()).encode()).hexdigest()[:24]
        self.store = project.cache_dir / "undo" / f"{name}.json"

    def replace(self, text: str, what: str) -> None:
        """Write a new text into the file and remember the one before."""
        before = self.file.read_bytes().decode("utf-8")
        stack = self._read()
        if stack and stack[-1]["after"] != digest(before):
            stack = []
        stack.append({"before": before, "after": digest(text), "what": what})
        self._write(text, stack[-DEPTH:])

    def undo(self) -> str:
        """Put the last state before an edit back; what that edit was. UsageError if there is none or it is not last."""
        stack = self._read()
        if not stack:
            message = _("{file} has no edit to take back", file=self.file)
            raise UsageError(message, _("Only edits made by `squadpress roster` count."))
        last = stack.pop()
        if digest(self.file.read_bytes().decode("utf-8")) != last["after"]:
            message = _("{file} was changed by hand since the last edit", file=self.file)
            raise UsageError(message, _("Taking that edit back would lose the change."))
        self._write(last["before"], stack)
        return last["what"]

    def _write(self, text: str, stack: list[dict[str, str]]) -> None:
        """The file and what can be taken back of it: both or, on a full disk, neither. Raises OutputNotWritten."""
        before = self.store.read_bytes() if self.store.is_file() else b"[]"
        write_atomic(self.store, json.dumps(stack, ensure_ascii=False).encode())
        try:
            write_atomic(self.file, text.encode())
        except OutputNotWritten:
            with suppress(OutputNotWritten):
                write_atomic(self.store, before)
            raise

    def _read(self) -> list[dict[str, str]]:
        """The stack; empty where there is none or it was damaged."""
        try:
            value = json.loads(self.store.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return []
        items = value if isinstance(value, list) else []
        keys = {"before", "after", "what"}
        whole = all(
            isinstance(i, dict) and i.keys() == keys and all(isinstance(text, str) for text in i.values())
            for i in items
        )
        return items if whole else []


def digest(text: str) -> str:
    """The SHA-256 of a text."""
    return sha256(text.encode()).hexdigest()
