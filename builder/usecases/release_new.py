"""Make a release: load, judge the data, judge the release, freeze."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from builder.checks.release.run import judge
from builder.checks.runner import judge_pack
from builder.errata.proposal import Proposal, proposal
from builder.errata.timeline import Release, newest
from builder.findings import Finding, has_errors, in_order
from builder.store.project import Project
from builder.store.releases import Releases
from builder.usecases.release_states import documents, working


@dataclass(frozen=True)
class Made:
    """What came of it: the folder that was written, or None and the findings that forbid it."""

    proposal: Proposal
    folder: Path | None
    findings: tuple[Finding, ...]


def make_release(
    project: Project, pack: str, version: str, effective: date, released: date, *, dry: bool = False
) -> Made:
    """Freeze the pack as it stands, unless something stands against it. `dry` only judges."""
    releases = Releases(project, pack)
    state, found, loaded = working(project, pack)
    known = releases.all()
    last = newest(known)
    previous, old_findings = releases.load(last.version) if last else (None, ())
    state = replace(state, released=released, effective=effective)
    versions = tuple(release.version for release in known)
    wanted = proposal(version, released, effective, state, previous, versions, documents(loaded))
    findings = in_order((*found, *judge_pack(loaded), *old_findings, *judge(wanted)))
    if dry or has_errors(findings):
        return Made(wanted, None, findings)
    dates = Release(version, released, effective)
    return Made(wanted, releases.write(state, version, dates, last.version if last else None), findings)
