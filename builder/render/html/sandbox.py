"""Templates in a sandbox: they print and compute, open nothing, and have a budget of steps, letters and time.

Each pass of a loop, each call and each filter is a step; whatever could make a great thing at one stroke (padding,
repeated texts, powers, long ranges) is looked at before it is done.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import suppress
from functools import cache, wraps
from hashlib import sha256
from operator import add, mod, mul
from pathlib import Path
from typing import TYPE_CHECKING

from jinja2 import FileSystemBytecodeCache, nodes
from jinja2.exceptions import SecurityError
from jinja2.runtime import markup_join
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.visitor import NodeTransformer

from builder.cache import fingerprint
from builder.errors import OutputNotWritten
from builder.files import read_limited, write_atomic
from builder.messages import gettext as _

if TYPE_CHECKING:
    from jinja2 import BaseLoader, Undefined
    from jinja2.bccache import Bucket
    from jinja2.runtime import Context

STEPS = 1_000_000
"""Steps of one face: a sheet for a squad of a hundred takes some ten thousand."""
LETTERS = 4_000_000
"""Letters that one face's texts and its variables may have together."""
SECONDS = 10.0
LONG = 100_000
"""Items of a list, columns of a padding, letters of a text that a template repeats."""
PLAIN = frozenset(("int", "float", "abs", "round", "default", "d", "filesizeformat"))
"""Filters whose numbers make nothing long."""
ORDINARY: dict[str, Callable[[object, object], object]] = {"*": mul, "+": add, "%": mod}
_WIDTH = re.compile(r"\d{5,}")
"""A width or precision in a format that pads beyond all measure."""


class TemplateBudget(SecurityError):
    """A template took more than it may."""


def _too_much(what: str) -> TemplateBudget:
    return TemplateBudget(_("it takes more {what} than a face may", what=what))


class _Compiled(FileSystemBytecodeCache):
    """Templates made ready to run, in a folder that is the user's alone: what is run is never taken from a project."""

    def load_bytecode(self, bucket: Bucket) -> None:
        """Take one if it is as it was written: what is damaged would run as something else, or end the program."""
        with suppress(OSError):
            data = read_limited(Path(self._get_cache_filename(bucket)))
            if sha256(data[32:]).digest() == data[:32]:
                bucket.bytecode_from_string(data[32:])

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep one; where that is not possible it is made ready again."""
        path, data = Path(self._get_cache_filename(bucket)), bucket.bytecode_to_string()
        if path.parent.is_dir():  # another that takes its place might be anybody's
            with suppress(OutputNotWritten):
                write_atomic(path, sha256(data).digest() + data)
        _sweep(path.parent)


@cache
def _sweep(folder: Path) -> None:
    """Remove those a week old, once in a process."""
    for path in folder.glob("*squadpress-*-" + "[0-9a-f]" * 40 + "*"):
        with suppress(OSError):
            if path.lstat().st_mtime < time.time() - 7 * 86400:
                path.unlink()


@cache
def _compiled() -> _Compiled | None:
    """Those that these sources made; None where there is no such folder."""
    with suppress(OSError, RuntimeError):
        return _Compiled(pattern=f"squadpress-{fingerprint('render/html', libraries=('jinja2',))}-%s")
    return None


class BudgetedEnvironment(ImmutableSandboxedEnvironment):
    """A sandbox in which one rendering has a budget."""

    intercepted_binops = frozenset(("*", "**", "+", "%"))

    def __init__(self, undefined: type[Undefined], loader: BaseLoader) -> None:
        super().__init__(
            finalize=self._printed, undefined=undefined, loader=loader, autoescape=True, trim_blocks=True,
            lstrip_blocks=True, optimized=False,  # to look for what is constant takes longer than it saves
            bytecode_cache=_compiled(),
        )  # fmt: skip
        self.renew()
        for name in ("lipsum", "cycler", "joiner"):
            self.globals.pop(name, None)
        for name in ("urlize", "random", "pprint"):
            self.filters.pop(name, None)

    def renew(self) -> None:
        """Begin a rendering."""
        self._steps, self._letters, self._until = STEPS, LETTERS, time.monotonic() + SECONDS

    def tick(self, steps: int = 1) -> None:
        """Take steps. TemplateBudget where there are none left."""
        self._steps -= steps
        if self._steps < 0:
            raise _too_much(_("steps"))
        if self._steps & 0x3FF <= steps and time.monotonic() > self._until:
            raise _too_much(_("time"))

    def _printed(self, value: object) -> object:
        """What is printed into the face or into a variable counts by its letters."""
        if isinstance(value, str):
            self._letters -= len(value)
            if self._letters < 0:
                raise _too_much(_("letters"))
        return value

    def counted(self, items: Iterable[object], weight: int) -> Iterator[object]:
        """Items of a loop whose own text has so many letters."""
        for item in items:
            self.tick()
            self._letters -= weight
            if self._letters < 0:
                raise _too_much(_("letters"))
            yield item

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        tree = super()._parse(source, name, filename)
        for loop in tree.find_all(nodes.For):
            weight = sum(len(text.data) for text in loop.find_all(nodes.TemplateData))
            given = [loop.iter, nodes.Const(weight)]
            loop.iter = nodes.Call(nodes.EnvironmentAttribute("counted"), given, [], None, None, lineno=loop.lineno)
        _Joining().visit(tree)
        return tree

    def joined(self, parts: list[object]) -> str:
        """What `~` makes of its parts."""
        self._printed(text := markup_join(parts))
        return text

    def call(__self, __context: Context, __obj: object, *args: object, **kwargs: object) -> object:  # noqa: N805
        """A call that a template makes."""
        __self.tick()
        _check_call(__obj, (*args, *kwargs.values()))
        return super().call(__context, __obj, *args, **kwargs)

    def call_binop(self, context: Context, operator: str, left: object, right: object) -> object:
        """An operation that may make a great thing of small ones; of ordinary numbers none does, and they are many."""
        plain = type(left) in (int, float) and type(right) in (int, float) and operator in ORDINARY
        if plain and -LONG < left < LONG and -LONG < right < LONG:  # type: ignore[operator]
            return ORDINARY[operator](left, right)
        self.tick()
        sizes = [len(one) if isinstance(one, str | list | tuple) else 0 for one in (left, right)]
        numbers = [one for one in (left, right) if isinstance(one, int)]
        bits = [one.bit_length() for one in numbers]
        if operator == "*" and (max(sizes) * max(map(abs, numbers), default=1) > LETTERS or sum(bits) > LONG):
            raise _too_much(_("letters"))
        if operator == "**" and len(numbers) == 2 and bits[0] * abs(numbers[1]) > LONG:
            raise _too_much(_("digits"))
        if operator == "+" and sum(sizes) > LETTERS:
            raise _too_much(_("letters"))
        if operator == "%" and isinstance(left, str):
            _check_format(left, right if isinstance(right, tuple) else (right,))
        return super().call_binop(context, operator, left, right)

    def bind_filters(self) -> None:
        """Let all filters take steps, by the length of what they are given, and pad and repeat within bounds."""
        self.filters |= {name: self._bound(name, each) for name, each in self.filters.items() if name not in PLAIN}

    def _bound(self, name: str, each: Callable[..., object]) -> Callable[..., object]:
        first = 1 if hasattr(each, "jinja_pass_arg") else 0

        @wraps(each)
        def run(*args: object, **named: object) -> object:
            if len(args) == first + 1 and not named and name != "format":
                value = args[first]
                self.tick(1 + len(value) // 50 if hasattr(value, "__len__") else 1)
                return each(*args)
            values = (*args[first:], *named.values())
            lengths = sorted(len(value) for value in values if isinstance(value, Sized))
            self.tick(1 + (lengths[-1] if lengths else 0) // 50)
            if name == "format":
                _check_format(str(values[0]), values[1:])
            else:
                _check_numbers(values[1:])
            if name in ("replace", "join") and len(lengths) > 1 and lengths[-1] * lengths[-2] > LETTERS:
                raise _too_much(_("letters"))
            return each(*args, **named)

        return run


class _Joining(NodeTransformer):
    """Makes `~` a call that is counted."""

    def visit_Concat(self, node: nodes.Concat) -> nodes.Node:  # noqa: N802 - as jinja calls it
        self.generic_visit(node)
        called, given = nodes.EnvironmentAttribute("joined"), [nodes.List(node.nodes)]
        return nodes.Call(called, given, [], None, None, lineno=node.lineno)


def _check_format(form: str, values: Iterable[object]) -> None:
    if _WIDTH.search(form):
        raise _too_much(_("letters"))
    _check_numbers(values)


def _check_numbers(values: Iterable[object]) -> None:
    if any(isinstance(value, int) and abs(value) > LONG for value in values):
        raise _too_much(_("letters"))


def _check_call(called: object, values: tuple[object, ...]) -> None:
    """A method of a text that pads, repeats or puts together."""
    text, name = getattr(called, "__self__", None), getattr(called, "__name__", "")
    if not isinstance(text, str):
        return
    if name in ("format", "format_map"):
        _check_format(text, values)
    elif name in ("ljust", "rjust", "center", "zfill", "expandtabs"):
        _check_numbers(values)
    elif name in ("replace", "join", "translate"):
        longest = max((len(value) for value in values if isinstance(value, str | list | tuple)), default=0)
        if len(text) * longest > LETTERS:
            raise _too_much(_("letters"))
