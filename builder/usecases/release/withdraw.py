"""Compare a withdrawn release with its successor."""

from collections.abc import Mapping

from builder.checks.release.continuation import find_kept_values
from builder.errata.release import list_lineage
from builder.errors import UsageError
from builder.findings import Finding, sort_findings
from builder.messages import gettext as _
from builder.model.loaded import LoadedPack
from builder.packs.releases.folders import Releases


def check_reason_languages(loaded: LoadedPack, reasons: Mapping[str, str]) -> None:
    """Raise UsageError if a reason lacks a language that must be complete."""
    if loaded.pack is None:
        return
    complete_langs = loaded.pack.manifest.languages.complete
    missing = [lang for lang in complete_langs if not reasons.get(lang, "").strip()]
    if missing:
        message = _("the reason is missing in {listed}", listed=", ".join(missing))
        raise UsageError(message, _("Add --reason {lang}=TEXT.", lang=missing[0]))


def find_values_kept_by(
    releases: Releases, withdrawn: str, successor: str
) -> tuple[Finding, ...]:
    """Return a warning for each changed value of a withdrawn release that its successor keeps.

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
