"""What reading a file can find: YAML and schema codes with their reasons and remedies."""

from builder.findings import Severity
from builder.messages import gettext as _
from builder.model.codes import define

UNREADABLE = define(
    "yaml/unreadable",
    _("The file cannot be read"),
    _("The path is a folder, the file is missing, or you may not open it."),
    _("Make it a regular, readable file, or remove it."),
)
TOO_LARGE = define(
    "yaml/too-large",
    _("The file is too large"),
    _(
        "A data file contains one card or one roster, usually a few kB. The limit is 2 MB."
    ),
    _("Split the file, or move pictures and other large data to separate files."),
)
ENCODING = define(
    "yaml/encoding",
    _("The file is not UTF-8 text"),
    _(
        "All data files must be UTF-8, so that every computer reads the same characters."
    ),
    _("Save the file as UTF-8 in your editor."),
)
EMPTY = define(
    "yaml/empty",
    _("The file is empty"),
    _("An empty file is usually the result of an interrupted save."),
    _(
        "Fill the file (`squadpress new` creates a small pack as an example), or remove it."
    ),
)
TAB = define(
    "yaml/tab",
    _("A line is indented with a tab"),
    _("YAML allows only spaces for indentation. The width of a tab is not defined."),
    _("Replace the tab with two spaces per level."),
)
SYNTAX = define(
    "yaml/syntax",
    _("The file is not valid YAML"),
    _("The content cannot be checked until the file can be read."),
    _(
        "Check this line and the line above: indentation, a missing colon or quote, an "
        "unclosed bracket."
    ),
)
TAG = define(
    "yaml/tag",
    _("A YAML tag is used"),
    _(
        "Tags such as !!python/object create arbitrary objects. Data files may contain "
        "only plain values."
    ),
    _(
        "Remove the word that starts with an exclamation mark. If it is part of a text, "
        "put the text in quotes."
    ),
)
ALIAS = define(
    "yaml/alias",
    _("An alias is unknown, contains itself, or grows too large"),
    _("A few lines with nested aliases can create billions of values."),
    _("Write the value itself where it is needed."),
)
DUPLICATE_KEY = define(
    "yaml/duplicate-key",
    _("A key occurs twice in a map"),
    _("Only one of the two values would be used, and you could not tell which."),
    _("Remove one of them."),
)
DOCUMENTS = define(
    "yaml/documents",
    _("The file contains several documents"),
    _("A file contains one card. Everything after a second --- line would be lost."),
    _("Put each document into its own file."),
)
KEY = define(
    "yaml/key",
    _("A key is not text"),
    _(
        "Keys are field names. Lists, maps, empty keys and merge keys (<<) are not allowed."
    ),
    _("Write the key as a plain word."),
)
NESTING = define(
    "yaml/nesting",
    _("Values are nested too deeply"),
    _("No card needs more than 64 levels."),
    _("Reduce the nesting."),
)

UNKNOWN_PROPERTY = define(
    "schema/unknown-property",
    _("Unknown field"),
    _("A misspelt field would be ignored, and its value would be missing on the card."),
    _("Correct the field's name, or add it to the kind's schema."),
)
MISSING_PROPERTY = define(
    "schema/missing-property",
    _("A required field is missing"),
    _("Templates and rules need this field."),
    _("Add the field. The kind's schema describes it."),
)
TYPE = define(
    "schema/type",
    _("A value has the wrong type"),
    _(
        "A number where text is expected (or the reverse) is printed and compared incorrectly."
    ),
    _("Write a value of the expected type. Quotes make a text of a number."),
)
DATE = define(
    "schema/date",
    _("A date does not exist"),
    _("Dates decide which release and which text are in force."),
    _("Write year-month-day, for example 2026-03-01."),
)
VALUE = define(
    "schema/value",
    _("A value is not allowed"),
    _(
        "The schema lists the allowed values, so that mistakes are found before printing."
    ),
    _("Use one of the allowed values, or extend the kind's schema."),
)
PATTERN = define(
    "schema/pattern",
    _("A text has the wrong form"),
    _(
        "The schema requires a format, such as an id or dice, that templates and rules rely on."
    ),
    _("Write the text in the expected format."),
)
RANGE = define(
    "schema/range",
    _("A number or a length is out of range"),
    _("The schema states the range that the game and the card design support."),
    _("Use a value within the range."),
)
FORM = define(
    "schema/form",
    _("A value has the wrong form"),
    _("The schema allows several forms, and the value matches none of them."),
    _("Compare the value with the forms in the kind's schema."),
)
BROKEN = define(
    "schema/broken",
    _("The kind's schema is missing or invalid"),
    _("Without its schema no card of the kind can be checked."),
    _("Fix schemas/<pack>/<kind>.schema.json. It must be JSON Schema 2020-12."),
)
MODEL = define(
    "schema/model",
    _("A value contradicts another one, or does not apply here"),
    _("The meaning of the file is unclear."),
    _("docs/formats.md describes each file and its keys."),
)
PACK_FILE = define(
    "pack/missing-file",
    _("A file that a pack needs is missing"),
    _("A folder without pack.yaml is not a pack."),
    _("Create the file. `squadpress new` creates a small pack as an example."),
)
MISSING_RULES = define(
    "pack/missing-rules",
    _("A pack has squads but no rules"),
    _("Without rules, every squad would be legal, so squads are not checked."),
    _(
        "Add rules.yaml. If the game has no rules for squads, write `rules: []` into it."
    ),
    error_from="0.3.0",
)
MISSING_PART = define(
    "pack/missing-part",
    _("A file of the pack is missing"),
    _(
        "The last release has this file, or cards use its definitions. Without it, squads "
        "would be checked wrongly."
    ),
    _("Restore the file. If you no longer need it, keep it with an empty list or map."),
    error_from="0.3.0",
)
PACK_ID = define(
    "pack/id",
    _("The pack's id differs from the name of its folder"),
    _("Commands, rosters and paths use the id to name the pack."),
    _("Rename the folder or change `id` in pack.yaml."),
)
ROSTER_KEY = define(
    "roster/unknown-key",
    _("Unknown key in a roster"),
    _(
        "A misspelt choice or link would be ignored, and the squad would be checked without it."
    ),
    _("Correct the key, or declare it under `roster` in pack.yaml."),
)
ROSTER_SIZE = define(
    "roster/too-large",
    _("The roster is too large"),
    _(
        "A roster has at most 20,000 lines: models, their equipment and the deck together."
    ),
    _("Write equal models as one line with a `count`, or split the roster."),
)
ROSTER_PARAM = define(
    "roster/parameter",
    _("A parameter has the wrong type or is out of range"),
    _("Rules calculate their bounds from the parameters."),
    _("Write a value that pack.yaml allows."),
)
EXTENSION = define(
    "pack/extension",
    _("The name of a data file does not end in .yaml"),
    _(
        "Only .yaml files are read. A card with another file extension would be missing without "
        "an error."
    ),
    _("Rename the file to end in .yaml."),
)
LINKED_FOLDER = define(
    "pack/linked-folder",
    _("A folder of a pack is a link to a folder outside the project"),
    _(
        "A pack must not read files outside its project: a link could lead to private files or a "
        "whole disk."
    ),
    _(
        "Replace the link with the folder itself. Only the pack's own folder may be a link."
    ),
)
UNKNOWN_KIND = define(
    "cards/unknown-kind",
    _("The kind of the card is not in pack.yaml"),
    _("The kind decides how a card is checked, printed and used in a roster."),
    _("Correct `kind`, or add the kind to pack.yaml."),
)
ROSTER_PACK = define(
    "roster/unknown-pack",
    _("The pack of the roster does not exist"),
    _("A squad cannot be checked without its pack."),
    _("Correct `pack`, or add the pack under cards/."),
)
ROSTER_CHOICE = define(
    "roster/choice",
    _("A choice of an entry has a value that the pack does not allow"),
    _("Rules use this choice. They would not recognise an unknown value."),
    _("Use one of the values that pack.yaml declares for the choice."),
)
DUPLICATE_TRANSLATION = define(
    "i18n/duplicate",
    _("A card has two translations into one language"),
    _("Only one of the two files would be used, and you could not tell which."),
    _("Keep one of the files."),
)
ANNOTATION = define(
    "schema/annotation",
    _("Unknown annotation in a schema"),
    _(
        "A misspelt x-text or x-ref has no effect: the text would not be translated, "
        "and the name not checked."
    ),
    _(
        "The annotations are x-text (plain, rich), x-ref (card, card:KIND, keyword, "
        "stat, term, faction, icon, art) and"
        " x-where (true)."
    ),
)
TABLE_COLUMN = define(
    "table/column",
    _("A column of a table is not a field"),
    _("The values of this column would be lost."),
    _(
        "Name its field under `columns` of a mapping file, or the column under `skip`: "
        "docs/tables.md."
    ),
)
TABLE_ROW = define(
    "table/row",
    _("A row of a table has no card, or a card has two rows"),
    _("Nobody could tell which card is meant."),
    _("Give each card one id; rows below it without an id hold more of its entries."),
)
TABLE_FORMULA = define(
    "table/formula",
    _("A formula in a table whose value cannot be used"),
    _("Squadpress does not compute formulas. It reads their stored results."),
    _(
        "Put the value in the formula's place (paste special: values), or save the "
        "file in a spreadsheet program."
    ),
)
TABLE_PICTURE = define(
    "table/picture",
    _("A picture named in a table is missing or unreadable"),
    _("The card would be printed with a placeholder."),
    _(
        "Put the picture, of at most 64 MB, beside the table, under the name that the cell says."
    ),
    Severity.WARNING,
)
TABLE_ENCODING = define(
    "table/encoding",
    _("The encoding of a table was guessed"),
    _("If the guess is wrong, letters outside the English alphabet are wrong."),
    _("Look at some texts; save the table as CSV in UTF-8 where they are wrong."),
    Severity.NOTE,
)
TABLE_ERROR_VALUE = define(
    "table/error-value",
    _("A cell of a table contains an error"),
    _(
        "A formula refers to something that does not exist, and its value is an error "
        "such as #REF!."
    ),
    _("Correct the formula in the spreadsheet, or write the value into the cell."),
)
TABLE_DATE = define(
    "table/date",
    _("A value in a table may have become a date by mistake"),
    _(
        "Spreadsheet programs turn 3/5 or 1-2 into a date, and the date would be printed."
    ),
    _(
        "Give the column the format Text, and write the values again. A column named "
        "Date is not checked."
    ),
    Severity.WARNING,
)
TABLE_HIDDEN = define(
    "table/hidden",
    _("A table has hidden rows or sheets"),
    _("Hidden rows become cards, and hidden sheets do not."),
    _("Delete hidden rows that are no cards. Show hidden sheets that have cards."),
    Severity.NOTE,
)
TABLE_UNSEEN = define(
    "table/unseen",
    _("A table is in a format whose look cannot be read"),
    _("Some formats do not show bold text, number formats or errors to Squadpress."),
    _("Save the file as an Excel workbook (.xlsx) if the cards need them."),
    Severity.NOTE,
)
