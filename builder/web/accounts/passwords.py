"""Accounts, for whoever wants one: a name and a password that bring a browser the secret its squads are kept under.

The database holds a password's hash, and the secret under a mask that only the password makes: alone it opens nothing.
"""

import secrets
import unicodedata

from argon2.low_level import Type, hash_secret_raw
from django.contrib.auth.hashers import Argon2PasswordHasher, check_password, make_password
from django.contrib.auth.password_validation import (
    CommonPasswordValidator,
    MinimumLengthValidator,
    NumericPasswordValidator,
)
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from builder.errors import UsageError
from builder.messages import gettext as _
from builder.web.accounts.devices import remove_all_devices
from builder.web.accounts.handover import secret_in_code
from builder.web.accounts.models import Account
from builder.web.accounts.owned_data import merge_owners
from builder.web.accounts.owner import key_of, masked, new_secret

LONGEST_NAME, LONGEST_PASSWORD = 40, 200
WELL = (MinimumLengthValidator(8), CommonPasswordValidator(), NumericPasswordValidator())


class Hasher(Argon2PasswordHasher):
    """Argon2id with 19 MiB and two passes, so that several at once leave a small server its memory."""

    time_cost, memory_cost, parallelism = 2, 19 * 1024, 1


def account_of(owner: str) -> Account | None:
    """The account to which a browser belongs."""
    return Account.objects.filter(owner=owner).first() if owner else None


def make_account(name: str, password: str, secret: str) -> None:
    """Give a browser's squads an account. UsageError for a name that is taken or a password that is soon guessed."""
    shown = " ".join(unicodedata.normalize("NFKC", name).split())
    if not 2 <= len(shown) <= LONGEST_NAME or not shown.isprintable():
        message = _("a name has 2 to {most} letters", most=LONGEST_NAME)
        raise UsageError(message, _("Choose another name."))
    account = Account(owner=key_of(secret), name=shown, key=folded(shown))
    _lock(account, password, secret)
    try:
        with transaction.atomic():
            account.save(force_insert=True)
    except IntegrityError as taken:
        raise UsageError(_("this name is taken"), _("Choose another name.")) from taken


def sign_in(name: str, password: str) -> str:
    """The secret of an account. UsageError where name and password do not belong together, whichever is wrong."""
    account = Account.objects.filter(key=folded(name)).first()
    kept = account.password if account else _NOBODY
    if not check_password(password[:LONGEST_PASSWORD], kept) or account is None:
        message = _("name and password do not belong together")
        raise UsageError(
            message, _("Without the password the recovery code brings your squads back.")
        )
    return _unlock(account, password)


def change_password(account: Account, old: str, new: str) -> str:
    """Another password, and another secret, so that all other browsers are signed out: the new secret.

    `old` is the password so far, or the recovery code. UsageError where it is neither.
    """
    code = secret_in_code(old)
    if key_of(code) != account.owner and not check_password(
        old[:LONGEST_PASSWORD], account.password
    ):
        raise UsageError(
            _("this is not your password"), _("The recovery code may stand in its place.")
        )
    secret = new_secret()
    with transaction.atomic():
        remove_all_devices(account.owner)
        merge_owners(account.owner, key_of(secret))
        account.owner = key_of(secret)
        _lock(account, new, secret)
        account.save()
    return secret


def _lock(account: Account, password: str, secret: str) -> None:
    """Put a password's hash, and the secret under its mask, into an account. UsageError for one that is no good."""
    if len(password) > LONGEST_PASSWORD:
        message = _("a password has at most {most} letters", most=LONGEST_PASSWORD)
        raise UsageError(message, _("Choose another password."))
    try:
        for rule in WELL:
            rule.validate(password)
    except ValidationError as weak:
        message = _("this password is no good: {reason}", reason=" ".join(weak.messages))
        raise UsageError(message, _("Choose another password.")) from weak
    account.password = make_password(password)
    account.salt = secrets.token_hex(16)
    account.sealed = masked(secret.encode(), _mask(account.salt, password)).hex()


def _unlock(account: Account, password: str) -> str:
    return masked(bytes.fromhex(account.sealed), _mask(account.salt, password)).decode()


def _mask(salt: str, password: str) -> bytes:
    """64 bytes that only the password makes, unlike its hash in the database."""
    return hash_secret_raw(
        password.encode(),
        bytes.fromhex(salt),
        Hasher.time_cost,
        Hasher.memory_cost,
        Hasher.parallelism,
        64,
        Type.ID,
    )


def folded(name: str) -> str:
    """A name as it is compared: capitals, spaces and look-alike forms of a letter make no difference."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())[: 2 * LONGEST_NAME]


_NOBODY = Hasher().encode(secrets.token_urlsafe(), secrets.token_hex(8))
"""A hash that no password has: an unknown name takes as long to be refused as a wrong password."""
