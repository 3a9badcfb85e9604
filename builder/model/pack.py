"""A pack: the manifest, the vocabulary, and the whole game as one value. No file access."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from math import inf
from typing import Annotated, Literal, Self, TypeAlias

from pydantic import Field, model_validator

from builder.messages import gettext as _
from builder.model.base import (
    FieldName,
    Id,
    InnerPath,
    Lang,
    Localized,
    Mm,
    Model,
    NameOf,
    WordForms,
    require_exactly_one,
)
from builder.model.card import Card, hash_source
from builder.model.engines import EngineRequest
from builder.model.formats import FormatCard, FormatDay, PlayFormat
from builder.model.rules import RuleSet, Scalar, Where

SymbolIcon = Annotated[Id, NameOf("icon", in_values=True)]
Symbol: TypeAlias = Annotated[str, Field(min_length=1, max_length=16)]
Shape: TypeAlias = Literal["rectangle", "round", "hexagon"]
Direction: TypeAlias = Literal["higher", "lower"]
TypeSize: TypeAlias = Annotated[float, Field(ge=4, le=72)]
"""A type size in pt."""


class Role(StrEnum):
    """What the cards of a kind can be in a roster: an entry, an attachment, or a deck card."""

    ENTRY = "entry"
    ATTACHMENT = "attachment"
    DECK = "deck"
    NONE = "none"


class Size(Model):
    """The size of a cut card in mm."""

    width: Mm = Field(gt=0, description="Width in mm.")
    height: Mm = Field(gt=0, description="Height in mm.")
    corner: Mm = Field(default=3.0, ge=0, description="Corner radius in mm.")
    bleed: Mm = Field(
        default=3.0,
        ge=0,
        description="Bleed: how far art extends outside the trim, in mm.",
    )
    safe: Mm = Field(
        default=3.0, ge=0, description="Safe distance between text and trim, in mm."
    )
    shape: Shape = Field(
        default="rectangle",
        description=(
            "The shape. A round card has equal width and height. A hexagon fills the size."
        ),
    )

    @model_validator(mode="after")
    def _check_circle(self) -> Self:
        if self.shape == "round" and self.width != self.height:
            raise ValueError(_("width and height of a round card must be equal"))
        return self

    @property
    def radius(self) -> float:
        """The radius of the card's corners in mm."""
        return self.width / 2 if self.shape == "round" else self.corner


class FitBlock(Model):
    """The type sizes of a text block of a template, which may shrink to fit."""

    sizes: tuple[float, ...] = Field(
        min_length=1,
        description="Type sizes in pt, largest first; the last is the smallest legible.",
    )
    heading: bool = Field(
        default=False, description="True: a heading or a label, not running text."
    )


class CostSteps(Model):
    """A higher or lower price for further models of a line, or for further copies of a card."""

    by: Literal["size", "copy", "line"] = Field(
        description=(
            "What is counted: the models of one line, all copies of a card, or the "
            "lines with this card."
        )
    )
    steps: Mapping[Annotated[int, Field(ge=1)], int | float] = Field(
        default_factory=dict,
        description=(
            "From this number on, each costs this much more (or less): `{3: 5}`. The "
            "cost is never below 0."
        ),
    )
    field: FieldName | None = Field(
        default=None, description="Instead of `steps`: the card field with such a map."
    )

    _check_one = require_exactly_one("steps", "field")

    def list_steps(self, card: Card) -> tuple[tuple[int, int | float], ...]:
        """Return from which copy on each copy of a card costs how much more, ascending."""
        values = self.steps if self.field is None else card.get_field(self.field)
        if not isinstance(values, Mapping):
            return ()
        steps: list[tuple[int, int | float]] = []
        for first, difference in values.items():
            # A field of a card is not validated like `steps`. Its keys are texts.
            if str(first).isdecimal() and isinstance(difference, int | float):
                steps.append((int(first), max(difference, -(card.cost or 0))))
        return tuple(sorted(steps))


class Kind(Model):
    """A kind of card, such as character or equipment."""

    name: Localized = Field(description="The name of the kind, per language.")
    plural: Localized = Field(
        default_factory=dict, description="The plural of the name."
    )
    role: Role = Field(
        default=Role.NONE, description="The role of these cards in a roster."
    )
    size: Size = Field(description="The trimmed size.")
    faces: tuple[Literal["front", "back"], ...] = Field(
        default=("front", "back"), description="Faces to render."
    )
    back: Literal["own", "common", "optional"] = Field(
        default="own",
        description=(
            "`common`: all cards of the kind have the same back. `optional`: only cards with the "
            "field `back` have one."
        ),
    )
    frame_by: tuple[FieldName, ...] = Field(
        default=("faction",),
        description=(
            "Card fields that the frame depends on. The frame is rendered once per value."
        ),
    )
    order_by: tuple[FieldName, ...] = Field(
        default=("faction", "name"),
        description="Card fields that sort the cards in print.",
    )
    fit: Mapping[str, FitBlock] = Field(
        default_factory=dict, description="Blocks of the template that may shrink."
    )
    body_size: TypeSize | Mapping[Lang, TypeSize] | None = Field(
        default=None,
        description=(
            "The size of running text in pt, for all cards of the kind, or per language. Only a "
            "text that does not fit is smaller. `fit --sizes` says how much to shorten it."
        ),
    )
    gap: Mm = Field(
        default=1.5, ge=0, description="Minimum distance between blocks, in mm."
    )
    table: bool = Field(
        default=False, description="True: printed as a sheet, not as a card."
    )
    costs: tuple[CostSteps, ...] = Field(
        default=(), description="Steps of the cost of further models or copies."
    )
    shared: bool = Field(
        default=False,
        description=(
            "True: one printed card is used for all copies of a roster line (a unit "
            "of several models)."
        ),
    )

    def get_body_size(self, lang: str) -> float | None:
        """Return the type size of running text in a language, in pt."""
        if isinstance(self.body_size, Mapping):
            return self.body_size.get(lang)
        return self.body_size

    def list_fit_sizes(self, lang: str) -> dict[str, tuple[float, ...]]:
        """Return the type sizes in pt of each block that may shrink, the largest first."""
        body_size = self.get_body_size(lang)
        sizes_by_block: dict[str, tuple[float, ...]] = {}
        for name, block in self.fit.items():
            sizes_by_block[name] = block.sizes
            if body_size is not None and not block.heading:
                smaller_sizes = [size for size in block.sizes if size < body_size]
                sizes_by_block[name] = (body_size, *smaller_sizes)
        return sizes_by_block

    def list_faces(self, card: Card) -> tuple[Literal["front", "back"], ...]:
        """Return the faces that a card of this kind has."""
        if self.back == "optional" and not card.data.get("back"):
            return tuple(face for face in self.faces if face != "back")
        return self.faces

    @model_validator(mode="after")
    def _check_steps(self) -> Self:
        counted_things = {steps.by for steps in self.costs}
        if len(counted_things) < len(self.costs):
            raise ValueError(
                _("`costs` may contain size, copy and line only once each")
            )
        if self.role is not Role.ENTRY and not counted_things <= {"copy"}:
            raise ValueError(
                _("only cards with `role: entry` can have size and line costs")
            )
        return self


class Languages(Model):
    """The languages of a pack, and which of them may be incomplete."""

    source: Lang = Field(description="The language of the card files.")
    translations: tuple[Lang, ...] = Field(
        default=(), description="The languages under i18n/."
    )
    partial: Mapping[Lang, Literal["mark", "omit"]] = Field(
        default_factory=dict,
        description=(
            "Incomplete translations; all others must be complete. A missing or "
            "outdated text is printed in the source language, and the card gets a "
            "`mark`. With `omit`, the card is left out."
        ),
    )

    @model_validator(mode="after")
    def _check_partial(self) -> Self:
        for lang in self.partial:
            if lang not in self.translations:
                raise ValueError(
                    _(
                        "partial: {lang} is not one of the pack's translations",
                        lang=lang,
                    )
                )
        return self

    @property
    def all(self) -> tuple[Lang, ...]:
        """All languages, the source language first."""
        return (self.source, *self.translations)

    @property
    def complete(self) -> tuple[str, ...]:
        """The languages in which no text may be missing."""
        return tuple(lang for lang in self.all if lang not in self.partial)


class Param(Model):
    """A parameter at the top of a roster."""

    name: Localized = Field(description="The printed name.")
    type: Literal["integer", "choice"] = Field(
        description="A whole number, or one of `choices`."
    )
    choices: tuple[str, ...] = Field(
        default=(), description="The allowed values of a choice."
    )
    names: Mapping[str, Localized] = Field(
        default_factory=dict, description="The printed names of these values."
    )
    default: int | str | None = Field(default=None, description="The default value.")
    min: int | None = Field(default=None, description="Minimum number.")
    max: int | None = Field(default=None, description="Maximum number.")

    def accepts_value(self, value: Scalar) -> bool:
        """Return True if the parameter may have this value.

        In keys of tables whole numbers are texts.
        """
        if self.type == "choice":
            return value in self.choices
        try:
            amount = int(value)
        except (ValueError, OverflowError):
            return False
        min_value, max_value = self.ends
        # int() also accepts 2.5, True and " 3", which are no whole numbers as they are written.
        return str(amount) == str(value) and min_value <= amount <= max_value

    @property
    def ends(self) -> tuple[float, float]:
        """The minimum and maximum of a parameter that is a number."""
        low = -inf if self.min is None else self.min
        high = inf if self.max is None else self.max
        return low, high

    @property
    def allowed(self) -> tuple[str, ...]:
        """The allowed choices, or the range of a number such as "1..6"."""
        if self.type == "choice":
            return self.choices
        low = "" if self.min is None else self.min
        high = "" if self.max is None else self.max
        return (f"{low}..{high}",)


class Choice(Model):
    """A choice that a player makes for an entry, such as a role or a keyword."""

    name: Localized = Field(description="The printed name.")
    values: Mapping[Id, Localized] = Field(
        default_factory=dict, description="The allowed values as they are printed."
    )
    cards: Annotated[str, NameOf("kind")] | None = Field(
        default=None, description="Instead of `values`: the kind of card to choose."
    )
    field: FieldName | None = Field(
        default=None,
        description=(
            "Instead of `values`: the map field of the entry's card whose keys can be chosen."
        ),
    )
    items: Where = Field(
        default=Where(), description="With `field`: the items that can be chosen."
    )
    where: Where = Field(
        default=Where(),
        description=(
            "A test of the cards that can make the choice. With `keyword`, only "
            "cards that have the keyword."
        ),
    )
    needed: Where | None = Field(
        default=None,
        description=(
            "Entries that must make the choice: a test of their cards and other "
            "choices. If only 1 value is possible, it is used automatically. Choices "
            "that share a `field` are counted together."
        ),
    )
    keyword: Annotated[Id, NameOf("keyword")] | None = Field(
        default=None, description="The keyword that the chosen value replaces."
    )
    free: bool = Field(default=False, description="True: any text is allowed.")


class Link(Model):
    """A relation of one entry to another, such as a rider to a mount."""

    name: Localized = Field(description="The printed name.")


class Tracker(Model):
    """A row of numbers on the squad sheet to cross out, such as turns or points."""

    name: Localized = Field(description="The printed name of what is counted.")
    first: int = Field(default=1, ge=0, description="The first number.")
    last: int = Field(le=99, description="The last number.")


class SheetForm(Model):
    """What a squad sheet prints for each card and for the whole squad."""

    boxes: str | None = Field(
        default=None,
        description="Card field with the number of boxes to cross out, per copy.",
    )
    stats: tuple[str, ...] = Field(
        default=(),
        description=(
            "Card fields printed beside a model's name. Each must be a stat of the vocabulary."
        ),
    )
    signs: Mapping[str, str] = Field(
        default_factory=dict,
        description="How a stat's value is printed, with `{}` for the value: `{}+`.",
    )
    trackers: tuple[Tracker, ...] = Field(
        default=(), description="What is counted in the header of the sheet."
    )
    uses: tuple[str, ...] = Field(
        default=(),
        description=(
            "Card fields with the number of uses, which are crossed out during the "
            "game. `*` means each entry of a map."
        ),
    )
    reminders: tuple[str, ...] = Field(
        default=(),
        description=(
            "Card fields whose text is printed as a reminder. `*` means each entry "
            "of a map; its `name` is printed before the text."
        ),
    )
    phases: tuple[WordForms, ...] = Field(
        default=(),
        description=(
            "The phases of a turn, in order. The game view on the web lists the texts that name "
            "a phase at their start. For a language with inflected names, give a list: the name, "
            "then its other forms, as in `{ru: [фаза стрельбы, фазу стрельбы]}`."
        ),
    )


class RosterForm(Model):
    """The parameters, choices and links that a roster of this game may have."""

    currency: Localized = Field(
        default_factory=dict, description="The unit of costs, such as points."
    )
    params: Mapping[str, Param] = Field(
        default_factory=dict,
        description="Parameters of a roster, such as the points limit.",
    )
    choices: Mapping[str, Choice] = Field(
        default_factory=dict, description="Choices of an entry."
    )
    links: Mapping[str, Link] = Field(
        default_factory=dict, description="Links between entries."
    )
    sheet: SheetForm = Field(
        default_factory=SheetForm, description="The contents of a squad sheet."
    )


class Manifest(Model):
    """pack.yaml: the kinds of cards, languages and settings of a pack."""

    id: Id = Field(description="The pack's id: the name of its folder.")
    name: Localized = Field(description="The game's name.")
    description: Localized = Field(
        default_factory=dict, description="One or two sentences."
    )
    authors: tuple[str, ...] = Field(default=(), description="Who wrote the pack.")
    license: str = Field(default="", description="The licence of the pack.")
    languages: Languages = Field(description="Source language and translations.")
    distance_unit: str = Field(
        default='"', description="The symbol printed after a distance."
    )
    icons: Mapping[Symbol, SymbolIcon] = Field(
        default_factory=dict,
        description='Icons printed in place of symbols in texts, for example `{"🔓": lock}`.',
    )
    roster: RosterForm = Field(
        default_factory=RosterForm, description="What a roster can contain."
    )
    kinds: Mapping[Id, Kind] = Field(description="The kinds of card.")
    schemas: Mapping[Annotated[str, NameOf("kind")], InnerPath] = Field(
        default_factory=dict, description="Schema file, if not <kind>.schema.json."
    )
    engine: EngineRequest = Field(
        default="auto",
        description="The engine that renders the pack; auto chooses one: see docs/engines.md.",
    )
    fonts: tuple[str, ...] = Field(
        default=(), description="Font families of the templates, by package name."
    )
    better: Mapping[FieldName, Direction] = Field(
        default_factory=dict,
        description=(
            "For numbers of cards, by dotted path, whether a higher or a lower one is better for "
            "the card. `*` is any part, as in `attacks.*.damage`. A lower cost is better."
        ),
    )
    imported: bool = Field(
        default=False,
        description=(
            "True: the pack was made of lists of another program. It is private: its cards are "
            "not published, and not shown to others."
        ),
    )


class Term(Model):
    """A word of the game, such as a keyword or a stat, with its translations."""

    name: Localized = Field(description="The printed word.")
    short: Localized = Field(default_factory=dict, description="Its abbreviation.")
    plural: Localized = Field(default_factory=dict, description="Its plural.")
    help: Localized = Field(
        default_factory=dict, description="Its meaning, for the glossary."
    )
    icon: Annotated[str, NameOf("icon")] | None = Field(
        default=None, description="An icon of the pack for this word."
    )
    group: str | None = Field(
        default=None, description="The group of words that it belongs to."
    )


class Faction(Model):
    """A side of the game that a player chooses."""

    name: Localized = Field(description="Its name.")
    help: Localized = Field(
        default_factory=dict, description="A description of the faction."
    )
    emblem: Annotated[str, NameOf("icon")] | None = Field(
        default=None, description="An icon of the pack."
    )
    colour: str = Field(
        default="#444444", description="Its colour on screen and paper, #rrggbb."
    )
    tint: str = Field(
        default="#eeeeee", description="A pale variant of the colour, #rrggbb."
    )


class Vocabulary(Model):
    """vocabulary.yaml: all words of the game that texts may refer to."""

    keywords: Mapping[Id, Term] = Field(
        default_factory=dict, description="Keywords of cards."
    )
    stats: Mapping[Id, Term] = Field(
        default_factory=dict, description="Stats of profiles."
    )
    terms: Mapping[Id, Term] = Field(
        default_factory=dict, description="Other words: states, actions."
    )
    factions: Mapping[Id, Faction] = Field(
        default_factory=dict, description="The factions."
    )
    labels: Mapping[str, Localized] = Field(
        default_factory=dict, description="Fixed strings of templates, by name."
    )


@dataclass(frozen=True, slots=True)
class TranslatedString:
    """A translated text. `source` is the hash of the text that it was translated from."""

    text: str
    source: str
    same: bool = False


@dataclass(frozen=True, slots=True)
class Pack:
    """A game with its cards, as far as its files are valid.

    `translations[lang][card id][path]` uses dotted paths. `texts[card id]` are the paths of the
    card's translatable strings, `rich` those of them that hold markup; `icons` are the names of the
    pack's SVG icons; `introduced[card id]` is the release that the card was new in, as far as that
    was looked up; `played` is the play format among the rules.
    """

    manifest: Manifest
    vocabulary: Vocabulary = field(default_factory=Vocabulary)
    rules: RuleSet = field(default_factory=RuleSet)
    cards: Mapping[str, Card] = field(default_factory=dict)
    texts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    rich: Mapping[str, frozenset[str]] = field(default_factory=dict)
    translations: Mapping[str, Mapping[str, Mapping[str, TranslatedString]]] = field(
        default_factory=dict
    )
    icons: frozenset[str] = frozenset()
    formats: Mapping[str, PlayFormat] = field(default_factory=dict)
    introduced: Mapping[str, str] = field(default_factory=dict)
    played: FormatDay | None = None

    @property
    def id(self) -> str:
        """The id of the pack."""
        return self.manifest.id

    @property
    def current(self) -> "Pack":
        """The same pack without outdated translations, in languages that may be incomplete."""
        current_translations = dict(self.translations)
        for lang in self.manifest.languages.partial:
            current_translations[lang] = {
                card: self._drop_stale_texts(self.cards[card], strings)
                for card, strings in self.translations.get(lang, {}).items()
                if card in self.cards
            }
        return replace(self, translations=current_translations)

    def _drop_stale_texts(
        self, card: Card, strings: Mapping[str, TranslatedString]
    ) -> dict[str, TranslatedString]:
        """Return the translations that still match the card's source texts."""
        current_texts: dict[str, TranslatedString] = {}
        for path, string in strings.items():
            source_text = str(card.get_field(path))
            if string.source == hash_source(source_text):
                current_texts[path] = string
        return current_texts

    def list_cards_of_kind(self, kind: str) -> Iterator[Card]:
        """Yield all cards of a kind, sorted by id."""
        for _card_id, card in sorted(self.cards.items()):
            if card.kind == kind:
                yield card

    def list_cards_of_role(self, role: Role) -> Iterator[Card]:
        """Yield all cards with this role in a roster, in the order of the pack."""
        for card in self.cards.values():
            if self.find_role(card) is role:
                yield card

    def format_card(self, card: Card) -> FormatCard:
        """Return the properties of a card that play formats test."""
        return FormatCard(
            card.id, card.kind, card.faction, self.introduced.get(card.id)
        )

    def find_role(self, card: Card) -> Role:
        """Return the role of a card in a roster, which its kind decides."""
        return self.manifest.kinds[card.kind].role
