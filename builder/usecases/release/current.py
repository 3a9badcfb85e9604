"""Choose the release of a pack that is shown to the public."""

from collections.abc import Sequence
from datetime import date

from builder.errata.release import find_release, find_release_in_force
from builder.errata.snapshot import WORK
from builder.errors import UsageError
from builder.messages import Message, gettext as _
from builder.model.words import suggest_word
from builder.packs.pack_files import PackFiles


def choose_releases(
    packs: PackFiles, pack_ids: Sequence[str], name: str | None = None, *, is_required: bool = True
) -> tuple[dict[str, str], tuple[Message, ...]]:
    """Return each pack's release by version, day or `work`, or the release in force.

    Packs without such a release are left out, with a message. Raises UsageError if they are
    required, or none is left.
    """
    hint = _("Use --work to show the working files, marked as not published.")
    if name == WORK and pack_ids:
        return dict.fromkeys(pack_ids, WORK), ()
    versions: dict[str, str] = {}
    messages: list[Message] = []
    for pack in pack_ids:
        releases = packs.open_releases(pack).list_releases()
        if name:
            release = find_release(releases, name)
            message = _("{pack} has no release {version}", pack=pack, version=name)
            known_versions = [known_release.version for known_release in releases]
        else:
            release = find_release_in_force(releases, date.today())
            message, known_versions = _("{pack} has no release in force", pack=pack), []
        if release is not None:
            versions[pack] = release.version
        elif is_required and known_versions:
            raise UsageError(message, suggest_word(name or "", known_versions, _("Releases")))
        elif is_required:
            raise UsageError(message, hint)
        else:
            messages.append(message)
    if not versions:
        raise UsageError(messages[0] if messages else _("the project has no pack"), hint)
    return versions, tuple(messages)
