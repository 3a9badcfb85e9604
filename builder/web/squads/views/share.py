"""Sharing: links that can be withdrawn, a token with its QR code, files; and the page of a link."""

from dataclasses import dataclass
from uuid import UUID, uuid4

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from builder.errors import UsageError
from builder.messages import gettext as _
from builder.model.roster import Roster
from builder.packs.privacy import refuse_imported
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
from builder.web.squads.links import find_link, sign_link
from builder.web.squads.models import SquadGuest, SquadLink
from builder.web.squads.share_picture import PICTURE_SIZES_PIXELS, draw_share_picture
from builder.web.squads.squad_view import SquadView, make_squad_view
from builder.web.squads.storage import SquadStorage, require_roster
from builder.web.squads.views.squad import (
    load_own_squad,
    record_visit,
    remove_notes,
    render_squad,
)
from builder.web.templating import (
    make_download,
    make_file_name,
    render_page,
    translate_text,
)

FILE_TYPES = {
    "text": ("txt", "text/plain; charset=utf-8"),
    "markdown": ("md", "text/markdown; charset=utf-8"),
    "json": ("json", "application/json"),
    "yaml": ("yaml", "application/yaml"),
    "token": ("token.txt", "text/plain; charset=utf-8"),
    "qr": ("svg", "image/svg+xml"),
}
"""File extension and content type by the form in which a squad can be downloaded."""
LINK_TEXTS = {
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
"""Title and explanation of each kind of link."""


@dataclass(frozen=True, slots=True)
class LinkRow:
    """A kind of link on the share page, with its texts.

    `address`, its last part `token` and the QR code `code` are set if the link was made.
    """

    kind: str
    title: str
    help: str
    address: str = ""
    token: str = ""
    code: tuple[int, str] | None = None


@require_GET
def show_share(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show how this squad can be shared."""
    view = load_own_squad(request, key)
    token = make_token(view.result) if _is_readable(view) else ""
    return render_squad(
        request,
        view,
        "share",
        links=_list_links(request, view) if view.is_own else [],
        own=view.is_own and not view.pack.manifest.imported,
        text=token,
        code=draw_qr_path(token) if token else None,
    )


def _is_readable(view: SquadView) -> bool:
    result = view.result
    return (
        result.roster is not None
        and result.checker is not None
        and result.squad is not None
    )


def _list_links(request: HttpRequest, view: SquadView) -> list[LinkRow]:
    """Return all kinds of links, each with the links that exist."""
    links = {link.kind: link for link in SquadLink.objects.filter(squad=view.row)}
    rows = []
    for kind, (title, explanation) in LINK_TEXTS.items():
        if kind in links:
            token = sign_link(links[kind])
            address = request.build_absolute_uri(reverse("shared", args=[token]))
            code = draw_qr_path(address)
            rows.append(LinkRow(kind, title, explanation, address, token, code))
        else:
            rows.append(LinkRow(kind, title, explanation))
    return rows


@require_POST
def change_links(request: HttpRequest, key: UUID) -> HttpResponse:
    """Make or withdraw a link: `make KIND`, `withdraw KIND`. Only the owner may."""
    view = load_own_squad(request, key)
    if not view.is_own:
        message = _("only the owner of a squad can create and withdraw its links")
        raise UsageError(message, _("Ask the owner."))
    refuse_imported(get_library().project, view.pack.id)
    verb, _blank, kind = request.POST.get("do", "").partition(" ")
    if verb == "make" and kind in SquadLink.KINDS:
        SquadLink.objects.get_or_create(squad=view.row, kind=kind)
    elif verb == "withdraw":
        SquadLink.objects.filter(squad=view.row, kind=kind).delete()
    return redirect("share", key=key)


@require_GET
def export_squad(request: HttpRequest, key: UUID, form: str) -> HttpResponse:
    """Return the squad as a file."""
    view = load_own_squad(request, key)
    if form not in FILE_TYPES:
        raise Http404
    roster = require_roster(view.result.roster if _is_readable(view) else None)
    extension, content_type = FILE_TYPES[form]
    file_name = f"{get_file_name(view)}.{extension}"
    return make_download(_format_squad(view, roster, form), content_type, file_name)


def _format_squad(view: SquadView, roster: Roster, form: str) -> str:
    result = view.result
    if form == "json":
        return format_json(result)
    if form == "yaml":
        return get_library().format_squad(remove_notes(roster))
    if form == "token":
        return make_token(result) + "\n"
    if form == "qr":
        return draw_qr_svg(make_token(result)).decode()
    return format_text(result, markdown=form == "markdown")


def get_file_name(view: SquadView) -> str:
    """Return a file name for downloads of a squad, without an extension."""
    return make_file_name(view.row.name) or view.row.pack


@require_GET
def show_shared(request: HttpRequest, code: str) -> HttpResponse:
    """Show the squad of a shared link. Its owner is redirected to the squad."""
    link = find_link(code)
    if link.squad.owner == get_owner(request):
        return redirect("squad", key=link.squad.pk)
    view = make_squad_view(record_visit(link.squad))
    preview = request.build_absolute_uri(
        reverse("shared-picture", args=[code, "preview"])
    )
    width, height = PICTURE_SIZES_PIXELS["preview"]
    response = render_page(
        request,
        "squads/shared",
        view=view,
        link=link,
        code=code,
        address=request.build_absolute_uri(),
        preview=preview,
        preview_size=(width, height),
    )
    response["X-Robots-Tag"] = "noindex"
    return response


@require_GET
def export_picture(request: HttpRequest, code: str, shape: str) -> HttpResponse:
    """Return the picture of a shared squad, for chats and for the previews of links."""
    if shape not in PICTURE_SIZES_PIXELS:
        raise Http404
    link = find_link(code)
    view = make_squad_view(
        SquadStorage(get_library(), "").pin_to_known_release(link.squad)
    )
    address = request.build_absolute_uri(reverse("shared", args=[code]))
    response = HttpResponse(
        draw_share_picture(view, shape, address), content_type="image/png"
    )
    # Programs that preview links fetch it without a cookie; a squad changes, so not for long.
    response["Cache-Control"] = "public, max-age=300"
    response["X-Robots-Tag"] = "noindex"
    return response


def copy_shared_squad(link: SquadLink, reader: str) -> Roster:
    """Return a copy of the squad of a link, without the owner's notes.

    Raise UsageError if the link is for viewing.
    """
    if link.kind == SquadLink.VIEW and link.squad.owner != reader:
        message = _("this link only shows the squad")
        raise UsageError(message, _("Ask for a link that allows copying."))
    roster = get_library().parse_squad(link.squad.text, str(link.squad.pk)).roster
    if roster is None:
        raise UsageError(_("this squad cannot be read"), _("Ask for the token again."))
    return remove_notes(roster)


@require_POST
def take_shared(request: HttpRequest, code: str) -> HttpResponse:
    """Copy the squad of a link, or add it to this browser's squads, as the link allows."""
    link = find_link(code)
    owner = get_or_create_owner(request)
    if link.kind == SquadLink.EDIT:
        SquadGuest.objects.get_or_create(link=link, owner=owner)
        return redirect("squad", key=link.squad.pk)
    count_new_squad(request)
    roster = copy_shared_squad(link, owner)
    key = uuid4()
    name = translate_text(
        _("{name} (copy)", name=roster.name or translate_text(_("Squad")))
    )
    copy = roster.model_copy(update={"name": name[:80]})
    SquadStorage(get_library(), owner).create(str(key), copy)
    return redirect("squad", key=key)
