"""The CSS that the engine supports: it drops everything else without a message."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Any, NamedTuple

from tinycss2 import serialize
from tinycss2.color4 import parse_color

from builder.render.engines.sheets import Support


def _expand_names(text: str) -> frozenset[str]:
    """Return the names in a text. `a-{b,c}` stands for the names `a-b` and `a-c`."""
    names: set[str] = set()
    for word in text.split():
        alternatives = [piece.split(",") for piece in word.replace("}", "{").split("{")]
        names.update(map("".join, product(*alternatives)))
    return frozenset(names)


PROPERTIES = _expand_names("""
    align-{content,items,self} alignment-baseline aspect-ratio baseline-shift box-sizing
    caption-side clear
    clip{,-path,-rule}
    background{,-attachment,-clip,-color,-image,-origin,-position,-repeat,-size}
    border{,-top,-right,-bottom,-left}{,-color,-style,-width}
    border-{block,inline}{,-start,-end}{,-color,-style,-width}
    border-{collapse,radius,spacing} border-{top,bottom}-{left,right}-radius
    border-{start,end}-{start,end}-radius
    break-{after,before,inside} {column,page}-break-{after,before,inside} color
    column{s,-count,-fill,-gap,-span,-width} column-rule{,-color,-style,-width}
    content counter-{increment,reset,set} cx cy direction display dominant-baseline empty-cells
    fill{,-opacity,-rule}
    flex{,-basis,-direction,-flow,-grow,-shrink,-wrap} float
    font{,-family,-feature-settings,-kerning,-size,-stretch,-style,-variation-settings,-weight}
    font-variant{,-caps,-east-asian,-emoji,-ligatures,-numeric,-position} {,column-,row-}gap
    {,max-,min-}{height,width}
    {,max-,min-}{block,inline}-size hyphens inset{,-block,-inline}{,-start,-end} justify-content
    letter-spacing line-height list-style{,-image,-position,-type}
    {margin,padding}{,-top,-right,-bottom,-left} {margin,padding}-{block,inline}{,-start,-end}
    marker{,-end,-mid,-start} mask{,-type} mix-blend-mode object-{fit,position} opacity order
    orphans
    outline{,-color,-offset,-style,-width} overflow{,-wrap} page paint-order position quotes r rx
    ry size
    stop-{color,opacity}
    stroke{,-dasharray,-dashoffset,-linecap,-linejoin,-miterlimit,-opacity,-width} tab-size
    table-layout text-{align,anchor,indent,orientation,overflow,transform}
    text-decoration{,-color,-line,-style}
    top right bottom left transform{,-origin} unicode-bidi vector-effect vertical-align visibility
    white-space widows
    word-{break,spacing} writing-mode x y z-index
""")
"""Properties. Names that begin with two dashes or the engine's name are also allowed."""

RULES = frozenset(
    {"charset", "font-face", "import", "media", "namespace", "page", "counter-style"}
)
"""Rules that begin with an @."""

_SIDES = "{top,right,bottom,left}"
_STYLES = "none hidden inset groove ridge outset dotted dashed solid double"
_WIDTHS = "thin medium thick"
_VALUES = f"""
    {{,min-}}{{width,height,block-size,inline-size}} flex-basis | lp1 | auto min-content \
        max-content fit-content
    max-{{width,height,block-size,inline-size}} | lp1 | none min-content max-content fit-content
    margin inset | l4 | auto
    {{margin,inset}}-{{block,inline}} | l2 | auto
    margin-{_SIDES} {{margin,inset}}-{{block,inline}}-{{start,end}} top right bottom left | l1 | \
        auto
    padding | lp4 |
    padding-{{block,inline}} border-spacing | lp2 |
    padding-{_SIDES} padding-{{block,inline}}-{{start,end}} | lp1 |
    text-indent outline-offset | l1 |
    border-width | lp4 | {_WIDTHS}
    border-{_SIDES}-width column-rule-width outline-width | lp1 | {_WIDTHS}
    border-style | 4 | {_STYLES}
    border-{_SIDES}-style column-rule-style outline-style | 1 | {_STYLES}
    border-color | c4 |
    color border-{_SIDES}-color {{background,text-decoration,stop,outline,column-rule}}-color | c1 |
    border border-{_SIDES} border-{{block,inline}}{{,-start,-end}} outline column-rule | lc3 | \
        {_STYLES} {_WIDTHS}
    border-radius | lp9 | /
    border-{{top,bottom}}-{{left,right}}-radius | lp2 |
    background | lc9 | none left center right top bottom auto contain cover scroll fixed local \
        repeat repeat-x \
        repeat-y no-repeat border-box padding-box content-box /
    background-repeat | 1 | repeat repeat-x repeat-y no-repeat
    background-attachment | 1 | scroll fixed local
    background-{{clip,origin}} | 1 | border-box padding-box content-box
    background-size | lp2 | auto contain cover
    {{background,object}}-position transform-origin | l2 | left center right top bottom
    gap | lp2 | normal
    {{row,column}}-gap {{letter,word}}-spacing | l1 | normal
    column-width | lp1 | auto
    column-count | ip1 | auto
    columns | lip2 | auto
    text-align | 1 | left right center justify start end
    vertical-align | l1 | baseline sub super text-top text-bottom middle top bottom
    white-space | 1 | normal nowrap pre pre-line pre-wrap
    text-transform | 1 | none uppercase lowercase capitalize
    text-overflow | 1 | clip ellipsis
    text-decoration | c9 | none underline overline line-through solid double dotted dashed wavy
    text-decoration-line | 3 | none underline overline line-through
    text-decoration-style | 1 | solid double dotted dashed wavy
    font-style | l2 | normal italic oblique
    font-weight | np1 | normal bold bolder lighter
    font-size | lp1 | xx-small x-small small medium large x-large xx-large xxx-large smaller larger
    line-height tab-size | lnp1 | normal
    {{,fill-,stroke-,stop-}}opacity | ln1 |
    z-index | i1 | auto
    order orphans widows | i1 |
    flex-grow flex-shrink | np1 |
    flex | ln3 | none auto
    flex-direction | 1 | row row-reverse column column-reverse
    flex-wrap | 1 | nowrap wrap wrap-reverse
    flex-flow | 2 | row row-reverse column column-reverse nowrap wrap wrap-reverse
    {{align,justify}}-{{content,items,self}} | 3 | auto normal stretch center start end \
        flex-start flex-end self-start \
        self-end left right space-between space-around space-evenly baseline first last safe unsafe
    break-{{before,after,inside}} {{page,column}}-break-{{before,after,inside}} | 1 | auto \
        always avoid avoid-column \
        avoid-page column page left right recto verso
    aspect-ratio | np4 | auto /
    box-sizing | 1 | content-box border-box
    visibility | 1 | visible hidden collapse
    direction | 1 | ltr rtl
    table-layout | 1 | auto fixed
    border-collapse | 1 | separate collapse
    caption-side | 1 | top bottom
    empty-cells | 1 | show hide
    list-style-position | 1 | inside outside
    overflow-wrap | 1 | normal anywhere break-word
    word-break | 1 | normal keep-all break-all break-word
    hyphens | 1 | none auto manual
    object-fit | 1 | fill contain cover none scale-down
    mix-blend-mode | 1 | normal multiply screen overlay darken lighten color-dodge color-burn \
        hard-light soft-light \
        difference exclusion hue saturation color luminosity
    clear | 1 | none left right both
    float | 1 | none left right
    overflow | 1 | visible hidden auto scroll
    position | 1 | static relative absolute fixed
    display | 1 | none block inline {{,inline-}}{{block,flex,table}} list-item \
        table-{{caption,cell,column,column-group,row,row-group,header-group,footer-group}}
""".replace("\\\n", "")
"""Properties | the kinds and the maximum number of their values | the words that they accept.

Kinds are lengths `l`, numbers `n`, integers `i` and colours `c`; with `p` none may be negative.
Any property accepts the words in ANYWHERE, functions and addresses.
"""


class _Grammar(NamedTuple):
    kinds: str
    max_count: int
    words: frozenset[str]


def _parse_grammars() -> Iterator[tuple[str, _Grammar]]:
    for line in _VALUES.strip().splitlines():
        names, kinds, words = line.split("|")
        # Letters of kinds, then the maximum number of values.
        kinds = kinds.strip()
        grammar = _Grammar(kinds[:-1], int(kinds[-1]), _expand_names(words))
        for name in _expand_names(names):
            yield name, grammar


GRAMMARS = dict(_parse_grammars())
UNITS = _expand_names(
    "px pt pc in cm mm em ex ch rem lh rlh cap ic vw vh vmin vmax deg grad rad turn"
)

ANYWHERE = _expand_names("inherit initial unset")
COLOURS = _expand_names("hsl{,a} hwb rgb{,a}")
FUNCTIONS = COLOURS | _expand_names(
    "attr calc clamp counter{,s} format local matrix max min qrcode "
    "running rotate scale{,X,Y} skew{,X,Y} "
    "target-counter{,s} translate{,X,Y} url var rect"
)
_KNOWN_FUNCTIONS = frozenset(map(str.lower, FUNCTIONS))

CALCULATING_FUNCTIONS = frozenset({"calc", "clamp", "max", "min"})
"""Functions that calculate. The engine calculates without percentages."""
ANGLES = _expand_names("deg grad rad turn")

_ARGUMENTS_BY_FUNCTION = {
    "matrix": "n66",
    "rotate": "a11",
    "scale": "n12",
    "skew": "a12",
    "translate": "l12",
}
for _name in ("scale", "skew", "translate"):
    _kind = _ARGUMENTS_BY_FUNCTION[_name][0]
    _ARGUMENTS_BY_FUNCTION[f"{_name}x"] = f"{_kind}11"
    _ARGUMENTS_BY_FUNCTION[f"{_name}y"] = f"{_kind}11"
"""The kind and the minimum and maximum number of arguments of a transform's functions."""
NORMAL_WORD = frozenset({"normal"})
_FONT_STYLE_WORDS = (
    _expand_names("italic oblique"),
    _expand_names("bold bolder lighter"),
    frozenset({"small-caps"}),
    _expand_names("{,ultra-,extra-,semi-}{condensed,expanded}"),
)
"""Groups of words that `font` accepts before the size, one of each group."""
_LENGTH = r"(?:m(?:in|ax)-)?(?:width|height):[\d.]+[a-z]*"
_FEATURE = rf"\((?:{_LENGTH}|orientation:(?:portrait|landscape))\)"
_QUERY = re.compile(
    rf"(?:(?:(?:not|only) )?(?:all|print|screen|speech)|{_FEATURE})(?: and {_FEATURE})*"
)
"""A query of `@media`."""

PSEUDO = _expand_names(
    "active any-link checked disabled enabled "
    "{first,last,only}-{child,of-type} "
    "focus{,-visible,-within} hover link "
    "local-link root scope target visited empty before after first-letter first-line marker"
)
PSEUDO_WITH_ARGUMENTS = _expand_names(
    "has is not where lang nth-{,last-}{child,of-type}"
)
"""Names after a colon in a selector that have arguments."""

_SELECTOR_CHARACTERS = frozenset(":.>+~,*|=")


def _is_unknown_selector(tokens: Iterable[Any]) -> bool:
    """Return True if the engine does not support a CSS selector, and so drops the whole rule."""
    previous_character = ""
    for token in tokens:
        character = token.value if token.type == "literal" else ""
        match token.type:
            case "literal":
                # Two colons begin a pseudo-element.
                is_repeated = character == previous_character and character != ":"
                is_unknown = is_repeated or character not in _SELECTOR_CHARACTERS
            case "ident":
                is_unknown = (
                    previous_character == ":" and token.lower_value not in PSEUDO
                )
            case "function":
                inner = (
                    token.arguments
                    if token.lower_name in ("has", "is", "not", "where")
                    else ()
                )
                is_unknown = (
                    previous_character != ":"
                    or token.lower_name not in PSEUDO_WITH_ARGUMENTS
                    or _is_unknown_selector(inner)
                )
            case sort:
                is_unknown = sort not in ("whitespace", "comment", "hash", "[] block")
        if is_unknown:
            return True
        previous_character = character
    return False


def explain_refusal(name: str, value: Any) -> str:
    """Return why the engine drops a CSS declaration, or "" if it does not.

    Selectors have no name, and queries of `@media` have the name `@media`.
    """
    if not name:
        return "unsupported selector" if _is_unknown_selector(value) else ""
    if name == "@media":
        return "" if _is_known_query(serialize(value)) else "unsupported media query"
    if name.startswith(("--", "-pluto-")):
        return ""
    if name not in PROPERTIES:
        return "unknown property"
    return "" if _is_valid_value(name, _drop_spaces(value)) else "invalid value"


def _is_known_query(text: str) -> bool:
    """Return True if the engine supports the media queries of an `@media` rule."""
    # Without optional spaces, one pattern fits all spellings.
    query = text.strip().lower()
    query = re.sub(r"\s*([(:),])\s*|\s+", lambda match: match[1] or " ", query)
    query = re.sub(r"\band\(", "and (", query.replace(")and", ") and"))
    return not query or all(map(_QUERY.fullmatch, query.split(",")))


def _is_valid_value(name: str, tokens: list[Any]) -> bool:
    """Return True if the engine accepts the value of a CSS property."""
    if not tokens or any(map(_is_refused, tokens)):
        return False
    first = tokens[0]
    if len(tokens) == 1 and first.type == "ident" and first.lower_value in ANYWHERE:
        return True
    # The value of a variable is not known.
    if any(token.type == "function" and token.lower_name == "var" for token in tokens):
        return True
    if name == "font-family":
        return _is_family_list(tokens)
    if name == "font":
        return _is_font_value(tokens)
    grammar = GRAMMARS.get(name)
    if grammar is None:
        return True
    if len(tokens) > grammar.max_count:
        return False
    return all(_is_accepted(token, grammar) for token in tokens)


SUPPORT = Support(RULES, PROPERTIES, _KNOWN_FUNCTIONS, explain_refusal)


def _drop_spaces(tokens: Iterable[Any]) -> list[Any]:
    return [token for token in tokens if token.type not in ("whitespace", "comment")]


def _split_at_commas(tokens: Iterable[Any]) -> list[list[Any]]:
    """Split CSS tokens at commas, without spaces."""
    groups: list[list[Any]] = [[]]
    for token in _drop_spaces(tokens):
        if token == ",":
            groups.append([])
        else:
            groups[-1].append(token)
    return groups


def _is_family_list(tokens: Iterable[Any]) -> bool:
    """Return True if the tokens are names of font families."""
    for family in _split_at_commas(tokens):
        types = [token.type for token in family]
        if types != ["string"] and set(types) != {"ident"}:
            return False
    return True


def _find_style_group(token: Any) -> int:
    """Return the index of the word group in _FONT_STYLE_WORDS that a token belongs to, or -1."""
    for index, words in enumerate(_FONT_STYLE_WORDS):
        if _is_word(token, words):
            return index
    return -1


def _is_font_value(tokens: list[Any]) -> bool:
    """Return True if the tokens are a valid value of the CSS property `font`."""
    size_index = _find_size(tokens)
    if size_index is None:
        return False
    groups: list[int] = []
    for token in tokens[:size_index]:
        is_angle = _find_operand_kind(token) == "a"
        if not is_angle and not _is_word(token, NORMAL_WORD):
            groups.append(_find_style_group(token))
    if -1 in groups or len(set(groups)) != len(groups):
        return False
    rest = tokens[size_index + 1 :]
    if rest[:1] == ["/"]:
        if not rest[1:] or not _is_accepted(rest[1], GRAMMARS["line-height"]):
            return False
        rest = rest[2:]
    return bool(rest) and _is_family_list(rest)


def _find_size(tokens: list[Any]) -> int | None:
    """Return the index of the font size in a value of `font`."""
    for index, token in enumerate(tokens):
        # A number is a weight, and an angle belongs to `oblique`.
        is_size = _find_operand_kind(token) not in ("a", "n")
        if is_size and _is_accepted(token, GRAMMARS["font-size"]):
            return index
    return None


def _is_word(token: Any, words: frozenset[str]) -> bool:
    """Return True if a token is one of these words. Numbers count as font weights."""
    if token.type == "ident":
        return token.lower_value in words
    return token.type == "number" and "bold" in words


def _is_accepted(token: Any, grammar: _Grammar) -> bool:
    """Return True if a CSS property accepts this part of a value."""
    kinds = grammar.kinds
    match token.type:
        case "ident":
            return token.lower_value in grammar.words or _is_accepted_colour(
                token, kinds
            )
        case "literal":
            return token.value in grammar.words
        case "hash":
            return _is_accepted_colour(token, kinds)
        # Before the other cases of numbers, which do not look at the sign.
        case "number" | "dimension" | "percentage" if "p" in kinds and token.value < 0:
            return False
        case "number":
            is_accepted_integer = "i" in kinds and token.int_value is not None
            return (
                is_accepted_integer
                or "n" in kinds
                or ("l" in kinds and token.value == 0)
            )
        case "dimension" | "percentage":
            return "l" in kinds
        case "function":
            return token.lower_name not in COLOURS or _is_accepted_colour(token, kinds)
    return bool(token.type == "url")


def _is_accepted_colour(token: Any, kinds: str) -> bool:
    """Return True if the token is a color and the property accepts colors."""
    return "c" in kinds and parse_color(token) is not None


def _is_refused(token: Any) -> bool:
    """Return True if a token has a unit, function or argument that the engine does not support."""
    if token.type == "dimension":
        return token.lower_unit not in UNITS
    if token.type != "function":
        return bool(token.type == "error")
    name = token.lower_name
    if name not in _KNOWN_FUNCTIONS or any(map(_is_refused, token.arguments)):
        return True
    if name in CALCULATING_FUNCTIONS:
        return not _find_operand_kind(token)
    if name not in _ARGUMENTS_BY_FUNCTION:
        return False
    kind, min_count, max_count = tuple(_ARGUMENTS_BY_FUNCTION[name])
    arguments = _split_at_commas(token.arguments)
    if not int(min_count) <= len(arguments) <= int(max_count):
        return True
    return not all(_has_kind(kind, argument) for argument in arguments)


def _has_kind(expected_kind: str, tokens: Sequence[Any]) -> bool:
    """Return True if an argument in a CSS calculation has this kind, such as a length.

    A length may be a percentage, and 0 is of any kind.
    """
    if len(tokens) == 1 and tokens[0].type == "number" and not tokens[0].value:
        return True
    kind = _find_result_kind(tokens)
    return kind in (expected_kind, "?") or (expected_kind == "l" and kind == "%")


def _find_result_kind(tokens: Iterable[Any]) -> str:
    """Return the kind of a CSS calculation's result, such as "l" for a length.

    Length `l`, angle `a`, number `n` or percentage `%`.

    It is `?` if it depends on a variable, and empty if the calculation is wrong.
    """
    # Operands and signs alternate.
    parts = _drop_spaces(tokens)
    kinds = [_find_operand_kind(part) for part in parts[::2]]
    if "?" in kinds:
        return "?"
    if len(parts) % 2 == 0 or "" in kinds:
        return ""
    # All terms of a sum must be of one kind; a factor or divisor is a number.
    terms = kinds[:1]
    for sign, kind in zip(parts[1::2], kinds[1:], strict=True):
        if sign in ("+", "-"):
            terms.append(kind)
        elif sign == "*" and "n" in (kind, terms[-1]):
            terms[-1] = kind if terms[-1] == "n" else terms[-1]
        elif sign != "/" or kind != "n":
            return ""
    return terms[0] if len(set(terms)) == 1 else ""


def _find_operand_kind(token: Any) -> str:
    """Return the kind of one operand in a CSS calculation."""
    match token.type:
        case "number":
            return "n"
        case "percentage":
            return "%"
        case "dimension":
            return "a" if token.lower_unit in ANGLES else "l"
        case "() block":
            return _find_result_kind(token.content)
        case "function" if token.lower_name in CALCULATING_FUNCTIONS:
            return _find_function_kind(token)
        case "function":
            return "?"
    return ""


def _find_function_kind(token: Any) -> str:
    """Return the kind of the result of a CSS function that calculates.

    Empty if its arguments are wrong.
    """
    kinds = [
        _find_result_kind(argument) for argument in _split_at_commas(token.arguments)
    ]
    expected_count = {"calc": 1, "clamp": 3}.get(token.lower_name, len(kinds))
    if len(kinds) != expected_count or len(set(kinds)) != 1:
        return ""
    return "" if kinds[0] == "%" else kinds[0]
