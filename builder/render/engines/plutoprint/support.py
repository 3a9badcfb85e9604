"""What CSS the engine knows: it leaves out the rest without a word."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Any, NamedTuple

from tinycss2 import serialize
from tinycss2.color4 import parse_color

from builder.render.engines.sheets import Support


def _names(text: str) -> frozenset[str]:
    """The names in a text, each `{a,b}` standing for either of its parts."""
    found = set()
    for word in text.split():
        pieces = [piece.split(",") for piece in word.replace("}", "{").split("{")]
        found |= {"".join(parts) for parts in product(*pieces)}
    return frozenset(found)


PROPERTIES = _names("""
    align-{content,items,self} alignment-baseline aspect-ratio baseline-shift box-sizing caption-side clear
    clip{,-path,-rule}
    background{,-attachment,-clip,-color,-image,-origin,-position,-repeat,-size}
    border{,-top,-right,-bottom,-left}{,-color,-style,-width}
    border-{block,inline}{,-start,-end}{,-color,-style,-width}
    border-{collapse,radius,spacing} border-{top,bottom}-{left,right}-radius border-{start,end}-{start,end}-radius
    break-{after,before,inside} {column,page}-break-{after,before,inside} color
    column{s,-count,-fill,-gap,-span,-width} column-rule{,-color,-style,-width}
    content counter-{increment,reset,set} cx cy direction display dominant-baseline empty-cells fill{,-opacity,-rule}
    flex{,-basis,-direction,-flow,-grow,-shrink,-wrap} float
    font{,-family,-feature-settings,-kerning,-size,-stretch,-style,-variation-settings,-weight}
    font-variant{,-caps,-east-asian,-emoji,-ligatures,-numeric,-position} {,column-,row-}gap {,max-,min-}{height,width}
    {,max-,min-}{block,inline}-size hyphens inset{,-block,-inline}{,-start,-end} justify-content
    letter-spacing line-height list-style{,-image,-position,-type}
    {margin,padding}{,-top,-right,-bottom,-left} {margin,padding}-{block,inline}{,-start,-end}
    marker{,-end,-mid,-start} mask{,-type} mix-blend-mode object-{fit,position} opacity order orphans
    outline{,-color,-offset,-style,-width} overflow{,-wrap} page paint-order position quotes r rx ry size
    stop-{color,opacity} stroke{,-dasharray,-dashoffset,-linecap,-linejoin,-miterlimit,-opacity,-width} tab-size
    table-layout text-{align,anchor,indent,orientation,overflow,transform} text-decoration{,-color,-line,-style}
    top right bottom left transform{,-origin} unicode-bidi vector-effect vertical-align visibility white-space widows
    word-{break,spacing} writing-mode x y z-index
""")
"""Properties; besides these any that begin with two dashes, or with the engine's own name."""

RULES = frozenset({"charset", "font-face", "import", "media", "namespace", "page", "counter-style"})
"""Rules that begin with an @."""

_SIDES = "{top,right,bottom,left}"
_STYLES = "none hidden inset groove ridge outset dotted dashed solid double"
_WIDTHS = "thin medium thick"
_VALUES = f"""
    {{,min-}}{{width,height,block-size,inline-size}} flex-basis | lp1 | auto min-content max-content fit-content
    max-{{width,height,block-size,inline-size}} | lp1 | none min-content max-content fit-content
    margin inset | l4 | auto
    {{margin,inset}}-{{block,inline}} | l2 | auto
    margin-{_SIDES} {{margin,inset}}-{{block,inline}}-{{start,end}} top right bottom left | l1 | auto
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
    border border-{_SIDES} border-{{block,inline}}{{,-start,-end}} outline column-rule | lc3 | {_STYLES} {_WIDTHS}
    border-radius | lp9 | /
    border-{{top,bottom}}-{{left,right}}-radius | lp2 |
    background | lc9 | none left center right top bottom auto contain cover scroll fixed local repeat repeat-x \
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
    {{align,justify}}-{{content,items,self}} | 3 | auto normal stretch center start end flex-start flex-end self-start \
        self-end left right space-between space-around space-evenly baseline first last safe unsafe
    break-{{before,after,inside}} {{page,column}}-break-{{before,after,inside}} | 1 | auto always avoid avoid-column \
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
    mix-blend-mode | 1 | normal multiply screen overlay darken lighten color-dodge color-burn hard-light soft-light \
        difference exclusion hue saturation color luminosity
    clear | 1 | none left right both
    float | 1 | none left right
    overflow | 1 | visible hidden auto scroll
    position | 1 | static relative absolute fixed
    display | 1 | none block inline {{,inline-}}{{block,flex,table}} list-item \
        table-{{caption,cell,column,column-group,row,row-group,header-group,footer-group}}
""".replace("\\\n", "")
"""Properties, what they take and how much of it, and all their words besides those that any takes. Lengths are `l`,
numbers `n`, integers `i`, colours `c`; with `p` none is negative. Functions and addresses are judged by themselves.
"""


class _Grammar(NamedTuple):
    kinds: str
    most: int
    words: frozenset[str]


def _grammars() -> Iterator[tuple[str, _Grammar]]:
    for line in _VALUES.strip().splitlines():
        names, kinds, words = line.split("|")
        for name in _names(names):
            yield name, _Grammar(kinds.strip()[:-1], int(kinds.strip()[-1]), _names(words))


GRAMMARS = dict(_grammars())
UNITS = _names("px pt pc in cm mm em ex ch rem lh rlh cap ic vw vh vmin vmax deg grad rad turn")

ANYWHERE = _names("inherit initial unset")
COLOURS = _names("hsl{,a} hwb rgb{,a}")
FUNCTIONS = COLOURS | _names(
    "attr calc clamp counter{,s} format local matrix max min qrcode running rotate scale{,X,Y} skew{,X,Y} "
    "target-counter{,s} translate{,X,Y} url var rect"
)
_KNOWN = frozenset(map(str.lower, FUNCTIONS))

RECKONING = frozenset({"calc", "clamp", "max", "min"})
"""Functions that reckon, without percentages."""
ANGLES = _names("deg grad rad turn")

_TAKING = {"matrix": "n66", "rotate": "a11", "scale": "n12", "skew": "a12", "translate": "l12"}
for _name in ("scale", "skew", "translate"):
    _TAKING |= dict.fromkeys((f"{_name}x", f"{_name}y"), f"{_TAKING[_name][0]}11")
"""What functions of a transform take, how much of it at least and at most."""
NORMAL = frozenset({"normal"})
_LOOKS = (
    _names("italic oblique"),
    _names("bold bolder lighter"),
    frozenset({"small-caps"}),
    _names("{,ultra-,extra-,semi-}{condensed,expanded}"),
)
"""What may stand before the size in `font`, of each sort one."""
_FEATURE = (
    r"\((?:(?:m(?:in|ax)-)?(?:width|height):[\d.]+[a-z]*|orientation:(?:portrait|landscape))\)"
)
_QUERY = re.compile(
    rf"(?:(?:(?:not|only) )?(?:all|print|screen|speech)|{_FEATURE})(?: and {_FEATURE})*"
)
"""A question of `@media`."""

PSEUDO = _names(
    "active any-link checked disabled enabled {first,last,only}-{child,of-type} focus{,-visible,-within} hover link "
    "local-link root scope target visited empty before after first-letter first-line marker"
)
SELECTING = _names("has is not where lang nth-{,last-}{child,of-type}")
"""What may follow a colon in a selector, and of that what has arguments."""

_SIGNS = frozenset(":.>+~,*|=")


def _unselected(tokens: Iterable[Any]) -> bool:
    """True for selectors that the engine does not know: it leaves out the whole rule."""
    before = ""
    for token in tokens:
        now = token.value if token.type == "literal" else ""
        match token.type:
            case "literal":
                bad = now not in _SIGNS or (now == before and now != ":")
            case "ident":
                bad = before == ":" and token.lower_value not in PSEUDO
            case "function":
                inner = token.arguments if token.lower_name in ("has", "is", "not", "where") else ()
                bad = before != ":" or token.lower_name not in SELECTING or _unselected(inner)
            case sort:
                bad = sort not in ("whitespace", "comment", "hash", "[] block")
        if bad:
            return True
        before = now
    return False


def refusal(name: str, value: Any) -> str:
    """Why the engine does not take a declaration, whose value is parsed, or the selectors of a rule, which have no
    name, or the questions of `@media`; nothing where it does.
    """
    if not name:
        return "unsupported selector" if _unselected(value) else ""
    if name == "@media":
        asked = re.sub(
            r"\s*([(:),])\s*|\s+", lambda found: found[1] or " ", serialize(value).strip().lower()
        )
        asked = re.sub(r"\band\(", "and (", asked.replace(")and", ") and"))
        return (
            ""
            if not asked or all(map(_QUERY.fullmatch, asked.split(",")))
            else "unsupported media query"
        )
    if name.startswith(("--", "-pluto-")):
        return ""
    if name not in PROPERTIES:
        return "unknown property"
    tokens = _parts(value)
    if not tokens or any(map(_refused, tokens)):
        return "invalid value"
    whole = len(tokens) == 1 and tokens[0].type == "ident" and tokens[0].lower_value in ANYWHERE
    if whole or any(token.type == "function" and token.lower_name == "var" for token in tokens):
        return ""
    if name in ("font", "font-family"):
        return "" if (_named if name == "font-family" else _font)(tokens) else "invalid value"
    grammar = GRAMMARS.get(name)
    fits = grammar is None or (
        len(tokens) <= grammar.most and all(_fits(one, grammar) for one in tokens)
    )
    return "" if fits else "invalid value"


SUPPORT = Support(RULES, PROPERTIES, _KNOWN, refusal)


def _parts(tokens: Iterable[Any]) -> list[Any]:
    return [token for token in tokens if token.type not in ("whitespace", "comment")]


def _listed(tokens: Iterable[Any]) -> list[list[Any]]:
    """What stands between commas."""
    found: list[list[Any]] = [[]]
    for token in _parts(tokens):
        if token == ",":
            found.append([])
        else:
            found[-1].append(token)
    return found


def _named(tokens: Iterable[Any]) -> bool:
    """True for names of families: a string, or words."""
    for family in _listed(tokens):
        types = [token.type for token in family]
        if types != ["string"] and set(types) != {"ident"}:
            return False
    return True


def _find_look(token: Any) -> int:
    """Return the index in _LOOKS of the words that a token is one of; -1 if there are none."""
    for index, words in enumerate(_LOOKS):
        if _is_word(token, words):
            return index
    return -1


def _font(tokens: list[Any]) -> bool:
    """True for looks, a size, perhaps a line's height, and families."""
    size = GRAMMARS["font-size"]
    sized = next(
        (
            at
            for at, one in enumerate(tokens)
            if _operand(one) not in ("a", "n") and _fits(one, size)
        ),
        None,
    )
    if sized is None:
        return False
    looks = [one for one in tokens[:sized] if _operand(one) != "a" and not _is_word(one, NORMAL)]
    sorts = [_find_look(one) for one in looks]
    rest = tokens[sized + 1 :]
    if rest[:1] == ["/"]:
        if not rest[1:] or not _fits(rest[1], GRAMMARS["line-height"]):
            return False
        rest = rest[2:]
    return -1 not in sorts and len(set(sorts)) == len(sorts) and bool(rest) and _named(rest)


def _is_word(token: Any, words: frozenset[str]) -> bool:
    """True for one of these words, a number for one that words stand for."""
    return (
        token.lower_value in words
        if token.type == "ident"
        else token.type == "number" and "bold" in words
    )


def _fits(token: Any, grammar: _Grammar) -> bool:
    """True for a part of a value that a property takes."""
    kinds = grammar.kinds
    match token.type:
        case "ident":
            return token.lower_value in grammar.words or (
                "c" in kinds and parse_color(token) is not None
            )
        case "literal":
            return token.value in grammar.words
        case "hash":
            return "c" in kinds and parse_color(token) is not None
        case "number" | "dimension" | "percentage" if "p" in kinds and token.value < 0:
            return False
        case "number":
            whole = "i" in kinds and token.int_value is not None
            return whole or "n" in kinds or ("l" in kinds and token.value == 0)
        case "dimension" | "percentage":
            return "l" in kinds
        case "function":
            return token.lower_name not in COLOURS or (
                "c" in kinds and parse_color(token) is not None
            )
    return bool(token.type == "url")


def _refused(token: Any) -> bool:
    """True for a function or a unit that the engine does not know, or what it would not take as arguments."""
    if token.type == "dimension":
        return token.lower_unit not in UNITS
    if token.type != "function":
        return bool(token.type == "error")
    name = token.lower_name
    if name not in _KNOWN or any(map(_refused, token.arguments)):
        return True
    if name in RECKONING:
        return not _operand(token)
    wanted, least, most = tuple(_TAKING.get(name, "?09"))
    given = _listed(token.arguments)
    return wanted != "?" and not (
        int(least) <= len(given) <= int(most) and all(_is(wanted, one) for one in given)
    )


def _is(wanted: str, tokens: Sequence[Any]) -> bool:
    """True for an argument of this sort; a length may be a part, and nothing of all is 0."""
    if len(tokens) == 1 and tokens[0].type == "number" and not tokens[0].value:
        return True
    kind = _result(tokens)
    return kind in (wanted, "?") or (wanted == "l" and kind == "%")


def _result(tokens: Iterable[Any]) -> str:
    """What comes out of a calculation: a length `l`, an angle `a`, a number `n`, a part `%`; `?` where a variable
    decides, nothing where it is wrong.
    """
    parts = _parts(tokens)
    kinds = [_operand(part) for part in parts[::2]]
    if len(parts) % 2 == 0 or "" in kinds or "?" in kinds:
        return "?" if "?" in kinds else ""
    terms = kinds[:1]
    for sign, kind in zip(parts[1::2], kinds[1:], strict=True):
        if sign in ("+", "-"):
            terms.append(kind)
        elif sign == "*" and "n" in (kind, terms[-1]):
            terms[-1] = kind if terms[-1] == "n" else terms[-1]
        elif sign != "/" or kind != "n":
            return ""
    return terms[0] if len(set(terms)) == 1 else ""


def _operand(token: Any) -> str:
    """What a part of a calculation is, in the same letters. The engine reckons with no percentages."""
    match token.type:
        case "number":
            return "n"
        case "percentage":
            return "%"
        case "dimension":
            return "a" if token.lower_unit in ANGLES else "l"
        case "() block":
            return _result(token.content)
        case "function" if token.lower_name in RECKONING:
            kinds = [_result(one) for one in _listed(token.arguments)]
            many = {"calc": 1, "clamp": 3}.get(token.lower_name, len(kinds))
            return kinds[0] if len({*kinds}) == 1 and len(kinds) == many and kinds[0] != "%" else ""
        case "function":
            return "?"
    return ""
