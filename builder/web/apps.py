"""The project as Django knows it."""

from django.apps import AppConfig


class WebConfig(AppConfig):
    """Static files, commands and shared templates, and the migrations from before the split into apps.

    Its label is the prefix of all tables.
    """

    name = "builder.web"
    label = "squadpress"
