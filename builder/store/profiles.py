"""How to publish, from files: profiles and presets of print shops, the program's own and those a project keeps."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel

from builder.errors import InputUnreadable, UsageError
from builder.messages import gettext as _
from builder.model.profile import Profile
from builder.model.shop import Preset
from builder.model.words import suggestion
from builder.store.models import parse_model
from builder.store.project import Project
from builder.store.yaml import read_document

M = TypeVar("M", bound=BaseModel)


def load_profile(project: Project, name: str) -> Profile:
    """A profile by name. UsageError where there is none, InputUnreadable where its file is broken."""
    files = _files(project, "profiles")
    if name not in files:
        raise UsageError(_("no profile {name!r}", name=name), suggestion(name, sorted(files), _("Profiles")))
    profile = _load(project, files[name], Profile)
    if profile.layout != "pages" and profile.paper is None:
        raise InputUnreadable(
            _("profile {name} has no paper", name=name), _("Add `paper: {width: ..., height: ...}` in mm.")
        )
    return profile


def preset_files(project: Project) -> dict[str, Path]:
    """All presets by name; a project's own goes before the program's of the same name."""
    return _files(project, "presets")


def load_preset(project: Project, name: str) -> Preset:
    """A preset by name. UsageError where there is none, InputUnreadable where its file is broken."""
    files = preset_files(project)
    if name not in files:
        message = _("no preset {name!r} of a print shop", name=name)
        raise UsageError(message, suggestion(name, sorted(files), _("Presets")))
    preset = _load(project, files[name], Preset)
    if preset.id != name:
        message = _("{file}: id is {id!r}", file=project.relative(files[name]), id=preset.id)
        raise InputUnreadable(message, _("Call it {name!r}.", name=name))
    return preset


def _files(project: Project, sort: str) -> dict[str, Path]:
    folders = (project.base_templates / sort, project.root / "templates" / sort)
    return {path.stem: path for folder in folders if folder.is_dir() for path in sorted(folder.glob("*.yaml"))}


def _load(project: Project, path: Path, model: type[M]) -> M:
    document, findings = read_document(path, project.relative(path))
    if document is not None:
        found, more = parse_model(model, document)
        if found is not None:
            return found
        findings += more
    problem = findings[0]
    place = f"{problem.location.file}:{problem.location.line}"
    raise InputUnreadable(_("{file}: {reason}", file=place, reason=problem.message), problem.hint)
