"""What reading a file can find: YAML and schema codes with their reasons and remedies."""

from __future__ import annotations

from builder.model.codes import define

UNREADABLE = define(
    "yaml/unreadable",
    "The file cannot be read",
    "A file that is a folder, is gone, or may not be opened tells nothing about what its author meant.",
    "Make it an ordinary file that you may read, or remove it.",
)
TOO_LARGE = define(
    "yaml/too-large",
    "The file is too large",
    "A data file holds one card or one roster, a few kilobytes; two megabytes are a mistake or an attack.",
    "Split the file, or move pictures and other bulk to files of their own.",
)
ENCODING = define(
    "yaml/encoding",
    "The file is not UTF-8 text",
    "All data files are UTF-8, so that every letter means the same on every machine.",
    "Save the file as UTF-8 in your editor.",
)
EMPTY = define(
    "yaml/empty",
    "The file holds nothing",
    "An empty file is usually a forgotten or interrupted save.",
    "Write what belongs here (`squadpress new` makes a small pack to look at), or remove the file.",
)
TAB = define(
    "yaml/tab",
    "A line is indented with a tab",
    "YAML measures indentation in spaces; a tab has no agreed width, so the structure would be a guess.",
    "Replace the tab with spaces: two for each level.",
)
SYNTAX = define(
    "yaml/syntax",
    "The file is not YAML",
    "Nothing can be said about the contents before the structure is readable.",
    "Look at this line and the one above: indentation, a missing colon or quote, an unclosed bracket.",
)
TAG = define(
    "yaml/tag",
    "A YAML tag is used",
    "Tags such as !!python/object make a loader build arbitrary things; data files hold plain values only.",
    "Remove the word that begins with an exclamation mark; put quotes around a text that must begin with one.",
)
ALIAS = define(
    "yaml/alias",
    "An alias is unknown, contains itself, or grows too large",
    "A few lines of nested aliases can stand for billions of values.",
    "Write the value out where it is needed.",
)
DUPLICATE_KEY = define(
    "yaml/duplicate-key",
    "A key stands twice in one map",
    "Only one of the two values can count, and nobody sees which.",
    "Remove one of them.",
)
DOCUMENTS = define(
    "yaml/documents",
    "The file holds several documents",
    "One file is one card; what follows a second --- line would be lost.",
    "Put each document into a file of its own.",
)
KEY = define(
    "yaml/key",
    "A key is not a word",
    "Keys name fields; a list, a map, an empty key or a merge key (<<) cannot.",
    "Write the key as a plain word.",
)
NESTING = define(
    "yaml/nesting",
    "Values are nested too deeply",
    "No card needs more than 64 levels; more is a slip or an attack.",
    "Flatten the data.",
)

UNKNOWN_PROPERTY = define(
    "schema/unknown-property",
    "A field that the schema does not know",
    "A misspelt field would be ignored in silence, and the card would lose what it says.",
    "Correct the field's name, or add it to the kind's schema.",
)
MISSING_PROPERTY = define(
    "schema/missing-property",
    "A required field is missing",
    "Templates and rules rely on it.",
    "Add the field; the kind's schema describes it.",
)
TYPE = define(
    "schema/type",
    "A value of the wrong sort",
    "A number where a text is expected (or the reverse) prints and compares wrongly.",
    "Write a value of the expected sort; quotes make a text of a number.",
)
DATE = define(
    "schema/date",
    "No day of the calendar",
    "Releases, and which text is in force, are told from dates.",
    "Write year-month-day, such as 2026-03-01.",
)
VALUE = define(
    "schema/value",
    "A value that is not allowed",
    "The schema lists the allowed values, so that a slip of the pen is found before printing.",
    "Use one of the allowed values, or extend the kind's schema.",
)
PATTERN = define(
    "schema/pattern",
    "A text of the wrong form",
    "The schema demands a form (an id, a fraction, a dice expression) that templates and rules can rely on.",
    "Write it in the expected form.",
)
RANGE = define(
    "schema/range",
    "A number or a length out of bounds",
    "The schema states the bounds within which the game and the layout work.",
    "Use a value within the bounds.",
)
FORM = define(
    "schema/form",
    "A value that fits none of the allowed forms",
    "Where several forms are allowed, exactly the stated number of them must fit.",
    "Compare the value with the forms in the kind's schema.",
)
BROKEN = define(
    "schema/broken",
    "The kind's schema is missing or is itself wrong",
    "Without its schema no card of the kind can be judged.",
    "Mend schemas/<pack>/<kind>.schema.json: JSON Schema 2020-12.",
)
MODEL = define(
    "schema/model",
    "A value that contradicts another or has no meaning here",
    "The files of a pack must say exactly one thing.",
    "docs/formats.md describes each file and its keys.",
)
PACK_FILE = define(
    "pack/missing-file",
    "A file that a pack needs is missing",
    "A pack is described by its pack.yaml; the rest may be absent.",
    "Create the file; `squadpress new` writes a small pack as a pattern.",
)
PACK_ID = define(
    "pack/id",
    "The pack's id is not the name of its folder",
    "The id is how commands, rosters and paths name the pack.",
    "Rename the folder or change `id` in pack.yaml.",
)
ROSTER_KEY = define(
    "roster/unknown-key",
    "A key that neither the roster format nor the pack declares",
    "A misspelt choice or tie would be ignored, and the squad would be judged as another one.",
    "Correct the key, or declare it under `roster` in pack.yaml.",
)
ROSTER_PARAM = define(
    "roster/parameter",
    "A roster parameter of the wrong sort or out of bounds",
    "Rules compute their bounds from the parameters.",
    "Write a value that pack.yaml allows.",
)
EXTENSION = define(
    "pack/extension",
    "A data file does not end in .yaml",
    "Only .yaml files are read; a card under another name would be missing without a word.",
    "Rename the file so that it ends in .yaml.",
)
UNKNOWN_KIND = define(
    "cards/unknown-kind",
    "The card is of a kind that pack.yaml does not list",
    "Kinds say how a card is judged, set and used in a roster.",
    "Correct `kind`, or add the kind to pack.yaml.",
)
ROSTER_PACK = define(
    "roster/unknown-pack",
    "The roster names a pack that is not here",
    "Without its pack nothing can be said about a squad.",
    "Correct `pack`, or add the pack under cards/.",
)
ROSTER_CHOICE = define(
    "roster/choice",
    "A choice of an entry has a value that the pack does not allow",
    "Rules look at the choice; an unknown value would slip past them.",
    "Use one of the values that pack.yaml declares for the choice.",
)
DUPLICATE_TRANSLATION = define(
    "i18n/duplicate",
    "A card is translated twice into one language",
    "Only one of the two files is printed, and nobody sees which.",
    "Keep one of the files.",
)
ANNOTATION = define(
    "schema/annotation",
    "An annotation that means nothing",
    "A misspelt x-text or x-ref is ignored by every tool: the text would not be translated, the name not looked up.",
    "The annotations are x-text (plain, rich), x-ref (card, card:KIND, keyword, stat, term, faction, icon, art) and"
    " x-where (true).",
)
