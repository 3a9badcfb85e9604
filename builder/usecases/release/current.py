"""Choose the release of a pack that is shown to the public."""

from collections.abc import Sequence
from datetime import date

from builder.errata.release import Release, find_release, find_release_in_force
from builder.errata.snapshot import WORK
from builder.errors import InputUnreadable, UsageError, format_located_message
from builder.findings import has_errors
from builder.messages import Message, gettext as _
from builder.model.words import suggest_word
from builder.packs.pack_files import PackFiles
from builder.packs.releases.folders import Releases


def choose_releases(
    packs: PackFiles,
    pack_ids: Sequence[str],
    name: str | None = None,
    *,
    is_required: bool = True,
) -> tuple[dict[str, str], tuple[Message, ...]]:
    """Return each pack's release by version, day or `work`, or the one in force.

    Packs without such a release are left out, with a message. Raises UsageError if they are
    required, or none is left. Raises InputUnreadable if a release or the list of withdrawn
    releases is damaged: then nobody knows which release is in force.
    """
    hint = _("Use --work to show the working files, marked as not published.")
    for pack in pack_ids:
        _refuse_damage(packs.open_releases(pack))
    if name == WORK and pack_ids:
        return dict.fromkeys(pack_ids, WORK), ()
    versions: dict[str, str] = {}
    messages: list[Message] = []
    for pack in pack_ids:
        releases = packs.open_releases(pack).list_releases()
        if name:
            release = find_release(releases, name)
        else:
            release = find_release_in_force(releases, date.today())
        if release is not None:
            versions[pack] = release.version
        elif is_required:
            raise _make_missing_error(pack, name, releases, hint)
        else:
            messages.append(_describe_missing(pack, name))
    if not versions:
        raise UsageError(
            messages[0] if messages else _("the project has no pack"), hint
        )
    return versions, tuple(messages)


def _refuse_damage(releases: Releases) -> None:
    """Raise InputUnreadable if the releases of a pack or their states cannot be read."""
    damage = [flaw for flaw in releases.find_damage() if has_errors((flaw,))]
    if damage:
        raise InputUnreadable(format_located_message(damage[0]), damage[0].hint)


def _describe_missing(pack: str, name: str | None) -> Message:
    if name:
        return _("{pack} has no release {version}", pack=pack, version=name)
    return _("{pack} has no release in force", pack=pack)


def _make_missing_error(
    pack: str, name: str | None, releases: Sequence[Release], hint: str
) -> UsageError:
    """Make the error for a release that does not exist, with the nearest name as a hint."""
    # Without releases there is nothing to suggest.
    if name and releases:
        versions = [release.version for release in releases]
        hint = suggest_word(name, versions, _("Releases"))
    return UsageError(_describe_missing(pack, name), hint)
