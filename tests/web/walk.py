"""A walk past every kind of page, as whoever comes to it.

What each has to be, and what it looks like.

`python -m tests.web.walk FOLDER [DATA]` walks a game of this repository and writes contact sheets
for phone and desk, light and dark, in all languages; pictures of faces are made under DATA, and
kept there for the next time.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from builder.packs.project import Project
from builder.packs.sources import list_yaml_files
from tests.house.source import ROOT
from tests.web.browser import CHROMIUM, DESK, PHONE, served

LANGUAGES, SCHEMES, SIZES = (
    ("en", "de", "ru"),
    ("light", "dark"),
    {"phone": PHONE, "desk": DESK},
)
FAR = "2099-05-30T18:00"
POST = """async ([path, fields]) => {
  const token = document.querySelector("[name=csrfmiddlewaretoken]").value;
  const body = new URLSearchParams({ ...fields, csrfmiddlewaretoken: token });
  return (await fetch(path, { method: "POST", body })).url;
}"""
# The service worker has tests of its own; here it would answer from its stored pages.
# Playwright's own way to block it writes a line to the console, which has to stay quiet.
NO_SERVICE_WORKER = "delete Navigator.prototype.serviceWorker"
REFUSALS = {"403": 0, "429": 61}
"""Pages that refuse a form: one without its token, and one that was sent so often before."""


@dataclass
class World:
    """A server on which there is one of everything: pages by name, and who comes to them."""

    browser: Browser
    address: str
    pack: str
    squads: Mapping[str, str]
    """Texts of squads: `legal`, `illegal`, `large`, where there is an older release `older`."""

    def __post_init__(self) -> None:
        self.owner, self.stranger = (self._visitor() for _who in range(2))
        self.keys = {
            name: self.post(self.owner, "/import", text=text, keep="1")
            for name, text in self.squads.items()
        }

    def _visitor(self) -> Page:
        context = self.browser.new_context(locale="en")
        context.add_init_script(NO_SERVICE_WORKER)
        opened = context.new_page()
        opened.goto(f"{self.address}/own")
        return opened

    def post(self, who: Page, path: str, **fields: str) -> str:
        """Send a form; the path of the page that answers."""
        found: str = who.evaluate(POST, [path, fields])
        return found.removeprefix(self.address).partition("?")[0]

    def linked(self, path: str, part: str) -> str:
        """Return the path in the last link of a page that holds a part."""
        self.owner.goto(self.address + path)
        values = self.owner.locator(".copied input").evaluate_all(
            "all => all.map(one => one.value)"
        )
        found: str = next(value for value in reversed(values) if part in value)
        return found.removeprefix(self.address)

    @cached_property
    def pages(self) -> dict[str, tuple[Page, str]]:
        """By name: who comes to a page, and its path."""
        legal, owner, stranger = self.keys["legal"], self.owner, self.stranger
        empty = self.post(owner, "/squads", pack=self.pack, name="New")
        self.post(owner, f"{legal}/links", do="make view")
        self.post(owner, f"{legal}/links", do="make copy")
        shared, seal = (
            self.linked(f"{legal}/share", "/shared/"),
            self.post(owner, f"{legal}/seals"),
        )
        sealed = self.linked(seal, "/sealed/")
        owner.goto(f"{self.address}/events/new/{self.pack}")
        asked = owner.locator("select[name=release]")
        event = self.post(
            owner,
            f"/events/new/{self.pack}",
            name="Spring cup",
            deadline=FAR,
            zone="UTC",
            sealed="0",
            release=asked.input_value() if asked.count() else "",
            notes="Doors open at ten.\nBring your own dice.",
        )
        place = self.linked(event, "/at/")
        receipts = [
            self.post(who, place, player=player, text=self.squads[squad])
            for who, player, squad in (
                (stranger, "Ben", "illegal"),
                (owner, "Ann", "legal"),
            )
        ]
        self.post(
            owner,
            f"{event}/rounds",
            do="points",
            win="3",
            draw="1",
            loss="0",
            reports="1",
        )
        self.post(
            owner,
            f"{event}/messages",
            do="send",
            text="The second round begins at two.\nPlease bring your receipts.",
        )
        self.post(owner, event, do="lock")
        rounds = f"{event}/rounds"
        owner.goto(self.address + rounds)
        owner.locator("textarea[name=names]").fill("Alexandra the Great\nEmil\nFay")
        owner.locator("button[value=pair]").click()
        owner.locator("select").last.select_option("draw")
        owner.locator("button[value=save]").click()
        owner.wait_for_load_state()
        mine: dict[str, str] = {
            "start": "/",
            "game": f"/games/{self.pack}",
            "cards": "/cards/",
            "cards of a game": f"/cards/{self.pack}/",
            "squad": legal,
            "squad, empty": empty,
            "squad, illegal": self.keys["illegal"],
            "squad, large": self.keys["large"],
            "catalogue": f"{legal}?view=cards",
            "catalogue, refused": f"{self.keys['large']}?view=cards&faction=all&refused=1",
            "catalogue, nothing": f"{legal}?view=cards&q=xyzzy",
            "model": f"{legal}/models/1",
            "complete": f"{empty}/complete",
            "completed": f"{empty}/complete?ask=1",
            "numbers": f"{legal}/rules",
            "mended": f"{self.keys['illegal']}/rules?ask=1",
            "about": f"{legal}/about",
            "print": f"{legal}/print",
            "printing": self.post(owner, f"{legal}/print", what="cards", paper="a4"),
            "share": f"{legal}/share",
            "seals": f"{legal}/seals",
            "seal": seal,
            "play": f"{legal}/play",
            "events": "/events",
            "new event": f"/events/new/{self.pack}",
            "event": event,
            "player": place,
            "receipt": receipts[1],
            "messages": f"{event}/messages",
            "recheck": f"{event}/recheck",
            "rounds": rounds,
            "round": f"{rounds}/1",
            "pairings": f"{place}/rounds/1",
            "standings": f"{place}/standings",
            "collections": "/collection",
            "collection": f"/collection/{self.pack}",
            "together": f"/collection/{self.pack}/squads",
            "own": "/own",
            "import": "/import",
            "prove": "/prove",
            "nothing": "/nothing",
        }
        if "older" in self.keys:
            mine |= {
                "rechecked": f"{event}/recheck?release=1.0.0",
                "errata": f"{self.keys['older']}/release",
                "older": self.keys["older"],
            }
        owner.goto(f"{self.address}/cards/{self.pack}/")
        for name, kind in (
            ("kind", "a[href$='/']:not([href*='releases'])"),
            ("release", "a[href*='/releases/']"),
        ):
            links = owner.locator(f"main :not(nav) > {kind}").evaluate_all(
                "all => all.map(one => one.pathname)"
            )
            if links:
                mine[name] = links[0]
        owner.goto(f"{self.address}{legal}?view=cards")
        look = str(owner.locator(".see").first.get_attribute("href"))
        card = look.rpartition("/")[2]
        self.post(owner, f"/collection/{self.pack}", do=f"more {card}")
        strangers = {
            "start, new": "/",
            "own, new": "/own",
            "first event": f"/events/new/{self.pack}",
            "shared": shared,
            "sealed": sealed,
            "event, other": place,
            "receipt, other": receipts[1],
        }
        mine["look"] = look
        self.post(owner, seal, do="open #1.1")
        return {
            **{name: (owner, path) for name, path in mine.items()},
            **{name: (stranger, path) for name, path in strangers.items()},
        }

    @contextmanager
    def seen(
        self, name: str, size: str, scheme: str, lang: str
    ) -> Iterator[tuple[Page, list[str]]]:
        """Provide a page, and what the console says of it."""
        who, path = self.pages.get(name, (self.stranger, "/import"))
        context = self.browser.new_context(
            storage_state=who.context.storage_state(),
            viewport=SIZES[size],
            color_scheme=scheme,
            locale=lang,  # type: ignore[arg-type]
        )
        context.add_init_script(NO_SERVICE_WORKER)
        context.set_default_timeout(120_000)
        opened, said = context.new_page(), list[str]()
        if name not in (
            *REFUSALS,
            "nothing",
        ):  # the console names every answer that is an error
            opened.on("console", lambda message: said.append(message.text))
        opened.on("pageerror", lambda error: said.append(str(error)))
        opened.goto(self.address + path, wait_until="load")
        if name in REFUSALS:
            self._refuse(opened, REFUSALS[name])
        yield opened, said
        context.close()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all pages."""
        return *self.pages, *REFUSALS

    def _refuse(self, opened: Page, many: int) -> None:
        for _turn in range(many):
            self.post(opened, "/import", text="?")
        if not many:
            opened.context.clear_cookies(name="csrftoken")
        opened.locator("form[action='/import'] button").last.click()
        opened.wait_for_selector("main.refusal, [role=alert]")


def sheets(world: World, folder: Path, size: str, scheme: str, lang: str) -> list[str]:
    """Write contact sheets of all pages; what is wrong with them, in words."""
    wrong, shots = list[str](), list[tuple[str, Image.Image]]()
    for name in world.names:
        with world.seen(name, size, scheme, lang) as (opened, said):
            wide = opened.evaluate("document.documentElement.scrollWidth")
            wrong += [f"{name}: {one}" for one in said]
            wrong += [f"{name}: {wide} px wide"] if wide > SIZES[size]["width"] else []
            tall = opened.evaluate("document.documentElement.scrollHeight")
            for top in range(
                0, min(tall, 3 * SIZES[size]["height"]), SIZES[size]["height"] - 130
            ):
                opened.evaluate("top => window.scrollTo(0, top)", top)
                opened.wait_for_timeout(80)
                shots.append((name, Image.open(BytesIO(opened.screenshot()))))
                if top + SIZES[size]["height"] >= tall:
                    break
    columns, rows, scale = (6, 2, 0.66) if size == "phone" else (3, 3, 0.42)
    wide, high = (round(SIZES[size][side] * scale) + 8 for side in ("width", "height"))
    for first in range(0, len(shots), columns * rows):
        sheet = Image.new("RGB", (columns * wide, rows * high), "#8a8a8a")
        for number, (_name, shot) in enumerate(shots[first : first + columns * rows]):
            small = shot.convert("RGB").resize(
                (wide - 8, high - 8), Image.Resampling.LANCZOS
            )
            sheet.paste(
                small, (number % columns * wide + 4, number // columns * high + 4)
            )
        sheet.save(
            folder / f"{size}-{scheme}-{lang}-{first // (columns * rows) + 1}.png"
        )
    return [f"{size} {scheme} {lang}: {one}" for one in wrong]


def squads_of(pack: str) -> dict[str, str]:
    """Squads of a game of this repository, made of its samples."""
    samples = {
        path.stem: path.read_text("utf-8")
        for path in list_yaml_files(Project(ROOT).get_cards_dir(pack) / "rosters")
    }
    legal = max(
        (text for name, text in samples.items() if name.startswith("legal")), key=len
    )
    illegal = next(text for text in samples.values() if "legal: false" in text)
    entries = [
        line
        for text in samples.values()
        for line in text.splitlines()
        if line.startswith("  - {card:")
    ]
    large = "\n".join(
        [
            f"pack: {pack}",
            "name: Everybody who ever came to the club on a rainy Thursday evening",
            "entries:",
            *entries[:40],
        ]
    )
    older = (
        {"older": legal.replace(f"pack: {pack}", f"pack: {pack}\nversion: 1.0.0")}
        if pack == "hydrophilia"
        else {}
    )
    return {"legal": legal, "illegal": illegal, "large": large, **older}


def main(folder: Path, data: Path, pack: str = "hydrophilia", *only: str) -> None:
    """Write the sheets, or only those of a size, a scheme or a language; say what is wrong."""
    folder.mkdir(parents=True, exist_ok=True)
    asked = [
        (size, scheme, lang)
        for size in SIZES
        for scheme in SCHEMES
        for lang in LANGUAGES
    ]
    with served(ROOT, data) as address, sync_playwright() as tools:
        browser = tools.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        world = World(browser, address, pack, squads_of(pack))
        for one in asked:
            if set(only) <= set(one):
                print(*sheets(world, folder, *one), sep="\n", flush=True)
        browser.close()


if __name__ == "__main__":
    main(
        Path(sys.argv[1]),
        Path(sys.argv[2] if len(sys.argv) > 2 else sys.argv[1]),
        *sys.argv[3:],
    )
