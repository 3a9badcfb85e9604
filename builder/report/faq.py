"""Rulings as a list of questions and answers, by card and by rule."""

from collections.abc import Iterable, Iterator

from builder.errata.notes import CommentaryEntry, RulingEntry
from builder.errata.rulings import RulingGroup, RulingReader, describe_review
from builder.messages import gettext as _, translate


def format_faq(reader: RulingReader) -> str:
    """Format all rulings as Markdown. A ruling about several cards is printed once in full."""
    lang = reader.reader.lang
    blocks = [f"# {format_faq_heading(reader)}"]
    printed_ids: set[str] = set()
    for title, groups in list_faq_sections(reader):
        blocks.append(f"## {title}")
        for group in groups:
            blocks.append(f"### {group.name}")
            for entry in group.entries:
                lines = _format_entry(entry, lang, printed_ids)
                blocks.append("\n".join(lines))
    return "\n\n".join(blocks) + "\n"


def format_faq_heading(reader: RulingReader) -> str:
    """Return the title of the list of rulings."""
    state = reader.reader.state
    name = reader.reader.pick_language(state.manifest.get("name")) or state.pack
    return translate(_("{pack}: questions and answers", pack=name), reader.reader.lang)


def list_faq_sections(
    reader: RulingReader,
) -> Iterator[tuple[str, tuple[RulingGroup, ...]]]:
    """Yield the sections "By card" and "By rule": a translated title and the groups of rulings."""
    lang = reader.reader.lang
    parts = (
        (_("By card"), reader.group_by_card()),
        (_("By rule"), reader.group_by_rule()),
    )
    for title, groups in parts:
        if groups:
            yield translate(title, lang), groups


def _format_entry(
    entry: RulingEntry, lang: str, printed_ids: set[str]
) -> Iterator[str]:
    if entry.id in printed_ids:
        form = _("See the answer of {day} about {names}.")
        yield translate(_(form, day=entry.day, names=_join_subject_names(entry)), lang)
        return
    printed_ids.add(entry.id)
    yield from format_ruling(entry, lang)


def format_ruling(entry: RulingEntry, lang: str) -> Iterator[str]:
    """Yield the lines of a ruling in Markdown."""
    if entry.question:
        # Two spaces at the end are a line break in Markdown.
        yield f"**{entry.question}**  "
    yield entry.answer
    yield f"*{format_ruling_source(entry, lang)}*"
    mark = describe_review(entry)
    if mark:
        yield f"**{translate(mark, lang)}**"


def format_ruling_source(entry: RulingEntry, lang: str) -> str:
    """Format the day, subjects and source of a ruling as one line."""
    subject = translate(_("about {names}", names=_join_subject_names(entry)), lang)
    parts = [str(entry.day), subject, entry.source]
    return " · ".join(filter(None, parts))


def _join_subject_names(entry: RulingEntry) -> str:
    """Return the names of the cards and rules that a ruling is about."""
    return ", ".join(name for _id, name in (*entry.cards, *entry.rules))


def format_commentary(entries: Iterable[CommentaryEntry]) -> Iterator[str]:
    """Yield the designers' comments on a release as Markdown quotes."""
    for entry in entries:
        author = f" ({entry.author})" if entry.author else ""
        yield f"> {entry.text}{author}"
