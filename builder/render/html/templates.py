"""Templates and style sheets, confined to the pack's folder and the engine's own.

Templates are sandboxed and strict about undefined names. Style sheets of a kind: page and shrinking steps made from the
manifest, then base, pack, kind, variant.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Collection, Mapping
from functools import cache
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from builder.errors import InputUnreadable
from builder.files import hash_file as hash_of
from builder.geometry.boxes import make_face_boxes
from builder.messages import Message, gettext as _, hash_catalogues, ngettext, translate
from builder.model.pack import Kind, Size
from builder.render.files import BASE_URL, Refused, find_inside, locate_file, read_text
from builder.render.html.markup import render_markup
from builder.render.html.typography import keep_text_together
from builder.render.html.values import format_value
from builder.render.html.view import FUNCTIONS, TemplateWords
from builder.render.jobs import PLATES, TALL, Places, Style, Variant

if TYPE_CHECKING:
    from markupsafe import Markup

    from builder.render.html.sandbox import BudgetedEnvironment

_REFERRING = re.compile(
    r"""\{%[-+]?\s*(?:extends|include|import|from)\b"""
    r"""(?:\s*(?:"([^"\\]*)"|'([^'\\]*)')\s*(?:[-+]?%\}|(?:import|as|with|without|ignore)\b))?"""
)
"""Tags that refer to other templates, with the name where it is stated as it is."""

_URL = re.compile(r"""url\(\s*['"]?([^'")]+)""")
_IMPORT = re.compile(r"""@import\s+(?:url\(\s*)?['"]?([^'");]+)""")

_SHARED = re.compile(r"""@import\s+(?:url\(\s*)?['"]?([\w./-]+\.css)['"]?\s*\)?\s*;""")
"""A style sheet of the pack taken in as it is, without conditions."""


class TemplateSet:
    """The templates of one pack. Names are relative to the pack's folder; `base/...` is the engine's own."""

    def __init__(self, root: Path, base: Path) -> None:
        self.root = root
        self.base = base
        self.env = _environment(self)
        self._hashes: dict[str, str] = {}
        self._found: dict[str, Path | None] = {}
        self._words: TemplateWords
        self._offer()

    def use(self, words: TemplateWords) -> None:
        """Let the templates' functions speak these words from now on."""
        self._words = words

    def _offer(self) -> None:
        """Make the functions known to every template, imported ones included."""
        from jinja2 import pass_context

        def call(name: str) -> Callable[..., object]:
            return lambda *args: getattr(self._words, name)(*args)

        @pass_context  # or a text that stands in the template would be marked up with one language's words for all
        def marked(_context: object, text: str, plain: Collection[str] = ()) -> Markup:
            return render_markup(text, self._words, plain)

        @pass_context  # as above
        def print_value(_context: object, value: object) -> object:
            return value if hasattr(value, "__html__") else self._format_value(value)

        def gettext(text: str) -> str:
            return translate(Message(text), self._words.lang)

        def plural(one: str, many: str, count: int) -> str:
            return translate(ngettext(one, many, count), self._words.lang)

        self.env.add_extension("jinja2.ext.i18n")
        self.env.install_gettext_callables(gettext, plural, newstyle=True)  # type: ignore[attr-defined]
        self.env.globals.update({name: call(name) for name in FUNCTIONS})
        self.env.filters.update(rich=marked, tied=keep_text_together, value=print_value)
        self.env.format_value = self._format_value
        self.env.bind_filters()

    def _format_value(self, value: object) -> str:
        """Return a value as text in the language in use, in English if there is none yet."""
        if hasattr(self, "_words"):
            return self._words.format_value(value)
        return format_value(value, "en", lambda label: "")

    def find(self, name: str) -> Path | None:
        """The file of a template name; looked for once, however many cards ask."""
        if name not in self._found:
            inside = name.startswith("base/")
            self._found[name] = find_inside(
                self.base if inside else self.root, name.removeprefix("base/")
            )
        return self._found[name]

    def exists(self, name: str) -> bool:
        """True if there is such a template."""
        return self.find(name) is not None

    def render(self, name: str, context: Mapping[str, object], *, is_document: bool = False) -> str:
        """Return the template filled in, with the budget of a face, or of a document with all that it is given.

        Raises jinja2.TemplateError for what the template's author can fix.
        """
        self.env.renew(context if is_document else None)
        try:
            return self.env.get_template(name).render(context)
        finally:
            self.env.forget_weights()

    def hash(self, name: str) -> str:
        """A hash of a template and of all it extends, includes or imports, however deep."""
        if name not in self._hashes:
            digest = hashlib.sha256()
            for part in sorted(self.closure(name, set())):
                path = self.find(part)
                source = path.read_bytes() if path else b""
                digest.update(part.encode() + b"\0" + source + b"\0")
                if b"_(" in source:
                    digest.update(hash_catalogues().encode())
            self._hashes[name] = digest.hexdigest()
        return self._hashes[name]

    def closure(self, name: str, seen: set[str]) -> set[str]:
        """The template and every template it can reach."""
        if name in seen:
            return seen
        seen.add(name)
        path = self.find(name)
        if path is not None:
            for other in _references(path.read_text(encoding="utf-8", errors="replace")):
                if other is None:
                    seen.update(self._all())
                else:
                    self.closure(self.env.join_path(other, name), seen)
        return seen

    def _all(self) -> set[str]:
        """All templates there are: what a computed name may reach."""
        own = {path.relative_to(self.root).as_posix() for path in self.root.rglob("*.j2")}
        return own | {
            "base/" + path.relative_to(self.base).as_posix() for path in self.base.rglob("*.j2")
        }


@cache
def _references(source: str) -> tuple[str | None, ...]:
    """Names a template's text refers to; None stands for a computed one."""
    return tuple(tag[1] or tag[2] for tag in _REFERRING.finditer(source))


def _environment(templates: TemplateSet) -> BudgetedEnvironment:
    from jinja2 import FunctionLoader, StrictUndefined
    from jinja2.exceptions import SecurityError, TemplateSyntaxError
    from jinja2.utils import missing

    from builder.render.html.sandbox import BudgetedEnvironment

    safe: dict[tuple[type, str], bool] = {}

    class ConfinedTemplates(BudgetedEnvironment):
        """Looks for a name beside the template that mentions it, then from the pack's root."""

        def join_path(self, template: str, parent: str) -> str:
            beside = (PurePosixPath(parent).parent / template).as_posix()
            return beside if templates.exists(beside) else template

        def is_safe_attribute(self, obj: object, attr: str, value: object) -> bool:
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
                return _("templates cannot use {name!r}", name=self._undefined_name)
            if self._undefined_hint or self._undefined_obj is missing:
                return self._undefined_hint or _("{name!r} is undefined", name=self._undefined_name)
            return _("the value before it has no {name!r}", name=self._undefined_name)

    def load(name: str) -> tuple[str, str, None] | None:
        path = templates.find(name)
        try:
            return (read_text(path), str(path), None) if path else None
        except InputUnreadable as error:
            raise TemplateSyntaxError(error.message, 1, name, str(path)) from None

    return ConfinedTemplates(Undefined, FunctionLoader(load))


def compose_page_css(size: Size, fit: Mapping[str, tuple[float, ...]]) -> str:
    """The part of a style sheet that the manifest decides: page size, face size, steps of shrinking blocks."""
    box = make_face_boxes(size).bleed
    lines = [
        f"@page{{size:{box.width:g}mm {box.height * TALL:g}mm;margin:0}}",
        "html,body{margin:0;padding:0}",
        f".face{{position:relative;width:{box.width:g}mm;height:{box.height:g}mm;margin:0;padding:0}}",
        ".face+.face{break-before:page}",
    ]
    for name, sizes in fit.items():
        lines += [
            f".fit-{name}.step-{step}{{font-size:{size:g}pt}}" for step, size in enumerate(sizes)
        ]
    return "\n".join(lines)


def load_style(places: Places, kind_id: str, kind: Kind, lang: str, variant: Variant) -> Style:
    """Return what a batch of faces of this kind shares. Its key covers every file that it uses."""
    names = [
        "base/face.css",
        "pack.css",
        f"{kind_id}/card.css",
        *(["base/plate.css"] if variant in PLATES else []),
    ]
    names += [f"{variant}.css"] if variant != "full" else []
    fit = {name: block.sizes for name, block in kind.fit.items()}
    sheets = [("page", compose_page_css(kind.size, fit))]
    for name in names:
        root = places.base if name.startswith("base/") else places.templates
        path = find_inside(root, name.removeprefix("base/"))
        if path is not None:
            sheets += _with_shared(places, root, path)
    # Not where the files lie: two machines have the program in different folders.
    digest = hashlib.sha256(
        repr((names, [text for shown, text in sheets], kind.size, fit, lang)).encode()
    )
    names_in_sheets: set[str] = set()
    for _shown, text in sheets:
        names_in_sheets.update(_URL.findall(text), _IMPORT.findall(text))
    for name in sorted(names_in_sheets):
        digest.update(file_hash(places, name).encode())
    return Style(digest.hexdigest(), tuple(sheets), make_face_boxes(kind.size), fit, lang)


def _with_shared(places: Places, root: Path, path: Path) -> list[tuple[str, str]]:
    """A style sheet after those of its pack that it imports: every rule is known before faces are laid out.

    An import that names no such file is left to the engine, which says what is wrong with it.
    """
    text, before = read_text(path), []
    for found in _SHARED.finditer(text):
        shared = find_inside(
            places.base if found[1].startswith("base/") else root, found[1].removeprefix("base/")
        )
        if shared is not None and shared != path:
            before.append((places.shown(shared), read_text(shared)))
            text = text.replace(found[0], "")
    return [*before, (places.shown(path), text)]


def file_hash(places: Places, name: str) -> str:
    """A hash of a file that a style sheet or a face draws on; of its name alone where it cannot be opened."""
    try:
        path = locate_file(BASE_URL + name, places.templates, places.base, places.data)
    except (Refused, FileNotFoundError, ValueError):
        return f"none:{name}"
    return hash_of(path)
