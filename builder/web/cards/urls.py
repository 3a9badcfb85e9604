"""The addresses of the public card pages and of pictures."""

from django.urls import path

from builder.web.cards import views

urlpatterns = [
    path("colours.css", views.colours, name="colours"),
    path("cards/", views.games, name="cards"),
    path("cards/<slug:pack>/", views.game, name="cards_game"),
    path("cards/<slug:pack>/index.json", views.index, name="cards_index"),
    path("cards/<slug:pack>/feed.atom", views.feed, name="cards_feed"),
    path("cards/<slug:pack>/feed.json", views.json_feed, name="cards_json_feed"),
    path("cards/<slug:pack>/releases/<str:version>/", views.release, name="cards_release"),
    path("cards/<slug:pack>/<slug:kind>/", views.kind, name="cards_kind"),
    path("cards/<slug:pack>/<slug:kind>/page/<int:number>/", views.kind, name="cards_page"),
    path("cards/<slug:pack>/<slug:kind>/<slug:card>/", views.card, name="card"),
    path("cards/<slug:pack>/<slug:kind>/<slug:card>.json", views.card_data, name="card_data"),
    path("faces/<str:address>-<int:width>.webp", views.face, name="face"),
]
