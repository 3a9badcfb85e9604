"""A squad sealed for an opponent: the copy shows its models.

Cards are revealed at the table, each with its proof.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
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
from builder.packs.privacy import refuse_imported
from builder.usecases.roster.seal import (
    DisclosureCheck,
    check_disclosure,
    make_disclosure,
    read_copy,
    seal_roster,
    suggest_command,
)
from builder.usecases.roster.sealing import (
    REASONS,
    WHOLE_SQUAD,
    SecretCheck,
    format_fingerprint,
    list_secrets,
)
from builder.usecases.roster.share import draw_qr_path, format_text
from builder.web.accounts.owner import get_owner
from builder.web.accounts.rate_limits import limit_rate
from builder.web.cards.library import (
    cache_per_library,
    choose_card_language,
    get_library,
)
from builder.web.squads.models import SavedSquad, SquadSeal, squads_of
from builder.web.squads.squad_view import SquadView, make_squad_view
from builder.web.squads.views.squad import load_own_squad, render_squad
from builder.web.templating import (
    get_page_language,
    make_download,
    render_page,
    translate_text,
)
from builder.web.uploads import read_field_or_file

MAX_SEALS = 20
"""Seals of one squad."""


@dataclass(frozen=True, slots=True)
class SecretRow:
    """A sealed card of a squad, and whether it was revealed."""

    name: str
    card: str
    opened: bool


@require_http_methods(["GET", "POST"])
@limit_rate("seal", max_count=60)
def show_seals(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show the seals of a squad. A form makes one more."""
    view = load_own_squad(request, key)
    seals = SquadSeal.objects.filter(squad=view.row)
    if request.method != "POST":
        rows = [(seal, format_fingerprint(seal.copy)) for seal in seals]
        return render_squad(request, view, "seals", rows=rows, legal=view.result.legal)
    refuse_imported(get_library().project, view.pack.id)
    if not view.result.legal:
        hint = _("Fix the squad first. Only a legal squad can be sealed.")
        raise UsageError(_("this squad is not legal"), hint)
    if seals.count() >= MAX_SEALS:
        hint = _("Remove a seal you no longer need.")
        raise UsageError(_("this squad has reached the maximum number of seals"), hint)
    sealed = seal_roster(view.result)
    row = SquadSeal.objects.create(
        squad=view.row, copy=dict(sealed.copy), key=dict(sealed.key)
    )
    return redirect("seal", seal=row.pk)


@require_http_methods(["GET", "POST"])
def show_seal(request: HttpRequest, seal: UUID) -> HttpResponse:
    """Show a seal to its owner. `open NAME` reveals a card, `remove` removes the seal."""
    row = _load_own_seal(request, seal)
    if request.method == "POST":
        verb, _blank, name = request.POST.get("do", "").partition(" ")
        if verb == "remove":
            row.delete()
            return redirect("seals", key=row.squad.pk)
        _reveal_secret(row, name)
        return redirect("seal", seal=seal)
    view = load_own_squad(request, row.squad.pk)
    address = request.build_absolute_uri(reverse("sealed", args=[seal]))
    return render_squad(
        request,
        view,
        "seal",
        seal=row,
        mark=format_fingerprint(row.copy),
        address=address,
        code=draw_qr_path(address),
        models=_list_secret_rows(row, view),
        whole=WHOLE_SQUAD in row.opened,
    )


def _load_own_seal(request: HttpRequest, seal: UUID) -> SquadSeal:
    """Return a seal of this browser's owner. Raise InputUnreadable for other seals."""
    own_squads = squads_of(get_owner(request))
    seals = SquadSeal.objects.select_related("squad")
    row = seals.filter(pk=seal, squad__in=own_squads).first()
    if row is None:
        hint = _("It may have been created in another browser, or removed.")
        raise InputUnreadable(_("this is not one of your seals"), hint)
    return row


def _reveal_secret(seal: SquadSeal, name: str) -> None:
    """Reveal a secret for good. Raise UsageError if the seal has none of this name."""
    make_disclosure(seal.key, (name,), "key")
    with transaction.atomic():
        row = SquadSeal.objects.select_for_update().get(pk=seal.pk)
        if name not in row.opened:
            row.opened = [*row.opened, name]
            row.save(update_fields=["opened"])


def _list_secret_rows(
    seal: SquadSeal, view: SquadView
) -> list[tuple[str, list[SecretRow]]]:
    """Return the sealed cards, grouped by model.

    Those of the deck come last, under no name.
    """
    roster = Roster.model_validate(seal.key["roster"])
    rows_by_line: dict[str, list[SecretRow]] = {}
    for name, value in list_secrets(roster).items():
        if name != WHOLE_SQUAD and isinstance(value, Mapping):
            card = view.names.name_card(str(value["card"]))
            if "count" in value:
                card += f" × {value['count']}"
            row = SecretRow(name, card, name in seal.opened)
            rows_by_line.setdefault(_get_line(name), []).append(row)
    groups = []
    for number, entry in enumerate(roster.entries, 1):
        if f"#{number}" in rows_by_line:
            name = entry.name or view.names.name_card(entry.card)
            groups.append((name, rows_by_line[f"#{number}"]))
    if "deck" in rows_by_line:
        groups.append(("", rows_by_line["deck"]))
    return groups


def _get_line(secret: str) -> str:
    """Return the part of a secret's name that names its model or the deck: `#1` or `deck`."""
    return secret.partition(".")[0]


@require_GET
def show_sealed(request: HttpRequest, seal: UUID) -> HttpResponse:
    """Show the opponent the models, the fingerprint, and what was revealed, with its proof."""
    row = _load_seal(seal)
    refuse_imported(get_library().project, row.squad.pack)
    view = _make_unsaved_view(row, Roster.model_validate(row.copy["roster"]))
    lang = choose_card_language(view.pack, view.lang)
    proof = check_seal(seal, tuple(row.opened), lang) if row.opened else None
    cards_by_line: dict[str, list[tuple[str, str]]] = {}
    flaws: list[str] = []
    whole_squad = None
    for secret in proof.secrets if proof is not None else ():
        if secret.flaw:
            flaws.append(_explain_wrong(secret))
        if secret.name != WHOLE_SQUAD:
            card = "–"
            if isinstance(secret.value, Mapping) and "card" in secret.value:
                card = view.names.name_card(str(secret.value["card"]))
            line_cards = cards_by_line.setdefault(_get_line(secret.name), [])
            line_cards.append((card, _explain_wrong(secret)))
    if proof is not None and proof.squad is not None and proof.squad.roster is not None:
        whole_squad = _make_unsaved_view(row, proof.squad.roster)
    return render_page(
        request,
        "squads/sealed",
        view=view,
        seal=row,
        mark=format_fingerprint(row.copy),
        by_line=cards_by_line,
        whole=whole_squad,
        flaws=flaws,
        here=request.path,
    )


def _make_unsaved_view(seal: SquadSeal, roster: Roster) -> SquadView:
    """Return the view of a sealed squad, which is not stored as a squad."""
    release = str(seal.copy["roster"].get("version") or "")
    squad = SavedSquad(owner="", pack=seal.squad.pack, release=release)
    squad.text = get_library().format_squad(roster)
    squad.name = str(seal.copy["roster"].get("name") or "")[:200]
    return make_squad_view(squad)


def _load_seal(seal: UUID) -> SquadSeal:
    row = SquadSeal.objects.select_related("squad").filter(pk=seal).first()
    if row is None:
        hint = _("The link may have been withdrawn. Ask for a new one.")
        raise InputUnreadable(_("this link is not valid"), hint)
    return row


@cache_per_library(200)
def check_seal(seal: UUID, opened: tuple[str, ...], lang: str) -> DisclosureCheck:
    """Check the revealed secrets of a seal against the copy that the opponent has.

    Return the result for each secret.
    """
    row = _load_seal(seal)
    disclosure = make_disclosure(row.key, opened, "key")
    return check_disclosure(
        get_library().packs, row.copy, disclosure, ("copy", "disclosure"), lang
    )


def _explain_wrong(secret: SecretCheck) -> str:
    """Return the reason why a secret is not proved. Empty if it is proved."""
    return (
        translate_text(REASONS[secret.flaw], places=secret.places)
        if secret.flaw
        else ""
    )


@require_GET
def export_copy(request: HttpRequest, seal: UUID) -> HttpResponse:
    """Return the sealed copy as a file for the opponent."""
    return _make_file(_load_seal(seal).copy, "sealed.json")


@require_GET
def export_disclosure(request: HttpRequest, seal: UUID) -> HttpResponse:
    """Return the disclosure of all revealed secrets as a file."""
    row = _load_seal(seal)
    if not row.opened:
        hint = _("Wait until the owner reveals a card.")
        raise InputUnreadable(_("nothing has been revealed yet"), hint)
    return _make_file(make_disclosure(row.key, tuple(row.opened), "key"), "proof.json")


@require_GET
def export_secret_key(request: HttpRequest, seal: UUID) -> HttpResponse:
    """Return the secret key of a seal as a file that the command-line program can read."""
    return _make_file(_load_own_seal(request, seal).key, "key.json")


def _make_file(value: Mapping[str, Json], name: str) -> HttpResponse:
    text = json.dumps(value, ensure_ascii=False, indent=1) + "\n"
    return make_download(text, "application/json", f"squad.{name}")


@require_http_methods(["GET", "POST"])
@limit_rate("prove", max_count=120)
def prove(request: HttpRequest) -> HttpResponse:
    """Check a disclosure against a sealed copy, both pasted or uploaded."""
    fields = ("wrong", "remedy", "text", "mark", "copy", "proof")
    values: dict[str, object] = {"rows": (), **dict.fromkeys(fields, "")}
    status = 200
    if request.method == "POST":
        try:
            values["copy"] = copy = read_field_or_file(request, "copy", "copy-file")
            values["proof"] = proof = read_field_or_file(request, "proof", "proof-file")
            values |= _check_proof(copy, proof)
        except SquadpressError as error:
            values["wrong"] = translate_text(error.message)
            values["remedy"] = translate_text(error.remedy)
            status = 400
    response = render_page(request, "squads/prove", **values)
    response.status_code = status
    return response


def _check_proof(copy_text: str, proof_text: str) -> dict[str, object]:
    """Return the visible squad of a sealed copy, and the result of its disclosure.

    Raise InputUnreadable if one of them is none.
    """
    packs = get_library().packs
    lang = get_page_language()
    copy = _parse_json(copy_text, "sealed copy")
    copy_name = translate_text(_("the sealed copy"))
    if not proof_text.strip():
        opponent_copy = read_copy(packs, copy, copy_name, None)
        if opponent_copy is None:
            hint = suggest_command("sealed copy")
            raise InputUnreadable(_("this is not a sealed copy"), hint)
        return {"mark": opponent_copy[1], "text": format_text(opponent_copy[0])}
    names = (copy_name, translate_text(_("the disclosure")))
    proof = check_disclosure(packs, copy, _parse_json(proof_text, "disclosure"), names)
    if proof.names is not None:  # the game is known: once more in the reader's language
        card_lang = choose_card_language(proof.names.pack, lang)
        proof = check_disclosure(
            packs, copy, _parse_json(proof_text, "disclosure"), names, card_lang
        )
    rows = [
        (secret.name, _describe_secret(proof, secret), _explain_wrong(secret))
        for secret in proof.secrets
    ]
    text = format_text(proof.squad) if proof.squad is not None else ""
    return {"mark": proof.fingerprint, "rows": rows, "text": text}


def _describe_secret(proof: DisclosureCheck, secret: SecretCheck) -> str:
    if secret.value is None:
        return translate_text(_("nothing"))
    if secret.name == WHOLE_SQUAD:
        return translate_text(_("the whole squad"))
    return proof.format_value(secret.value)


def _parse_json(text: str, document: str) -> Json:
    try:
        return parse_json(text.encode("utf-8", "replace"))
    except ValueError:
        raise InputUnreadable(
            _("this is not JSON"), suggest_command(document)
        ) from None
