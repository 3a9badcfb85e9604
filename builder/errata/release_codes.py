"""The codes of findings about releases."""

from builder.findings import Severity
from builder.messages import gettext as _
from builder.model.codes import define

UNREADABLE = define(
    "release/unreadable",
    _("A part of a release cannot be read"),
    _(
        "The other parts of the release are still used. Only a copy of the release can "
        "restore this part."
    ),
    _("Restore the file from your repository or from a published copy."),
)
ALTERED = define(
    "release/altered",
    _("A release was changed after it was published"),
    _(
        "A published version never changes. Squads and prints refer to it, and later "
        "releases store its digest."
    ),
    _("Restore it from your repository. Put changes into a new release."),
)
CONVERTED_LINE_ENDS = define(
    "release/line-ends",
    _("The line ends of a release were converted"),
    _(
        "Git on Windows replaces LF with CRLF. The files then differ from the published "
        "release, and the digests do not match."
    ),
    _(
        "Add the line `cards/*/releases/** -text` to .gitattributes, delete the release's folder, "
        "and restore it with"
        " `git checkout -- FOLDER`."
    ),
)
OUTDATED = define(
    "release/outdated",
    _("A part of a release has an older format"),
    _(
        "The part can be compared with other releases, but cannot be checked or printed."
    ),
    _(
        "Use the version of squadpress that created the release, or leave out this card."
    ),
)
NEWER = define(
    "release/newer",
    _("A newer release is in force"),
    _(
        "The squad uses the release it was built with. Other players may use the newer release."
    ),
    _("Show the effects with `squadpress release impact OLD NEW FILE`."),
    Severity.NOTE,
)
OTHER_CARDS = define(
    "release/other-cards",
    _("A squad is printed with cards that differ from its release"),
    _(
        "The squad sheet has the costs and rules of the release that the squad is pinned to. "
        "The cards come from the working files."
    ),
    _(
        "Print both from one state with `squadpress build PACK --roster FILE --as-of VERSION`."
    ),
    Severity.WARNING,
)
UNKNOWN = define(
    "release/unknown",
    _("A squad is pinned to a release that does not exist"),
    _("The squad cannot be checked without the cards of this release."),
    _("Correct `version` in the roster, or remove it to use the current cards."),
)
REMOVED = define(
    "release/removed",
    _("A published release is missing"),
    _(
        "Squads, prints and verdicts refer to it, and a later release stores its digest."
    ),
    _(
        "Restore its folder from your repository. To take a release out of play, use "
        "`release withdraw`."
    ),
)
WITHDRAWN = define(
    "release/withdrawn",
    _("A release was withdrawn"),
    _(
        "The release is kept because squads and prints refer to it. It is no longer in force."
    ),
    _("Use its successor, or the release in force."),
    Severity.WARNING,
)
CONFLICT = define(
    "release/conflict",
    _("A draft and a later release change the same field differently"),
    _("Only you know which value is right."),
    _(
        "Write the right value into the working files and create the draft again: "
        "`squadpress release new VERSION --effective DATE --draft`."
    ),
)
OUTDATED_DRAFT = define(
    "release/draft-outdated",
    _("A draft lacks the changes of a later release"),
    _("Publishing the draft would undo these changes."),
    _(
        "Update the draft with `squadpress release rebase VERSION`. It shows what changes."
    ),
)
COLLISION = define(
    "release/same-version",
    _("Two branches made different releases of the same version"),
    _(
        "Squads and prints name a release by its version. Both would have the same name."
    ),
    _("Give one of them the next version: squadpress release renumber OLD NEW."),
)
TAKES_BACK = define(
    "release/takes-back",
    _("The newest release lacks a change of another release"),
    _(
        "Two branches made releases from the same one, or an older line was corrected. The newest "
        "release has the earlier value, so players get the change and lose it again."
    ),
    _(
        "Make the next release: `squadpress release new VERSION --effective DATE`. It takes the "
        "values of the working files."
    ),
    Severity.WARNING,
)
OTHER_TEMPLATES = define(
    "release/other-templates",
    _("A release is drawn with other templates than it was made with"),
    _(
        "A release stores cards, and git the templates. Git does not have the templates of this "
        "release, so today's templates draw it. A card with an error has no picture."
    ),
    _(
        "Copy the templates of that time into the project from a backup, or show a later release "
        "with --as-of. Commit each release together with its templates, so that git has them."
    ),
    Severity.WARNING,
)
NO_STICKER = define(
    "release/no-sticker",
    _("A changed card cannot be corrected by a sticker"),
    _(
        "A sticker covers a block whose place stays the same. New pictures, templates and sizes, "
        "moved blocks and changes of most of a face need a new card."
    ),
    _("Print the card with `squadpress build PACK --only CARD`."),
    Severity.NOTE,
)
