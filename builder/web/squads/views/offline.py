"""The installed program: its manifest, its icon, and the script that works without a network."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.urls import reverse
from django.views.decorators.http import require_GET, require_safe

from builder.messages import gettext as _
from builder.web.squads.offline_game import export_game
from builder.web.squads.views.play import load_asset
from builder.web.templating import (
    find_asset,
    get_page_language,
    render_page,
    translate_text,
)

ICON_SIZES_PIXELS = (192, 512)
GROUND_COLOUR, BRAND_COLOUR = "#f5f3ee", "#16202b"


@require_GET
def export_worker(request: HttpRequest) -> HttpResponse:
    """Return the script that serves pages without a network."""
    response = HttpResponse(
        load_asset("squadpress/worker.js"), content_type="text/javascript"
    )
    response["Cache-Control"] = "no-cache"
    return response


@require_GET
def export_manifest(request: HttpRequest) -> JsonResponse:
    """Return the web manifest, with which phones and computers install the pages as a program."""
    icons = []
    for size in ICON_SIZES_PIXELS:
        address = find_asset(f"squadpress/icon-{size}.png")
        icons.append(
            {
                "src": address,
                "sizes": f"{size}x{size}",
                "type": "image/png",
                "purpose": "any maskable",
            }
        )
    manifest = {
        "name": "Squadpress",
        "short_name": "Squadpress",
        "description": translate_text(_("Build a squad, check it, print its cards")),
        "lang": get_page_language(),
        "id": reverse("home"),
        "start_url": reverse("home"),
        "scope": reverse("home"),
        "display": "standalone",
        "background_color": GROUND_COLOUR,
        "theme_color": BRAND_COLOUR,
        "icons": icons,
        "shortcuts": [
            {"name": translate_text(_("Import a squad")), "url": reverse("import")},
            {"name": translate_text(_("View all cards")), "url": reverse("cards")},
        ],
    }
    response = JsonResponse(manifest)
    response["Content-Type"] = "application/manifest+json"
    return response


@require_GET
def send_game(request: HttpRequest, pack: str) -> JsonResponse:
    """Return a game as browsers store it for use without a network."""
    response = JsonResponse(export_game(pack, get_page_language()))
    response["Cache-Control"] = "private, no-cache"
    return response


@require_GET
def show_offline_squad(request: HttpRequest) -> HttpResponse:
    """Show the page that edits a squad of this browser without a network.

    It is the same for all squads: a script fills it in.
    """
    return render_page(request, "squads/offline")


@require_GET
def show_offline_play(request: HttpRequest) -> HttpResponse:
    """Show the page for a game at the table without a network, which a script fills in."""
    return render_page(request, "squads/offline_play")


@require_safe
def show_offline(request: HttpRequest) -> HttpResponse:
    """Show the page for addresses that this browser has not stored.

    A script that sends waiting changes reads the token of their forms from its header.
    """
    message = translate_text(_("no network"))
    hint = translate_text(
        _(
            "This browser has not stored that page. Pages that it showed before can be opened."
        )
    )
    response = render_page(
        request, "squads/no_network", message=message, remedy=hint, back=""
    )
    response["X-CSRFToken"] = get_token(request)
    return response
