"""The addresses of collections."""

from django.urls import path

from builder.web.collection import views

urlpatterns = [
    path("collection", views.show_collections, name="collections"),
    path("collection/<slug:pack>", views.show_collection, name="collection"),
    path(
        "collection/<slug:pack>/file.yaml",
        views.export_collection,
        name="collection-file",
    ),
    path(
        "collection/<slug:pack>/file", views.import_collection, name="collection-take"
    ),
]
