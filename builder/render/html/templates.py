"""Load templates and style sheets. They can only read the pack's folder and the base folder."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from builder.errors import InputUnreadable
from builder.files import hash_file as hash_of
from builder.geometry.boxes import make_face_boxes
from builder.messages import Message, gettext as _, hash_catalogues, ngettext, translate
from builder.model.pack import Kind, Size
from builder.render.files import (
    BASE_URL,
    AddressOutsidePack,
    find_inside,
    locate_file,
    read_text,
)
from builder.render.fonts import fold_family_name
from builder.render.html.markup import render_markup
from builder.render.html.typography import balance_lines, keep_text_together
from builder.render.html.values import format_value
from builder.render.html.view import FUNCTIONS, TemplateWords
from builder.render.html.webfonts import remove_font_faces
from builder.render.jobs import PAGE_HEIGHT_IN_FACES, PLATES, Places, Style, Variant

if TYPE_CHECKING:
    from markupsafe import Markup

    from builder.render.html.sandbox import BudgetedEnvironment

_REFERENCE_TAG = re.compile(
    r"""\{%[-+]?\s*(?:extends|include|import|from)\b"""
    r"""(?:\s*(?:"([^"\\]*)"|'([^'\\]*)')\s*(?:[-+]?%\}|(?:import|as|with|without|ignore)\b))?"""
)
"""Tags that refer to other templates, with the name where it is stated as it is."""

_URL = re.compile(r"""url\(\s*['"]?([^'")]+)""")
_IMPORT = re.compile(r"""@import\s+(?:url\(\s*)?['"]?([^'");]+)""")

_SHARED = re.compile(r"""@import\s+(?:url\(\s*)?['"]?([\w./-]+\.css)['"]?\s*\)?\s*;""")
"""A style sheet of the pack taken in as it is, without conditions."""
FONT_DECLARATION = re.compile(
    r"@font-face\s*\{[^}]*\}|(?<![\w-])font(?:-family)?\s*:\s*[^;{}]+", re.IGNORECASE
)
NO_FILE = "none:"
"""The beginning of the hash of a file that cannot be opened."""


class TemplateSet:
    """The templates of one pack.

    Names are relative to the pack's folder. `base/...` is the engine's own.
    """

    def __init__(self, root: Path, base: Path) -> None:
        self.root = root
        self.base = base
        self.env = _make_environment(self)
        self._hashes: dict[str, str] = {}
        self._paths_by_name: dict[str, Path | None] = {}
        self._words: TemplateWords
        self._install_functions()

    def use(self, words: TemplateWords) -> None:
        """Set the names and labels that templates look up, for one language."""
        self._words = words

    def _install_functions(self) -> None:
        """Add the functions and filters to all templates, including imported ones."""
        from jinja2 import pass_context

        def call(name: str) -> Callable[..., object]:
            return lambda *args: getattr(self._words, name)(*args)

        # Without the context, jinja would compute a constant text once, with the words of one
        # language for all.
        # Templates call the parameter `plain` by its name.
        @pass_context
        def render_rich(
            _context: object, text: str, plain: Collection[str] = ()
        ) -> Markup:
            return render_markup(text, self._words, plain)

        @pass_context  # as above
        def print_value(_context: object, value: object) -> object:
            if hasattr(value, "__html__"):
                return value
            text = self._format_value(value)
            return (
                self._words.replace_symbols(text) if hasattr(self, "_words") else text
            )

        def translate_text(text: str) -> str:
            return translate(Message(text), self._words.lang)

        def translate_plural(singular: str, plural_form: str, count: int) -> str:
            return translate(ngettext(singular, plural_form, count), self._words.lang)

        self.env.add_extension("jinja2.ext.i18n")
        self.env.install_gettext_callables(  # type: ignore[attr-defined]
            translate_text, translate_plural, newstyle=True
        )
        self.env.globals.update({name: call(name) for name in FUNCTIONS})
        self.env.filters.update(rich=render_rich, value=print_value)
        self.env.filters.update(tied=keep_text_together, even_lines=balance_lines)
        self.env.format_value = self._format_value
        self.env.bind_filters()

    def _format_value(self, value: object) -> str:
        """Return a value as text in the current language, or in English if none is set."""
        if hasattr(self, "_words"):
            return self._words.format_value(value)
        return format_value(value, "en", lambda label: "")

    def find(self, name: str) -> Path | None:
        """Return the path of a template, or None if there is none. The result is remembered."""
        if name not in self._paths_by_name:
            root = self.base if name.startswith("base/") else self.root
            self._paths_by_name[name] = find_inside(root, name.removeprefix("base/"))
        return self._paths_by_name[name]

    def exists(self, name: str) -> bool:
        """Return True if the template exists."""
        return self.find(name) is not None

    def render(
        self, name: str, context: Mapping[str, object], *, is_document: bool = False
    ) -> str:
        """Fill in a template within the limits for a face or a document.

        Raises jinja2.TemplateError for what the template's author can fix.
        """
        self.env.start_budget(context if is_document else None)
        try:
            return self.env.get_template(name).render(context)
        finally:
            self.env.forget_weights()

    def hash(self, name: str) -> str:
        """Return a hash of a template and of all templates that it uses."""
        if name not in self._hashes:
            digest = hashlib.sha256()
            for part in sorted(self.collect_reachable(name, set())):
                path = self.find(part)
                source = path.read_bytes() if path else b""
                digest.update(part.encode() + b"\0" + source + b"\0")
                # Such a template prints translated messages of the program.
                if b"_(" in source:
                    digest.update(hash_catalogues().encode())
            self._hashes[name] = digest.hexdigest()
        return self._hashes[name]

    def collect_reachable(self, name: str, seen: set[str]) -> set[str]:
        """Return a template and all templates that it can use, and add them to `seen`."""
        if name in seen:
            return seen
        seen.add(name)
        path = self.find(name)
        if path is not None:
            source = path.read_text(encoding="utf-8", errors="replace")
            for reference in _list_references(source):
                if reference is None:
                    seen.update(self._list_all_templates())
                else:
                    self.collect_reachable(self.env.join_path(reference, name), seen)
        return seen

    def _list_all_templates(self) -> set[str]:
        """Return all templates of the pack, because a computed name may be any of them."""
        names = {
            path.relative_to(self.root).as_posix() for path in self.root.rglob("*.j2")
        }
        for path in self.base.rglob("*.j2"):
            names.add("base/" + path.relative_to(self.base).as_posix())
        return names


@cache
def _list_references(source: str) -> tuple[str | None, ...]:
    """Return the names of the templates that a source uses, or None if a name is computed."""
    return tuple(tag[1] or tag[2] for tag in _REFERENCE_TAG.finditer(source))


def _make_environment(templates: TemplateSet) -> BudgetedEnvironment:
    from jinja2 import FunctionLoader, StrictUndefined
    from jinja2.exceptions import SecurityError, TemplateSyntaxError
    from jinja2.utils import missing

    from builder.render.html.sandbox import BudgetedEnvironment

    safe: dict[tuple[type, str], bool] = {}

    class ConfinedTemplates(BudgetedEnvironment):
        """Finds templates next to the one that names them, or else from the pack's folder."""

        def join_path(self, template: str, parent: str) -> str:
            sibling = (PurePosixPath(parent).parent / template).as_posix()
            return sibling if templates.exists(sibling) else template

        def is_safe_attribute(self, obj: object, attr: str, value: object) -> bool:
            """Return True if a template may read the attribute.

            It is decided once for each type.
            """
            key = type(obj), attr
            if key not in safe:
                safe[key] = super().is_safe_attribute(obj, attr, value)
            return safe[key]

    class Undefined(StrictUndefined):
        """An undefined value, whose error message has only names from the template."""

        @property
        def _undefined_message(self) -> str:
            if self._undefined_exception is SecurityError:
                return _("templates cannot use {name!r}", name=self._undefined_name)
            if self._undefined_hint or self._undefined_obj is missing:
                return self._undefined_hint or _(
                    "{name!r} is undefined", name=self._undefined_name
                )
            return _("the value before it has no {name!r}", name=self._undefined_name)

    def load(name: str) -> tuple[str, str, None] | None:
        path = templates.find(name)
        try:
            # Without the third part jinja never asks whether the file changed.
            return (read_text(path), str(path), None) if path else None
        except InputUnreadable as error:
            raise TemplateSyntaxError(error.message, 1, name, str(path)) from None

    return ConfinedTemplates(Undefined, FunctionLoader(load))


def compose_page_css(size: Size, fit: Mapping[str, tuple[float, ...]]) -> str:
    """Return CSS for the size of a card and its text sizes, from pack.yaml.

    Page size, face size, steps of blocks that may shrink.
    """
    box = make_face_boxes(size).bleed
    lines = [
        f"@page{{size:{box.width:g}mm {box.height * PAGE_HEIGHT_IN_FACES:g}mm;margin:0}}",
        "html,body{margin:0;padding:0}",
        f".face{{position:relative;width:{box.width:g}mm;height:{box.height:g}mm;margin:0;padding:0}}",
        ".face+.face{break-before:page}",
    ]
    for name, sizes in fit.items():
        for step, font_size in enumerate(sizes):
            lines.append(f".fit-{name}.step-{step}{{font-size:{font_size:g}pt}}")
    return "\n".join(lines)


def load_style(
    places: Places,
    kind_id: str,
    kind: Kind,
    lang: str,
    variant: Variant,
    families: Iterable[str] = (),
) -> Style:
    """Return the style sheets and sizes that all faces of this kind share.

    Their key covers every file that they use. `families` are the pack's own fonts. They print
    letters that the named families lack.
    """
    # Later sheets outweigh earlier ones: the pack those of the program, a variant the pack.
    names = ["base/face.css", "pack.css", f"{kind_id}/card.css"]
    if variant in PLATES:
        names.append("base/plate.css")
    if variant != "full":
        names.append(f"{variant}.css")
    fit = kind.list_fit_sizes(lang)
    has_body_size = kind.get_body_size(lang) is not None
    body_blocks = frozenset(
        name for name, block in kind.fit.items() if has_body_size and not block.heading
    )
    sheets = [("page", compose_page_css(kind.size, fit))]
    for name in names:
        root = places.base if name.startswith("base/") else places.templates
        path = find_inside(root, name.removeprefix("base/"))
        if path is not None:
            sheets += _inline_shared_sheets(places, root, path)
    sheets = [(name, add_families(text, families)) for name, text in sheets]
    # The key covers no folders: two machines have the program in different ones.
    texts = [text for _name, text in sheets]
    digest = hashlib.sha256(repr((names, texts, kind.size, fit, lang)).encode())
    digest.update(repr(sorted(body_blocks)).encode())
    names_in_sheets: set[str] = set()
    for text in texts:
        names_in_sheets.update(_URL.findall(text), _IMPORT.findall(text))
    for name in sorted(names_in_sheets):
        digest.update(hash_pack_file(places, name).encode())
    boxes = make_face_boxes(kind.size)
    return Style(digest.hexdigest(), tuple(sheets), boxes, fit, lang, body_blocks)


def add_families(css: str, families: Iterable[str]) -> str:
    """Return a style sheet in which all font declarations end with these font families."""
    own_families = list(families)

    def extend_declaration(match: re.Match[str]) -> str:
        declaration = match[0].rstrip()
        # These would be wrong with a list of families behind them.
        if re.search(r"@font-face|inherit|initial|unset|!important", declaration):
            return match[0]
        folded_declaration = fold_family_name(declaration)
        for family in own_families:
            if fold_family_name(family) not in folded_declaration:
                declaration += f', "{family}"'
        return declaration

    return FONT_DECLARATION.sub(extend_declaration, css) if own_families else css


def _inline_shared_sheets(
    places: Places, root: Path, path: Path
) -> list[tuple[str, str]]:
    """Return a style sheet with the sheets that it imports from the pack in front.

    The engine then needs no files for them.

    An import of any other file stays, and the engine reports it.
    """
    text = remove_font_faces(places.templates, read_text(path))
    imported_sheets: list[tuple[str, str]] = []
    for match in _SHARED.finditer(text):
        name = match[1]
        shared_root = places.base if name.startswith("base/") else root
        shared = find_inside(shared_root, name.removeprefix("base/"))
        # A sheet that imports itself keeps its import.
        if shared is not None and shared != path:
            shared_text = remove_font_faces(places.templates, read_text(shared))
            imported_sheets.append((places.format_path(shared), shared_text))
            text = text.replace(match[0], "")
    return [*imported_sheets, (places.format_path(path), text)]


def hash_pack_file(places: Places, name: str) -> str:
    """Return the hash of a file that a style sheet or a face uses.

    A text with its name if it cannot be opened.
    """
    try:
        path = locate_file(BASE_URL + name, places.templates, places.base, places.data)
    except (AddressOutsidePack, FileNotFoundError, ValueError):
        return NO_FILE + name
    return hash_of(path)
