"""The page on which squads of one game are compared with the collection."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from builder.web.accounts.owner import get_owner
from builder.web.cards.faces import get_faces
from builder.web.cards.library import get_library, get_names
from builder.web.collection.counts import collection_of
from builder.web.squads.claims import claims
from builder.web.squads.models import squads_of
from builder.web.templating import get_page_language, render_page


@require_GET
def together(request: HttpRequest, pack: str) -> HttpResponse:
    """Squads that are wanted at the same time, all of them unless some are named, and what they both claim."""
    found, owner = get_library().get_pack(pack), get_owner(request)
    rows = list(squads_of(owner).filter(pack=pack))
    named = set(request.GET.getlist("squad"))
    chosen = [row for row in rows if not named or str(row.id) in named]
    lacking = claims(owner, found, {str(row.id): row for row in chosen})
    names, faces = get_names(found, get_page_language()), get_faces(found, get_page_language())
    told = [
        (names.card(one.card), next(iter(faces.get(one.card, ())), None), one) for one in lacking
    ]
    kept = collection_of(owner, pack).owned
    return render_page(request, "collection/together", pack=found, names=names, rows=rows, claims=told,
                chosen={row.id for row in chosen}, counted=any(item.count for item in kept.values()))  # fmt: skip
