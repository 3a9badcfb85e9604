"""An order for a print shop: every file it takes, a manifest that counts them, and a order sheet."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import asdict
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from builder.cache import fingerprint
from builder.errors import UsageError
from builder.files import file_hash
from builder.findings import Finding, Severity, has_errors, in_order
from builder.messages import gettext as _
from builder.messages import translate
from builder.model.profile import Paper, Profile
from builder.model.shop import Preset, ShopOrder, shown_size
from builder.render.html.view import pick
from builder.render.keys import digest, engine_hash
from builder.store.package import MANIFEST, Package, package
from builder.store.profiles import load_preset
from builder.store.project import Project
from builder.usecases.build.options import SHOP, BuildOptions, BuildResult, Built, Home, Progress
from builder.usecases.build.records import MAKERS, OutputFacts, OutputRecord
from builder.usecases.build.shopdeck import Deck, Planner
from builder.usecases.build.shopfiles import Filer, image_verdict, verdict, without
from builder.usecases.build.typeset import SetCards, languages, set_cards
from builder.usecases.files import PackFiles
from builder.usecases.preflight.preflight import twice_judged
from builder.usecases.release.states import load_as_of

SHEET_PAPER = Paper(width=210, height=297)
"""What the order sheet is printed on."""
SHEET = Profile(id="order", name={"en": "Order"}, layout="pages", marks=None, check_line=0, label=False, duplex="none")


def build_order(project: Project, pack_id: str, options: BuildOptions, progress: Progress | None = None) -> BuildResult:
    """The whole package of one pack (or squad) for the shop that `options.publish.profile` names.

    With an error among the findings nothing is written and an earlier package stays as it is.
    """
    preset = load_preset(project, options.publish.profile.removeprefix(SHOP))
    if options.publish.gauges == "only":
        raise UsageError(_("gauges are not ordered from a shop of cards"), _("Print them with --profile home-a4."))
    if options.publish.home != Home():
        raise UsageError(_("sheets, marks and printers are matters of home printing"), _("Leave those options out."))
    loaded = load_as_of(PackFiles(project), pack_id, options.select.as_of)
    if loaded.pack is None or has_errors(loaded.findings):
        return BuildResult(findings=loaded.findings)
    made = set_cards(project, loaded, options.select, options.workers, progress)
    place = loaded.sources["pack.yaml"].file
    planner = Planner(made, preset, options, place)
    if has_errors(made.rendered.findings):
        return BuildResult(findings=made.rendered.findings, fresh=made.rendered.fresh, known=made.rendered.known)
    decks = planner.decks()
    findings = in_order((*made.rendered.findings, *planner.findings))
    if has_errors(findings):
        return BuildResult(findings=findings, fresh=made.rendered.fresh, known=made.rendered.known)
    if not decks:
        form = _("nothing to order from {shop}: all that was chosen are sheets for the table")
        raise UsageError(_(form, shop=preset.id), _("Print at home."))
    target = package_path(project, pack_id, preset, options)
    record = OutputRecord(project, target, _wanted(made, preset, options, decks))
    known = record.known()
    if known is not None:
        unchanged = (Built(target, known.pages, known.count, False),)
        return BuildResult(unchanged, in_order((*findings, *known.findings)), made.rendered.fresh, made.rendered.known)
    built, found = _write(project, made, preset, options, decks, findings)
    if built:
        project.cache.evict()
        own = tuple(one for one in found if one not in findings)
        record.note(OutputFacts(built[0].pages, built[0].cards, own))
    return BuildResult(built, found, made.rendered.fresh, made.rendered.known)


class _Failed(Exception):
    """The files came out wrong: the package is given up."""


def _write(
    project: Project,
    made: SetCards,
    preset: Preset,
    options: BuildOptions,
    decks: Sequence[Deck],
    findings: tuple[Finding, ...],
) -> tuple[tuple[Built, ...], tuple[Finding, ...]]:
    """Write the package, unless what is in it turns out wrong."""
    from builder.render.cache import ResultCache
    from builder.render.prepress.finisher import Finisher
    from builder.report.exports import order_json, order_text

    target = package_path(project, made.renderer.pack.id, preset, options)
    finisher = Finisher(preset, options.publish.icc, _day(decks))
    finisher.memo = ResultCache(project.cache, engine_hash().encode())
    try:
        with TemporaryDirectory(prefix="squadpress-") as lettered, package(target) as box:
            filer = Filer(project, made, preset, box, finisher, Path(lettered))
            for deck in decks:
                filer.write(deck)
            findings = in_order((*findings, *finisher.findings, *_preflight(project, box, preset, filer)))
            if has_errors(findings):
                raise _Failed
            order = _order(made, preset, options, filer, findings, finisher.colour)
            box.write("order.pdf", _sheet(project, made, order))
            box.write("manifest.txt", order_text(order).encode())
            box.write(MANIFEST, order_json(order).encode())
    except _Failed:
        return (), findings
    cards = order.totals["cards"]
    return (Built(target, order.totals["pages"], cards, box.changed),), findings


def _wanted(made: SetCards, preset: Preset, options: BuildOptions, decks: Sequence[Deck]) -> str:
    """The hash of everything that shapes an order."""
    from builder.render.flow import flow_hash

    renderer = made.renderer
    langs = tuple(dict.fromkeys(deck.lang for deck in decks))
    sheets = [flow_hash(renderer, "order", SHEET_PAPER, lang) for lang in langs]
    shaped = [
        (deck.lang, deck.size, deck.part, [(card.card.id, str(card.card.released), card.pair, card.copies)])
        for deck in decks
        for card in deck.cards
    ]
    cuts = [sorted(deck.cuts.items()) for deck in decks[:1]]
    drawn = shutil.which("gs") is not None
    rest = (
        options.select.langs,
        options.select.as_of,
        renderer.words(langs[0]).pack_name,
        _profile(preset, options),
        drawn,
    )
    made_by = (fingerprint(*MAKERS), engine_hash(), renderer.drawn_on)
    return digest(*made_by, preset.model_dump_json(), *sheets, repr((shaped, cuts, rest)))


def _profile(preset: Preset, options: BuildOptions) -> str:
    """The hash of the profile that colours are converted with."""
    from builder.render.prepress.ink import find_profile

    if preset.colour.space != "cmyk":
        return ""
    found = find_profile(preset.colour, options.publish.icc)
    return sha256(found.data).hexdigest() + found.description


def package_path(project: Project, pack_id: str, preset: Preset, options: BuildOptions) -> Path:
    """Where the package goes: a folder, or an archive of the same name."""
    parts = [options.select.roster.stem if options.select.roster else pack_id, *options.select.langs, preset.id]
    parts += [options.select.as_of] if options.select.as_of else []
    parts += ["ink"] if options.select.variant == "ink" else []
    parts += ["".join(sign if sign.isalnum() else "-" for sign in only).strip("-") for only in options.select.only]
    folder = options.publish.output or project.output_dir(pack_id)
    return folder / ("-".join(parts) + (".zip" if options.publish.zipped else ""))


def _day(decks: Sequence[Deck]) -> str:
    """The day the files bear: when the newest of their cards was released."""
    return max((card.card.released.isoformat() for deck in decks for card in deck.cards), default="2000-01-01")


def _preflight(project: Project, box: Package, preset: Preset, filer: Filer) -> tuple[Finding, ...]:
    """What preflight says of the files, warnings of one sort in a PDF folded together."""
    names = [name for name in box.hashes if name.endswith(".pdf")]
    found = [one for name in names for one in verdict(project, box.folder / name, box.hashes[name], preset)]
    images = [file for file in filer.files if file.pixels is not None]
    found += [one for file in images for one in image_verdict(project, box.folder / file.name, file, preset)]
    with_text = preset.model_copy(update={"outlined_text": False})
    for path in sorted(filer.lettered.iterdir()):
        found = twice_judged(found, verdict(project, path, file_hash(path), with_text))
    return tuple(dict.fromkeys((*filer.art, *without(found, filer.art))))


def _order(
    made: SetCards, preset: Preset, options: BuildOptions, filer: Filer, findings: Sequence[Finding], colour: str
) -> ShopOrder:
    """The order as a value."""
    renderer, source = made.renderer, made.renderer.pack.manifest.languages.source
    lang = languages(renderer.pack, options.select.langs)[0]
    remarks = [pick(note, lang, source) for note in preset.notes]
    remarks += [finding.message for finding in findings if finding.severity is not Severity.ERROR]
    state = f"release {options.select.as_of}" if options.select.as_of else "the cards as they are"
    shop, title = pick(preset.name, lang, source), renderer.words(lang).pack_name
    cards, files = tuple(filer.cards), tuple(filer.files)
    about = (tuple(dict.fromkeys(remarks)), options.select.as_of or "")
    return ShopOrder(preset.id, shop, renderer.pack.id, title, state, colour, cards, files, *about)


def _sheet(project: Project, made: SetCards, order: ShopOrder) -> bytes:
    """The order sheet of the order: what is in it, to send along, in the language of its first card."""
    from builder.render.flow import set_flow
    from builder.render.sheets.sheets import Composer

    renderer = made.renderer
    lang = order.cards[0].lang if order.cards else renderer.pack.manifest.languages.source
    told = {"colour": translate(order.colour, lang), "remarks": [translate(remark, lang) for remark in order.remarks]}
    whole = asdict(order)
    for item in (*whole["cards"], *whole["files"]):
        item["size"] = shown_size(item["size"])
    values = {"order": {**whole, **told, "totals": order.totals}}
    flow = set_flow(renderer, "order", SHEET_PAPER, lang, values)
    if has_errors(flow.findings):
        problem = flow.findings[0]
        raise UsageError(_("the order sheet cannot be set: {reason}", reason=problem.message), problem.hint)
    composer = Composer(renderer.cache, project.cache_dir, renderer.fonts, SHEET, f"{order.title}: {order.shop}")
    out = BytesIO()
    composer.compose(out, (), flow.keys)
    return out.getvalue()
