"""Compare a withdrawn release with its successor."""

from builder.checks.release.continuation import find_kept_values
from builder.errata.release import list_lineage
from builder.findings import Finding, sort_findings
from builder.packs.releases.folders import Releases


def find_values_kept_by(
    releases: Releases, withdrawn: str, successor: str
) -> tuple[Finding, ...]:
    """Return a warning for each value that the withdrawn release changed and its successor keeps.

    There are none if nothing valid came before the withdrawn release.
    """
    releases_before = releases.list_releases()
    withdrawn_release = next(
        (release for release in releases_before if release.version == withdrawn), None
    )
    before = (
        [
            release
            for release in list_lineage(releases_before, withdrawn_release)[:-1]
            if release.withdrawal is None
        ]
        if withdrawn_release is not None
        else []
    )
    if not before:
        return ()
    base, old, new = (
        releases.load_state(version)[0]
        for version in (before[-1].version, withdrawn, successor)
    )
    return sort_findings(find_kept_values(base, old, new))
