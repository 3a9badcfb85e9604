"""Formats findings as text for people, and as JSON, SARIF or GitHub commands for programs. Pure."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import groupby
from textwrap import indent
from typing import TypeAlias
from urllib.parse import quote

from builder.findings import Finding, Location, Severity
from builder.messages import (
    escape_controls,
    gettext as _,
    join_messages,
    ngettext,
    translate,
)
from builder.model.codes import CODES, Code, Example
from builder.report.json_text import dump_json


def format_location(location: Location, lang: str) -> str:
    """Format the known parts of a location as `file:line:column: `.

    PDFs have a page instead of a line.
    """
    parts = [location.file] if location.file else []
    page_location = format_page_location(location)
    if location.line is not None:
        parts.append(str(location.line))
        if location.column is not None:
            parts.append(str(location.column))
    elif page_location:
        parts.append(translate(page_location, lang))
    elif not parts and location.path:
        parts.append(location.path)
    return f"{':'.join(parts)}: " if parts else ""


def format_page_location(location: Location) -> str:
    """Format a position on a page as `page 2 at 10.5,20 mm`, measured from the top left corner.

    Empty without a page or box.
    """
    parts = [_("page {page}", page=location.page)] if location.page is not None else []
    if location.box is not None:
        parts.append(_("at {x:.1f},{y:.1f} mm", x=location.box.x, y=location.box.y))
    return join_messages(parts, _("{first} {rest}"))


def join_message_and_hint(finding: Finding, lang: str) -> str:
    """Format the message of a finding, after its position on the page and before its hint."""
    translated = finding.translate(lang)
    location = translate(format_page_location(finding.location), lang)
    message = f"{location}: {translated.message}" if location else translated.message
    return f"{message}\n{translated.hint}" if translated.hint else message


def format_finding(finding: Finding, lang: str) -> str:
    """Format one finding for the terminal: location, severity, code and message, then the hint."""
    translated = finding.translate(lang)
    location = format_location(translated.location, lang)
    severity = translated.severity.word
    text = (
        f"{location}{translate(severity, lang)} {translated.code}: {translated.message}"
    )
    # A name with a line break in it must not look like a finding of its own.
    first = escape_controls(text, keep_line_breaks=False)
    return f"{first}\n    {translated.hint}" if translated.hint else first


def format_summary(findings: Sequence[Finding], lang: str) -> str:
    """Format the number of findings, such as `2 errors, 1 warning` or `no errors or warnings`."""
    count = Counter(finding.severity for finding in findings)
    words = {
        Severity.ERROR: ngettext(
            "{count} error", "{count} errors", count[Severity.ERROR]
        ),
        Severity.WARNING: ngettext(
            "{count} warning", "{count} warnings", count[Severity.WARNING]
        ),
        Severity.NOTE: ngettext("{count} note", "{count} notes", count[Severity.NOTE]),
    }
    texts = [
        translate(word, lang) for severity, word in words.items() if count[severity]
    ]
    return ", ".join(texts) or translate(_("no errors or warnings"), lang)


TYPOGRAPHY_CODE = "text/typography"
MAX_TYPOGRAPHY_LINES = 5
"""More warnings about typography, such as those about an imported table, are one line."""


def format_text(findings: Sequence[Finding], lang: str) -> str:
    """Format findings for the terminal, errors first, with a summary at the end.

    More than 5 warnings about typography are summarized in one line.
    """
    typography = [finding for finding in findings if finding.code == TYPOGRAPHY_CODE]
    is_summarized = len(typography) > MAX_TYPOGRAPHY_LINES
    listed = findings
    if is_summarized:
        listed = [finding for finding in findings if finding.code != TYPOGRAPHY_CODE]
    lines = [
        format_finding(finding, lang) for finding in sorted(listed, key=rank_severity)
    ]
    if is_summarized:
        files = {finding.location.file for finding in typography}
        form = _("{many} warnings about typography in {files} files")
        hint = _("`squadpress check --fix` shows corrections; --format json lists all.")
        message = _(form, many=len(typography), files=len(files))
        summary = Finding(TYPOGRAPHY_CODE, message, hint, typography[0].severity)
        lines.append(format_finding(summary, lang))
    lines.append(format_summary(findings, lang))
    return "".join(f"{line}\n" for line in lines)


def rank_severity(finding: Finding) -> int:
    """Return the sort rank of a finding's severity: 0 for errors, 1 for warnings, 2 for notes."""
    return list(Severity).index(finding.severity)


def format_worklist(findings: Sequence[Finding], lang: str) -> str:
    """Format findings as a list with checkboxes, grouped by code, errors first."""
    lines: list[str] = []
    # groupby needs all findings of a code side by side.
    ordered = sorted(
        findings, key=lambda finding: (rank_severity(finding), finding.code)
    )
    for code, findings_of_code in groupby(ordered, key=lambda finding: finding.code):
        group = [finding.translate(lang) for finding in findings_of_code]
        lines += _format_work_items(code, group, lang)
    lines.append(format_summary(findings, lang))
    return "".join(f"{line}\n" for line in lines)


def _format_work_items(
    code: str, findings: Sequence[Finding], lang: str
) -> Iterator[str]:
    """Yield a heading for a finding code, and a checkbox line for each translated finding."""
    severity = translate(findings[0].severity.word, lang)
    title = translate(CODES[code].title, lang) if code in CODES else code
    yield f"{severity} {code}: {title} ({len(findings)})"
    hints = {finding.hint for finding in findings}
    has_shared_hint = len(hints) == 1
    if has_shared_hint and findings[0].hint:
        yield f"    {findings[0].hint}"
    for finding in findings:
        text = f"{format_location(finding.location, lang)}{finding.message}"
        yield f"  [ ] {escape_controls(text, keep_line_breaks=False)}"
        if finding.hint and not has_shared_hint:
            yield f"      {finding.hint}"


def format_json(findings: Sequence[Finding], lang: str) -> str:
    """Format findings as JSON. Unknown parts of a location are left out."""
    items = [_make_json_item(finding.translate(lang), lang) for finding in findings]
    counts = {severity.value: 0 for severity in Severity}
    for finding in findings:
        counts[finding.severity.value] += 1
    return dump_json({"findings": items, "counts": counts})


def _make_json_item(finding: Finding, lang: str) -> dict[str, object]:
    """Return a translated finding as JSON data.

    Without a hint of its own it has the one of its code.
    """
    general_hint = (
        translate(CODES[finding.code].remedy, lang) if finding.code in CODES else ""
    )
    location = asdict(finding.location)
    return {
        "code": finding.code,
        "severity": finding.severity.value,
        "message": finding.message,
        "hint": finding.hint or general_hint,
        "location": {
            key: value for key, value in location.items() if value is not None
        },
    }


SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def format_sarif(findings: Sequence[Finding], lang: str) -> str:
    """Format findings as SARIF 2.1.0, the JSON format of code scanners."""
    used = sorted({finding.code for finding in findings})
    driver = {
        "name": "squadpress",
        "rules": [_make_sarif_rule(code, lang) for code in used],
    }
    results = [
        _make_sarif_result(finding, used.index(finding.code), lang)
        for finding in findings
    ]
    # Columns count characters; without this, SARIF viewers count UTF-16 units.
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": results,
    }
    return dump_json({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def _make_sarif_rule(code: str, lang: str) -> dict[str, object]:
    known_code = CODES.get(code)
    if known_code is None:
        return {"id": code}
    return {
        "id": code,
        "shortDescription": {"text": translate(known_code.title, lang)},
        "fullDescription": {"text": translate(known_code.why, lang)},
        "help": {"text": translate(known_code.remedy, lang)},
    }


def _make_sarif_result(finding: Finding, index: int, lang: str) -> dict[str, object]:
    result: dict[str, object] = {
        "ruleId": finding.code,
        "ruleIndex": index,
        "level": finding.severity.value,
        "message": {"text": join_message_and_hint(finding, lang)},
    }
    place = finding.location
    if place.file:
        physical: dict[str, object] = {"artifactLocation": {"uri": quote(place.file)}}
        if place.line is not None:
            physical["region"] = {
                "startLine": place.line,
                "startColumn": place.column or 1,
            }
        location: dict[str, object] = {"physicalLocation": physical}
        if place.path:
            location["logicalLocations"] = [{"fullyQualifiedName": place.path}]
        result["locations"] = [location]
    return result


_LEVELS = {"error": "error", "warning": "warning", "note": "notice"}


def format_github(findings: Sequence[Finding], lang: str) -> str:
    """Format findings as GitHub workflow commands, one per line."""
    commands = []
    for finding in findings:
        place = finding.location
        values = {
            "file": place.file,
            "line": place.line,
            "col": place.column,
            "title": finding.code,
        }
        properties: list[str] = []
        for key, value in values.items():
            if value is not None:
                properties.append(f"{key}={_escape_github_text(str(value), ':,')}")
        message = _escape_github_text(join_message_and_hint(finding, lang))
        level = _LEVELS[finding.severity.value]
        commands.append(f"::{level} {','.join(properties)}::{message}\n")
    return "".join(commands)


def _escape_github_text(text: str, separators: str = "") -> str:
    """Escape a text for a GitHub workflow command.

    In properties the `separators` are escaped too.
    """
    # The percent sign is first, so that it does not escape the other escapes again.
    for character in f"%\r\n{separators}":
        text = text.replace(character, f"%{ord(character):02X}")
    return text


Report: TypeAlias = Callable[[Sequence[Finding], str], str]
"""All findings as one text in a language, as far as there are words for them."""

FORMATS: Mapping[str, Report] = {
    "text": format_text,
    "json": format_json,
    "sarif": format_sarif,
    "github": format_github,
}


def format_explanation(code: Code, example: Example, lang: str, requested: str) -> str:
    """Format the help page of a finding code: title, reason, fix and example.

    If `requested` is a former name of the code, the first line says so.
    """
    severity = translate(code.severity.word, lang)
    page = f"{code.code} ({severity})\n  {translate(code.title, lang)}.\n"
    for heading, text in (
        (_("Why it matters"), code.why),
        (_("How to fix it"), code.remedy),
    ):
        page += f"\n{translate(heading, lang)}\n  {translate(text, lang)}\n"
    page += f"\n{translate(_('Example'), lang)}: {example.place}\n"
    for heading, lines in ((_("Before"), example.before), (_("After"), example.after)):
        page += f"  {translate(heading, lang)}\n{indent(lines.rstrip(), ' ' * 4)}\n"
    if requested in code.code:
        return page
    former = _("{old} is now called {code}.", old=requested, code=code.code)
    return f"{translate(former, lang)}\n\n{page}"


def format_code_list(codes: Iterable[Code], lang: str) -> str:
    """Format a list of finding codes with their titles, grouped by the first part of the code."""
    ordered = sorted(codes, key=lambda code: code.code)
    width = max((len(code.code) for code in ordered), default=0)
    blocks: list[str] = []
    for _group, group in groupby(ordered, key=lambda code: code.code.partition("/")[0]):
        lines = [
            f"{code.code:<{width}}  {translate(code.title, lang)}\n" for code in group
        ]
        blocks.append("".join(lines))
    return "\n".join(blocks)
