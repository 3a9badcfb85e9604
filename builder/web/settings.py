"""Django's settings, from the environment: without any of it a server for one machine."""

from builder.web.environment import data_folder, database, hosts, origin, secret_key

DATA = data_folder()
SECRET_KEY = secret_key(DATA)
DEBUG = False
ALLOWED_HOSTS = hosts()
DATABASES = {"default": database(DATA)}

INSTALLED_APPS = [
    "django.contrib.staticfiles",
    "django_htmx",
    "builder.web.apps.WebConfig",
    "builder.web.accounts",
    "builder.web.cards",
    "builder.web.collection",
    "builder.web.squads",
    "builder.web.events",
]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
OWNED_DATA = [
    "builder.web.collection.counts.CollectionData",
    "builder.web.squads.ownership.SquadData",
    "builder.web.events.lists.EventData",
]
"""What apps store of owners: see `builder.web.accounts.owned_data`."""
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "builder.web.middleware.BoundBodies",
    "builder.web.middleware.CompressText",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "builder.web.middleware.ContentPolicy",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "builder.web.middleware.RecordDevices",
    "builder.web.middleware.TellErrors",
]
ROOT_URLCONF = "builder.web.urls"
WSGI_APPLICATION = "builder.web.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.jinja2.Jinja2",
        "DIRS": [],
        "APP_DIRS": False,
        "OPTIONS": {"environment": "builder.web.templating.environment"},
    }
]

PASSWORD_HASHERS = ["builder.web.accounts.passwords.Hasher"]

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("de", "Deutsch"), ("ru", "Русский")]
LANGUAGE_COOKIE_NAME = "lang"
LANGUAGE_COOKIE_AGE = 400 * 86400
LANGUAGE_COOKIE_SAMESITE = "Lax"
USE_I18N = USE_TZ = True
FORMAT_MODULE_PATH = "builder.web.dates"
TIME_ZONE = "UTC"

STATIC_URL = "static/"
STATIC_ROOT = None
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = False
WHITENOISE_MAX_AGE = 365 * 86400
"""Pages name what they use with a digest of it (`templating.asset`)."""

DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000_000
DATA_UPLOAD_MAX_NUMBER_FIELDS = 2_000
APPEND_SLASH = False

CSRF_COOKIE_HTTPONLY = True
CSRF_FAILURE_VIEW = "builder.web.views.stale_form"
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
if origin().scheme == "https":
    CSRF_TRUSTED_ORIGINS = [f"https://{origin().netloc}"]
    CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = SESSION_COOKIE_SECURE = True
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = True
    SECURE_HSTS_SECONDS = 365 * 86400
    SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = True

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "handlers": {
        "console": {"class": "logging.StreamHandler"},
        "nowhere": {"class": "logging.NullHandler"},
    },
    "loggers": {
        "django": {"handlers": ["console"], "level": "ERROR", "propagate": False},
        "django.security.DisallowedHost": {"handlers": ["nowhere"], "propagate": False},
    },
}
"""Errors alone are logged, not what strangers make up: no address, no cookie, no name of a person."""
