"""A squad sealed for an opponent: the copy that shows its models, cards revealed at the table, each with its proof."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from uuid import UUID

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from builder.errors import InputUnreadable, SquadpressError, UsageError
from builder.messages import gettext as _
from builder.model.base import Json
from builder.model.roster import Roster
from builder.packs.exchange import parse_json
from builder.usecases.roster.seal import (
    Revealed,
    make_disclosure,
    read_copy,
    reveal,
    seal as close,
    suggest_command,
)
from builder.usecases.roster.sealing import REASONS, WHOLE, Proved, format_fingerprint, list_secrets
from builder.usecases.roster.share import draw_qr_path, format_text
from builder.web.accounts.owner import get_owner
from builder.web.accounts.rate_limits import limit_rate
from builder.web.cards.library import cache_per_library, choose_card_language, get_library
from builder.web.squads.models import SavedSquad, SquadSeal, squads_of
from builder.web.squads.squad_view import SquadSight, sight_of
from builder.web.squads.views.squad import own_squad, squad_page
from builder.web.templating import get_page_language, render_page, translate_text
from builder.web.uploads import read_field_or_file

MOST = 20
"""Seals of one squad."""


@dataclass(frozen=True, slots=True)
class SecretRow:
    """A card that is sealed: the name of its secret, what it is, whether it was revealed."""

    name: str
    card: str
    opened: bool


@require_http_methods(["GET", "POST"])
@limit_rate("seal", max_count=60)
def seals(request: HttpRequest, key: UUID) -> HttpResponse:
    """The seals of a squad; one more where a form is sent."""
    sight = own_squad(request, key)
    found = SquadSeal.objects.filter(squad=sight.row)
    if request.method != "POST":
        rows = [(seal, format_fingerprint(seal.copy)) for seal in found]
        return squad_page(request, sight, "seals", rows=rows, legal=sight.judged.legal)
    if not sight.judged.legal:
        raise UsageError(
            _("this squad is not legal"),
            _("Fix the squad first. Only a legal squad can be sealed."),
        )
    if found.count() >= MOST:
        raise UsageError(
            _("this squad has reached the maximum number of seals"),
            _("Remove a seal you no longer need."),
        )
    made = close(sight.judged)
    kept = SquadSeal.objects.create(squad=sight.row, copy=dict(made.copy), key=dict(made.key))
    return redirect("seal", seal=kept.pk)


@require_http_methods(["GET", "POST"])
def seal(request: HttpRequest, seal: UUID) -> HttpResponse:
    """What its owner sees of a seal; `open NAME` reveals a card, `remove` takes the seal away."""
    found = own_seal(request, seal)
    if request.method == "POST":
        verb, _blank, name = request.POST.get("do", "").partition(" ")
        if verb == "remove":
            found.delete()
            return redirect("seals", key=found.squad.pk)
        _open(found, name)
        return redirect("seal", seal=seal)
    sight = own_squad(request, found.squad.pk)
    address = request.build_absolute_uri(reverse("sealed", args=[seal]))
    return squad_page(
        request, sight, "seal", seal=found, mark=format_fingerprint(found.copy), address=address,
        code=draw_qr_path(address),
        models=_secrets(found, sight), whole=WHOLE in found.opened,
    )  # fmt: skip


def own_seal(request: HttpRequest, seal: UUID) -> SquadSeal:
    """A seal of a squad of this browser's. InputUnreadable for any other."""
    found = (
        SquadSeal.objects.select_related("squad")
        .filter(pk=seal, squad__in=squads_of(get_owner(request)))
        .first()
    )
    if found is None:
        raise InputUnreadable(
            _("this is not one of your seals"),
            _("It may have been created in another browser, or removed."),
        )
    return found


def _open(seal: SquadSeal, name: str) -> None:
    """Reveal one secret, for good. UsageError where there is none of that name."""
    make_disclosure(seal.key, (name,), "key")
    with transaction.atomic():
        row = SquadSeal.objects.select_for_update().get(pk=seal.pk)
        if name not in row.opened:
            row.opened = [*row.opened, name]
            row.save(update_fields=["opened"])


def _secrets(seal: SquadSeal, sight: SquadSight) -> list[tuple[str, list[SecretRow]]]:
    """The sealed cards of each model, then those of the deck under no name."""
    roster = Roster.model_validate(seal.key["roster"])
    groups: dict[str, list[SecretRow]] = {}
    for name, value in list_secrets(roster).items():
        if name != WHOLE and isinstance(value, Mapping):
            card = sight.names.card(str(value["card"])) + (
                f" × {value['count']}" if "count" in value else ""
            )
            groups.setdefault(name.partition(".")[0], []).append(
                SecretRow(name, card, name in seal.opened)
            )
    found = []
    for number, entry in enumerate(roster.entries, 1):
        if rows := groups.get(f"#{number}"):
            found.append((entry.name or sight.names.card(entry.card), rows))
    return [*found, ("", groups["deck"])] if "deck" in groups else found


@require_GET
def sealed(request: HttpRequest, seal: UUID) -> HttpResponse:
    """What the opponent sees: models, fingerprint, and what was revealed by now, proved."""
    found = _shown(seal)
    row = SavedSquad(
        owner="", pack=found.squad.pack, release=str(found.copy["roster"].get("version") or "")
    )
    roster = Roster.model_validate(found.copy["roster"])
    row.text, row.name = get_library().format_squad(roster), roster.name[:200]
    sight = sight_of(row)
    lang = choose_card_language(sight.pack, sight.lang)
    proof = proof_of(seal, tuple(found.opened), lang) if found.opened else None
    secrets = proof.secrets if proof is not None else ()
    by_line: dict[str, list[tuple[str, str]]] = {}
    for item in secrets:
        if item.name != WHOLE and proof is not None:
            by_line.setdefault(item.name.partition(".")[0], []).append(_told(proof, item, sight))
    whole = None
    if proof is not None and proof.squad is not None and proof.squad.roster is not None:
        opened = SavedSquad(owner="", pack=row.pack, release=row.release, name=row.name)
        opened.text = get_library().format_squad(proof.squad.roster)
        whole = sight_of(opened)
    return render_page(
        request, "squads/sealed", sight=sight, seal=found, mark=format_fingerprint(found.copy),
        by_line=by_line, whole=whole,
        wrong=[_reason(item) for item in secrets if item.wrong], here=request.path,
    )  # fmt: skip


def _shown(seal: UUID) -> SquadSeal:
    found = SquadSeal.objects.select_related("squad").filter(pk=seal).first()
    if found is None:
        raise InputUnreadable(
            _("this link is not valid"), _("The link may have been withdrawn. Ask for a new one.")
        )
    return found


@cache_per_library(200)
def proof_of(seal: UUID, opened: tuple[str, ...], lang: str) -> Revealed:
    """What was revealed of a seal, held against its copy."""
    found = _shown(seal)
    return reveal(
        get_library().packs,
        found.copy,
        make_disclosure(found.key, opened, "key"),
        ("copy", "disclosure"),
        lang,
    )


def _told(proof: Revealed, item: Proved, sight: SquadSight) -> tuple[str, str]:
    """A revealed card by its name, and why it is not proved; nothing where it is."""
    value = item.value
    card = (
        sight.names.card(str(value["card"]))
        if isinstance(value, Mapping) and "card" in value
        else "–"
    )
    return card, _reason(item)


def _reason(item: Proved) -> str:
    return translate_text(REASONS[item.wrong], places=item.places) if item.wrong else ""


@require_GET
def copy(request: HttpRequest, seal: UUID) -> HttpResponse:
    """The opponent's copy as a file, to be kept until it is proved."""
    return _file(_shown(seal).copy, "sealed.json")


@require_GET
def disclosure(request: HttpRequest, seal: UUID) -> HttpResponse:
    """The disclosure of what was revealed by now, as a file."""
    found = _shown(seal)
    if not found.opened:
        raise InputUnreadable(
            _("nothing has been revealed yet"), _("Wait until the owner reveals a card.")
        )
    return _file(make_disclosure(found.key, tuple(found.opened), "key"), "proof.json")


@require_GET
def key(request: HttpRequest, seal: UUID) -> HttpResponse:
    """The owner's key as a file, for the command line."""
    return _file(own_seal(request, seal).key, "key.json")


def _file(value: Mapping[str, Json], name: str) -> HttpResponse:
    text = json.dumps(value, ensure_ascii=False, indent=1) + "\n"
    response = HttpResponse(text.encode(), content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="squad.{name}"'
    return response


@require_http_methods(["GET", "POST"])
@limit_rate("prove", max_count=120)
def prove(request: HttpRequest) -> HttpResponse:
    """A sealed copy and a disclosure, from whatever program, held against each other."""
    show = partial(render_page, request, "squads/prove")
    empty: dict[str, object] = {
        "wrong": "",
        "remedy": "",
        "rows": (),
        "text": "",
        "mark": "",
        "copy": "",
        "proof": "",
    }
    if request.method != "POST":
        return show(**empty)
    try:
        empty["copy"], empty["proof"] = (
            read_field_or_file(request, "copy", "copy-file"),
            read_field_or_file(request, "proof", "proof-file"),
        )
        return show(**{**empty, **_proved(str(empty["copy"]), str(empty["proof"]))})
    except SquadpressError as error:
        response = show(
            **{
                **empty,
                "wrong": translate_text(error.message),
                "remedy": translate_text(error.remedy),
            }
        )
        response.status_code = 400
        return response


def _proved(copy: str, proof: str) -> dict[str, object]:
    """What a copy shows, and what a disclosure proves of it. InputUnreadable where one of them is none."""
    stated = _json(copy, "sealed copy")
    lang = get_page_language()
    if not proof.strip():
        found = read_copy(get_library().packs, stated, translate_text(_("the sealed copy")), None)
        if found is None:
            raise InputUnreadable(_("this is not a sealed copy"), suggest_command("sealed copy"))
        return {"mark": found[1], "text": format_text(found[0])}
    names = (translate_text(_("the sealed copy")), translate_text(_("the disclosure")))
    made = reveal(get_library().packs, stated, _json(proof, "disclosure"), names)
    if made.names is not None:  # in the reader's language, where the game has it
        told = choose_card_language(made.names.pack, lang)
        made = reveal(get_library().packs, stated, _json(proof, "disclosure"), names, told)
    rows = [
        (
            item.name,
            translate_text(_("nothing")) if item.value is None else _content(made, item),
            _reason(item),
        )
        for item in made.secrets
    ]
    return {
        "mark": made.fingerprint,
        "rows": rows,
        "text": format_text(made.squad) if made.squad is not None else "",
    }


def _content(made: Revealed, item: Proved) -> str:
    return translate_text(_("the whole squad")) if item.name == WHOLE else made.told(item.value)


def _json(text: str, what: str) -> Json:
    try:
        return parse_json(text.encode("utf-8", "replace"))
    except ValueError:
        raise InputUnreadable(_("this is not JSON"), suggest_command(what)) from None
