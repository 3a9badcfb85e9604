"""Lists of other programs: private to their browser, rendered in a worker, deleted after one day."""

from __future__ import annotations

import logging
import zlib
from dataclasses import asdict
from datetime import timedelta
from io import BytesIO
from pathlib import Path
from shutil import rmtree
from unittest.mock import Mock
from zipfile import ZipFile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from builder.errors import InputUnreadable
from builder.files import make_private_folder
from builder.usecases.build.build_options import WorkerPool
from builder.web import server
from builder.web.squads import imported_lists, print_queue
from builder.web.squads.imported_lists import (
    PrintResult,
    get_list_folder,
    is_foreign_list,
    remove_expired_lists,
    render_list,
)
from builder.web.squads.models import ImportedFile, PrintJob
from builder.web.squads.print_queue import claim_job, run_job
from tests.interchange.systems import (
    SYSTEMS,
    WRITERS,
    make_regiments,
    make_skirmish,
    write_xml,
    write_zip,
)

PAGES = ("", "/cards.pdf", "/play", "/play/file")


def upload(client: Client, data: bytes, name: str = "list.rosz") -> HttpResponse:
    return client.post("/import", {"file": SimpleUploadedFile(name, data)})


def import_list(client: Client, data: bytes, name: str = "list.rosz") -> str:
    """Return the address of an imported list."""
    response = upload(client, data, name)
    assert response.status_code == 302, response.content.decode()
    assert response["Location"].startswith("/lists/")
    return str(response["Location"])


def load_row(address: str) -> ImportedFile:
    return ImportedFile.objects.get(pk=address.rpartition("/")[2])


def render(address: str) -> PrintResult:
    """Do what a worker does, in this process."""
    row = load_row(address)
    result = render_list(row, WorkerPool(0))
    state = PrintJob.DONE if result.pages else PrintJob.FAILED
    PrintJob.objects.filter(imported=row).update(state=state, pages=result.pages)
    return result


@pytest.fixture
def rendered(client: Client) -> str:
    """Return the address of a list whose cards were rendered."""
    address = import_list(client, write_zip(make_regiments()))
    assert render(address).pages
    return address


@pytest.mark.parametrize(
    ("data", "extension"),
    [
        (b"[" + WRITERS["new-recruit"](make_skirmish()) + b"]", ".json"),
        (write_xml(make_skirmish()).decode().encode("utf-16"), ".ros"),
        (write_xml(make_skirmish()).decode().encode("utf-16-le"), ".ros"),
        (b"\xef\xbb\xbf" + write_xml(make_skirmish()), ".ros"),
        (write_zip(make_skirmish()), ".rosz"),
        (WRITERS["link"](make_skirmish()), ".txt"),
    ],
)
def test_exported_lists_have_the_extension_of_their_format(
    client: Client, data: bytes, extension: str
) -> None:
    owner = load_row(import_list(client, data)).owner
    ((name, content),) = imported_lists.ImportedListData().export(owner)
    assert (Path(name).suffix, content) == (extension, data)
    packed = BytesIO()
    with ZipFile(packed, "w") as archive:
        archive.writestr("list.ros", data)
    assert is_foreign_list(packed.getvalue()) == (extension in (".json", ".ros"))


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("system", SYSTEMS)
def test_every_format_is_recognised(client: Client, system: str, writer: str) -> None:
    data = WRITERS[writer](SYSTEMS[system]())
    row = load_row(import_list(client, data, "anything.bin"))
    assert zlib.decompress(bytes(row.data)) == data
    assert PrintJob.objects.get(imported=row).state == PrintJob.QUEUED


@pytest.mark.parametrize("writer", ["link", "new-recruit", "xml"])
def test_a_list_can_be_pasted(client: Client, writer: str) -> None:
    response = client.post(
        "/import", {"text": WRITERS[writer](make_skirmish()).decode()}
    )
    assert response["Location"].startswith("/lists/")


def test_the_cards_appear_with_the_costs(client: Client) -> None:
    address = import_list(client, write_zip(make_regiments()), "kiln.rosz")
    waiting = client.get(address).content.decode()
    assert "kiln" in waiting
    assert '<meta http-equiv="refresh"' in waiting
    for page in PAGES[1:]:
        assert client.get(address + page).status_code == 404, page
    assert render(address).pages
    page = client.get(address).content.decode()
    assert "Kiln road" in page
    assert "The file says 275 pts. Cards: 275. Without a card: 0." in page
    face = load_row(address).facts["cards"][0]["faces"][0]["address"]
    assert f"{address}/faces/{face}-540.webp" in page
    picture = client.get(f"{address}/faces/{face}-540.webp")
    assert b"".join(picture.streaming_content).startswith(b"RIFF")  # type: ignore[attr-defined]
    pdf = client.get(f"{address}/cards.pdf")
    assert b"".join(pdf.streaming_content).startswith(b"%PDF")  # type: ignore[attr-defined]


def test_warnings_are_shown(client: Client) -> None:
    data = write_xml(SYSTEMS["fleet"]()).replace(b"<profiles>", b"<odd/><profiles>", 1)
    data = data.replace(b'number="1"', b'number="many"', 1)
    address = import_list(client, data, "fleet.ros")
    assert render(address).pages
    page = client.get(address).content.decode()
    assert "The costs differ from the total in the file." in page
    assert "selection/odd (1)" in page
    assert "many" in page


def test_missing_letters_are_reported(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "builder.usecases.imports.symbols.find_family", lambda *_options: None
    )
    data = write_xml(make_skirmish()).replace(b"Street guard", "Street ꓘuard".encode())
    address = import_list(client, data, "patrol.ros")
    assert render(address).pages
    page = client.get(address).content.decode()
    assert "No installed font has these characters: ꓘ" in page


def test_nobody_else_can_open_anything(client: Client, rendered: str) -> None:
    face = load_row(rendered).facts["cards"][0]["faces"][0]["address"]
    friend = Client()
    friend.post("/squads", {"pack": "hydrophilia"})
    for page in (*PAGES, f"/faces/{face}-540.webp"):
        assert client.get(rendered + page).status_code == 200, page
        assert Client().get(rendered + page).status_code == 404, page
        assert friend.get(rendered + page).status_code == 404, page
    for action in ("keep", "delete", "render"):
        assert friend.post(rendered, {"do": action}).status_code == 404
    assert "Kiln road" in client.get("/").content.decode()
    assert "Kiln road" not in friend.get("/").content.decode()
    assert friend.get(f"/faces/{face}-540.webp").status_code == 404


def test_nothing_is_stored_on_the_way_or_listed(client: Client, rendered: str) -> None:
    face = load_row(rendered).facts["cards"][0]["faces"][0]["address"]
    for page in (*PAGES, f"/faces/{face}-540.webp"):
        response = client.get(rendered + page)
        assert response["Cache-Control"] == "no-store", page
        assert response["X-Robots-Tag"] == "noindex, nofollow", page


def test_a_list_is_deleted_after_one_day(client: Client, rendered: str) -> None:
    row = load_row(rendered)
    assert row.expires is not None
    assert timedelta(hours=23) < row.expires - timezone.now() <= timedelta(days=1)
    assert remove_expired_lists() == 0
    ImportedFile.objects.update(expires=timezone.now() - timedelta(seconds=1))
    for page in PAGES:
        assert client.get(rendered + page).status_code == 404, page
    assert "Kiln road" not in client.get("/").content.decode()
    folder = get_list_folder(row.id)
    assert folder.is_dir()
    assert remove_expired_lists() == 1
    assert not folder.exists()
    assert not ImportedFile.objects.exists()
    assert not PrintJob.objects.exists()


@pytest.mark.parametrize("how", ["command", "worker", "import"])
def test_expired_lists_are_deleted_in_every_way(client: Client, how: str) -> None:
    address = import_list(client, write_zip(make_regiments()))
    key = load_row(address).id
    ImportedFile.objects.update(expires=timezone.now() - timedelta(seconds=1))
    if how == "command":
        call_command("forget_squads")
    elif how == "worker":
        print_queue.remove_old_jobs()
    else:
        import_list(client, write_zip(make_skirmish()))
    assert not ImportedFile.objects.filter(pk=key).exists()


def test_the_hourly_cleanup_goes_on_after_an_error(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    results = iter([PermissionError("imports"), KeyboardInterrupt()])
    monkeypatch.setattr(print_queue, "remove_old_jobs", lambda: _raise(next(results)))
    monkeypatch.setattr(server, "CLEANUP_SECONDS", 0)
    monkeypatch.setattr(server, "connection", Mock())
    monkeypatch.setattr(logging.getLogger("django"), "propagate", True)
    with pytest.raises(KeyboardInterrupt):
        server._clean_up_hourly()
    assert "the clean-up failed" in caplog.text


def _raise(error: BaseException) -> None:
    raise error


def test_folders_without_a_list_are_deleted(client: Client, rendered: str) -> None:
    folders = imported_lists.get_imports_folder()
    kept_folder = get_list_folder(load_row(rendered).id)
    for name in ("0b1c4a0e-0000-4000-8000-000000000000", "work-new"):
        make_private_folder(folders / name)
    remove_expired_lists()
    assert {path.name for path in folders.iterdir()} == {kept_folder.name, "work-new"}


def test_a_kept_list_stays_until_its_owner_deletes_it(
    client: Client, rendered: str
) -> None:
    assert client.post(rendered, {"do": "keep"}).status_code == 302
    assert load_row(rendered).expires is None
    assert remove_expired_lists() == 0
    assert "It stays until you delete it." in client.get(rendered).content.decode()
    folder = get_list_folder(load_row(rendered).id)
    assert client.post(rendered, {"do": "delete"})["Location"] == "/"
    assert not folder.exists()
    assert not ImportedFile.objects.exists()
    assert client.get(rendered).status_code == 404


def test_lost_files_are_made_again(client: Client, rendered: str) -> None:
    PrintJob.objects.all().delete()
    assert client.get(rendered).status_code == 200
    rmtree(get_list_folder(load_row(rendered).id))
    assert client.get(rendered).status_code == 302
    assert PrintJob.objects.get().state == PrintJob.QUEUED


def test_facts_of_another_version_are_made_again(client: Client, rendered: str) -> None:
    ImportedFile.objects.update(facts={"cards": "old"})
    assert client.get("/").status_code == 200
    assert client.get(f"{rendered}/play").status_code == 404
    assert client.get(rendered).status_code == 302
    assert PrintJob.objects.first().state == PrintJob.QUEUED  # type: ignore[union-attr]


def test_facts_that_cannot_be_read_are_made_again_once(
    client: Client, rendered: str
) -> None:
    for _visit in range(4):
        ImportedFile.objects.update(facts={"cards": "old"})
        assert client.get(rendered).status_code in (200, 302)
        PrintJob.objects.filter(state=PrintJob.QUEUED).update(state=PrintJob.DONE)
    assert PrintJob.objects.count() == 2
    assert "The list cannot be printed." in client.get(rendered).content.decode()
    client.post(rendered, {"do": "render"})
    assert PrintJob.objects.get().state == PrintJob.QUEUED


def test_visits_queue_no_more_jobs_than_allowed(client: Client, rendered: str) -> None:
    ImportedFile.objects.update(facts={})
    owner = load_row(rendered).owner
    PrintJob.objects.bulk_create(
        PrintJob(owner=owner, text="", wish={}) for _job in range(5)
    )
    assert client.get(rendered).status_code == 400
    assert PrintJob.objects.filter(state=PrintJob.QUEUED).count() == 5


def test_paper_and_size_can_be_chosen(client: Client, rendered: str) -> None:
    choices = {"paper": "letter", "size": "63x88", "scope": "model", "theme": "rust"}
    form = {"do": "render", "text_size": "9.0", "ink": "1", **choices}
    assert client.post(rendered, form).status_code == 302
    assert load_row(rendered).options == {**choices, "text_size": 9, "ink": True}
    assert render(rendered).pages
    assert load_row(rendered).facts["size"] == "63x88"
    wrong = {
        "paper": "../x",
        "size": "poster",
        "theme": "/etc/passwd",
        "text_size": "1e9",
    }
    client.post(rendered, {"do": "render", "scope": "x", **wrong})
    assert load_row(rendered).options == asdict(imported_lists.ListOptions())


def test_options_of_another_version_are_read(client: Client, rendered: str) -> None:
    options = {"paper": "letter", "scope": "army", "text_size": [], "renamed": 1}
    ImportedFile.objects.update(options=options)
    assert client.get(rendered).status_code == 200
    loaded = imported_lists.load_options(load_row(rendered))
    assert loaded == imported_lists.ListOptions(paper="letter")
    assert render(rendered).pages
    ImportedFile.objects.update(options=["old"])
    assert client.get(rendered).status_code == 200


@pytest.mark.parametrize("is_kept", [True, False])
def test_the_first_button_beside_the_options_renders(
    client: Client, rendered: str, is_kept: bool
) -> None:
    if is_kept:
        client.post(rendered, {"do": "keep"})
    form = (
        client.get(rendered).content.decode().partition('<details class="box options"')
    )
    start = form[0].rpartition("<form")[2]
    assert "<button" not in start
    assert form[2].partition("<button")[2].startswith(' name="do" value="render"')


@pytest.mark.parametrize(
    ("lang", "cost", "size"), [("en", "12.5", "7.5"), ("de", "12,5", "7,5")]
)
def test_numbers_are_in_the_language_of_the_page(
    client: Client, rendered: str, lang: str, cost: str, size: str
) -> None:
    row = load_row(rendered)
    ImportedFile.objects.update(
        facts={
            **row.facts,
            "total": 12.5,
            "card_cost": 12_345_678,
            "leftover_cost": -0.0,
        }
    )
    page = client.get(rendered, headers={"accept-language": lang}).content.decode()
    assert f" {cost} pts. " in page
    assert ": 12345678. " in page
    assert ": 0.</p>" in page
    assert f"<span>{size}</span>" in page
    home = client.get("/", headers={"accept-language": lang}).content.decode()
    assert f">{cost} <small>pts</small>" in home


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"text": "no link"},
        {"file": SimpleUploadedFile("empty.ros", b"")},
        {"file": SimpleUploadedFile("photo.png", b"\x89PNG" + bytes(40))},
    ],
)
def test_a_wrong_file_says_which_files_can_be_printed(
    client: Client, fields: dict[str, object]
) -> None:
    german = {"accept-language": "de"}
    page = client.post("/import", {"kind": "list", **fields}, headers=german)
    assert page.status_code == 400
    hint = "Eine BattleScribe-Datei (.ros, .rosz)"
    assert hint in page.content.decode()
    assert hint in client.get("/", headers=german).content.decode()
    assert 'name="kind" value="list"' in client.get("/").content.decode()
    other = client.post("/import", {"text": "no link"}, headers=german)
    assert hint not in other.content.decode()


def test_a_list_is_rendered_once_at_a_time(client: Client) -> None:
    address = import_list(client, write_zip(make_regiments()))
    job = PrintJob.objects.get()
    client.post(address, {"do": "render", "paper": "letter"})
    assert PrintJob.objects.get() == job
    assert load_row(address).options["paper"] == "a4"
    assert client.get(f"/prints/{job.pk}")["Location"] == address
    assert client.get(f"/prints/{job.pk}.pdf").status_code == 404


def test_a_worker_renders_a_list(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = import_list(client, write_zip(make_regiments()))
    monkeypatch.setattr(print_queue, "_Heartbeat", _NoHeartbeat)
    job = claim_job()
    assert job is not None
    run_job(job)
    job.refresh_from_db()
    assert job.state == PrintJob.DONE, job.told
    assert "Kiln road" in client.get(address).content.decode()


class _NoHeartbeat:
    """Stands for the thread that reports progress: it would need a database of its own."""

    def __init__(self, _job: PrintJob) -> None:
        self.report = lambda _done, _total: None

    def __enter__(self) -> _NoHeartbeat:
        return self

    def __exit__(self, *_error: object) -> None:
        return None


def fail(client: Client, data: bytes, name: str) -> str:
    """Import a file that cannot be read, as a worker does. Return the page."""
    address = import_list(client, data, name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(print_queue, "_Heartbeat", _NoHeartbeat)
        job = claim_job()
        assert job is not None
        run_job(job)
    return client.get(address).content.decode()


def test_a_damaged_file_is_an_error_with_its_reason(client: Client) -> None:
    page = fail(client, write_xml(make_skirmish())[:900], "patrol.ros")
    assert "The list cannot be printed." in page
    assert (
        "<p>patrol: the file is not valid XML" in page
    )  # a file name keeps its letters
    assert "&lt;string&gt;" not in page
    assert page.count('value="delete"') == 1
    assert 'value="keep"' not in page


def test_a_bomb_is_refused(client: Client) -> None:
    bomb = BytesIO()
    with ZipFile(bomb, "w", 8) as archive:
        archive.writestr("list.ros", b"<roster>" + b" " * 50_000_000)
    page = fail(client, bomb.getvalue(), "bomb.rosz")
    assert "unpacks to more than a roster can need" in page


def test_reading_has_limits(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imported_lists, "parse_list", _use_much_memory)
    monkeypatch.setattr(imported_lists, "MAX_READING_BYTES", 100_000_000)
    address = import_list(client, write_zip(make_skirmish()))
    with pytest.raises(InputUnreadable, match="100 MB of memory"):
        render_list(load_row(address), WorkerPool(0))
    monkeypatch.undo()
    monkeypatch.setattr(imported_lists, "MAX_CARDS", 1)
    with pytest.raises(InputUnreadable, match="more than 1 cards"):
        render_list(load_row(address), WorkerPool(0))


def _use_much_memory(_data: bytes, _name: Path, _options: object) -> object:
    return bytearray(1_000_000_000)


def test_one_owner_has_limited_lists(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("builder.web.squads.views.lists.MAX_LISTS", 1)
    import_list(client, write_zip(make_skirmish()))
    refused = upload(client, write_zip(make_skirmish()))
    assert refused.status_code == 400
    assert "maximum number of imported lists" in refused.content.decode()


def test_a_large_file_is_refused(client: Client) -> None:
    assert (
        upload(client, write_xml(make_skirmish()) + b" " * 10_600_000).status_code
        == 413
    )
    refused = upload(client, write_xml(make_skirmish()) + b" " * 10_100_000)
    assert refused.status_code == 400
    assert "larger than 10000 kB" in refused.content.decode()
    assert not ImportedFile.objects.exists()


def test_an_archive_of_this_program_is_no_list(client: Client, squad: str) -> None:
    import_list(client, write_xml(make_regiments()))
    data = client.get("/own/squads.zip").content
    names = ZipFile(BytesIO(data)).namelist()
    assert [
        name for name in names if name.startswith("imported-") and name.endswith(".ros")
    ]
    assert not is_foreign_list(data)
    page = upload(Client(headers={"accept-language": "en"}), data, "squads.zip")
    assert "1 squad was imported." in page.content.decode()


def test_exported_lists_are_imported_again(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = load_row(import_list(client, write_zip(make_regiments())))
    import_list(client, write_xml(make_skirmish()), "patrol.ros")
    data = client.get("/own/squads.zip").content
    other = Client(headers={"accept-language": "en"})
    monkeypatch.setattr("builder.web.squads.views.lists.MAX_LISTS", 1)
    page = upload(other, data, "squads.zip").content.decode()
    assert "1 imported list was added." in page
    assert "maximum number of imported lists" in page
    monkeypatch.undo()
    assert (
        "1 imported list was added."
        in upload(other, data, "squads.zip").content.decode()
    )
    upload(other, data, "squads.zip")
    copies = ImportedFile.objects.exclude(owner=original.owner)
    assert copies.count() == 2
    copy = copies.get(data=original.data)
    assert other.get(f"/lists/{copy.pk}").status_code == 302
    assert PrintJob.objects.get(imported=copy).state == PrintJob.QUEUED


@pytest.mark.parametrize("extension", ["ros", "rosz", "json", "txt"])
def test_an_archive_with_an_account_and_lists_is_no_list(extension: str) -> None:
    key = "0b1c4a0e-0000-4000-8000-000000000000"
    data = BytesIO()
    with ZipFile(data, "w") as archive:
        archive.writestr("account.json", "{}")
        archive.writestr(f"imported-{key}.{extension}", write_zip(make_regiments()))
    assert not is_foreign_list(data.getvalue())


def test_lists_follow_their_owner_and_go_with_all_data(
    client: Client, rendered: str
) -> None:
    row = load_row(rendered)
    imported_lists.ImportedListData().merge(row.owner, "other")
    assert client.get(rendered).status_code == 404
    imported_lists.ImportedListData().merge("other", row.owner)
    assert client.post("/own/delete", {"sure": "1"}).status_code == 302
    assert not ImportedFile.objects.exists()
    assert not get_list_folder(row.id).exists()


def test_the_game_view_has_boxes_weapons_and_abilities(
    client: Client, rendered: str
) -> None:
    page = client.get(f"{rendered}/play").content.decode()
    assert 'data-state=""' in page  # the game is stored in this browser only
    assert page.count('data-mark="1.ash-riflemen.1.b') == 10  # 5 models with 2 wounds
    assert page.count('data-mark="2.kiln-walker.1.b') == 12
    assert "Furnace cannon" in page
    assert "Weapons with this rule hit with one more die" in page
    assert "Oath of ash" in page
    assert "Revealed" not in page
    file = client.get(f"{rendered}/play/file").content.decode()
    assert "data:image/webp;base64," in file
    assert rendered not in file


def test_notes_are_shown_as_they_were_written(client: Client) -> None:
    data = write_xml(make_skirmish()).replace(
        b"Paint the lantern.", b"Paint A*B [red] &lt; C_D_E"
    )
    address = import_list(client, data, "patrol.ros")
    assert render(address).pages
    page = client.get(f"{address}/play").content.decode()
    assert "Paint A*B [red] &lt; C_D_E</small>" in page


@pytest.mark.parametrize("lang", ["en", "de", "ru"])
def test_pages_speak_three_languages(client: Client, rendered: str, lang: str) -> None:
    for page in ("", "/play"):
        text = client.get(
            rendered + page, headers={"accept-language": lang}
        ).content.decode()
        assert f'<html lang="{lang}"' in text
