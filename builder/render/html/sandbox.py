"""Run templates in a sandbox with limits of time and memory."""

from __future__ import annotations

import re
import time
from collections import deque
from collections.abc import (
    Callable,
    Collection,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
    Sized,
)
from contextlib import suppress
from functools import cache, wraps
from hashlib import sha256
from operator import add, mod, mul
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

from jinja2 import FileSystemBytecodeCache, nodes
from jinja2.exceptions import SecurityError
from jinja2.runtime import markup_join
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import Namespace
from jinja2.visitor import NodeTransformer
from markupsafe import Markup

from builder.cache import fingerprint
from builder.errors import OutputNotWritten
from builder.files import read_limited, write_atomic
from builder.messages import Message, gettext as _

if TYPE_CHECKING:
    from jinja2 import BaseLoader, Undefined
    from jinja2.bccache import Bucket
    from jinja2.runtime import Context

MAX_STEPS = 1_000_000
"""Steps of one face: a sheet for a squad of 100 models takes some 10,000."""
MAX_CHARACTERS = 4_000_000
"""Characters that one face's texts and its variables may have together, and the weight of one
value.
"""
MAX_SECONDS = 10.0
"""Processor time of one face."""
MAX_LENGTH = 100_000
"""Items of a list, columns of a padding, characters of a text that a template repeats, bits of a
number.
"""
STEPS_PER_ITEM = 1_000
SECONDS_PER_ITEM = 0.002
COPIES_PER_CHARACTER = 8
"""The budget of a document for each of its values, and for each character of these."""
ITEM_WEIGHT = 2
"""Weight of anything besides what it holds: a comma and a space."""
MEMO_WEIGHT = 24
"""Lighter values are weighed again each time: to remember them would take more memory than they do.
"""
CHARACTERS_PER_STEP, ITEMS_PER_STEP = 50, 8
"""Characters and items of a long value that cost one step."""
UNLIMITED_FILTERS = frozenset(
    ("int", "float", "abs", "default", "d", "filesizeformat", "measured", "compared")
)
"""Filters that make nothing long."""
LIMITED_TESTS = (
    *("in", "eq", "==", "equalto", "ne", "!=", "lt", "<", "lessthan", "le", "<="),
    *("gt", ">", "greaterthan", "ge", ">="),
)
"""Tests that compare values."""
NUMBER_OPERATIONS: dict[str, Callable[[object, object], object]] = {
    "*": mul,
    "+": add,
    "%": mod,
}
TEXT_TYPES = frozenset((str, Markup))
"""Types of nearly all texts, known at once."""
DICTIONARY_VIEWS: tuple[type[Collection[Any]], ...] = (
    type({}.keys()),
    type({}.values()),
    type({}.items()),
)
CONTAINER_TYPES: tuple[type[Collection[Any]], ...] = (
    list,
    tuple,
    dict,
    MappingProxyType,
    set,
    frozenset,
    deque,
    *DICTIONARY_VIEWS,
)
"""Types of values that hold others."""
_NUMBER = re.compile(r"\d+")


class TemplateLimitExceeded(SecurityError):
    """A template exceeds a limit of the sandbox."""


def _make_budget_error(limit: Message) -> TemplateLimitExceeded:
    return TemplateLimitExceeded(_("it needs more than {limit}", limit=limit))


class OpaqueNamespace(Namespace):
    """A namespace of a template that prints as one word, because it may contain itself."""

    def __repr__(self) -> str:
        return "<Namespace>"


class _TemplateCache(FileSystemBytecodeCache):
    """Stores compiled templates in the user's own folder, because code of others is never run."""

    def load_bytecode(self, bucket: Bucket) -> None:
        """Load a compiled template.

        A damaged one is ignored: it could run as other code or crash.
        """
        with suppress(OSError):
            data = read_limited(Path(self._get_cache_filename(bucket)))
            # The file begins with the hash of the rest, which has 32 bytes.
            if sha256(data[32:]).digest() == data[:32]:
                bucket.bytecode_from_string(data[32:])

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Store a compiled template, if possible."""
        path = Path(self._get_cache_filename(bucket))
        data = bucket.bytecode_to_string()
        # A missing folder is not created again: it would lack the permissions that jinja checks.
        if path.parent.is_dir():
            with suppress(OutputNotWritten):
                write_atomic(path, sha256(data).digest() + data)
        _remove_old_templates(path.parent)


@cache
def _remove_old_templates(folder: Path) -> None:
    """Remove compiled templates that are older than a week, once in each process."""
    for path in folder.glob("*squadpress-*-" + "[0-9a-f]" * 40 + "*"):
        with suppress(OSError):
            if path.lstat().st_mtime < time.time() - 7 * 86400:
                path.unlink()


@cache
def _open_template_cache() -> _TemplateCache | None:
    """Return the cache of compiled templates, or None if no folder can be used."""
    # Other sources may compile templates otherwise: their files have other names.
    sources = fingerprint("render/html", libraries=("jinja2",))
    with suppress(OSError, RuntimeError):
        return _TemplateCache(pattern=f"squadpress-{sources}-%s")
    return None


class BudgetedEnvironment(ImmutableSandboxedEnvironment):
    """A Jinja sandbox that limits the steps, time and memory of one rendering."""

    # jinja hands these operations to `call_binop`.
    intercepted_binops = frozenset(("*", "**", "+", "%"))

    def __init__(self, undefined: type[Undefined], loader: BaseLoader) -> None:
        super().__init__(
            finalize=self._count_printed,
            undefined=undefined,
            loader=loader,
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
            # To look for what is constant takes longer than it saves.
            optimized=False,
            bytecode_cache=_open_template_cache(),
        )
        self.format_value: Callable[[object], str] = str
        self.start_budget()
        for name in ("lipsum", "cycler", "joiner"):
            self.globals.pop(name, None)
        self.globals["namespace"] = OpaqueNamespace
        for name in ("urlize", "random", "pprint"):
            self.filters.pop(name, None)
        self.filters |= {"measured": self.measure, "compared": self.count_compared}

    def start_budget(self, document_values: Mapping[str, object] | None = None) -> None:
        """Start counting the steps of one face, or of a document, which may use more."""
        items = characters = 0
        if document_values is not None:
            items, characters = _count_values(document_values)
        self._max_steps = MAX_STEPS + STEPS_PER_ITEM * items
        self._max_characters = MAX_CHARACTERS + COPIES_PER_CHARACTER * characters
        self._max_seconds = MAX_SECONDS + SECONDS_PER_ITEM * items
        self._steps = self._max_steps
        self._characters = self._max_characters
        self._end_time = time.thread_time() + self._max_seconds
        self.forget_weights()

    def forget_weights(self) -> None:
        """Forget the sizes of values that were computed."""
        self._weights: dict[int, tuple[int, object]] = {}

    def take_steps(self, steps: int = 1) -> None:
        """Count steps. Raise TemplateLimitExceeded if no steps or no time are left."""
        self._steps -= steps
        if self._steps < 0:
            raise _make_budget_error(_("{count} steps", count=self._max_steps))
        # The clock is read once in 1,024 steps: it takes longer than a step.
        is_clock_due = self._steps & 0x3FF <= steps
        if is_clock_due and time.thread_time() > self._end_time:
            seconds = f"{self._max_seconds:g}"
            raise _make_budget_error(
                _("{seconds} seconds of processor time", seconds=seconds)
            )

    def _make_length_error(self) -> TemplateLimitExceeded:
        return _make_budget_error(_("{count} characters", count=self._max_characters))

    def weigh(self, value: object) -> int:
        """Return how many characters a value prints at most, including everything in it."""
        if type(value) in TEXT_TYPES or isinstance(value, str):
            return len(value)  # type: ignore[arg-type]
        memo = self._weights.get(id(value))
        if memo is not None:
            return memo[0]
        if not isinstance(value, CONTAINER_TYPES):
            # A digit of a number takes a little more than 3 bits.
            digits = value.bit_length() // 3 if isinstance(value, int) else 0
            return ITEM_WEIGHT + digits
        weight = ITEM_WEIGHT
        for part in _list_parts(value):
            # Texts are most frequent: they are measured without a call.
            is_text = type(part) in TEXT_TYPES
            weight += ITEM_WEIGHT
            weight += len(part) if is_text else self.weigh(part)  # type: ignore[arg-type]
        if weight > self._max_characters:
            raise self._make_length_error()
        if weight > MEMO_WEIGHT:
            # The value is stored, too, so that no other value gets its id.
            self._weights[id(value)] = weight, value
        return weight

    def weigh_together(self, values: Iterable[object]) -> int:
        """Return how many characters these values print together at most.

        Raise TemplateLimitExceeded if it is more than one value may have.
        """
        weight = sum(map(self.weigh, values))
        if weight > self._max_characters:
            raise self._make_length_error()
        return weight

    def measure(self, value: object) -> object:
        """Count a value that a template has created. Return the value.

        Raise TemplateLimitExceeded if it weighs too much.
        """
        if isinstance(value, str):
            if len(value) > self._max_characters:
                raise self._make_length_error()
            if len(value) >= CHARACTERS_PER_STEP:
                self.take_steps(len(value) // CHARACTERS_PER_STEP)
        elif isinstance(value, CONTAINER_TYPES):
            self.weigh(value)
            self.take_steps(len(value) // ITEMS_PER_STEP)
        return value

    def count_compared(self, value: object) -> object:
        """Count the steps for comparing a value. Return the value."""
        if isinstance(value, (str, *CONTAINER_TYPES)):
            self.take_steps(self.weigh(value) // CHARACTERS_PER_STEP)
        return value

    def _count_printed(self, value: object) -> object:
        """Count the characters of a value that a template prints. Return it as printed.

        Lists, maps, None and booleans are formatted for readers, not as in Python.
        """
        if isinstance(value, (str, *CONTAINER_TYPES)):
            self._characters -= self.weigh(value)
            if self._characters < 0:
                raise self._make_length_error()
        if value is None or isinstance(value, (bool, *CONTAINER_TYPES)):
            return self.format_value(value)
        return value

    def count_items(self, items: Iterable[object], characters: int) -> Iterator[object]:
        """Yield the items of a loop, and count one step for each.

        `characters` is the length of the loop's own text.
        """
        for item in items:
            self.take_steps()
            self._characters -= characters
            if self._characters < 0:
                raise self._make_length_error()
            yield item

    def _parse(
        self, source: str, name: str | None, filename: str | None
    ) -> nodes.Template:
        tree = super()._parse(source, name, filename)
        _MeasuredNodes().visit(tree)
        return tree

    def join_parts(self, parts: list[object]) -> str:
        """Return the text that Jinja's operator `~` makes of these parts."""
        self.weigh_together(parts)
        text = markup_join(parts)
        self._count_printed(text)
        return text

    def call(
        __self,  # noqa: N805
        __context: Context,
        __obj: object,
        *args: object,
        **kwargs: object,
    ) -> object:
        """Call a function from a template, and count its result."""
        __self.take_steps()
        # `_MeasuredNodes` adds calls of this environment's own methods, which count for themselves.
        if getattr(__obj, "__self__", None) is __self:
            return super().call(__context, __obj, *args, **kwargs)
        # The compiled template adds its local variables, which are dropped before the call.
        keywords = {**kwargs}
        keywords.pop("_loop_vars", None)
        keywords.pop("_block_vars", None)
        values = (*args, *keywords.values())
        if values:
            __self.take_steps(__self.weigh_together(values) // CHARACTERS_PER_STEP)
            __self._check_call(__obj, values)
        return __self.measure(super().call(__context, __obj, *args, **kwargs))

    def call_binop(
        self, context: Context, operator: str, first: object, second: object
    ) -> object:
        """Compute an operation of a template, unless its result would be too long.

        Raise TemplateLimitExceeded if it would be too long.
        """
        # Two ordinary numbers are frequent, and no operation makes them long.
        are_ordinary = _is_ordinary_number(first) and _is_ordinary_number(second)
        if are_ordinary and operator in NUMBER_OPERATIONS:
            return NUMBER_OPERATIONS[operator](first, second)
        self.take_steps()
        self._check_operation(operator, first, second)
        return self.measure(super().call_binop(context, operator, first, second))

    def _check_operation(self, operator: str, first: object, second: object) -> None:
        """Raise TemplateLimitExceeded if the result of an operation would be too long."""
        weights = [self.weigh(value) for value in (first, second)]
        numbers = [value for value in (first, second) if isinstance(value, int)]
        bits = [number.bit_length() for number in numbers]
        if operator == "*" and len(numbers) == 2 and sum(bits) > MAX_LENGTH:
            raise _make_budget_error(_("{count} digits", count=MAX_LENGTH))
        if operator == "*" and len(numbers) == 1:
            self._check_product(max(weights), abs(numbers[0]))
        # The result has the bits of the base, times the exponent.
        if (
            operator == "**"
            and len(numbers) == 2
            and bits[0] * abs(numbers[1]) > MAX_LENGTH
        ):
            raise _make_budget_error(_("{count} digits", count=MAX_LENGTH))
        if operator == "+" and sum(weights) > self._max_characters:
            raise self._make_length_error()
        if operator == "%" and isinstance(first, str):
            self._check_format(
                first, second if isinstance(second, tuple) else (second,)
            )

    def bind_filters(self) -> None:
        """Make filters and comparing tests count steps by the length of their values."""
        for name in self.filters.keys() - UNLIMITED_FILTERS:
            self.filters[name] = self._limit_filter(name, self.filters[name])
        for name in LIMITED_TESTS:
            test = cast("Callable[..., object]", self.tests[name])
            self.tests[name] = self._limit_test(test)

    def _limit_test(self, test: Callable[..., object]) -> Callable[..., object]:
        @wraps(test)
        def run(*values: object) -> object:
            self.take_steps(1 + self.weigh_together(values) // CHARACTERS_PER_STEP)
            return test(*values)

        return run

    def _limit_filter(
        self, name: str, filter_function: Callable[..., object]
    ) -> Callable[..., object]:
        first = 1 if hasattr(filter_function, "jinja_pass_arg") else 0

        @wraps(filter_function)
        def run(*args: object, **keywords: object) -> object:
            if len(args) == first + 1 and not keywords and name != "format":
                self.take_steps(1 + self.weigh(args[first]) // CHARACTERS_PER_STEP)
                return self.measure(filter_function(*args))
            values = (*args[first:], *keywords.values())
            self.take_steps(1 + self.weigh_together(values) // CHARACTERS_PER_STEP)
            self._check_filter(name, values)
            # A sum of lists adds one after the other: each is copied as often as others follow.
            if name == "sum":
                items = list(args[first])  # type: ignore[call-overload]
                args = (*args[:first], items, *args[first + 1 :])
                if any(isinstance(value, CONTAINER_TYPES) for value in values[1:]):
                    self.take_steps(
                        len(items) * self.weigh(items) // CHARACTERS_PER_STEP
                    )
            return self.measure(filter_function(*args, **keywords))

        return run

    def _check_filter(self, name: str, values: Sequence[object]) -> None:
        """Raise TemplateLimitExceeded if the result of a filter would be too long."""
        if name == "format":
            self._check_format(str(values[0]), values[1:])
            return
        self._check_numbers(values[1:])
        numbers = [abs(value) for value in values[1:] if isinstance(value, int)]
        lengths = sorted(len(value) for value in values if isinstance(value, Sized))
        if name in ("replace", "join", "indent", "wordwrap") and len(lengths) > 1:
            self._check_product(lengths[-1], lengths[-2])
        if name == "indent" and numbers:
            self._check_product(str(values[0]).count("\n") + 1, max(numbers))
        if name in ("tojson", "batch", "slice") and numbers:
            # Of a batch or slice the filling is repeated, of JSON the indentation for each item.
            repeated = values[:1] if name == "tojson" else values[2:]
            self._check_product(self.weigh_together(repeated), max(numbers))

    def _check_product(self, length: int, times: int) -> None:
        if length * times > self._max_characters:
            raise self._make_length_error()

    def _check_format(self, form: str, values: Iterable[object]) -> None:
        """Raise TemplateLimitExceeded if a format would make a text too long."""
        values = tuple(values)
        self._check_numbers(values)
        fields = form.count("%") + form.count("{")
        numbers = [abs(value) for value in values if isinstance(value, int)]
        padding = sum(int(digits[:9]) for digits in _NUMBER.findall(form))
        if form.count("*") or form.count("{") > 1:  # a width may be one of the values
            padding += fields * max(numbers, default=0)
        if padding > MAX_LENGTH:
            raise self._make_length_error()
        self._check_product(self.weigh_together(values), max(fields, 1))

    def _check_numbers(self, values: Iterable[object]) -> None:
        if any(isinstance(value, int) and abs(value) > MAX_LENGTH for value in values):
            raise self._make_length_error()

    def _check_call(self, function: object, values: tuple[object, ...]) -> None:
        """Raise TemplateLimitExceeded if a text method would make a text too long.

        By padding, repeating or joining.
        """
        # The sandbox wraps `format`, and the text is known to what it wraps.
        method = getattr(function, "__wrapped__", function)
        text = getattr(method, "__self__", None)
        name = getattr(method, "__name__", "")
        if not isinstance(text, str):
            return
        if name in ("format", "format_map"):
            self._check_format(text, values)
        elif name == "expandtabs":
            self._check_numbers(values)
            widths = [abs(value) for value in values if isinstance(value, int)]
            self._check_product(text.count("\t") + 1, max(widths, default=8))
        elif name in ("ljust", "rjust", "center", "zfill"):
            self._check_numbers(values)
        elif name == "join":
            lengths = [len(value) for value in values if isinstance(value, Sized)]
            self._check_product(len(text), max(lengths, default=0))
        elif name in ("replace", "translate"):
            self._check_product(len(text), max(map(self.weigh, values), default=0))


def _is_ordinary_number(value: object) -> bool:
    """Return True for a number, not a bool, of at most MAX_LENGTH."""
    return type(value) in (int, float) and -MAX_LENGTH < value < MAX_LENGTH  # type: ignore[operator]


def _count_values(value: object) -> tuple[int, int]:
    """Return how many values and how many characters a value contains."""
    if isinstance(value, str):
        return 1, len(value)
    items = 1
    characters = 0
    if isinstance(value, CONTAINER_TYPES):
        for part in _list_parts(value):
            more_items, more_characters = _count_values(part)
            items += more_items
            characters += more_characters
    return items, characters


def _list_parts(value: Collection[object]) -> Collection[object]:
    """Return the items of a list, or the keys and values of a map."""
    return (*value.keys(), *value.values()) if isinstance(value, Mapping) else value


class _MeasuredNodes(NodeTransformer):
    """Changes a parsed template so that its loops and the values it creates are counted."""

    def visit_For(self, node: nodes.For) -> nodes.Node:  # noqa: N802 - as jinja calls it
        # The text in a loop is printed once for each item.
        characters = sum(len(text.data) for text in node.find_all(nodes.TemplateData))
        self.generic_visit(node)
        values = [node.iter, nodes.Const(characters)]
        counted = nodes.EnvironmentAttribute("count_items")
        node.iter = nodes.Call(counted, values, [], None, None, lineno=node.lineno)
        return node

    def visit_Concat(self, node: nodes.Concat) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        parts = [nodes.List(node.nodes)]
        function = nodes.EnvironmentAttribute("join_parts")
        return nodes.Call(function, parts, [], None, None, lineno=node.lineno)

    def visit_List(self, node: nodes.List) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        return node if _is_constant(node) else _apply_filter(node, "measured")

    def visit_Tuple(self, node: nodes.Tuple) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        return (
            node
            if node.ctx != "load" or _is_constant(node)
            else _apply_filter(node, "measured")
        )

    def visit_Dict(self, node: nodes.Dict) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        return _apply_filter(node, "measured")

    def visit_Getitem(self, node: nodes.Getitem) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        return (
            _apply_filter(node, "measured")
            if isinstance(node.arg, nodes.Slice)
            else node
        )

    def visit_Compare(self, node: nodes.Compare) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        looks_inside = any(operand.op in ("in", "notin") for operand in node.ops)
        values = [node.expr, *(operand.expr for operand in node.ops)]
        # To compare with a constant takes no longer than that is long.
        if not looks_inside and any(map(_is_constant, values)):
            return node
        for operand in node.ops:
            if not _is_constant(operand.expr):
                operand.expr = _apply_filter(operand.expr, "compared")
        return node


def _is_constant(node: nodes.Expr) -> bool:
    """Return True for a constant in a template, and for a list of constants."""
    if isinstance(node, nodes.List | nodes.Tuple):
        return all(isinstance(item, nodes.Const) for item in node.items)
    return isinstance(node, nodes.Const)


def _apply_filter(node: nodes.Expr, name: str) -> nodes.Filter:
    return nodes.Filter(node, name, [], [], None, None, lineno=node.lineno)
