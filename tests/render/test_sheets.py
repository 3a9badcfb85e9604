"""Documents as they are composed.

Every face at its place, and never more of them in memory than one.
"""

from __future__ import annotations

import gc
import hashlib
import math
import re
import tracemalloc
import weakref
from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

import pikepdf
import pytest
from hypothesis import given, settings, strategies as st

from builder.cache import Cache
from builder.geometry.imposition import Pair
from builder.model.pack import Size
from builder.model.profile import Marks, Paper, Profile
from builder.render.cache import FaceCache
from builder.render.sheets.marks import TextStamp
from builder.render.sheets.record import PdfObject, Record, compress
from builder.render.sheets.sheets import SIDES_PER_RECORD, ComposedPdf, Composer, Group
from builder.units import to_points

PICTURE = b"/Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8"
POKER = Size(width=63, height=88)
BLEEDING = (0.0, 0.0, to_points(69), to_points(94))
BARE = Profile(
    id="bare",
    name={"en": "Bare"},
    layout="pages",
    marks=None,
    check_line=0,
    label=False,
)
HOME = Profile(
    id="home",
    name={"en": "Home"},
    paper=Paper(width=210, height=297),
    margin=5,
    duplex="long-edge",
)


class Watched(Record):
    """A record that can be told from all others, and that tells when it is gone."""

    __eq__ = object.__eq__
    __hash__ = object.__hash__


class Faces(FaceCache):
    """A cache that has every face, and counts how many of those it gave are still held."""

    def __init__(self, folder: Path, weight: int = 0) -> None:
        super().__init__(folder)
        self.weight = weight
        self.alive: weakref.WeakSet[Watched] = weakref.WeakSet()
        self.most = self.read = 0

    def digests(self, keys: Sequence[str]) -> dict[str, str]:
        return {key: f"{key} {self.weight}" for key in keys}

    def record(self, key: str) -> Record:
        drawing = hashlib.shake_128(key.encode()).digest(self.weight)
        kind = (
            sum(key.encode()) % 4
        )  # some faces share a picture, others have one of their own
        picture = PdfObject(
            PICTURE + b"/SMask \x01%d\x01" % (1 + kind % 2), bytes([kind])
        )
        masks = (PdfObject(PICTURE, b"\xf0"), PdfObject(PICTURE, b"\xf1"))
        resources = b"<</XObject<</Im0 \x010\x01>>>>"
        pictures = (picture, *masks[: 1 + kind % 2])
        made = Watched(
            BLEEDING,
            compress(f"% {key}\nq /Im0 Do Q\n".encode()) + drawing,
            resources,
            pictures,
        )
        self.alive.add(made)
        self.read += 1
        self.most = max(self.most, len(self.alive))
        return made


def compose(
    folder: Path, profile: Profile, groups: Sequence[Group], cache: FaceCache
) -> tuple[bytes, ComposedPdf]:
    """Return the document of some cards."""
    out = BytesIO()
    made = Composer(cache, folder, (), profile, "Cards").compose(out, groups)
    return out.getvalue(), made


def group(count: int) -> Group:
    """So many cards with a back each of its own."""
    return Group(
        POKER,
        tuple(
            Pair((f"frame {n % 3}", f"front {n}"), (f"back {n}",)) for n in range(count)
        ),
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


keys = st.integers(0, 12).map(lambda number: (f"face {number}",))
groups = st.lists(
    st.builds(
        Group,
        st.just(POKER),
        st.lists(st.builds(Pair, keys, st.none() | keys), min_size=1, max_size=60).map(
            tuple
        ),
    ),
    min_size=1,
    max_size=3,
)
layouts = st.sampled_from([BARE, HOME, HOME.model_copy(update={"layout": "fold"})])
marked = st.sampled_from([None, Marks(style="crosses"), Marks(style="outline")])


@settings(deadline=None, max_examples=50)
@given(groups, layouts, marked)
def test_a_document_is_whole_and_holds_what_was_asked(
    folder: Path, asked, layout, marks
) -> None:
    profile = layout.model_copy(update={"marks": marks})
    data, made = compose(folder, profile, asked, Faces(folder))
    assert (made.sha, made.cards) == (
        hashlib.sha256(data).hexdigest(),
        sum(len(one.pairs) for one in asked),
    )
    assert compose(folder, profile, asked, Faces(folder)) == (data, made)

    table = re.search(
        rb"xref\n0 (\d+)\n0000000000 65535 f \n((?:\d{10} 00000 n \n)*)trailer", data
    )
    assert table is not None
    assert int(data[data.rindex(b"startxref\n") :].split()[1]) == table.start()
    offsets = [int(line[:10]) for line in table[2].splitlines()]
    assert len(offsets) == int(table[1]) - 1
    assert all(
        data[at:].startswith(b"%d 0 obj\n" % number)
        for number, at in enumerate(offsets, 1)
    )

    faces = [
        face
        for one in asked
        for pair in one.pairs
        for face in (pair.front, pair.back)
        if face is not None
    ]
    with pikepdf.open(BytesIO(data)) as pdf:
        assert pdf.check_pdf_syntax() == []
        assert len(pdf.pages) == made.pages
        drawn = [face for page in pdf.pages for face in seen(page)]
        kept = {
            int(face.objgen[0])
            for page in pdf.pages
            for face in page.get("/Resources").get("/XObject").values()
        }
    assert sorted(drawn) == sorted(face for (face,) in faces)
    assert len(kept) == len(set(faces))
    if layout is BARE:
        assert drawn == [face for (face,) in faces]


@settings(deadline=None, max_examples=50)
@given(groups, groups, layouts, st.integers(0, 9))
def test_a_document_of_kept_sheets_is_what_a_clean_one_is(
    folder: Path, asked, others, layout, at
) -> None:
    """Edit some cards, replacing as many as there are, and all later ones otherwise."""
    compose(folder, layout, asked, Faces(folder))
    pairs = asked[0].pairs
    edited = [
        replace(
            asked[0],
            pairs=pairs[:at] + others[0].pairs + pairs[at + len(others[0].pairs) :],
        ),
        *asked[1:],
    ]
    with TemporaryDirectory() as clean:
        assert compose(folder, layout, edited, Faces(folder)) == compose(
            Path(clean), layout, edited, Faces(Path(clean))
        )


def test_sheets_are_composed_again_if_a_shared_picture_has_another_number(
    tmp_path: Path,
) -> None:
    cards = Group(
        POKER, tuple(Pair((f"front {n}",)) for n in range(2 * 9 * SIDES_PER_RECORD))
    )
    compose(tmp_path, HOME, [cards], Faces(tmp_path))
    first, second, *others = cards.pairs
    edited = replace(cards, pairs=(second, first, *others))
    with TemporaryDirectory() as folder:
        clean = compose(Path(folder), HOME, [edited], Faces(Path(folder)))
    assert compose(tmp_path, HOME, [edited], Faces(tmp_path)) == clean


def test_only_sheets_on_which_something_changed_are_composed_again(
    tmp_path: Path,
) -> None:
    cards = group(200)
    compose(tmp_path, HOME, [cards], Faces(tmp_path))
    edited = replace(
        cards,
        pairs=(
            *cards.pairs[:90],
            Pair(("front XX",), cards.pairs[90].back),
            *cards.pairs[91:],
        ),
    )
    faces = Faces(tmp_path)
    compose(tmp_path, HOME, [edited], faces)
    assert 0 < faces.read <= (3 * 9) * (SIDES_PER_RECORD // 2)


@pytest.mark.parametrize("profile", [BARE, HOME], ids=lambda profile: profile.id)
def test_equal_pictures_are_written_once(tmp_path: Path, profile: Profile) -> None:
    data, _made = compose(tmp_path, profile, [group(40)], Faces(tmp_path))
    with pikepdf.open(BytesIO(data)) as pdf:
        pictures = [
            each
            for each in pdf.objects
            if isinstance(each, pikepdf.Stream) and "/Width" in each
        ]
        contents = [picture.read_raw_bytes() for picture in pictures]
    assert sorted(contents) == [b"\0", b"\1", b"\2", b"\3", b"\xf0", b"\xf1"]


def seen(page: pikepdf.Page) -> list[str]:
    """Return the faces drawn on a page, in order."""
    forms = page.get("/Resources").get("/XObject")
    names = re.findall(rb"/F\d+(?= Do)", page.Contents.read_bytes())
    return [
        forms[name.decode()].read_bytes().split(b"\n")[0][2:].decode() for name in names
    ]


@pytest.mark.parametrize("profile", [BARE, HOME], ids=lambda profile: profile.id)
def test_no_drawing_is_held_longer_than_it_takes_to_write_it(
    tmp_path: Path, profile: Profile
) -> None:
    cache = Faces(tmp_path)
    gc.disable()  # what only a search for garbage would free is held too
    try:
        compose(tmp_path, profile, [group(200)], cache)
    finally:
        gc.enable()
    assert cache.most <= 2


class Sink:
    """Takes all and keeps nothing."""

    def write(self, data: bytes) -> int:
        return len(data)


@pytest.mark.parametrize("profile", [BARE, HOME], ids=lambda profile: profile.id)
def test_a_document_ten_times_as_long_takes_up_hardly_more_memory(
    tmp_path: Path, profile: Profile
) -> None:
    def peak(cards: int) -> int:
        tracemalloc.start()
        composer = Composer(
            Faces(tmp_path / f"{cards}", 20_000), tmp_path, (), profile, "Cards"
        )
        composer.compose(Sink(), [group(cards)])  # type: ignore[arg-type]
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found

    peak(5)  # what is loaded once, and what is kept of fonts
    assert peak(500) - peak(50) < 450 * 2_000


LETTERS = {
    "ascent": 1,
    "descent": 1,
    "letters": [-1, 48],
    "glyphs": [0, 1],
    "widths": [1, 1],
}


@pytest.mark.parametrize(
    "kept",
    [
        {},
        {"letters": 3},
        {"letters": [65], "glyphs": ["A"], "widths": []},
        {**LETTERS, "ascent": math.inf},
        {**LETTERS, "widths": [1, math.nan]},
        {**LETTERS, "glyphs": [0, 10**30]},
    ],
)
def test_what_is_kept_of_a_font_is_what_the_font_says(
    tmp_path: Path, kept: dict[str, object]
) -> None:
    def stamped(cache: Cache | None) -> tuple[object, ...]:
        stamp = TextStamp(cache=cache)
        return (
            stamp.measure("100 mm Карты", 6.5),
            stamp.encode("100 mm Карты ☃"),
            stamp.missing_characters,
            stamp.get_font_use(),
        )

    def keep(self: Cache, area: str, key: str) -> object:
        return kept

    first = stamped(Cache(tmp_path))  # it writes what it read
    damaged = Cache(tmp_path)
    damaged.value = keep.__get__(damaged)  # type: ignore[method-assign]
    assert stamped(None) == first == stamped(Cache(tmp_path)) == stamped(damaged)
