"""Make a release: load, judge the data, judge the release, freeze."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import TypeAlias

from builder.checks.registry import judge_pack, run
from builder.errata.release import Proposal, Release, predecessor, proposal
from builder.findings import Finding, has_errors, in_order
from builder.model.loaded import LoadedPack
from builder.usecases.storage import PackStorage, introduced_in, working

Pictures: TypeAlias = Callable[[LoadedPack], tuple[Mapping[str, str], tuple[Finding, ...]]]


@dataclass(frozen=True)
class MadeRelease:
    """What came of it, and whether it was frozen; if not, the findings may say why."""

    proposal: Proposal
    findings: tuple[Finding, ...]
    frozen: bool = False


def make_release(
    packs: PackStorage,
    pack: str,
    version: str,
    effective: date,
    released: date,
    *,
    dry: bool = False,
    pictures: Pictures | None = None,
) -> MadeRelease:
    """Freeze the pack as it stands, unless something stands against it. `dry` only judges.

    `pictures` gives the digests of all printed faces, and what stands against printing them.
    """
    releases = packs.releases(pack)
    state, found, loaded = working(packs, pack)
    known = releases.all()
    last = predecessor(known, version)
    previous, old_findings = releases.load(last.version) if last else (None, ())
    state = replace(state, released=released, effective=effective)
    if state.formats:
        state = replace(state, introduced=introduced_in(releases, state, version))
    versions = tuple(release.version for release in known)
    documents = {file.id or file.stem: file.document for file in loaded.files}
    wanted = proposal(version, released, effective, state, previous, versions, documents)
    flaws = dict.fromkeys((*releases.damaged(thorough=True), *old_findings))
    findings = in_order((*found, *judge_pack(loaded), *flaws, *run("release", wanted)))
    if dry or has_errors(findings):
        return MadeRelease(wanted, findings)
    if pictures is not None:
        faces, unset = pictures(loaded)
        if has_errors(unset):
            return MadeRelease(wanted, in_order((*findings, *unset)))
        state = replace(state, faces=faces)
    dates = Release(version, released, effective)
    releases.write(state, version, dates, last.version if last else None)
    return MadeRelease(wanted, findings, frozen=True)
