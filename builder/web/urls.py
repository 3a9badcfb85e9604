"""The addresses of all apps."""

from django.urls import include, path
from django.views.i18n import set_language

urlpatterns = [
    path("language", set_language, name="language"),
    path("", include("builder.web.accounts.urls")),
    path("", include("builder.web.cards.urls")),
    path("", include("builder.web.collection.urls")),
    path("", include("builder.web.squads.urls")),
    path("", include("builder.web.events.urls")),
]
handler404 = "builder.web.views.show_not_found"
handler500 = "builder.web.views.show_bug"
