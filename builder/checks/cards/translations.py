"""Checks that translations are complete and current, in cards and in other files."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from builder.errata.snapshot import make_snapshot
from builder.errata.translations import (
    TranslationState,
    classify_translation,
    measure_coverage,
)
from builder.findings import Finding, Location, Severity
from builder.messages import gettext as _
from builder.model.base import DataPath, Json, walk_values
from builder.model.card import hash_source
from builder.model.codes import define
from builder.model.loaded import Document, LoadedPack
from builder.model.markup import list_tags, parse_markup
from builder.model.pack import Languages, Pack, TranslatedString
from builder.model.words import suggest_word

MISSING = define(
    "i18n/missing",
    _("A text is not translated"),
    _("A card with a missing text cannot be printed in this language."),
    _("Add the string to the translation file, with the hash of its source."),
)
STALE = define(
    "i18n/stale",
    _("The source text has changed since the translation was made"),
    _("Players of different languages would play by different rules."),
    _("Update the translation, then write the new hash as `source`."),
)
ORPHAN = define(
    "i18n/orphan",
    _("A translation belongs to no text of a card"),
    _("It is never printed. The path or the id is probably misspelt."),
    _("Correct the path or the id, or remove the translation."),
)
IDENTICAL = define(
    "i18n/identical",
    _("The translation equals the source text"),
    _("A text that was copied and not translated looks finished."),
    _("Translate it, or add `same: true` if both languages use the same words."),
)
TAGS_DIFFER = define(
    "i18n/tags-differ",
    _("The translation has different tags than the source text"),
    _("A keyword or number that only one language has changes the rule."),
    _("Use the same tags with the same ids in both languages."),
    Severity.WARNING,
)
LANGUAGE = define(
    "i18n/unknown-language",
    _("Translations into a language the pack does not list"),
    _("These translations are neither checked nor printed."),
    _(
        "Add the language under `languages` in pack.yaml, or rename the folder under i18n/."
    ),
)
PARTIAL = define(
    "i18n/partial",
    _("A partial translation lacks texts"),
    _(
        "pack.yaml allows partial translations. Missing texts are printed in the source "
        "language, or the card is left out."
    ),
    _(
        "`squadpress translations` lists the missing texts and writes a file for the translator."
    ),
    Severity.WARNING,
)
MISSING_WORD = define(
    "i18n/missing-word",
    _("A name or note is missing in a language"),
    _("Cards, sheets and explanations are printed in all languages of the pack."),
    _("Add the text in the missing language."),
)


PRINT_PREVENTING_CODES = frozenset({MISSING.code, STALE.code, IDENTICAL.code})
"""The findings because of which a card is not printed in a language."""


def check(loaded: LoadedPack) -> Iterator[Finding]:
    """Check that all cards and words are translated into every language of the pack."""
    pack = loaded.whole
    listed = pack.manifest.languages.translations
    yield from _find_unlisted_languages(loaded, listed)
    for lang in listed:
        if lang in pack.manifest.languages.partial:
            yield from _check_partial(loaded, pack, lang)
        else:
            for card_id in pack.cards:
                yield from _check_card(loaded, pack, lang, card_id)
        yield from _find_orphans(loaded, lang)
    if pack.manifest.languages.partial:
        yield from _report_partial(loaded, pack)
    for document in loaded.sources.values():
        yield from _find_missing_words(
            document, document.value, (), pack.manifest.languages
        )
    for document in loaded.documents.values():
        history = (
            document.value.get("history") if isinstance(document.value, dict) else None
        )
        yield from _find_missing_words(
            document, history, ("history",), pack.manifest.languages
        )


def _check_partial(loaded: LoadedPack, pack: Pack, lang: str) -> Iterator[Finding]:
    """Check the translated cards of a language that may be incomplete.

    Missing texts are reported once for all cards together.
    """
    for card_id in pack.cards:
        if (lang, card_id) in loaded.translations:
            for finding in _check_card(loaded, pack, lang, card_id):
                # What is missing or outdated is counted for the whole language.
                if finding.code not in PRINT_PREVENTING_CODES:
                    yield finding


def _find_unlisted_languages(
    loaded: LoadedPack, listed: Sequence[str]
) -> Iterator[Finding]:
    """Report each language with translations that pack.yaml does not list, once."""
    first_documents: dict[str, Document] = {}
    for (lang, _card_id), document in loaded.translations.items():
        first_documents.setdefault(lang, document)
    for lang in sorted(first_documents.keys() - set(listed)):
        message = _("{lang} is not one of the pack's translations", lang=lang)
        hint = suggest_word(lang, listed, _("Translations in pack.yaml"))
        yield LANGUAGE.finding(message, Location(file=first_documents[lang].file), hint)


def find_untranslated_texts(
    loaded: LoadedPack, lang: str, card_id: str
) -> tuple[Finding, ...]:
    """Return the missing and outdated translations that prevent printing a card."""
    pack = loaded.whole
    strings = pack.translations.get(lang, {}).get(card_id, {})
    card = pack.cards[card_id]
    for path in pack.texts[card_id]:
        text = str(card.get_field(path))
        state = classify_translation(text, strings.get(path))
        if text.strip() and state is not TranslationState.CURRENT:
            break
    else:
        # most cards are complete, and to check them in full takes longer
        return ()
    findings = _check_card(loaded, pack, lang, card_id)
    return tuple(
        finding for finding in findings if finding.code in PRINT_PREVENTING_CODES
    )


def _report_partial(loaded: LoadedPack, pack: Pack) -> Iterator[Finding]:
    state = make_snapshot(loaded, {})
    for lang in pack.manifest.languages.partial:
        translation_coverage = measure_coverage(state, lang)
        if translation_coverage.open:
            form = _(
                "{lang}: {open} of {many} texts are missing or out of date ({stale} out of date)"
            )
            stale = translation_coverage.count_strings(TranslationState.STALE)
            message = _(
                form,
                lang=lang,
                open=len(translation_coverage.open),
                many=len(translation_coverage.items),
                stale=stale,
            )
            yield PARTIAL.finding(
                message,
                loaded.sources["pack.yaml"].locate(
                    ("languages", "partial", lang), key=True
                ),
            )


def _check_card(
    loaded: LoadedPack, pack: Pack, lang: str, card_id: str
) -> Iterator[Finding]:
    strings = pack.translations.get(lang, {}).get(card_id, {})
    document = loaded.translations.get((lang, card_id))
    card, source = pack.cards[card_id], loaded.documents[card_id]
    paths = pack.texts[card_id]
    if document is None:
        yield from _report_missing_file(loaded, lang, card_id, source)
        return
    for path in paths:
        text = str(card.get_field(path))
        if path not in strings or not strings[path].text.strip():
            if text.strip():
                form = _('Add under `strings`: {path}: {{text: ..., source: "{hash}"}}')
                hint = _(form, path=path, hash=hash_source(text))
                place = document.locate(("strings",), key=True)
                yield MISSING.finding(
                    _("{path} is not translated into {lang}", path=path, lang=lang),
                    place,
                    hint,
                )
        else:
            yield from _check_string(
                path, text, strings[path], document, path in pack.rich[card_id]
            )
    for path in strings:
        if path not in paths:
            message = _("{card} has no text {path}", card=card_id, path=path)
            place = document.locate(("strings", path), key=True)
            yield ORPHAN.finding(
                message, place, suggest_word(path, paths, _("Its texts"))
            )


def _report_missing_file(
    loaded: LoadedPack, lang: str, card_id: str, source: Document
) -> Iterator[Finding]:
    """Report a card without a translation file, unless the file is only unreadable."""
    ending = f"/{card_id}.yaml"
    files = {finding.location.file or "" for finding in loaded.findings}
    # A file with a syntax error exists, and has a finding of its own.
    if any(f"/i18n/{lang}/" in file and file.endswith(ending) for file in files):
        return
    kind = loaded.whole.cards[card_id].kind
    texts = loaded.whole.texts[card_id]
    path = f"cards/{loaded.whole.id}/i18n/{lang}/{kind}{ending}"
    message = _("{path} is not translated into {lang}", path=card_id, lang=lang)
    hint = _(
        "Create {path} with the strings {listed}.", path=path, listed=", ".join(texts)
    )
    yield MISSING.finding(message, source.locate(("name",)), hint)


def _check_string(
    path: str,
    text: str,
    string: TranslatedString,
    document: Document,
    is_marked_up: bool,
) -> Iterator[Finding]:
    place = partial(document.locate, ("strings", path))
    expected_hash = hash_source(text)
    if string.source != expected_hash:
        hint = _(
            'Compare the translation with the source text, then set source: "{fresh}".',
            fresh=expected_hash,
        )
        message = _(
            "the source text of {path} was different when it was translated ({source})",
            path=path,
            source=string.source,
        )
        yield STALE.finding(message, place(), hint)
    if string.text == text and not string.same:
        yield IDENTICAL.finding(
            _("{path} is identical to the source text", path=path), place()
        )
    if is_marked_up:
        own_tags = _list_tags(string.text)
        source_tags = _list_tags(text)
        lost = sorted(source_tags - own_tags)
        added = sorted(own_tags - source_tags)
        if lost or added:
            form = _(
                "{path} lacks {lost} and adds {added}, compared with the source text"
            )
            if not added:
                form = _("{path} lacks {lost}, which the source text has")
            elif not lost:
                form = _("{path} has {added}, which the source text lacks")
            yield TAGS_DIFFER.finding(
                _(form, path=path, lost=", ".join(lost), added=", ".join(added)),
                place(),
            )


def _list_tags(text: str) -> set[str]:
    return {f"{{{tag.type}:{tag.id}}}" for tag in list_tags(parse_markup(text))}


def _find_orphans(loaded: LoadedPack, lang: str) -> Iterator[Finding]:
    """Report translation files whose card does not exist or does not match their name."""
    ids = {file.id for file in loaded.files if file.id is not None} | set(loaded.unread)
    for (of, stem), document in loaded.translations.items():
        if of != lang:
            continue
        card_id = document.value.get("id") if isinstance(document.value, dict) else None
        if card_id not in ids:
            hint = suggest_word(str(card_id), ids, _("Cards"))
            yield ORPHAN.finding(
                _("the card {value} does not exist", value=card_id),
                document.locate(("id",)),
                hint,
            )
        elif card_id != stem:
            message = _(
                "the file is {stem}.yaml, but its card is {stated}",
                stem=stem,
                stated=card_id,
            )
            yield ORPHAN.finding(message, document.locate(("id",)))


def find_untranslated_words(
    loaded: LoadedPack, langs: Iterable[str]
) -> Iterator[Finding]:
    """Report names and labels that are not translated into one of these languages."""
    for name in ("pack.yaml", "vocabulary.yaml"):
        document = loaded.sources.get(name)
        if document is not None:
            yield from _find_missing_words(
                document,
                document.value,
                (),
                loaded.whole.manifest.languages,
                tuple(langs),
            )


def _find_missing_words(
    document: Document,
    root_value: Json,
    root_path: DataPath,
    languages: Languages,
    langs: tuple[str, ...] | None = None,
) -> Iterator[Finding]:
    """Report maps of texts by language in which a language is missing."""
    needed = [lang for lang in languages.complete if langs is None or lang in langs]
    severity = (
        Severity.WARNING if document.file.endswith("/gauges.yaml") else None
    )  # they take another language's word
    for path, value in walk_values(root_value, root_path):
        if not isinstance(value, dict) or not value or path[:1] == ("languages",):
            continue
        lacking = [lang for lang in needed if lang not in value]
        # Other maps may have keys that look like languages, but their values are no texts.
        texts = all(isinstance(item, str) for item in value.values())
        # Only a map with the code of some language is one of texts by language.
        if lacking and texts and not value.keys().isdisjoint(languages.all):
            place = document.locate(path, key=True)
            name = path[-1] if path else _("this")
            message = _(
                "{path} has no text in {listed}", path=name, listed=", ".join(lacking)
            )
            yield MISSING_WORD.finding(message, place, severity=severity)
