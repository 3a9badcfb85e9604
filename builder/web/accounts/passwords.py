"""Accounts, which are optional.

A name and a password by which a browser gets the secret of its owner.

The database holds a hash of the password, and the secret masked with bytes that only the password
can make. So a stolen database opens nothing.
"""

import secrets
import unicodedata

from argon2.low_level import Type, hash_secret_raw
from django.contrib.auth.hashers import (
    Argon2PasswordHasher,
    check_password,
    make_password,
)
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from builder.errors import UsageError
from builder.messages import gettext as _
from builder.web.accounts.devices import remove_all_devices
from builder.web.accounts.handover import parse_recovery_code
from builder.web.accounts.models import Account
from builder.web.accounts.owned_data import merge_owners
from builder.web.accounts.owner import apply_mask, hash_secret, make_secret

MAX_NAME_LENGTH = 40
MAX_PASSWORD_LENGTH = 200


class PasswordHasher(Argon2PasswordHasher):
    """Argon2id with 19 MiB and 2 passes: several at once fit into a small server's memory."""

    time_cost, memory_cost, parallelism = 2, 19 * 1024, 1


UNUSABLE_HASH = PasswordHasher().encode(secrets.token_urlsafe(), secrets.token_hex(8))
"""A hash that fits no password. An unknown name takes as long to refuse as a wrong password."""


def find_account(owner: str) -> Account | None:
    """Return the account of an owner. None without one."""
    return Account.objects.filter(owner=owner).first() if owner else None


def make_account(name: str, password: str, secret: str) -> None:
    """Create an account for an owner. Raise UsageError for a used name or a weak password."""
    name = " ".join(unicodedata.normalize("NFKC", name).split())
    if not 2 <= len(name) <= MAX_NAME_LENGTH or not name.isprintable():
        message = _("a name must have 2 to {most} letters", most=MAX_NAME_LENGTH)
        raise UsageError(message, _("Choose another name."))
    account = Account(owner=hash_secret(secret), name=name, key=normalize_name(name))
    _set_password(account, password, secret)
    try:
        with transaction.atomic():
            # The database decides, because two browsers may ask for the same name at once.
            account.save(force_insert=True)
    except IntegrityError as error:
        raise UsageError(_("this name is taken"), _("Choose another name.")) from error


def sign_in(name: str, password: str) -> str:
    """Return the owner's secret for a name and password. Raise UsageError if they are wrong."""
    account = Account.objects.filter(key=normalize_name(name)).first()
    password_hash = account.password if account else UNUSABLE_HASH
    is_right = check_password(password[:MAX_PASSWORD_LENGTH], password_hash)
    if not is_right or account is None:
        message = _("name or password is wrong")
        raise UsageError(
            message, _("If you forgot the password, use the recovery code.")
        )
    return apply_mask(
        bytes.fromhex(account.sealed), _make_mask(account.salt, password)
    ).decode()


def change_password(account: Account, old_password: str, new_password: str) -> str:
    """Change the password and the owner's secret, which signs all other browsers out.

    Return the new secret.

    The recovery code may stand for the old password. Raise UsageError if both are wrong.
    """
    owner_of_code = hash_secret(parse_recovery_code(old_password))
    if owner_of_code != account.owner and not check_password(
        old_password[:MAX_PASSWORD_LENGTH], account.password
    ):
        raise UsageError(
            _("the password is wrong"), _("You can use the recovery code instead.")
        )
    # Cookies of all browsers have the old secret, so a new one signs them out.
    secret = make_secret()
    with transaction.atomic():
        remove_all_devices(account.owner)
        merge_owners(account.owner, hash_secret(secret))
        account.owner = hash_secret(secret)
        _set_password(account, new_password, secret)
        account.save()
    return secret


def _set_password(account: Account, password: str, secret: str) -> None:
    """Store the hash of a password, and the owner's secret encrypted with the password.

    Raise UsageError for a weak or too long password.
    """
    if len(password) > MAX_PASSWORD_LENGTH:
        message = _(
            "a password must have at most {most} characters", most=MAX_PASSWORD_LENGTH
        )
        raise UsageError(message, _("Choose another password."))
    try:
        validate_password(password)
    except ValidationError as error:
        message = _(
            "the password is too weak: {reason}", reason=" ".join(error.messages)
        )
        raise UsageError(message, _("Choose another password.")) from error
    account.password = make_password(password)
    account.salt = secrets.token_hex(16)
    account.sealed = apply_mask(
        secret.encode(), _make_mask(account.salt, password)
    ).hex()


def _make_mask(salt: str, password: str) -> bytes:
    """Derive the 64 bytes with which a password encrypts the owner's secret.

    They differ from its hash in the database.
    """
    return hash_secret_raw(
        password.encode(),
        bytes.fromhex(salt),
        PasswordHasher.time_cost,
        PasswordHasher.memory_cost,
        PasswordHasher.parallelism,
        64,
        Type.ID,
    )


def normalize_name(name: str) -> str:
    """Return the form of an account name by which names are compared.

    Case, spaces and look-alike forms of letters make no difference.
    """
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())[
        : 2 * MAX_NAME_LENGTH
    ]
