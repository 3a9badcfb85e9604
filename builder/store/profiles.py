"""How to publish, from files: profiles and presets of print shops, the program's own and those a project keeps."""

from __future__ import annotations

from pathlib import Path

from builder.errors import InputUnreadable, UsageError
from builder.messages import gettext as _
from builder.model.profile import Profile
from builder.model.shop import Preset
from builder.model.spelling import suggestion
from builder.store.models import parse_model
from builder.store.project import Project
from builder.store.yaml import read_document


def load_profile(project: Project, name: str) -> Profile:
    """A profile by name. UsageError where there is none, InputUnreadable where its file is broken."""
    folders = (project.root / "templates" / "profiles", project.base_templates / "profiles")
    files = {path.stem: path for folder in reversed(folders) if folder.is_dir() for path in folder.glob("*.yaml")}
    if name not in files:
        raise UsageError(_("no profile {name!r}", name=name), suggestion(name, sorted(files), _("Profiles")))
    document, findings = read_document(files[name], project.relative(files[name]))
    profile = None
    if document is not None:
        profile, more = parse_model(Profile, document)
        findings = (*findings, *more)
    if profile is None:
        problem = findings[0]
        place = f"{problem.location.file}:{problem.location.line}"
        raise InputUnreadable(_("{file}: {reason}", file=place, reason=problem.message), problem.hint)
    if profile.layout != "pages" and profile.paper is None:
        raise InputUnreadable(
            _("profile {name} has no paper", name=name), _("Add `paper: {width: ..., height: ...}` in mm.")
        )
    return profile


def preset_files(project: Project) -> dict[str, Path]:
    """All presets by name; a project's own goes before the program's of the same name."""
    folders = (project.base_templates / "presets", project.root / "templates" / "presets")
    return {path.stem: path for folder in folders if folder.is_dir() for path in sorted(folder.glob("*.yaml"))}


def load_preset(project: Project, name: str) -> Preset:
    """A preset by name. UsageError where there is none, InputUnreadable where its file is broken."""
    files = preset_files(project)
    if name not in files:
        raise UsageError(
            _("no preset {name!r} of a print shop", name=name), suggestion(name, sorted(files), _("Presets"))
        )
    document, findings = read_document(files[name], project.relative(files[name]))
    if document is not None:
        preset, findings = parse_model(Preset, document)
        if preset is not None and preset.id == name:
            return preset
        if preset is not None:
            raise InputUnreadable(
                _("{file}: id is {id!r}", file=project.relative(files[name]), id=preset.id),
                _("Call it {name!r}.", name=name),
            )
    problem = findings[0]
    place = f"{problem.location.file}:{problem.location.line}"
    raise InputUnreadable(_("{file}: {reason}", file=place, reason=problem.message), problem.hint)
