"""The addresses of accounts and devices."""

from django.urls import path

from builder.web.accounts import views

urlpatterns = [
    path("own", views.show_own_data, name="own"),
    path("own/device", views.show_access, name="own-device"),
    path("own/devices", views.remove_devices, name="own-devices"),
    path("own/come/<str:token>", views.open_link, name="own-come"),
    path("own/recover", views.recover, name="own-recover"),
    path("own/account", views.create_account, name="own-account"),
    path("own/enter", views.sign_browser_in, name="own-enter"),
    path("own/password", views.replace_password, name="own-password"),
    path("own/leave", views.sign_browser_out, name="own-leave"),
    path("own/squads.zip", views.export_own_data, name="own-export"),
    path("own/delete", views.delete_own_data, name="own-delete"),
]
