"""A project: a folder with `cards/`, the paths in it, and those of the program's files."""

import atexit
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import ClassVar

from platformdirs import user_config_path

from builder.cache import Cache, cache_at
from builder.errors import UsageError
from builder.files import is_within
from builder.messages import gettext as _
from builder.model.words import suggest_word

_PACKAGE = Path(__file__).resolve().parent.parent
_CHECKOUT = _PACKAGE.parent

CI_FILES = _PACKAGE / "data" / "ci"
"""Workflows, hooks and attributes for a repository of packs."""
PUBLISHED_SCHEMA = _PACKAGE / "data" / "published.schema.json"
"""The schema of what a publication consists of."""
FORMER_CODES = _PACKAGE / "data" / "codes.json"
"""Former codes of errors and warnings, with their present codes."""
EXAMPLES_OF_CODES = _PACKAGE / "data" / "examples.yaml"
"""An example before and after the fix for each code."""
NEW_PACK = _PACKAGE / "data" / "new"
"""The example that `squadpress new` copies."""
TABLE_PATTERN = _PACKAGE / "data" / "table"
"""The design of a pack that is made from a table."""
LAYOUTS = _PACKAGE / "data" / "layouts"
"""The layouts that `squadpress new --layout` begins with."""


def _find_program_folder(packaged_path: str, checkout_path: str) -> Path:
    """Return a data folder of the installed program, or the same folder of the checkout."""
    packed = _PACKAGE / "data" / packaged_path
    return packed if packed.is_dir() else _CHECKOUT / checkout_path


@dataclass(frozen=True)
class Project:
    """The folders and files of a project. They need not exist."""

    base_templates: ClassVar[Path] = _find_program_folder(
        "templates/base", "templates/base"
    )
    """The templates every game shares; part of the program."""
    core_schemas: ClassVar[Path] = _find_program_folder("schemas", "schemas/core")
    """The program's own schemas, generated from the models."""

    root: Path

    def list_packs(self) -> tuple[str, ...]:
        """Return the ids of all packs: the folders of `cards/`."""
        try:
            folders = sorted((self.root / "cards").iterdir())
        except OSError:
            return ()
        return tuple(
            folder.name
            for folder in folders
            if folder.is_dir() and not folder.name.startswith(".")
        )

    def list_rosters(self, pack: str) -> tuple[Path, ...]:
        """Return the paths of a pack's sample rosters."""
        folder = self.get_cards_dir(pack) / "rosters"
        return tuple(sorted(folder.glob("*.yaml"))) if self.is_inside(folder) else ()

    def get_cards_dir(self, pack: str) -> Path:
        """Return the folder with the data of a pack."""
        return self.root / "cards" / pack

    def get_schemas_dir(self, pack: str) -> Path:
        """Return the folder with the schemas of a pack's kinds."""
        return self.root / "schemas" / pack

    def get_templates_dir(self, pack: str) -> Path:
        """Return the folder of a pack's templates and style sheets."""
        return self.root / "templates" / pack

    def get_output_dir(self, pack: str) -> Path:
        """Return the folder of a pack's finished files."""
        return self.root / "output" / pack

    @property
    def cache_dir(self) -> Path:
        """The cache folder of the project. It may be deleted at any time.

        In a project that cannot be written to, it is a temporary folder.
        """
        folder = self.root / ".cache" / "squadpress"
        return folder if _is_writable(folder) else _make_temporary_folder(folder)

    @property
    def cache(self) -> Cache:
        """The cache of the project."""
        return cache_at(self.cache_dir)

    def shorten_path(self, path: Path) -> str:
        """Return a path relative to the project with `/`, or the absolute path outside of it."""
        text = path.as_posix()
        root = f"{self.root.as_posix()}/"
        # The common case needs no access to the disk. It happens for each file of a pack.
        if text.startswith(root) and "/../" not in text:
            return text.removeprefix(root)
        try:
            return path.resolve().relative_to(self.root.resolve()).as_posix()
        except ValueError:
            return path.as_posix()

    def list_links(self) -> tuple[Path, ...]:
        """Return the pack folders that are symbolic links.

        Who set the project up chose their targets, so they are trusted.
        """
        links: list[Path] = []
        for pack in self.list_packs():
            links += [
                folder for folder in self.list_folders(pack) if folder.is_symlink()
            ]
        return tuple(links)

    def list_folders(self, pack: str) -> tuple[Path, ...]:
        """Return the folders with the data, schemas and templates of a pack."""
        return (
            self.get_cards_dir(pack),
            self.get_schemas_dir(pack),
            self.get_templates_dir(pack),
        )

    def is_inside(self, path: Path) -> bool:
        """Return True if a path is in the project, in the shared templates or in a linked pack."""
        roots = (self.root, self.base_templates, *self.list_links())
        return any(is_within(root, path) for root in roots)

    def list_outside_links(self, pack: str) -> Iterator[Path]:
        """Yield the folders inside a pack that are links to outside the project.

        No link is followed.
        """
        for folder in self.list_folders(pack):
            for parent, names, _files in os.walk(folder):
                for name in sorted(names):
                    path = Path(parent, name)
                    if path.is_symlink() and not self.is_inside(path):
                        yield path

    def choose_packs(self, pack_id: str | None) -> tuple[str, ...]:
        """Return this pack, or all packs for None. Raise UsageError for an unknown pack."""
        packs = self.list_packs()
        folder = self.root / "cards"
        if pack_id in packs:
            return (pack_id,)
        if pack_id is not None:
            message = _(
                "there is no pack {pack!r} in {folder}", pack=pack_id, folder=folder
            )
            raise UsageError(message, suggest_word(pack_id, packs, _("Packs")))
        if not packs:
            hint = _(
                "A pack is a folder in cards/ with a pack.yaml. Create one with "
                "`squadpress new mygame`."
            )
            raise UsageError(_("there is no pack in {folder}", folder=folder), hint)
        return packs


def _is_writable(folder: Path) -> bool:
    """Return True if the folder can be written to or created."""
    existing_folders = (place for place in (folder, *folder.parents) if place.exists())
    nearest_folder = next(existing_folders, folder)
    return nearest_folder.is_dir() and os.access(nearest_folder, os.W_OK)


@cache
def _make_temporary_folder(instead_of: Path) -> Path:
    try:
        folder = Path(mkdtemp(prefix="squadpress-"))
    except OSError:
        # Nothing can be written anywhere. A cache that cannot be opened finds and stores nothing.
        return instead_of
    atexit.register(rmtree, folder, ignore_errors=True)
    return folder


def find_settings_folder() -> Path:
    """Return the folder with the user's settings, such as ~/.config/squadpress on Linux."""
    return user_config_path("squadpress", appauthor=False)


def find_project(start: Path) -> Project:
    """Return the project that a file or folder is in. Raise UsageError if there is none.

    It is the nearest folder upwards that has a folder `cards`.
    """
    start_path = start.resolve()
    for folder in (start_path, *start_path.parents):
        if (folder / "cards").is_dir():
            return Project(folder)
    raise UsageError(
        _(
            "{folder} is not in a project: neither it nor a folder above it contains a "
            "cards/ folder",
            folder=start,
        ),
        _(
            "Change to your project's folder, use --project DIR, or create a project with "
            "`squadpress new mygame`."
        ),
    )
