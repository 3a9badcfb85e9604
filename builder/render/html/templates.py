"""Templates: sandboxed, strict about undefined names, and confined to the pack's folder and the engine's own."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from builder.messages import Message, catalogue_fingerprint, ngettext, translate
from builder.messages import gettext as _
from builder.render.html.words import FUNCTIONS, Words

if TYPE_CHECKING:
    from jinja2 import Environment


_REFERRING = re.compile(r"\{%[-+]?\s*(?:extends|include|import|from)\b")
_PLAIN = re.compile(
    _REFERRING.pattern + r"""\s*(?:"([^"\\]*)"|'([^'\\]*)')\s*(?:[-+]?%\}|(?:import|as|with|without|ignore)\b)"""
)
"""Tags that refer to other templates, and those of them that state the name as it is."""


def read_inside(root: Path, name: str) -> Path | None:
    """A file by its relative name if it truly lies inside the root (links followed), else None."""
    path = (root / name).resolve()
    return path if path.is_relative_to(root.resolve()) and path.is_file() else None


class TemplateSet:
    """The templates of one pack. Names are relative to the pack's folder; `base/...` is the engine's own."""

    def __init__(self, root: Path, base: Path) -> None:
        self.root = root
        self.base = base
        self.env = _environment(self)
        self._hashes: dict[str, str] = {}
        self._found: dict[str, Path | None] = {}
        self._words: Any = None
        self._offer()

    def use(self, words: Words) -> None:
        """Let the templates' functions speak these words from now on."""
        self._words = words

    def _offer(self) -> None:
        """Make the functions known to every template, imported ones included."""
        from builder.render.html.markup import rich
        from builder.render.html.typography import tied_text

        def call(name: str) -> Callable[..., Any]:
            return lambda *args: getattr(self._words, name)(*args)

        def gettext(text: str) -> str:
            return translate(Message(text), self._words.lang)

        def plural(one: str, many: str, count: int) -> str:
            return translate(ngettext(one, many, count), self._words.lang)

        self.env.add_extension("jinja2.ext.i18n")
        self.env.install_gettext_callables(gettext, plural, newstyle=True)  # type: ignore[attr-defined]
        self.env.globals.update({name: call(name) for name in FUNCTIONS})
        self.env.filters["rich"] = lambda text, plain=(): rich(text, self._words, plain)
        self.env.filters["tied"] = tied_text

    def find(self, name: str) -> Path | None:
        """The file of a template name; looked for once, however many cards ask."""
        if name not in self._found:
            inside = name.startswith("base/")
            self._found[name] = read_inside(self.base if inside else self.root, name.removeprefix("base/"))
        return self._found[name]

    def exists(self, name: str) -> bool:
        """True if there is such a template."""
        return self.find(name) is not None

    def render(self, name: str, context: Mapping[str, Any]) -> str:
        """The template filled in.

        Raises jinja2.TemplateError for what the template's author can mend.
        """
        return self.env.get_template(name).render(context)

    def hash(self, name: str) -> str:
        """A hash of a template and of all it extends, includes or imports, however deep."""
        if name not in self._hashes:
            digest = hashlib.sha256()
            for part in sorted(self._closure(name, set())):
                path = self.find(part)
                source = path.read_bytes() if path else b""
                digest.update(part.encode() + b"\0" + source + b"\0")
                if b"_(" in source:
                    digest.update(catalogue_fingerprint().encode())
            self._hashes[name] = digest.hexdigest()
        return self._hashes[name]

    def _closure(self, name: str, seen: set[str]) -> set[str]:
        """The template and every template it can reach."""
        if name in seen:
            return seen
        seen.add(name)
        path = self.find(name)
        if path is not None:
            for other in _references(path.read_text(encoding="utf-8")):
                if other is None:
                    seen.update(self._all())
                else:
                    self._closure(self.env.join_path(other, name), seen)
        return seen

    def _all(self) -> set[str]:
        """All templates there are: what a computed name may reach."""
        own = {path.relative_to(self.root).as_posix() for path in self.root.rglob("*.j2")}
        return own | {"base/" + path.relative_to(self.base).as_posix() for path in self.base.rglob("*.j2")}


@cache
def _references(source: str) -> tuple[str | None, ...]:
    """Names a template's text refers to; None stands for a computed one. Broken templates refer to nothing."""
    plain = [_PLAIN.match(source, tag.start()) for tag in _REFERRING.finditer(source)]
    if all(plain):  # no need to parse the whole template to know its names
        return tuple(match[1] or match[2] for match in plain if match)
    from jinja2 import Environment, TemplateSyntaxError, meta

    try:
        return tuple(meta.find_referenced_templates(Environment(autoescape=True).parse(source)))
    except TemplateSyntaxError:
        return ()


def _environment(templates: TemplateSet) -> Environment:
    """The environment of a template set."""
    from jinja2 import FunctionLoader, StrictUndefined
    from jinja2.exceptions import SecurityError
    from jinja2.sandbox import ImmutableSandboxedEnvironment
    from jinja2.utils import missing

    safe: dict[tuple[type, str], bool] = {}

    class Confined(ImmutableSandboxedEnvironment):
        """Looks for a name beside the template that mentions it, then from the pack's root."""

        def join_path(self, template: str, parent: str) -> str:
            beside = (PurePosixPath(parent).parent / template).as_posix()
            return beside if templates.exists(beside) else template

        def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
            """Asked once for each sort of object: nothing but its sort and the name decide."""
            asked = type(obj), attr
            if asked not in safe:
                safe[asked] = super().is_safe_attribute(obj, attr, value)
            return safe[asked]

    class Undefined(StrictUndefined):
        """Says what is missing by its name in the template; what the program calls the whole is nothing to authors."""

        @property
        def _undefined_message(self) -> str:
            if self._undefined_exception is SecurityError:
                return _("{name!r} may not be reached from a template", name=self._undefined_name)
            if self._undefined_hint or self._undefined_obj is missing:
                return self._undefined_hint or _("{name!r} is undefined", name=self._undefined_name)
            return _("there is no {name!r} in what stands before it", name=self._undefined_name)

    def load(name: str) -> tuple[str, str, None] | None:
        path = templates.find(name)
        return (path.read_text(encoding="utf-8"), str(path), None) if path else None

    env = Confined(
        loader=FunctionLoader(load), undefined=Undefined, autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    del env.globals["lipsum"]
    return env
