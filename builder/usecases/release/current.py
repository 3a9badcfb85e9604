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
    """Return for each pack the release that `name` (a version, a day, or `work`) means, without it the one in force.

    Packs that have no such release are left out with a message. UsageError if they are required, or if none is left.
    """
    versions: dict[str, str] = {}
    messages: list[Message] = []
    hint: str = _("Use --work to show the edited files, labelled as not published.")
    for pack in pack_ids:
        if name == WORK:
            versions[pack] = WORK
            continue
        releases = packs.releases(pack).all()
        release = (
            find_release(releases, name) if name else find_release_in_force(releases, date.today())
        )
        if release is not None:
            versions[pack] = release.version
            continue
        message = _("{pack} has no release in force", pack=pack)
        if name:
            message = _("{pack} has no release {version}", pack=pack, version=name)
        if is_required:
            available_versions = [release_of_pack.version for release_of_pack in releases]
            raise UsageError(
                message,
                suggest_word(name, available_versions, _("Releases"))
                if name and releases
                else hint,
            )
        messages.append(message)
    if not versions:
        raise UsageError(messages[0] if messages else _("the project has no pack"), hint)
    return versions, tuple(messages)
