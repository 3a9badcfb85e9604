"""The chain of releases: each manifest names the digests of those that nobody had named before it. Pure.

It proves that a release which a later manifest names is there as it was. It does not prove that the newest one was
never taken away, nor anything of releases that no manifest names with a digest.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from builder.errata import codes
from builder.findings import Finding, Location
from builder.messages import gettext as _


@dataclass(frozen=True, slots=True)
class ChainLink:
    """One manifest: its SHA-256, the version it continues, and the digests of the manifests that it names."""

    version: str
    file: str
    sha256: str
    previous: str | None = None
    predecessors: Mapping[str, str] = field(default_factory=dict)


def heads(links: Sequence[ChainLink]) -> dict[str, str]:
    """The digests, by version, that no manifest names: what the next one has to name."""
    named = {version for link in links for version in link.predecessors}
    return {link.version: link.sha256 for link in links if link.version not in named}


def broken(links: Sequence[ChainLink]) -> Iterator[Finding]:
    """Releases that a manifest names and that are gone, or there with other bytes."""
    known = {link.version: link for link in links}
    for link in links:
        place = Location(file=link.file)
        for version in dict.fromkeys((*link.predecessors, *((link.previous,) if link.previous else ()))):
            if version not in known:
                message = _("{later} names {version}, which is gone", later=link.version, version=version)
                yield codes.REMOVED.finding(message, place)
            elif link.predecessors.get(version, known[version].sha256) != known[version].sha256:
                message = _("{version} is not the one that {later} names", version=version, later=link.version)
                yield codes.ALTERED.finding(message, Location(file=known[version].file))
