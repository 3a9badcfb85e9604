"""Read a YAML file as values with positions and findings.

The events of ruamel's C scanner are converted in one pass. YAML's own construction of objects
(tags, merge keys, timestamps) is never used.
"""

import re
from collections.abc import Iterator
from errno import EFBIG
from pathlib import Path

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    CollectionStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    StreamEndEvent,
)

from builder.files import read_limited, suggest_file
from builder.findings import Finding, Location, Position, find_position
from builder.messages import describe_os_error, gettext as _
from builder.model.base import DataPath, Json, format_path
from builder.model.loaded import Document
from builder.packs import file_codes


def make_schema_line(schema: str, file: str) -> str:
    """Return the first line of a YAML file, which tells editors its schema.

    `schema` and `file` are paths in the project, the schema without its extension.
    """
    root = "../" * file.count("/")
    return f"# yaml-language-server: $schema={root}schemas/{schema}.schema.json"


_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
# Python refuses to read numbers of very many digits, so longer ones stay texts.
_INT = re.compile(r"[-+]?[0-9]{1,18}\Z")
_FLOAT = re.compile(
    r"[-+]?(\.[0-9]{1,32}|[0-9]{1,32}(\.[0-9]{0,32})?)([eE][-+]?[0-9]{1,2})?\Z"
)
_BASED = re.compile(r"0o[0-7]{1,20}\Z|0x[0-9a-fA-F]{1,15}\Z")
_NUMERIC = frozenset("0123456789+-.")


def parse_scalar(text: str) -> Json:
    """Return the value of a YAML scalar without quotes: a text, number, truth value or None.

    What JSON cannot hold (infinities, endless digits) stays a text.
    """
    if text in _WORDS:
        return _WORDS[text]
    # Most texts are words, and need no further test.
    if text[0] not in _NUMERIC:
        return text
    if _INT.match(text):
        return int(text)
    if _FLOAT.match(text):
        return float(text)
    if _BASED.match(text):
        return int(text, 0)
    return text


MAX_BYTES = 2_000_000
MAX_DEPTH = 64
MAX_ALIASED_VALUES = 10_000
"""Values that all aliases of a file may repeat together."""

# A line whose indent has a tab, unless nothing else is in it.
_TABS = re.compile(r"^ *\t[ \t]*(?=\S)", re.MULTILINE)


class _FileRefusedError(Exception):
    """A file cannot be read any further. `finding` says why."""

    def __init__(self, finding: Finding) -> None:
        self.finding = finding


def read_document(path: Path, file: str) -> tuple[Document | None, tuple[Finding, ...]]:
    """Read a YAML file. Return the document, or None with findings if it cannot be parsed.

    `file` is its name in findings.
    """
    try:
        text = _read_text(path, file)
    except _FileRefusedError as refused:
        return None, (refused.finding,)
    return parse_document(text, file)


def parse_document(text: str, file: str) -> tuple[Document | None, tuple[Finding, ...]]:
    """Parse a YAML text. Return the document, or None with findings."""
    builder = _Builder(file)
    try:
        indent = _TABS.search(text)
        if indent:
            position = find_position(text, indent.start() + indent[0].index("\t"))
            place = Location(file, position.line, position.column)
            raise _FileRefusedError(
                file_codes.TAB.finding(_("the line is indented with a tab"), place)
            )
        value = builder.read_document(_read_events(text))
    except _FileRefusedError as refused:
        return None, (*builder.findings, refused.finding)
    except YAMLError as error:
        return None, (*builder.findings, _report_syntax_error(error, text, file))
    return Document(file, value, builder.marks, builder.key_marks), tuple(
        builder.findings
    )


def _read_events(text: str) -> Iterator[Event]:
    """Yield the events of the YAML parser, from ruamel's C scanner if it is installed."""
    try:
        from ruamel.yaml.cyaml import CParser  # type: ignore[attr-defined]
    except ImportError:
        return iter(YAML(typ="safe", pure=True).parse(text))
    # The parser returns None behind the last event.
    return iter(CParser(text).get_event, None)


def _read_text(path: Path, file: str) -> str:
    place = Location(file=file)
    try:
        data = read_limited(path, MAX_BYTES)
    except OSError as error:
        hint = suggest_file(path) if isinstance(error, FileNotFoundError) else ""
        code = file_codes.TOO_LARGE if error.errno == EFBIG else file_codes.UNREADABLE
        message = _("cannot be read: {reason}", reason=describe_os_error(error))
        raise _FileRefusedError(code.finding(message, place, hint)) from error
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # The error counts from behind a byte order mark, and so does the text of the error.
        byte = error.object[error.start]
        message = _("byte {byte} is not UTF-8 text", byte=f"0x{byte:02x}")
        # The text before the byte is valid, and columns count characters.
        text_before = error.object[: error.start].decode("utf-8")
        line, column = find_position(text_before, len(text_before))
        place = Location(file, line, column)
        raise _FileRefusedError(file_codes.ENCODING.finding(message, place)) from error


class _Builder:
    """Builds the value of a YAML file from the parser's events, with positions and findings."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.findings: list[Finding] = []
        self.marks: dict[DataPath, Position] = {}
        self.key_marks: dict[DataPath, Position] = {}
        self.anchors: dict[str, tuple[Json, int]] = {}
        self.open_anchors: set[str] = set()
        self.aliased = 0
        self.count = 0

    def read_document(self, events: Iterator[Event]) -> Json:
        """Return the value of the only document in the file."""
        self.events = events
        self.next_event()  # the start of the stream
        if isinstance(self.next_event(), StreamEndEvent):
            place = Location(file=self.file, line=1, column=1)
            raise _FileRefusedError(
                file_codes.EMPTY.finding(_("the file is empty"), place)
            )
        event = self.next_event()
        value = self.read_value(event, ())
        if value is None:
            message = _("the file contains no value")
            raise _FileRefusedError(
                file_codes.EMPTY.finding(message, self.make_location(event))
            )
        self.next_event()  # the end of the document
        next_event = self.next_event()
        if not isinstance(next_event, StreamEndEvent):
            message = _("a second document starts here")
            raise _FileRefusedError(
                file_codes.DOCUMENTS.finding(message, self.make_location(next_event))
            )
        return value

    def next_event(self) -> Event:
        """Return the next event of the parser.

        Raise _FileRefusedError if the file ends unexpectedly.
        """
        event = next(self.events, None)
        if event is None:
            message = _("the file ends unexpectedly")
            raise _FileRefusedError(
                file_codes.SYNTAX.finding(message, Location(file=self.file))
            )
        return event

    def make_location(self, event: Event, path: DataPath = ()) -> Location:
        """Return the location of an event."""
        line, column = _get_position(event)
        return Location(self.file, line, column, format_path(path) or None)

    def read_value(self, event: Event, path: DataPath) -> Json:
        """Return the value that begins with this event, and store its position."""
        self.marks[path] = _get_position(event)
        self.count += 1
        if isinstance(event, AliasEvent):
            return self.read_alias(event, path)
        assert isinstance(event, ScalarEvent | CollectionStartEvent)
        if event.tag is not None:
            message = _("the tag {tag} is not allowed", tag=str(event.tag))
            self.findings.append(
                file_codes.TAG.finding(message, self.make_location(event, path))
            )
        if event.anchor is None:
            return self.read_bare_value(event, path)
        count_before = self.count
        anchor = str(event.anchor)
        self.open_anchors.add(anchor)
        value = self.read_bare_value(event, path)
        self.open_anchors.discard(anchor)
        self.anchors[anchor] = (value, self.count - count_before + 1)
        return value

    def read_bare_value(
        self, event: ScalarEvent | CollectionStartEvent, path: DataPath
    ) -> Json:
        """Return a value, ignoring its anchor and tag."""
        if isinstance(event, ScalarEvent):
            # A tag, which is reported, makes a scalar explicit though it has no quotes.
            is_unquoted = event.implicit[0] or (
                event.tag is not None and not event.style
            )
            return parse_scalar(event.value) if is_unquoted else str(event.value)
        if len(path) >= MAX_DEPTH:
            message = _("more than {most} levels", most=MAX_DEPTH)
            raise _FileRefusedError(
                file_codes.NESTING.finding(message, self.make_location(event))
            )
        if isinstance(event, MappingStartEvent):
            return self.read_map(path)
        items: list[Json] = []
        item_event = self.next_event()
        while not isinstance(item_event, SequenceEndEvent):
            items.append(self.read_value(item_event, (*path, len(items))))
            item_event = self.next_event()
        return items

    def read_map(self, path: DataPath) -> Json:
        """Return a map after its start was read. Of two equal keys the first counts."""
        items: dict[str, Json] = {}
        event = self.next_event()
        while not isinstance(event, MappingEndEvent):
            key = self.read_key(event, path)
            item_path = (*path, key)
            if key in items:
                self.report_duplicate_key(key, event, item_path)
                # The second value is read only to skip it, so its positions are dropped.
                marks = self.marks
                key_marks = self.key_marks
                self.marks = {}
                self.key_marks = {}
                self.read_value(self.next_event(), item_path)
                self.marks = marks
                self.key_marks = key_marks
            else:
                self.key_marks[item_path] = _get_position(event)
                items[key] = self.read_value(self.next_event(), item_path)
            event = self.next_event()
        return items

    def report_duplicate_key(self, key: str, event: Event, path: DataPath) -> None:
        """Report a key that occurs twice in a map."""
        form = _("the key {key} is repeated; the first is in line {line}")
        message = _(form, key=key, line=self.key_marks[path].line)
        location = self.make_location(event, path)
        self.findings.append(file_codes.DUPLICATE_KEY.finding(message, location))

    def read_key(self, event: Event, path: DataPath) -> str:
        """Return a key as text: `30` is the key "30"."""
        if not isinstance(event, ScalarEvent):
            message = _("a list, map or alias cannot be a key")
            raise _FileRefusedError(
                file_codes.KEY.finding(message, self.make_location(event, path))
            )
        key = str(event.value)
        if not key or (key == "<<" and event.implicit[0]):
            message = (
                _("merge keys (<<) are not part of YAML 1.2")
                if key
                else _("an empty key")
            )
            raise _FileRefusedError(
                file_codes.KEY.finding(message, self.make_location(event, path))
            )
        return key

    def read_alias(self, event: AliasEvent, path: DataPath) -> Json:
        """Return the value that an alias refers to.

        Raise _FileRefusedError if there is none, or the aliases of the file grow too large.
        """
        name = str(event.anchor)
        message = None
        if name in self.open_anchors:
            message = _("*{name} contains itself", name=name)
        elif name not in self.anchors:
            message = _("there is no anchor &{name}", name=name)
        else:
            value, size = self.anchors[name]
            # Aliases of aliases can make a small file expand to gigabytes.
            self.aliased += size
            self.count += size
            if self.aliased <= MAX_ALIASED_VALUES:
                return value
            form = _("the aliases of this file expand to more than {most} values")
            message = _(form, most=MAX_ALIASED_VALUES)
        raise _FileRefusedError(
            file_codes.ALIAS.finding(message, self.make_location(event, path))
        )


def _get_position(event: Event) -> Position:
    return Position(event.start_mark.line + 1, event.start_mark.column + 1)


def _report_syntax_error(error: YAMLError, text: str, file: str) -> Finding:
    mark = None
    problem = str(error) or "?"
    if isinstance(error, MarkedYAMLError):
        mark = error.problem_mark
        problem = error.problem or "?"
    if mark is None:
        what = _("invalid YAML ({problem})", problem=problem.splitlines()[0])
        return file_codes.SYNTAX.finding(what, Location(file=file, line=1, column=1))
    place = Location(file=file, line=mark.line + 1, column=mark.column + 1)
    lines = text.splitlines()
    line = lines[mark.line] if mark.line < len(lines) else ""
    if line[mark.column : mark.column + 1] == "\t":
        return file_codes.TAB.finding(_("a tab where a value should start"), place)
    excerpt = line.strip()[:60]
    what = _("invalid YAML ({problem}): {line}", problem=problem, line=excerpt)
    if not excerpt:
        what = _("the file ends in the middle of a value ({problem})", problem=problem)
    return file_codes.SYNTAX.finding(what, place, _suggest_fix(line))


def _suggest_fix(line: str) -> str:
    """Return a hint about the most frequent cause of a syntax error in such a line."""
    if re.search(r":\s+\S.*:\s", line):
        return _("Put quotes around a text that contains a colon and a space.")
    if re.search(r":\s*[`@%{\[&*|>]", line):
        return _("Put quotes around a text that starts with a special character.")
    return ""
