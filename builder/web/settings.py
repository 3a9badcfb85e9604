"""Django's settings, from environment variables. Without any, it is a server for one machine."""

from builder.web.environment import (
    configure_database,
    get_origin,
    list_hosts,
    load_secret_key,
    make_data_folder,
)

DATA = make_data_folder()
SECRET_KEY = load_secret_key(DATA)
DEBUG = False
ALLOWED_HOSTS = list_hosts()
DATABASES = {"default": configure_database(DATA)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

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
OWNED_DATA = [
    "builder.web.collection.counts.CollectionData",
    "builder.web.squads.ownership.SquadData",
    "builder.web.squads.imported_lists.ImportedListData",
    "builder.web.events.lists.EventData",
]
"""The classes for the data of owners in each app: see `builder.web.accounts.owned_data`."""
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "builder.web.middleware.remove_head_bodies",
    "builder.web.middleware.limit_bodies",
    "builder.web.middleware.CompressText",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "builder.web.middleware.add_content_policy",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "builder.web.middleware.record_devices",
    "builder.web.middleware.ShowErrors",
]
ROOT_URLCONF = "builder.web.urls"
WSGI_APPLICATION = "builder.web.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.jinja2.Jinja2",
        "DIRS": [],
        "APP_DIRS": False,
        "OPTIONS": {"environment": "builder.web.templating.make_environment"},
    }
]

PASSWORD_HASHERS = ["builder.web.accounts.passwords.PasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]

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
# Addresses of static files hold a digest of their content (`templating.find_asset`).
WHITENOISE_MAX_AGE = 365 * 86400

DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000_000
DATA_UPLOAD_MAX_NUMBER_FIELDS = 2_000
APPEND_SLASH = False

CSRF_COOKIE_HTTPONLY = True
CSRF_FAILURE_VIEW = "builder.web.views.show_csrf_failure"
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
if get_origin().scheme == "https":
    CSRF_TRUSTED_ORIGINS = [f"https://{get_origin().netloc}"]
    CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = SESSION_COOKIE_SECURE = True
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = True
    SECURE_HSTS_SECONDS = 365 * 86400
    SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = True

# Only errors are logged: no address, no cookie, no name of a person.
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
