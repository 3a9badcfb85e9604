"""The page "Your data": access of other devices, recovery code, account, export, deletion."""

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from builder.errors import UsageError
from builder.messages import gettext as _
from builder.usecases.roster.share import draw_qr_path
from builder.web.accounts.devices import (
    list_device_rows,
    list_devices,
    remove_all_devices,
    remove_device,
)
from builder.web.accounts.handover import (
    find_secret,
    format_recovery_code,
    get_owner_of_link,
    make_link_token,
    use_link,
)
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
    describe_browser,
    get_device_key,
    get_owner,
    get_owner_secret,
    give_access,
    hash_secret,
    make_secret,
    revoke_device,
)
from builder.web.accounts.passwords import (
    change_password,
    find_account,
    make_account,
    normalize_name,
    sign_in,
)
from builder.web.accounts.rate_limits import (
    HOUR,
    count_attempt,
    limit_rate,
    reset_attempts,
)
from builder.web.templating import get_page_language, make_download, render_page

CLEARED_SITE_DATA = '"cache", "storage"'
"""What a browser removes that has no access any more: pages, games and what answers without a
network.
"""


@require_GET
def show_own_data(request: HttpRequest) -> HttpResponse:
    """Show what this browser has, and what can be done with it."""
    return _render_own_data(request)


def _render_own_data(
    request: HttpRequest, link: str = "", code: str = ""
) -> HttpResponse:
    owner = get_owner(request)
    is_known = has_data(owner)
    response = render_page(
        request,
        "accounts/own",
        many=count_owned(owner).get("squads", 0),
        account=find_account(owner),
        known=is_known,
        devices=list_device_rows(request, owner) if is_known else [],
        link=link,
        code=code,
        qr=draw_qr_path(link) if link else None,
    )
    response["Cache-Control"] = "no-store"
    return response


@require_POST
@limit_rate("device", max_count=30)
def show_access(request: HttpRequest) -> HttpResponse:
    """Show a link for another device, or the recovery code. It is shown once, in this response."""
    secret = get_owner_secret(request)
    if not secret:
        raise UsageError(
            _("this browser has no squads yet"), _("Create or import a squad.")
        )
    if request.POST.get("do") == "code":
        return _render_own_data(request, code=format_recovery_code(secret))
    address = reverse("own-come", args=[make_link_token(secret)])
    return _render_own_data(request, link=request.build_absolute_uri(address))


@require_http_methods(["GET", "POST"])
@limit_rate("come", max_count=30)
def open_link(request: HttpRequest, token: str) -> HttpResponse:
    """Show who gets access to what by a link for another device.

    After a confirmation, give the access.

    A preview of the link does not use it up.
    """
    if request.method == "POST" and request.POST.get("sure") == "1":
        return _join_owner(request, use_link(token), Device.LINK)
    link_owner = get_owner_of_link(token)
    own_owner = get_owner(request)
    own_account = find_account(own_owner)
    # What an account has stays with it. Other data of this browser goes to the owner of the link.
    merged_owner = (
        "" if own_account is not None or own_owner == link_owner else own_owner
    )
    merged_devices = list_devices(merged_owner).exclude(key=get_device_key(request))
    response = render_page(
        request,
        "accounts/come",
        token_of_link=token,
        browser=describe_browser(request),
        account=find_account(link_owner),
        theirs=count_owned(link_owner),
        devices=list_devices(link_owner),
        mine=count_owned(merged_owner),
        losers=merged_devices,
        own_account=own_account if own_owner != link_owner else None,
    )
    response["Cache-Control"] = "no-store"
    response["X-Robots-Tag"] = "noindex"
    return response


@require_POST
@limit_rate("recover", max_count=10)
def recover(request: HttpRequest) -> HttpResponse:
    """Give this browser access by a recovery code."""
    return _join_owner(
        request, find_secret(request.POST.get("code", "")[:200]), Device.CODE
    )


@require_POST
@limit_rate("devices", max_count=60)
def remove_devices(request: HttpRequest) -> HttpResponse:
    """Remove one browser (`remove ID`) or all others (`others`) from the owner's data.

    The removal of all others also replaces the recovery code.
    """
    owner = get_owner(request)
    verb, _blank, device_id = request.POST.get("do", "").partition(" ")
    response = redirect("own")
    if request.POST.get("sure") != "1" or not owner:
        return response
    if verb == "remove":
        remove_device(owner, device_id)
    elif verb == "others":
        if find_account(owner) is not None:
            hint = _("Change the password to remove all other devices.")
            raise UsageError(_("the password of the account gives access"), hint)
        secret = make_secret()
        with transaction.atomic():
            remove_all_devices(owner)
            merge_owners(owner, hash_secret(secret))
        give_access(request, response, secret)
    return response


def _join_owner(request: HttpRequest, secret: str, way: str) -> HttpResponse:
    """Give this browser access to an owner's data, and merge its own data without account."""
    if find_account(get_owner(request)) is None:
        merge_owners(get_owner(request), hash_secret(secret))
    response = redirect("home")
    give_access(request, response, secret, way)
    return response


@require_POST
@limit_rate("account", max_count=10)
def create_account(request: HttpRequest) -> HttpResponse:
    """Make an account for this browser's squads."""
    response = redirect("own")
    if find_account(get_owner(request)) is None:
        secret = get_owner_secret(request) or make_secret()
        name = request.POST.get("name", "")[:200]
        password = request.POST.get("password", "")
        make_account(name, password, secret)
        give_access(request, response, secret)
    return response


@require_POST
@limit_rate("sign-in", max_count=20, period=HOUR / 4)
def sign_browser_in(request: HttpRequest) -> HttpResponse:
    """Sign in to an account. Wrong passwords for a name have to wait longer and longer."""
    name = request.POST.get("name", "")[:200]
    attempts = count_attempt(request, f"sign-in {normalize_name(name)}")
    secret = sign_in(name, request.POST.get("password", ""))
    reset_attempts(attempts)
    return _join_owner(request, secret, Device.PASSWORD)


@require_POST
@limit_rate("password", max_count=10)
def replace_password(request: HttpRequest) -> HttpResponse:
    """Change the password, which signs every other browser out."""
    account = find_account(get_owner(request))
    response = redirect("own")
    if account is not None:
        old_password = request.POST.get("old", "")[:1000]
        secret = change_password(
            account, old_password, request.POST.get("password", "")
        )
        give_access(request, response, secret, Device.PASSWORD)
    return response


@require_POST
def sign_browser_out(request: HttpRequest) -> HttpResponse:
    """Sign out of the account.

    A browser without an account stays as it is: it would lose its squads.
    """
    response = redirect("home")
    if find_account(get_owner(request)) is not None:
        revoke_device(request)
        _clear_browser(response)
    return response


@require_GET
def export_own_data(request: HttpRequest) -> HttpResponse:
    """Return everything as a ZIP archive."""
    data = export_owned(get_owner(request), get_page_language())
    return make_download(data, "application/zip", "squads.zip")


@require_POST
def delete_own_data(request: HttpRequest) -> HttpResponse:
    """Delete everything, and sign this browser out."""
    if request.POST.get("sure") != "1":
        return redirect("own")
    delete_owned(get_owner(request))
    response = redirect("home")
    _clear_browser(response)
    return response


def _clear_browser(response: HttpResponse) -> None:
    response.delete_cookie(COOKIE, samesite="Lax")
    response["Clear-Site-Data"] = CLEARED_SITE_DATA
