"""Who you are: what belongs to this browser, carried to another, brought back, taken along, deleted."""

from datetime import timedelta

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from builder.errors import UsageError
from builder.messages import gettext as _
from builder.usecases.roster.share import qr_path
from builder.web.accounts.devices import device_rows, devices_of, remove_all_devices, remove_device
from builder.web.accounts.handover import code_of, owner_in_link, receive, secret_of, send
from builder.web.accounts.models import Device
from builder.web.accounts.owned_data import (
    count_owned,
    delete_owned,
    export_owned,
    has_data,
    merge_owners,
)
from builder.web.accounts.owner import (
    COOKIE,
    browser_name,
    device_key,
    forget_device,
    key_of,
    new_secret,
    owner_of,
    remember,
    secret_in,
)
from builder.web.accounts.passwords import (
    account_of,
    change_password,
    folded,
    make_account,
    sign_in,
)
from builder.web.accounts.rate_limits import count_try, forgive, limited
from builder.web.templating import page

CLEAR_SITE_DATA = '"cache", "storage"'
"""What a browser removes that has nothing here any more: pages, games at the table, what answers without a network."""


@require_GET
def own(request: HttpRequest) -> HttpResponse:
    """What this browser has, and what can be done with it."""
    return _page(request)


def _page(request: HttpRequest, link: str = "", code: str = "") -> HttpResponse:
    owner = owner_of(request)
    many, account = count_owned(owner).get("squads", 0), account_of(owner)
    known = has_data(owner)
    response = page(
        request,
        "accounts/own",
        many=many,
        account=account,
        known=known,
        devices=device_rows(request, owner) if known else [],
        link=link,
        code=code,
        qr=qr_path(link) if link else None,
    )
    response["Cache-Control"] = "no-store"
    return response


@require_POST
@limited("device", most=30, within=timedelta(hours=1))
def device(request: HttpRequest) -> HttpResponse:
    """A link and code for another device, or the code that brings the squads back: shown once, in this answer."""
    secret = secret_in(request)
    if not secret:
        raise UsageError(_("this browser has no squads yet"), _("Begin one, or take one in."))
    if request.POST.get("do") == "code":
        return _page(request, code=code_of(secret))
    return _page(request, link=request.build_absolute_uri(reverse("own-come", args=[send(secret)])))


@require_http_methods(["GET", "POST"])
@limited("come", most=30, within=timedelta(hours=1))
def come(request: HttpRequest, token: str) -> HttpResponse:
    """Where a link for another device leads: says who gets access to what, and asks.

    A preview of the link does not use it up.
    """
    if request.method == "POST" and request.POST.get("sure") == "1":
        return _enter(request, receive(token), Device.LINK)
    theirs, mine = owner_in_link(token), owner_of(request)
    keeps_own = account_of(mine) is not None or mine == theirs  # what an account has stays with it
    response = page(
        request,
        "accounts/come",
        token_of_link=token,
        browser=browser_name(request),
        account=account_of(theirs),
        theirs=count_owned(theirs),
        devices=devices_of(theirs),
        mine=count_owned("" if keeps_own else mine),
        losers=[
            device
            for device in devices_of("" if keeps_own else mine)
            if device.key != device_key(request)
        ],
        own_account=account_of(mine) if mine != theirs else None,
    )
    response["Cache-Control"] = "no-store"
    response["X-Robots-Tag"] = "noindex"
    return response


@require_POST
@limited("recover", most=10, within=timedelta(hours=1))
def recover(request: HttpRequest) -> HttpResponse:
    """Bring squads back by their code."""
    return _enter(request, secret_of(request.POST.get("code", "")[:200]), Device.CODE)


@require_POST
@limited("devices", most=60, within=timedelta(hours=1))
def remove_devices(request: HttpRequest) -> HttpResponse:
    """Take the access from one browser: `remove ID`. Or from all others, with a new recovery code: `others`."""
    owner, (verb, _blank, device) = owner_of(request), request.POST.get("do", "").partition(" ")
    response = redirect("own")
    if request.POST.get("sure") != "1" or not owner:
        return response
    if verb == "remove":
        remove_device(owner, device)
    elif verb == "others":
        if account_of(owner) is not None:
            raise UsageError(
                _("access to an account depends on its password"),
                _("Change the password to remove all other devices."),
            )
        secret = new_secret()
        with transaction.atomic():
            remove_all_devices(owner)
            merge_owners(owner, key_of(secret))
        remember(request, response, secret)
    return response


def _enter(request: HttpRequest, secret: str, way: str) -> HttpResponse:
    """Let this browser be the one of a secret; what it had itself comes along, unless that is another account's."""
    if account_of(owner_of(request)) is None:
        merge_owners(owner_of(request), key_of(secret))
    response = redirect("home")
    remember(request, response, secret, way)
    return response


@require_POST
@limited("account", most=10, within=timedelta(hours=1))
def account(request: HttpRequest) -> HttpResponse:
    """Make an account of this browser's squads."""
    if account_of(owner_of(request)) is not None:
        return redirect("own")
    secret = secret_in(request) or new_secret()
    make_account(request.POST.get("name", "")[:200], request.POST.get("password", ""), secret)
    response = redirect("own")
    remember(request, response, secret)
    return response


@require_POST
@limited("sign-in", most=20, within=timedelta(minutes=15))
def enter(request: HttpRequest) -> HttpResponse:
    """Sign in; what this browser had itself comes along. Wrong tries at a name wait longer and longer."""
    name = request.POST.get("name", "")[:200]
    tries = count_try(request, f"sign-in {folded(name)}")
    secret = sign_in(name, request.POST.get("password", ""))
    forgive(tries)
    return _enter(request, secret, Device.PASSWORD)


@require_POST
@limited("password", most=10, within=timedelta(hours=1))
def password(request: HttpRequest) -> HttpResponse:
    """Another password: every other browser is signed out."""
    kept = account_of(owner_of(request))
    if kept is None:
        return redirect("own")
    secret = change_password(
        kept, request.POST.get("old", "")[:1000], request.POST.get("password", "")
    )
    response = redirect("own")
    remember(request, response, secret, Device.PASSWORD)
    return response


@require_POST
def leave(request: HttpRequest) -> HttpResponse:
    """Sign out: this browser forgets the account, and nothing is lost. A browser without one stays as it is."""
    response = redirect("home")
    if account_of(owner_of(request)) is not None:
        forget_device(request)
        response.delete_cookie(COOKIE, samesite="Lax")
        response["Clear-Site-Data"] = CLEAR_SITE_DATA
    return response


@require_GET
def export(request: HttpRequest) -> HttpResponse:
    """Everything, as a file."""
    response = HttpResponse(export_owned(owner_of(request)), content_type="application/zip")
    response["Content-Disposition"] = 'attachment; filename="squads.zip"'
    response["Cache-Control"] = "no-store"
    return response


@require_POST
def delete(request: HttpRequest) -> HttpResponse:
    """Delete everything, and forget the browser."""
    if request.POST.get("sure") != "1":
        return redirect("own")
    delete_owned(owner_of(request))
    response = redirect("home")
    response.delete_cookie(COOKIE, samesite="Lax")
    response["Clear-Site-Data"] = CLEAR_SITE_DATA
    return response
