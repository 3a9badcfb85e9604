"""Profiles and print shop presets of the program and of projects, and the user's printers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from pydantic import BaseModel, ValidationError

from builder.errors import InputUnreadable, UsageError
from builder.files import lock_file, write_atomic
from builder.findings import Finding
from builder.messages import gettext as _
from builder.model.loaded import PublishFile
from builder.model.profile import Printer, Printers, Profile
from builder.model.words import suggest_word
from builder.packs.project import Project, find_settings_folder
from builder.packs.sources import Reader

if TYPE_CHECKING:
    from builder.model.shop import Preset

M = TypeVar("M", bound=BaseModel)


def load_profile(project: Project, name: str) -> Profile:
    """Load a print profile by name.

    Raise UsageError if there is none, InputUnreadable if its file is broken.
    """
    files = _list_files(project, "profiles")
    unknown = _("there is no profile {name!r}")
    profile, _path = _load_model(project, files, name, Profile, unknown, _("Profiles"))
    if profile.layout != "pages" and profile.paper is None:
        message = _("the profile {name} has no paper size", name=name)
        raise InputUnreadable(
            message, _("Add `paper: {width: ..., height: ...}` in mm.")
        )
    return profile


def load_publish_files(
    project: Project,
) -> tuple[tuple[PublishFile, ...], tuple[Finding, ...]]:
    """Load all print profiles and shop presets. Return the valid ones, and all findings."""
    from builder.model.shop import Preset

    models: dict[str, type[Profile | Preset]] = {"profiles": Profile, "presets": Preset}
    reader = Reader(project, uses_cache=True)
    publish_files = []
    for sort, model in models.items():
        for path in _list_files(project, sort).values():
            document = reader.read_document(path)
            value = reader.read_model(document, model) if document is not None else None
            if document is not None and value is not None:
                publish_files.append(PublishFile(document, path.stem, value))
    reader.save_cache()
    return tuple(publish_files), tuple(reader.findings)


def list_presets(project: Project) -> dict[str, Path]:
    """Return the paths of all shop presets by name. A project's own preset comes first."""
    return _list_files(project, "presets")


def load_preset(project: Project, name: str) -> Preset:
    """Load a shop preset by name.

    Raise UsageError if there is none, InputUnreadable if its file is broken.
    """
    from builder.model.shop import Preset

    unknown = _("there is no print shop preset {name!r}")
    preset, path = _load_model(
        project, list_presets(project), name, Preset, unknown, _("Presets")
    )
    if preset.id != name:
        message = _(
            "{file}: the id is {id!r}", file=project.shorten_path(path), id=preset.id
        )
        raise InputUnreadable(message, _("Change it to {name!r}.", name=name))
    return preset


def _list_files(project: Project, folder_name: str) -> dict[str, Path]:
    """Return the YAML files of a folder by name. A project's file replaces the program's."""
    files: dict[str, Path] = {}
    for templates in (project.base_templates, project.root / "templates"):
        for path in sorted((templates / folder_name).glob("*.yaml")):
            files[path.stem] = path
    return files


def _load_model(
    project: Project,
    files: Mapping[str, Path],
    name: str,
    model: type[M],
    unknown_message: str,
    name_list_label: str,
) -> tuple[M, Path]:
    """Load and validate a profile or preset. Return it with its path.

    Raise UsageError for an unknown name.
    """
    if name not in files:
        raise UsageError(
            _(unknown_message, name=name),
            suggest_word(name, sorted(files), name_list_label),
        )
    reader = Reader(project)
    document = reader.read_document(files[name])
    value = reader.read_model(document, model) if document is not None else None
    if value is None:
        problem = reader.findings[0]
        place = f"{problem.location.file}:{problem.location.line}"
        message = _("{file}: {reason}", file=place, reason=problem.message)
        raise InputUnreadable(message, problem.hint)
    return value, files[name]


def load_printers() -> Printers:
    """Return the user's printers by name. Raise InputUnreadable if the file is damaged."""
    path = find_settings_folder() / "printers.json"
    try:
        return Printers.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return Printers()
    except (OSError, ValidationError) as error:
        first = str(error).splitlines()[0]
        remedy = _("Fix the file, or delete it and add the printers again.")
        raise InputUnreadable(
            _("{file}: {reason}", file=path, reason=first), remedy
        ) from None


def find_printer(name: str) -> Printer:
    """Return a printer by name. Raise UsageError if it is unknown."""
    printers = load_printers().printers
    if name not in printers:
        hint = suggest_word(name, tuple(printers), _("Printers")) if printers else ""
        remedy = hint or _(
            "Run squadpress calibrate, then squadpress printer set NAME ..."
        )
        raise UsageError(_("there is no printer {name!r}", name=name), remedy)
    return printers[name]


def store_printer(name: str, printer: Printer | None) -> Path:
    """Save a printer in the user's settings, or remove it if it is None. Return the file.

    Raise UsageError for a name that is no id.
    """
    path = find_settings_folder() / "printers.json"
    # Another process may save a printer between reading and writing.
    with lock_file(path):
        printers = dict(load_printers().printers)
        if printer is None:
            # It raises the error for an unknown printer.
            find_printer(name)
            del printers[name]
        else:
            printers[name] = printer
        try:
            settings = Printers.model_validate({"printers": printers})
        except ValidationError:
            message = _("{name!r} is not a valid name", name=name)
            hint = _("Use lower-case Latin letters, digits and hyphens.")
            raise UsageError(message, hint) from None
        write_atomic(path, f"{settings.model_dump_json(indent=1)}\n".encode())
    return path
