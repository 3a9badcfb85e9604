"""The style sheet of a kind that is added to a pack with a style of its own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

BLOCKS_IMPORT = '@import url("base/blocks/blocks.css");\n'
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
# Imports have no braces and would become part of the next selector.
IMPORT = re.compile(r"@import[^;]*;")
# A selector and its declarations: blocks inside other blocks are not read.
RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
CLASS = re.compile(r"\.([A-Za-z][\w-]*)")
# The boundary accepts `margin-top`, the start excludes `max-width`.
LENGTHS = re.compile(
    r"(?:^|;)\s*(?:width|height|left|right|top|bottom|margin|padding)\b"
)
RESET = (
    "width: auto; height: auto; left: auto; right: auto; top: auto; bottom: auto; "
    "margin: 0; padding: 0"
)
"""Declarations that remove what the pack says about the place of a part with the same class."""
FACTION_CLASS = ".faction-"
FACE_CLASSES = (".face", ".front", ".back", FACTION_CLASS)
"""Classes of a face itself, not of its parts."""


class StyleRule(NamedTuple):
    """A CSS rule with one selector, and its declarations."""

    selector: str
    declarations: str


def adapt_kind_style(kind: str, card_css: str, design_css: str, pack_css: str) -> str:
    """Return the style sheet of a kind that was designed with other common styles than the pack's.

    `design_css` has the design's common styles. Those that the pack lacks are added for this kind
    only. The pack's lengths for parts with the same class are reset.
    """
    pack_rules = list_rules(pack_css)
    has_blocks = "blocks.css" in pack_css
    missing_rules = design_rules = list_rules(design_css)
    foreign_rules = pack_rules
    # A pack with the same blocks may have changed a rule. In any other pack it means another part.
    if has_blocks:
        missing_rules = drop_rules(design_rules, pack_rules)
        foreign_rules = drop_rules(pack_rules, design_rules)
    own_classes = find_classes([*list_rules(card_css), *missing_rules])
    clashing_classes = find_placed_classes(foreign_rules, own_classes)
    parts: list[str] = []
    if not has_blocks:
        parts.append(BLOCKS_IMPORT)
    if clashing_classes:
        selectors = ", ".join(f".kind-{kind} .{name}" for name in clashing_classes)
        parts.append(f"{selectors} {{ {RESET} }}\n")
    parts += [format_rule(kind, rule) for rule in missing_rules]
    if clashing_classes:
        # The reset above has two classes, so the rules of the card need two as well.
        parts += [format_rule(kind, rule) for rule in list_rules(card_css)]
    else:
        parts.append(card_css)
    return "".join(parts)


def replace_faction_rules(css: str, own_css: str) -> str:
    """Replace the rules for factions in a style sheet by those of another one."""
    rules = [
        rule for rule in list_rules(css) if not rule.selector.startswith(FACTION_CLASS)
    ]
    rules += [
        rule for rule in list_rules(own_css) if rule.selector.startswith(FACTION_CLASS)
    ]
    return "".join(f"{rule.selector} {{ {rule.declarations} }}\n" for rule in rules)


def list_rules(css: str) -> list[StyleRule]:
    """Parse the rules of a style sheet, one for each selector. At-rules are left out."""
    # Comments go first, because they may contain braces and imports.
    text = IMPORT.sub("", COMMENT.sub("", css))
    rules: list[StyleRule] = []
    for selectors, declarations in RULE.findall(text):
        for selector in selectors.split(","):
            name = " ".join(selector.split())
            if name and not name.startswith("@"):
                rules.append(StyleRule(name, " ".join(declarations.split())))
    return rules


def drop_rules(
    rules: Iterable[StyleRule], dropped_rules: Iterable[StyleRule]
) -> list[StyleRule]:
    """Return the rules whose selectors do not occur in `dropped_rules`."""
    selectors = {rule.selector for rule in dropped_rules}
    return [rule for rule in rules if rule.selector not in selectors]


def find_classes(rules: Iterable[StyleRule]) -> set[str]:
    """Return all classes that occur in selectors."""
    classes: set[str] = set()
    for rule in rules:
        classes.update(CLASS.findall(rule.selector))
    return classes


def find_placed_classes(
    rules: Iterable[StyleRule], own_classes: set[str]
) -> Sequence[str]:
    """Return those of `own_classes` whose position or size the rules set."""
    placed_classes: set[str] = set()
    for rule in rules:
        # The last part of a selector is the element itself, the others are around it.
        element_classes = CLASS.findall(rule.selector.rpartition(" ")[2])
        if LENGTHS.search(rule.declarations):
            placed_classes |= own_classes.intersection(element_classes)
    return sorted(placed_classes)


def format_rule(kind: str, rule: StyleRule) -> str:
    """Format a rule so that it applies only to faces of one kind."""
    # The class of the kind is on the face itself, so it joins the face's own classes.
    is_of_face = rule.selector.startswith(FACE_CLASSES)
    selector = rule.selector if is_of_face else f" {rule.selector}"
    return f".kind-{kind}{selector} {{ {rule.declarations} }}\n"
