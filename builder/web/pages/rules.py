"""How close a squad is to each rule, what would mend it with the fewest changes, and what its attacks do."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from builder.report.stats import blocks
from builder.usecases.roster.explain import explained
from builder.usecases.roster.stats import declared, statistics
from builder.usecases.roster.stats_files import words
from builder.web.library import library
from builder.web.pages.squad import own_squad, squad_page


@require_GET
def rules(request: HttpRequest, key: UUID) -> HttpResponse:
    """The squad in numbers."""
    sight = own_squad(request, key)
    sheet = statistics(sight.judged, declared(library().packs, sight.pack.id))
    told = words(sight.lang)
    attacks = [(attack, list(blocks(attack, told))) for attack in sheet.attacks] if sheet else []
    lines = explained(sight.judged, every=True)
    return squad_page(request, sight, "rules", lines=lines, sheet=sheet, attacks=attacks, models=told["models"])
