"""What reading a release can find."""

from builder.findings import Severity
from builder.messages import gettext as _
from builder.model.codes import define

UNREADABLE = define(
    "release/unreadable",
    _("A part of a release cannot be read"),
    _("A release is the only witness of what was published; the rest of it is used all the same."),
    _("Restore the file from your repository or from a published copy."),
)
ALTERED = define(
    "release/altered",
    _("A release or a part of it is not as it was published"),
    _(
        "A published version never changes: squads and prints refer to its bytes, later releases name its digest."
    ),
    _("Restore it from your repository; changes belong into a new release."),
)
CONVERTED_LINE_ENDS = define(
    "release/line-ends",
    _("The line ends of a release were converted"),
    _(
        "Git on Windows replaces LF with CRLF. The files then differ from the published release, and no digest matches."
    ),
    _(
        "Add the line `cards/*/releases/** -text` to .gitattributes, delete the release's folder, and restore it with"
        " `git checkout -- FOLDER`."
    ),
)
OUTDATED = define(
    "release/outdated",
    _("A frozen part no longer fits the program's formats"),
    _(
        "Formats grow; what an old release says in an older form is compared as it stands but not played or printed."
    ),
    _("Use the version of squadpress that made the release, or go without this card."),
)
NEWER = define(
    "release/newer",
    _("A newer release than the squad's own is in force"),
    _(
        "A squad may stay with the cards it was built for; at the next table the newer ones may count."
    ),
    _("`squadpress release impact OLD NEW FILE` says what the newer release does to it."),
    Severity.NOTE,
)
UNKNOWN = define(
    "release/unknown",
    _("A squad is pinned to a release that does not exist"),
    _("It cannot be judged by cards that nobody has."),
    _("Correct `version` in the roster, or remove it to use the cards as they are."),
)
REMOVED = define(
    "release/removed",
    _("A published release is gone"),
    _(
        "Squads, prints and verdicts refer to it; a later release names it, so that it cannot vanish unnoticed."
    ),
    _(
        "Restore its folder from your repository. One that should not be played is withdrawn: `release withdraw`."
    ),
)
WITHDRAWN = define(
    "release/withdrawn",
    _("A release was withdrawn"),
    _("It is kept, for squads and prints refer to it, and is in force no more."),
    _("Use the release that follows it."),
    Severity.WARNING,
)
CONFLICT = define(
    "release/conflict",
    _("A draft and a release made since change the same field otherwise"),
    _("Only the maintainer knows which of the two is meant, or what stands for both."),
    _(
        "Decide in the working files, and stage them again: `squadpress release new VERSION --effective DATE --draft`."
    ),
)
OUTDATED_DRAFT = define(
    "release/draft-outdated",
    _("A draft does not know of a release made since"),
    _("Published as it is, it would take back what that release changed."),
    _("`squadpress release rebase VERSION` brings it onto that release and shows what changes."),
)
