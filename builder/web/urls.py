"""Every address, in one table."""

from django.urls import path
from django.views.i18n import set_language

from builder.web.pages import (
    about,
    complete,
    edit,
    faces,
    games,
    imports,
    look,
    model,
    play,
    prints,
    rules,
    seals,
    share,
    squad,
)

urlpatterns = [
    path("", games.home, name="home"),
    path("language", set_language, name="language"),
    path("games/<slug:pack>", games.game, name="game"),
    path("colours.css", games.colours, name="colours"),
    path("squads", games.begin, name="begin"),
    path("squads/<uuid:key>", squad.squad, name="squad"),
    path("squads/<uuid:key>/edit", edit.edit, name="edit"),
    path("squads/<uuid:key>/models/<int:number>", model.model, name="model"),
    path("squads/<uuid:key>/share", share.share, name="share"),
    path("squads/<uuid:key>/links", share.links, name="links"),
    path("squads/<uuid:key>/as/<slug:form>", share.taken, name="taken"),
    path("squads/<uuid:key>/print", prints.prints, name="prints"),
    path("prints/<uuid:job>", prints.job, name="print"),
    path("prints/<uuid:job>.pdf", prints.printed, name="printed"),
    path("squads/<uuid:key>/seals", seals.seals, name="seals"),
    path("seals/<uuid:seal>", seals.seal, name="seal"),
    path("seals/<uuid:seal>/key.json", seals.key, name="key"),
    path("sealed/<uuid:seal>", seals.sealed, name="sealed"),
    path("sealed/<uuid:seal>/copy.json", seals.copy, name="copy"),
    path("sealed/<uuid:seal>/proof.json", seals.disclosure, name="disclosure"),
    path("prove", seals.prove, name="prove"),
    path("shared/<str:code>", share.shared, name="shared"),
    path("shared/<str:code>/take", share.take, name="take"),
    path("import", imports.take_in, name="import"),
    path("squads/<uuid:key>/cards/<slug:card>", look.look, name="look"),
    path("squads/<uuid:key>/rules", rules.rules, name="rules"),
    path("squads/<uuid:key>/complete", complete.complete, name="complete"),
    path("squads/<uuid:key>/about", about.about, name="about"),
    path("squads/<uuid:key>/keep", about.keep, name="keep"),
    path("squads/<uuid:key>/play", play.play, name="play"),
    path("squads/<uuid:key>/play/file", play.saved, name="play-file"),
    path("squads/<uuid:key>/play/state", play.keep, name="play-state"),
    path("worker.js", play.worker, name="worker"),
    path("faces/<str:address>-<int:width>.webp", faces.face, name="face"),
]
handler404 = "builder.web.pages.errors.not_found"
handler500 = "builder.web.pages.errors.broken"
