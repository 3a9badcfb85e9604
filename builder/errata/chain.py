"""The chain of releases: each manifest names the digests of earlier ones that no other names."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from builder.errata import release_codes
from builder.findings import Finding, Location
from builder.messages import gettext as _


@dataclass(frozen=True, slots=True)
class ChainLink:
    """A release manifest in the chain of digests, which shows whether a release was altered.

    `lf_sha256` is the digest with LF line ends if the file has CRLF, otherwise empty.
    """

    version: str
    file: str
    sha256: str
    previous: str | None = None
    predecessors: Mapping[str, str] = field(default_factory=dict)
    lf_sha256: str = ""


def find_heads(links: Sequence[ChainLink]) -> dict[str, str]:
    """Return the digests of the newest manifests, which no other manifest names, by version."""
    named_versions: set[str] = set()
    for link in links:
        named_versions.update(link.predecessors)
    return {
        link.version: link.sha256
        for link in links
        if link.version not in named_versions
    }


def find_broken_links(links: Sequence[ChainLink]) -> Iterator[Finding]:
    """Report releases whose manifests are missing or differ from a later manifest's digest."""
    links_by_version = {link.version: link for link in links}
    for link in links:
        versions = [*link.predecessors]
        # An earlier manifest may have named the digest of `previous` already.
        if link.previous and link.previous not in link.predecessors:
            versions.append(link.previous)
        for version in versions:
            named_link = links_by_version.get(version)
            if named_link is None:
                form = _("{later} refers to {version}, which is missing")
                message = _(form, later=link.version, version=version)
                yield release_codes.REMOVED.finding(message, Location(file=link.file))
            elif link.predecessors.get(version, named_link.sha256) != named_link.sha256:
                yield _report_altered(link, named_link)


def _report_altered(link: ChainLink, named_link: ChainLink) -> Finding:
    """Return the error for a manifest whose digest differs from the one in a later manifest."""
    place = Location(file=named_link.file)
    # The content is right, so the fix is another one than for an altered file.
    if link.predecessors[named_link.version] == named_link.lf_sha256:
        return release_codes.CONVERTED_LINE_ENDS.finding(
            _("the line ends are CRLF, but must be LF as in the release"), place
        )
    message = _(
        "{version} differs from the release that {later} refers to",
        version=named_link.version,
        later=link.version,
    )
    return release_codes.ALTERED.finding(message, place)
