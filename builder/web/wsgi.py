"""The application for WSGI servers: `gunicorn builder.web.wsgi`."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "builder.web.settings")
application = get_wsgi_application()

from builder.web.server import prepare_process  # noqa: E402 (its imports need the settings)

prepare_process()
