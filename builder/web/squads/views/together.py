"""Squads that are to be played on one evening, compared with the collection."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from builder.web.accounts.owner import get_owner
from builder.web.cards.faces import get_faces
from builder.web.cards.library import get_library, get_names
from builder.web.collection.counts import load_collection
from builder.web.squads.claims import find_claims
from builder.web.squads.models import squads_of
from builder.web.templating import get_page_language, render_page


@require_GET
def compare_squads(request: HttpRequest, pack: str) -> HttpResponse:
    """Show the cards that squads claim together: the named squads, or all."""
    game = get_library().get_pack(pack)
    owner = get_owner(request)
    lang = get_page_language()
    squads = list(squads_of(owner).filter(pack=pack))
    named_ids = set(request.GET.getlist("squad"))
    compared = {str(squad.id): squad for squad in squads}
    if named_ids:
        compared = {key: squad for key, squad in compared.items() if key in named_ids}
    names = get_names(game, lang)
    faces = get_faces(game, lang)
    claims = []
    for claim in find_claims(owner, game, compared):
        face = next(iter(faces.get(claim.card, ())), None)
        claims.append((names.name_card(claim.card), face, claim))
    return render_page(
        request,
        "squads/together",
        pack=game,
        names=names,
        rows=squads,
        claims=claims,
        chosen={squad.id for squad in compared.values()},
        counted=any(item.count for item in load_collection(owner, pack).owned.values()),
    )
