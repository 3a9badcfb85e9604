"""Create a new project from the included example or from layouts.

Layouts are kinds with finished designs, in the requested languages and sizes. Their texts are maps
of languages, `{en: ..., ru: ...}`. The texts of pack.yaml stay maps. Each text of a card becomes a
text in the source language and its translations.
"""

import re
import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias, cast

from anyascii import anyascii
from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap

from builder.errors import OutputNotWritten, UsageError
from builder.messages import gettext as _
from builder.model.base import Json, list_items
from builder.model.card import hash_source
from builder.model.languages import get_text_direction
from builder.model.words import suggest_word
from builder.packs.project import LAYOUTS, NEW_PACK, Project
from builder.packs.yaml.editing import format_flow
from builder.packs.yaml.reading import make_schema_line

PACK_PLACEHOLDER = "__pack__"
"""Stands for the pack's id, in names and in files."""
NAME_BY_SOURCE_NAME = {"gitignore": ".gitignore", "gitattributes": ".gitattributes"}
"""Names of files that would have an effect in this repository under their own name."""
LANGUAGE_CODE = re.compile(r"[a-z]{2,3}(-[A-Z]{2})?")
SAMPLE_LANGUAGES = frozenset({"en", "de", "ru"})
"""Languages that the sample cards are written in."""
Files: TypeAlias = Iterator[tuple[str, bytes]]
"""Paths in the project, with PACK_PLACEHOLDER, and contents."""
MAX_ID_CHARACTERS = 64
MAX_YAML_COLUMNS = 4096
"""Columns at which ruamel.yaml breaks a line: practically never."""

DEVICE_NAME = re.compile(r"con|prn|aux|nul|(?:com|lpt)[0-9]")


def make_id(name: str) -> str:
    """Return an id in Latin letters for a name in any script, or "" if none is possible.

    Windows cannot have files with the name of a device, such as `con.yaml`.
    """
    latin = anyascii(name).lower().replace("'", "")
    made_id = re.sub(r"[^a-z0-9]+", "-", latin).strip("-")
    # The cut may be behind a hyphen.
    made_id = made_id[:MAX_ID_CHARACTERS].rstrip("-")
    return f"{made_id}-1" if DEVICE_NAME.fullmatch(made_id) else made_id


def number_id(base: str, used_ids: Collection[str]) -> str:
    """Return the id, with a number from 2 on if it is already used."""
    free_id = base
    number = 2
    while free_id in used_ids:
        free_id = f"{base}-{number}"
        number += 1
    return free_id


def make_pack_id(folder: Path) -> str:
    """Return a pack id for the name of a folder. Raise UsageError if none is possible."""
    name = make_id(folder.resolve().name)
    if not name:
        message = _("{folder!r} cannot be turned into a pack id", folder=folder.name)
        hint = _("Use Latin letters or digits in the folder name, for example mygame.")
        raise UsageError(message, hint)
    return name


def write_project(
    folder: Path, files: Files | None = None
) -> tuple[str, tuple[Path, ...]]:
    """Create a new project. Return its pack id and the paths of its files.

    Without `files` it is a small example game. The folder appears whole or not at all. Raise
    UsageError if it is not empty, OutputNotWritten if it cannot be written.
    """
    pack = make_pack_id(folder)
    folder = folder.resolve()
    try:
        is_file = folder.exists() and not folder.is_dir()
        if is_file or (folder.exists() and any(folder.iterdir())):
            message = _(
                "{folder} already exists and is not an empty folder", folder=folder
            )
            raise UsageError(message, _("Choose another name. Nothing was changed."))
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(
            prefix=f".{folder.name}.", dir=folder.parent
        ) as draft:
            complete_project = Path(draft) / "project"
            source_files = files or _list_example_files()
            written_files = tuple(_write_files(complete_project, pack, source_files))
            if folder.exists():
                # It is not replaced, because it may be the current folder of a shell.
                for child in complete_project.iterdir():
                    child.rename(folder / child.name)
            else:
                complete_project.rename(folder)
    except OSError as error:
        raise OutputNotWritten.from_os_error(folder, error) from error
    return pack, written_files


def _list_example_files() -> Files:
    """Yield the files of the example game."""
    for source in sorted(NEW_PACK.rglob("*")):
        if source.is_file():
            yield source.relative_to(NEW_PACK).as_posix(), source.read_bytes()


def _write_files(root: Path, pack: str, files: Files) -> Iterator[Path]:
    """Write the files of a new project with its pack id. Yield their paths."""
    files_by_name = dict(files)
    for schema in sorted(Project.core_schemas.glob("*.schema.json")):
        files_by_name[f"schemas/core/{schema.name}"] = schema.read_bytes()
    for name, data in files_by_name.items():
        path = Path(name.replace(PACK_PLACEHOLDER, pack))
        path = path.with_name(NAME_BY_SOURCE_NAME.get(path.name, path.name))
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        # In a font, the bytes of the placeholder would have another meaning.
        if target.suffix != ".ttf":
            data = data.replace(PACK_PLACEHOLDER.encode(), pack.encode())
        target.write_bytes(data)
        yield path


def list_layouts() -> tuple[str, ...]:
    """Return the names of all ready-made card designs."""
    return tuple(sorted(path.parent.name for path in LAYOUTS.glob("*/layout.yaml")))


def list_pack_files(
    layouts_by_kind: Mapping[str, str],
    langs: Sequence[str],
    size: tuple[float, float] | None,
) -> Files:
    """Yield the files of a new pack whose kinds have these layouts.

    All have the given size in mm, if any. The first kind's layout sets the colours and typefaces of
    all. An empty kind stands for the layout's own name. Raise UsageError for an unknown layout or
    language.
    """
    _check_layouts(layouts_by_kind, langs)
    pack = _read_yaml(LAYOUTS / "pack.yaml")
    vocabulary = CommentedMap()
    pack["languages"] = {"source": langs[0]}
    if langs[1:]:
        pack["languages"]["translations"] = list(langs[1:])
    if any(get_text_direction(lang) == "rtl" for lang in langs):
        # WeasyPrint cannot print languages that read from right to left.
        pack["engine"] = "plutoprint"
    used_ids: set[str] = set()
    for kind_name, layout_name in layouts_by_kind.items():
        layout = _read_yaml(LAYOUTS / layout_name / "layout.yaml")
        kind = kind_name or layout["kind"]
        entry = layout["entry"]
        pack["kinds"][kind] = entry
        if size is not None:
            entry["size"]["width"], entry["size"]["height"] = size
        for section, terms in layout["vocabulary"].items():
            # Of two equal terms, that of the first layout stays.
            vocabulary[section] = {**terms, **vocabulary.get(section, {})}
        yield from _list_layout_files(layout_name, kind, layout["files"])
        for path in sorted((LAYOUTS / layout_name / "cards").glob("*.yaml")):
            yield from _make_sample_card(path, kind, langs, used_ids)
    for first_layout in islice(layouts_by_kind.values(), 1):
        yield (
            "templates/__pack__/pack.css",
            (LAYOUTS / first_layout / "pack.css").read_bytes(),
        )
    for file, data in (("pack", pack), ("vocabulary", vocabulary)):
        _select_languages(data, langs)
        yield _make_yaml_file(f"cards/__pack__/{file}.yaml", data, f"core/{file}")
    for name in ("README.md", "gitignore", "gitattributes"):
        yield name, (LAYOUTS / name).read_bytes()


def _check_layouts(layouts_by_kind: Mapping[str, str], langs: Sequence[str]) -> None:
    """Raise UsageError for an unknown layout or a wrong language code."""
    has_duplicates = len(set(langs)) < len(langs)
    if has_duplicates or not all(LANGUAGE_CODE.fullmatch(lang) for lang in langs):
        message = _("{langs!r} is not a list of languages", langs=",".join(langs))
        raise UsageError(message, _("Write language codes: --lang en,ru."))
    layouts = list_layouts()
    for name in set(layouts_by_kind.values()).difference(layouts):
        message = _("the layout {name!r} does not exist", name=name)
        raise UsageError(message, suggest_word(name, layouts, _("Layouts")))


def _list_layout_files(layout: str, kind: str, shared_files: Sequence[str]) -> Files:
    """Yield the schema, the templates and the shared files of a kind with this layout."""
    for path in sorted((LAYOUTS / layout).glob("*.*")):
        data = path.read_bytes().replace(b"__kind__", kind.encode())
        if path.name == "schema.json":
            yield f"schemas/__pack__/{kind}.schema.json", data
        elif path.suffix in (".j2", ".css") and path.name != "pack.css":
            yield f"templates/__pack__/{kind}/{path.name}", data
    for file in shared_files:
        folder = "cards" if file.startswith("art/") else "templates"
        yield f"{folder}/__pack__/{file}", (LAYOUTS / file).read_bytes()


def _make_sample_card(
    path: Path, kind: str, langs: Sequence[str], used_ids: set[str]
) -> Files:
    """Yield the files of a sample card and its translations.

    Its id is the name of the file, or has the kind in front if another card uses it.
    """
    card = path.stem if path.stem not in used_ids else f"{kind}-{path.stem}"
    used_ids.add(card)
    data = _read_yaml(path)
    data.insert(0, "id", card)
    data.insert(1, "kind", kind)
    _select_languages(data["history"], langs)
    texts_by_path: dict[str, dict[str, str]] = {}
    # Found before any is changed, because the search reads what is changed.
    for text in list(_find_localized_texts(data)):
        # The notes of the history stay in all languages.
        if not text.path.startswith("history"):
            texts_by_path[text.path] = dict(text.words)
            text.holder[text.key] = _choose_text(text.words, langs[0])
    yield _make_yaml_file(
        f"cards/__pack__/{kind}/{card}.yaml", data, f"__pack__/{kind}"
    )
    for lang in langs[1:]:
        file = f"cards/__pack__/i18n/{lang}/{kind}/{card}.yaml"
        lines = [make_schema_line("core/translation", file), f"id: {card}", "strings:"]
        for text_path, words in texts_by_path.items():
            translation = _make_translation(words, langs[0], lang)
            lines.append(f"  {text_path}: {format_flow(translation)}")
        yield file, "".join(f"{line}\n" for line in lines).encode()


def _make_translation(
    words_by_lang: Mapping[str, str], source: str, lang: str
) -> dict[str, Json]:
    """Return the translation of a sample text into a language.

    Samples exist in three languages only. In any other the English text is declared the same.
    """
    source_text = _choose_text(words_by_lang, source)
    lang_text = _choose_text(words_by_lang, lang)
    translation: dict[str, Json] = {
        "text": lang_text,
        "source": hash_source(source_text),
    }
    if source_text == lang_text:
        translation["same"] = True
    return translation


def _choose_text(words: Mapping[str, str], lang: str) -> str:
    return words.get(lang) or words["en"]


@dataclass(frozen=True, slots=True)
class _LocalizedText:
    """A text in several languages, and where it is stored."""

    holder: Any
    key: str | int
    path: str
    words: dict[str, str]


def _find_localized_texts(
    holder: Json, parent_path: str = ""
) -> Iterator[_LocalizedText]:
    """Yield all texts in several languages inside a value."""
    for key, value in list_items(holder):
        path = f"{parent_path}.{key}".lstrip(".")
        if isinstance(value, dict) and set(value) == SAMPLE_LANGUAGES:
            yield _LocalizedText(holder, key, path, cast("dict[str, str]", value))
        elif isinstance(value, dict | list):
            yield from _find_localized_texts(value, path)


def _select_languages(data: Json, langs: Sequence[str]) -> None:
    """Keep only these languages in all texts of a value."""
    for text in _find_localized_texts(data):
        words = {lang: _choose_text(text.words, lang) for lang in langs}
        text.words.clear()
        text.words.update(words)


def _make_yaml() -> YAML:
    yaml = YAML()
    yaml.width = MAX_YAML_COLUMNS
    yaml.preserve_quotes = True
    yaml.indent(mapping=2, sequence=4, offset=2)
    return yaml


def _read_yaml(path: Path) -> CommentedMap:
    data: CommentedMap = _make_yaml().load(path)
    return data


def _make_yaml_file(file: str, data: CommentedMap, schema: str) -> tuple[str, bytes]:
    out = StringIO()
    out.write(f"{make_schema_line(schema, file)}\n")
    _make_yaml().dump(data, out)
    return file, out.getvalue().encode()
