"""The addresses of accounts and devices."""

from django.urls import path

from builder.web.accounts import views

urlpatterns = [
    path("own", views.own, name="own"),
    path("own/device", views.device, name="own-device"),
    path("own/devices", views.remove_devices, name="own-devices"),
    path("own/come/<str:token>", views.come, name="own-come"),
    path("own/recover", views.recover, name="own-recover"),
    path("own/account", views.account, name="own-account"),
    path("own/enter", views.enter, name="own-enter"),
    path("own/password", views.password, name="own-password"),
    path("own/leave", views.leave, name="own-leave"),
    path("own/squads.zip", views.export, name="own-export"),
    path("own/delete", views.delete, name="own-delete"),
]
