"""A squad handed on: links that can be withdrawn, a token with its code, lists and files; and what a link shows."""

from dataclasses import dataclass
from uuid import UUID, uuid4

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from builder.errors import UsageError
from builder.messages import gettext as _
from builder.model.roster import Roster
from builder.usecases.roster.share import (
    draw_qr_path,
    draw_qr_svg,
    format_json,
    format_text,
    make_token,
)
from builder.web.accounts.owner import get_or_create_owner, get_owner
from builder.web.accounts.rate_limits import count_new_squad
from builder.web.cards.library import get_library
from builder.web.squads.links import link_of, token_of
from builder.web.squads.models import SquadGuest, SquadLink
from builder.web.squads.squad_view import SquadSight, sight_of
from builder.web.squads.storage import SquadStorage
from builder.web.squads.views.squad import own_squad, seen, squad_page, without_notes
from builder.web.templating import make_file_name, render_page, translate_text

FORMS = {
    "text": ("txt", "text/plain; charset=utf-8"),
    "markdown": ("md", "text/markdown; charset=utf-8"),
    "json": ("json", "application/json"),
    "yaml": ("yaml", "application/yaml"),
    "token": ("token.txt", "text/plain; charset=utf-8"),
    "qr": ("svg", "image/svg+xml"),
}
"""What a squad can be taken along as: the ending of the file, and what it is."""


@dataclass(frozen=True, slots=True)
class LinkRow:
    """A kind of link: what it is called and lets others do, and its address and code where it was made."""

    kind: str
    title: str
    help: str
    address: str = ""
    code: tuple[int, str] | None = None


@require_GET
def share(request: HttpRequest, key: UUID) -> HttpResponse:
    """How this squad can be handed on."""
    sight = own_squad(request, key)
    own = sight.row.owner == get_owner(request)
    text = make_token(sight.judged) if _whole(sight) else ""
    return squad_page(
        request, sight, "share", links=link_rows(request, sight) if own else [], own=own, text=text,
        code=draw_qr_path(text) if text else None,
    )  # fmt: skip


def _whole(sight: SquadSight) -> bool:
    return (
        sight.judged.roster is not None
        and sight.judged.judge is not None
        and sight.judged.squad is not None
    )


def link_rows(request: HttpRequest, sight: SquadSight) -> list[LinkRow]:
    """The kinds of links with those that were made."""
    made = {link.kind: link for link in SquadLink.objects.filter(squad=sight.row)}
    told = {
        SquadLink.VIEW: (_("View"), _("Shows the current state of the squad.")),
        SquadLink.COPY: (
            _("View and copy"),
            _("Shows the squad and lets others make their own copy."),
        ),
        SquadLink.EDIT: (
            _("Edit"),
            _("Keep it secret: anyone with the link can change this squad."),
        ),
    }
    rows = []
    for kind, (title, help_) in told.items():
        address = ""
        if kind in made:
            address = request.build_absolute_uri(reverse("shared", args=[token_of(made[kind])]))
        rows.append(
            LinkRow(kind, title, help_, address, draw_qr_path(address) if address else None)
        )
    return rows


@require_POST
def links(request: HttpRequest, key: UUID) -> HttpResponse:
    """Make a link or withdraw it: `make KIND`, `withdraw KIND`. Only the owner may; who edits by a link may not."""
    row = own_squad(request, key).row
    if row.owner != get_owner(request):
        raise UsageError(
            _("only the owner of a squad can create and withdraw its links"), _("Ask the owner.")
        )
    verb, _blank, kind = request.POST.get("do", "").partition(" ")
    if verb == "make" and kind in SquadLink.KINDS:
        SquadLink.objects.get_or_create(squad=row, kind=kind)
    elif verb == "withdraw":
        SquadLink.objects.filter(squad=row, kind=kind).delete()
    return redirect("share", key=key)


@require_GET
def taken(request: HttpRequest, key: UUID, form: str) -> HttpResponse:
    """The squad as a file."""
    sight = own_squad(request, key)
    if form not in FORMS:
        raise Http404
    if not _whole(sight):
        raise UsageError(_("this squad cannot be read"), _("Undo the last change."))
    judged, roster = sight.judged, sight.judged.roster
    assert roster is not None
    made = {
        "text": lambda: format_text(judged), "markdown": lambda: format_text(judged, markdown=True),
        "json": lambda: format_json(judged), "yaml": lambda: get_library().format_squad(without_notes(roster)),
        "token": lambda: make_token(judged) + "\n", "qr": lambda: draw_qr_svg(make_token(judged)).decode(),
    }  # fmt: skip
    ending, sort = FORMS[form]
    response = HttpResponse(made[form]().encode(), content_type=sort)
    response["Content-Disposition"] = f'attachment; filename="{file_name(sight)}.{ending}"'
    return response


def file_name(sight: SquadSight) -> str:
    """A name for files of a squad, of letters that any system takes; its game's where none are left."""
    return make_file_name(sight.row.name) or sight.row.pack


@require_GET
def shared(request: HttpRequest, code: str) -> HttpResponse:
    """What a link shows; a squad that one may edit already is shown for editing."""
    link = link_of(code)
    if link.squad.owner == get_owner(request):
        return redirect("squad", key=link.squad.pk)
    response = render_page(
        request, "squads/shared", sight=sight_of(seen(link.squad)), link=link, code=code
    )
    response["X-Robots-Tag"] = "noindex"
    return response


def copied(link: SquadLink, by: str) -> Roster:
    """The squad of a link for somebody to have, without the owner's remarks. UsageError where the link lets others look
    and no more."""
    if link.kind == SquadLink.VIEW and link.squad.owner != by:
        raise UsageError(
            _("this link only shows the squad"), _("Ask for a link that allows copying.")
        )
    roster = get_library().parse_squad(link.squad.text, str(link.squad.pk)).roster
    if roster is None:
        raise UsageError(_("this squad cannot be read"), _("Ask for it once more."))
    return without_notes(roster)


@require_POST
def take(request: HttpRequest, code: str) -> HttpResponse:
    """Take a copy of a shared squad, or begin to edit it here; what the link allows."""
    link, owner = link_of(code), get_or_create_owner(request)
    key = link.squad.pk
    if link.kind == SquadLink.EDIT:
        SquadGuest.objects.get_or_create(link=link, owner=owner)
    else:
        count_new_squad(request)
        roster, key = copied(link, owner), uuid4()
        name = translate_text(_("{name} (copy)", name=roster.name or translate_text(_("Squad"))))[
            :80
        ]
        named = roster.model_copy(update={"name": name})
        SquadStorage(get_library(), owner).create(str(key), named)
    return redirect("squad", key=key)
