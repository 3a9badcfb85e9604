"""Judge packs: load, run the checks, look at the form of their sample rosters; and tell what a finding can be."""

import importlib
import pkgutil
from collections.abc import Mapping

import builder
from builder.checks.registry import judge_pack
from builder.errors import UsageError
from builder.findings import Finding
from builder.messages import gettext as _
from builder.model.codes import CODES, Code
from builder.model.words import suggestion
from builder.store.project import Project
from builder.store.rosters import read_roster
from builder.usecases.files import PackFiles
from builder.usecases.storage import load_as_of


def check_packs(project: Project, pack: str | None, as_of: str | None = None) -> tuple[Finding, ...]:
    """All findings about one pack, or about every pack of the project, as they are or as a release had them."""
    found: list[Finding] = []
    for one in project.choose(pack):
        loaded = load_as_of(PackFiles(project), one, as_of)
        found += judge_pack(loaded)
        if loaded.pack is not None and as_of is None:
            for path in project.rosters(one):
                found += read_roster(path, project, loaded.pack.manifest.roster).findings
    return tuple(found)


def all_codes() -> Mapping[str, Code]:
    """Every code: those of `codes.py` in any layer and those defined beside a check."""
    for module in pkgutil.walk_packages(builder.__path__, "builder."):
        parts = module.name.split(".")
        if not module.ispkg and (parts[-1] == "codes" or parts[1] == "checks"):
            importlib.import_module(module.name)
    return dict(sorted(CODES.items()))


def explain(code: str) -> Code:
    """One code; UsageError with the nearest right spelling if there is none such."""
    codes = all_codes()
    if code in codes:
        return codes[code]
    ends = [known for known in codes if known.partition("/")[2] == code]
    if len(ends) == 1:
        return codes[ends[0]]
    groups = sorted({known.partition("/")[0] for known in codes})
    hint = suggestion(code, codes, _("Groups")) if code not in groups else ""
    if not hint.startswith("Did"):
        hint = _("`squadpress explain` lists all codes; groups: {listed}.", listed=", ".join(groups))
    raise UsageError(_("there is no finding {code}", code=code), hint)
