"""The addresses of the public card pages and of pictures."""

from django.urls import path

from builder.web.cards import views

urlpatterns = [
    path("colours.css", views.export_colours, name="colours"),
    path("cards/", views.show_games, name="cards"),
    path("cards/<slug:pack>/", views.show_game, name="cards_game"),
    path("cards/<slug:pack>/index.json", views.export_index, name="cards_index"),
    path("cards/<slug:pack>/feed.atom", views.export_feed, name="cards_feed"),
    path("cards/<slug:pack>/feed.json", views.export_json_feed, name="cards_json_feed"),
    path("cards/<slug:pack>/releases/since/", views.choose_copy, name="cards_since"),
    path(
        "cards/<slug:pack>/releases/since/<str:version>/",
        views.show_since,
        name="cards_since_copy",
    ),
    path(
        "cards/<slug:pack>/releases/<str:version>/",
        views.show_release,
        name="cards_release",
    ),
    path("cards/<slug:pack>/rulings/", views.show_rulings, name="cards_rulings"),
    path("cards/<slug:pack>/<slug:kind>/", views.show_kind, name="cards_kind"),
    path(
        "cards/<slug:pack>/<slug:kind>/page/<int:number>/",
        views.show_kind,
        name="cards_page",
    ),
    path("cards/<slug:pack>/<slug:kind>/<slug:card>/", views.show_card, name="card"),
    path(
        "cards/<slug:pack>/<slug:kind>/<slug:card>.json",
        views.export_card,
        name="card_data",
    ),
    path("faces/<str:address>-<int:width>.webp", views.export_face, name="face"),
]
