"""Create a new project from the included example or from layouts.

Layouts are kinds with finished designs, in the requested languages and sizes. Their texts are maps
of languages, `{en: ..., ru: ...}`. A pack's own texts stay maps. A card's texts become its text and
its translations.
"""

import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from itertools import islice
from pathlib import Path
from typing import TypeAlias

from anyascii import anyascii
from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap

from builder.errors import OutputNotWritten, UsageError
from builder.messages import gettext as _
from builder.model.base import Json
from builder.model.card import hash_source
from builder.model.languages import get_text_direction
from builder.model.words import suggest_word
from builder.packs.project import LAYOUTS, NEW_PACK, Project
from builder.packs.yaml.editing import format_flow
from builder.packs.yaml.reading import make_schema_line

_MARK = "__pack__"
_NAMES = {"gitignore": ".gitignore", "gitattributes": ".gitattributes"}
"""Files that a package may not carry under their own name."""
SAMPLE_LANGUAGES = frozenset({"en", "ru"})
"""Languages that the sample cards are written in."""
Files: TypeAlias = Iterator[tuple[str, bytes]]
"""Files by their places in the project; `__pack__` stands for the pack's id."""
MAX_ID_CHARACTERS = 64


def make_id(name: str) -> str:
    """Return an id made from a name in any script; empty if no letter or digit is in it."""
    latin = anyascii(name).lower().replace("'", "")
    return re.sub(r"[^a-z0-9]+", "-", latin).strip("-")[:MAX_ID_CHARACTERS].strip("-")


def make_pack_id(folder: Path) -> str:
    """Return a pack id made from a folder's name; UsageError where none can be made."""
    name = make_id(folder.resolve().name)
    if not name:
        message = _("{folder!r} cannot be turned into a pack id", folder=folder.name)
        raise UsageError(
            message, _("Use Latin letters or digits in the folder name, for example mygame.")
        )
    return name


def write_project(folder: Path, files: Files | None = None) -> tuple[str, tuple[Path, ...]]:
    """Write a new project with these files, or with a small example game.

    Return its pack id and the written files, relative to the folder.

    The folder appears whole or not at all. UsageError if it already holds something,
    OutputNotWritten if the disk refuses.
    """
    pack = make_pack_id(folder)
    folder = folder.resolve()
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            message = _("{folder} already exists and is not an empty folder", folder=folder)
            raise UsageError(message, _("Choose another name. Nothing was changed."))
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{folder.name}.", dir=folder.parent) as draft:
            complete_project = Path(draft) / "project"
            written_files = tuple(
                _write_files(complete_project, pack, files or _list_pattern_files())
            )
            if folder.exists():  # it stays the folder it is: somebody may stand in it
                for child in complete_project.iterdir():
                    child.rename(folder / child.name)
            else:
                complete_project.rename(folder)
    except OSError as error:
        raise OutputNotWritten.from_os_error(folder, error) from error
    return pack, written_files


def _list_pattern_files() -> Files:
    """Yield the files of the small game."""
    for source in sorted(NEW_PACK.rglob("*")):
        if source.is_file():
            yield source.relative_to(NEW_PACK).as_posix(), source.read_bytes()


def _write_files(root: Path, pack: str, files: Files) -> Iterator[Path]:
    """Write files with the pack's id put in, and the core schemas for the author's editor."""
    schemas = (
        (f"schemas/core/{schema.name}", schema.read_bytes())
        for schema in sorted(Project.core_schemas.glob("*.schema.json"))
    )
    for name, data in dict([*files, *schemas]).items():
        relative_path = Path(name.replace(_MARK, pack))
        target = root / relative_path.with_name(_NAMES.get(relative_path.name, relative_path.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(
            data if target.suffix == ".ttf" else data.replace(_MARK.encode(), pack.encode())
        )
        yield target.relative_to(root)


def layout_names() -> tuple[str, ...]:
    """Return the layouts there are."""
    return tuple(sorted(path.parent.name for path in LAYOUTS.glob("*/layout.yaml")))


def layout_files(
    kinds: Mapping[str, str], langs: Sequence[str], size: tuple[float, float] | None
) -> Files:
    """Yield the files of a pack with these kinds, each with its layout, in one size (mm) if given.

    The first kind's layout sets the colours and typefaces of all; an empty name stands for the
    layout's own. UsageError for what cannot be.
    """
    if any(not re.fullmatch(r"[a-z]{2,3}(-[A-Z]{2})?", lang) for lang in langs) or len(
        {*langs}
    ) < len(langs):
        raise UsageError(
            _("{langs!r} is not a list of languages", langs=",".join(langs)),
            _("Write language codes: --lang en,ru."),
        )
    for name in {*kinds.values()}.difference(layout_names()):
        raise UsageError(
            _("the layout {name!r} does not exist", name=name),
            suggest_word(name, layout_names(), _("Layouts")),
        )
    pack, words = _read_yaml(LAYOUTS / "pack.yaml"), CommentedMap()
    pack["languages"] = {
        "source": langs[0],
        **({"translations": [*langs[1:]]} if langs[1:] else {}),
    }
    if any(get_text_direction(lang) == "rtl" for lang in langs):
        pack["engine"] = "plutoprint"  # WeasyPrint cannot print these languages
    ids: set[str] = set()
    for kind, used in kinds.items():
        layout = _read_yaml(LAYOUTS / used / "layout.yaml")
        name = kind or layout["kind"]
        entry = pack["kinds"][name] = layout["entry"]
        entry["size"] |= {} if size is None else dict(zip(("width", "height"), size, strict=True))
        for section, terms in layout["vocabulary"].items():
            words[section] = {**terms, **words.get(section, {})}
        yield from _list_layout_files(used, name, layout["files"])
        for path in sorted((LAYOUTS / used / "cards").glob("*.yaml")):
            yield from _make_sample_card(path, name, langs, ids)
    for first in islice(kinds.values(), 1):
        yield "templates/__pack__/pack.css", (LAYOUTS / first / "pack.css").read_bytes()
    for file, data in (("pack", pack), ("vocabulary", words)):
        _select_languages(data, langs)
        yield _make_yaml_file(f"cards/__pack__/{file}.yaml", data, f"core/{file}")
    yield from (
        (name, (LAYOUTS / name).read_bytes())
        for name in ("README.md", "gitignore", "gitattributes")
    )


def _list_layout_files(layout: str, kind: str, shared: Sequence[str]) -> Files:
    """Yield the schema, templates and shared files of a kind of this layout."""
    for path in sorted((LAYOUTS / layout).glob("*.*")):
        data = path.read_bytes().replace(b"__kind__", kind.encode())
        if path.name == "schema.json":
            yield f"schemas/__pack__/{kind}.schema.json", data
        elif path.suffix in (".j2", ".css") and path.name != "pack.css":
            yield f"templates/__pack__/{kind}/{path.name}", data
    for file in shared:
        yield (
            f"{'cards' if file.startswith('art/') else 'templates'}/__pack__/{file}",
            (LAYOUTS / file).read_bytes(),
        )


def _make_sample_card(path: Path, kind: str, langs: Sequence[str], ids: set[str]) -> Files:
    """Yield a sample card and its translations.

    Its id is the file's name, after the kind's where that is another card's.
    """
    card = path.stem if path.stem not in ids else f"{kind}-{path.stem}"
    ids.add(card)
    data = _read_yaml(path)
    data.insert(0, "id", card)
    data.insert(1, "kind", kind)
    _select_languages(data["history"], langs)
    texts = {}
    for holder, key, at, texts_by_lang in [
        text for text in _find_localized_texts(data) if not text[2].startswith("history")
    ]:
        texts[at] = dict(texts_by_lang)
        holder[key] = _choose_text(texts_by_lang, langs[0])  # type: ignore[index]
    yield _make_yaml_file(f"cards/__pack__/{kind}/{card}.yaml", data, f"__pack__/{kind}")
    for lang in langs[1:]:
        strings = "".join(
            f"  {at}: {format_flow(_make_translation(texts_by_lang, langs[0], lang))}\n"
            for at, texts_by_lang in texts.items()
        )
        file = f"cards/__pack__/i18n/{lang}/{kind}/{card}.yaml"
        yield (
            file,
            (
                f"{make_schema_line('core/translation', file)}\nid: {card}\nstrings:\n{strings}"
            ).encode(),
        )


def _make_translation(texts_by_lang: Mapping[str, str], source: str, lang: str) -> dict[str, Json]:
    """Return a string's translation.

    In a language that the samples do not speak the same words stand, marked as meant.
    """
    source_text, lang_text = _choose_text(texts_by_lang, source), _choose_text(texts_by_lang, lang)
    return {
        "text": lang_text,
        "source": hash_source(source_text),
        **({"same": True} if source_text == lang_text else {}),
    }


def _choose_text(texts_by_lang: Mapping[str, str], lang: str) -> str:
    return texts_by_lang.get(lang) or texts_by_lang["en"]


def _find_localized_texts(
    holder: Json, place: str = ""
) -> Iterator[tuple[Json, str | int, str, dict[str, str]]]:
    """Yield the texts in several languages.

    The map or list that holds one, its key there, its dotted path.
    """
    for key, value in [*(holder.items() if isinstance(holder, dict) else enumerate(holder))]:  # type: ignore[arg-type]
        at = f"{place}.{key}".lstrip(".")
        if isinstance(value, dict) and set(value) == SAMPLE_LANGUAGES:
            yield holder, key, at, value
        elif isinstance(value, dict | list):
            yield from _find_localized_texts(value, at)


def _select_languages(data: Json, langs: Sequence[str]) -> None:
    """Return the texts of the pack's languages, in the form they are written in."""
    for _holder, _key, _at, words in _find_localized_texts(data):
        kept_texts = {lang: _choose_text(words, lang) for lang in langs}
        words.clear()
        words.update(kept_texts)


def _make_yaml() -> YAML:
    yaml = YAML()
    yaml.width, yaml.preserve_quotes = 4096, True
    yaml.indent(mapping=2, sequence=4, offset=2)
    return yaml


def _read_yaml(path: Path) -> CommentedMap:
    data: CommentedMap = _make_yaml().load(path)
    return data


def _make_yaml_file(file: str, data: CommentedMap, schema: str) -> tuple[str, bytes]:
    out = StringIO()
    _make_yaml().dump(data, out)
    return file, f"{make_schema_line(schema, file)}\n{out.getvalue()}".encode()
