"""The addresses of collections."""

from django.urls import path

from builder.web.collection import views

urlpatterns = [
    path("collection", views.collections, name="collections"),
    path("collection/<slug:pack>", views.collection, name="collection"),
    path("collection/<slug:pack>/file.yaml", views.saved, name="collection-file"),
    path("collection/<slug:pack>/file", views.taken_in, name="collection-take"),
]
