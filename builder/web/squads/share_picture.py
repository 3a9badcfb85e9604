"""A squad as one picture to send: a fan of its cards, its name, points and a QR code."""

from dataclasses import dataclass
from io import BytesIO

from PIL import Image, ImageColor, ImageDraw, ImageFont

from builder.render.fonts import find_font_file
from builder.render.html.qr import make_qr_code
from builder.units import pick_unit_form
from builder.web.cards.faces import get_picture_file
from builder.web.squads.squad_view import SquadView

PICTURE_SIZES_PIXELS = {
    "square": (1080, 1080),
    "story": (1080, 1920),
    "preview": (1200, 630),
}
"""Width and height of each shape: for chats, for stories, for the previews of links."""
MAX_CARDS = 5
FAN_DEGREES = 9
"""The angle between two cards of the fan."""
BACKGROUND = (22, 32, 43)
TEXT_COLOUR = (245, 243, 238)
QUIET_COLOUR = (178, 186, 194)
QR_BORDER_MODULES = 2
CARD_PICTURE_WIDTH_PIXELS = 540


@dataclass(frozen=True, slots=True)
class _PictureArea:
    """A rectangle on the share picture, in pixels."""

    x: int
    y: int
    width: int
    height: int


def draw_share_picture(view: SquadView, shape: str, address: str) -> bytes:
    """Draw a squad as a PNG for chats, with a QR code of `address`."""
    width, height = PICTURE_SIZES_PIXELS[shape]
    image = Image.new("RGB", (width, height), BACKGROUND)
    margin = 64
    is_wide = width > height
    code_size = 190 if is_wide else 230
    if is_wide:  # the fan on the right, the texts on the left
        fan = _PictureArea(width * 45 // 100, 0, width * 55 // 100, height)
        text_width = width * 45 // 100 - margin
    else:
        fan = _PictureArea(0, margin, width, height - code_size - 3 * margin)
        text_width = width - code_size - 3 * margin
    _draw_ground(image, view)
    _draw_fan(image, view, fan)
    code_left = margin if is_wide else width - margin - code_size
    _draw_code(
        image,
        address,
        _PictureArea(code_left, height - margin - code_size, code_size, code_size),
    )
    text_top = margin if is_wide else height - margin - code_size
    _draw_texts(image, view, _PictureArea(margin, text_top, text_width, code_size))
    out = BytesIO()
    image.save(out, "PNG", optimize=True)
    return out.getvalue()


def _draw_ground(image: Image.Image, view: SquadView) -> None:
    """Draw the background: a slanted band in the colour of the squad's side."""
    side = view.pack.vocabulary.factions.get(view.side)
    if side is None or not side.colour:
        return
    width, height = image.size
    draw = ImageDraw.Draw(image)
    corners = [
        (width * 62 // 100, 0),
        (width, 0),
        (width, height),
        (width * 38 // 100, height),
    ]
    draw.polygon(corners, fill=ImageColor.getrgb(side.colour))


def list_fan_cards(view: SquadView) -> list[str]:
    """Return the cards to draw: different models, the most expensive first."""
    costs: dict[str, float] = {}
    for line in view.entries:
        cost = line.details.entry.total if line.details else 0
        costs[line.entry.card] = max(cost, costs.get(line.entry.card, 0))
    return sorted(costs, key=lambda card: -costs[card])[:MAX_CARDS]


def _draw_fan(image: Image.Image, view: SquadView, box: _PictureArea) -> None:
    """Draw the cards like a hand of cards, the most expensive one in the middle.

    Wide cards in a high box lie below each other, because a fan of them would be small.
    """
    pictures = _load_pictures(view)
    if not pictures:
        return
    is_column = pictures[0].width > pictures[0].height and box.height > box.width * 1.2
    last_place = len(pictures) - 1
    places = sorted(range(len(pictures)), key=lambda place: abs(place - last_place / 2))
    if is_column:
        places = list(range(len(pictures)))
    for place, picture in reversed(list(zip(places, pictures, strict=True))):
        steps = place - last_place / 2
        if is_column:
            card = _scale_card(picture, box.width * 0.72, box.height)
            centre_x = (
                box.x + box.width / 2 + box.width * (0.05 if place % 2 else -0.05)
            )
            step_height = (box.height - card.height) / max(1, last_place)
            centre_y = (
                box.y + box.height / 2 + steps * min(card.height * 0.8, step_height)
            )
            _paste_card(image, card, (centre_x, centre_y), 3 if place % 2 else -3)
        else:
            card = _scale_card(picture, box.width * 0.52, box.height * 0.72)
            step_width = min(
                card.width * 0.42, (box.width - card.width) / max(1, last_place)
            )
            centre_x = box.x + box.width / 2 + steps * step_width
            centre_y = box.y + box.height / 2 + abs(steps) ** 1.6 * card.height * 0.025
            _paste_card(image, card, (centre_x, centre_y), steps * FAN_DEGREES)


def _load_pictures(view: SquadView) -> list[Image.Image]:
    """Load the pictures of the drawn cards. Missing ones are left out."""
    pictures: list[Image.Image] = []
    for card_id in list_fan_cards(view):
        face = view.get_front(card_id)
        if face is None:
            continue
        try:
            with Image.open(
                get_picture_file(face.address, CARD_PICTURE_WIDTH_PIXELS)
            ) as opened:
                pictures.append(opened.convert("RGBA"))
        except OSError:
            continue
    return pictures


def _scale_card(
    picture: Image.Image, max_width: float, max_height: float
) -> Image.Image:
    """Return a card's picture scaled to fit a rectangle, with round corners."""
    scale = min(max_height / picture.height, max_width / picture.width)
    size = (round(picture.width * scale), round(picture.height * scale))
    return _round_corners(picture.resize(size, Image.Resampling.LANCZOS))


def _paste_card(
    image: Image.Image, card: Image.Image, centre: tuple[float, float], degrees: float
) -> None:
    """Draw a rotated card with its shadow. Angles are in degrees, clockwise."""
    rotated_card = card.rotate(-degrees, Image.Resampling.BICUBIC, expand=True)
    x = round(centre[0] - rotated_card.width / 2)
    y = round(centre[1] - rotated_card.height / 2)
    shadow = Image.new("RGB", rotated_card.size)
    image.paste(shadow, (x + 5, y + 9), _make_shadow_mask(rotated_card))
    image.paste(rotated_card, (x, y), rotated_card)


def _round_corners(card: Image.Image) -> Image.Image:
    """Make the corners of a card's picture round and transparent."""
    mask = Image.new("L", card.size, 0)
    radius = min(card.size) // 22
    ImageDraw.Draw(mask).rounded_rectangle(
        (0, 0, card.width - 1, card.height - 1), radius, 255
    )
    card.putalpha(mask)
    return card


def _make_shadow_mask(card: Image.Image) -> Image.Image:
    """Return a mask with the blurred shape of a card's shadow."""
    return card.getchannel("A").point(lambda value: value * 45 // 100)


def _draw_code(image: Image.Image, address: str, box: _PictureArea) -> None:
    """Draw the QR code of an address."""
    rows = make_qr_code(address).matrix
    modules = len(rows) + 2 * QR_BORDER_MODULES
    code = Image.new("L", (modules, modules), 255)
    for y, row in enumerate(rows):
        for x, module in enumerate(row):
            if module:
                code.putpixel((x + QR_BORDER_MODULES, y + QR_BORDER_MODULES), 0)
    scale = box.width // modules
    code = code.resize((modules * scale, modules * scale), Image.Resampling.NEAREST)
    margin = box.width - code.width
    image.paste(code.convert("RGB"), (box.x + margin, box.y + margin))


def _draw_texts(image: Image.Image, view: SquadView, box: _PictureArea) -> None:
    """Draw the squad's name, points and game below each other."""
    draw = ImageDraw.Draw(image)
    game = view.names.choose_name(view.pack.manifest.name, view.pack.id)
    lines = [(view.row.name or game, "Manrope-ExtraBold.ttf", 64, TEXT_COLOUR)]
    if view.result.spent is not None:
        used = view.result.spent.used
        points = f"{used:.12g} {pick_unit_form(view.currency, used)}".strip()
        lines.append((points, "Manrope-ExtraBold.ttf", 48, TEXT_COLOUR))
    lines.append((f"{game} · Squadpress", "Manrope-Medium.ttf", 30, QUIET_COLOUR))
    top = box.y
    for text, file, size, colour in lines:
        font = ImageFont.truetype(str(find_font_file(file)), size)
        while font.getlength(text) > box.width and font.size > 26:
            font = font.font_variant(size=font.size - 2)
        while font.getlength(text) > box.width and len(text) > 2:
            text = text.removesuffix("…")[:-1].rstrip() + "…"
        draw.text(
            (box.x, top), text, colour, font, stroke_width=3, stroke_fill=BACKGROUND
        )
        top += round(font.size * 1.3)
