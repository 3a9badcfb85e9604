"""What goes wrong where several machines set faces, in Russian."""

from __future__ import annotations

from collections.abc import Mapping

CLUSTER: Mapping[str, str] = {
    "--workers {asked} needs --store: a place for set faces that all machines see": (
        "для --workers {asked} нужно --store: место для набранных сторон, которое видят все машины"
    ),
    "--store /srv/faces for a shared folder, or a URL such as --store s3://bucket/faces.": (
        "--store /srv/faces для общей папки или адрес вида --store s3://bucket/faces."
    ),
    "--workers {asked}: neither a number from 1 to {most} nor a cluster": (
        "--workers {asked}: не число от 1 до {most} и не кластер"
    ),
    "Write --workers 4 for four processes here, --workers dask://HOST:PORT for the workers of a dask scheduler.": (
        "Пишите --workers 4 для четырёх процессов здесь, --workers dask://ХОСТ:ПОРТ для исполнителей планировщика dask."
    ),
    "--workers {asked} names no scheduler": "в --workers {asked} не назван планировщик",
    "Write its host and port: --workers dask://press.local:8786. A scheduler prints them when it starts.": (
        "Назовите его хост и порт: --workers dask://press.local:8786. Планировщик печатает их при запуске."
    ),
    "no scheduler answers at {place}: {reason}": "планировщик по адресу {place} не отвечает: {reason}",
    "Start one with: dask scheduler; it prints its address.": (
        "Запустите его: dask scheduler; свой адрес он напечатает."
    ),
    "what listens there is no scheduler": "там слушает не планировщик",
    "no answer in {seconds:g} s": "нет ответа {seconds:g} с",
    "a cluster needs dask.distributed, which is not installed": (
        "для кластера нужен dask.distributed, а он не установлен"
    ),
    "Install it: pip install 'squadpress[cluster]'.": "Установите: pip install 'squadpress[cluster]'.",
    "{store!r} is no folder of this machine": "{store!r} — не папка этой машины",
    "Write three slashes: file:///srv/faces.": "Пишите три косые черты: file:///srv/faces.",
    "the store {store} needs fsspec, which is not installed": "для хранилища {store} нужен fsspec, а он не установлен",
    "the store {store} needs a library: {reason}": "для хранилища {store} нужна библиотека: {reason}",
    "Install it here and on all workers.": "Установите её здесь и у всех исполнителей.",
    "{store!r} is no store: {reason}": "{store!r} — не хранилище: {reason}",
    "Write a folder, or a URL such as s3://bucket/faces.": "Назовите папку или адрес вида s3://bucket/faces.",
    "the store {store} cannot be read: {reason}": "хранилище {store} не читается: {reason}",
    "Check its address and who may read and write there.": "Проверьте адрес и кому там можно читать и писать.",
    "the store {store} cannot be written: {reason}": "в хранилище {store} не записать: {reason}",
    "Check that it may be written to and has room; what is set already is kept in the cache.": (
        "Проверьте, что туда можно писать и что есть место; уже набранное сохранено в кэше."
    ),
    "the store {store} loses what workers put into it": "хранилище {store} теряет то, что кладут исполнители",
    "All workers must see the same store: a shared folder, or a URL.": (
        "Все исполнители должны видеть одно хранилище: общую папку или адрес."
    ),
    "the worker {worker} does not find in the store {store} what was just put there": (
        "исполнитель {worker} не находит в хранилище {store} то, что туда только что положено"
    ),
    "the worker {worker}": "исполнитель {worker}",
    "the worker {worker}: {reason}": "исполнитель {worker}: {reason}",
    "the worker {worker} is left out: {reason}": "исполнитель {worker} обойдён: {reason}",
    "the worker {worker} has {threads} threads, but sets one batch at a time": (
        "у исполнителя {worker} потоков {threads}, а набирает он по одной пачке"
    ),
    "Start it with --nworkers {threads} --nthreads 1.": "Запустите его с --nworkers {threads} --nthreads 1.",
    "it has no squadpress ({reason}): pip install 'squadpress[cluster]'": (
        "там нет squadpress ({reason}): pip install 'squadpress[cluster]'"
    ),
    "its disk fails: {reason}": "его диск отказывает: {reason}",
    "{name} {there} there, {here} here": "{name}: там {there}, здесь {here}",
    "{place}: no worker can set these cards: {listed}": "{place}: эти карты не может набрать никто: {listed}",
    "{place}: no answer for {seconds} s": "{place}: нет ответа {seconds} с",
    "{place}: no worker for {seconds} s": "{place}: нет исполнителей {seconds} с",
    "Start workers (dask worker HOST:PORT --nthreads 1) and build again: what is set already is kept.": (
        "Запустите исполнителей (dask worker ХОСТ:ПОРТ --nthreads 1) и соберите снова: уже набранное сохранено."
    ),
    "{place}: {many} worker, but no answer for {seconds} s": "{place}: исполнителей {many}, но ответа нет {seconds} с",
    "{place}: {many} workers, but no answer for {seconds} s": "{place}: исполнителей {many}, но ответа нет {seconds} с",
    "They may be busy with other work, or hang. Build again later: what is set already is kept.": (
        "Может быть, они заняты другим или зависли. Соберите позже снова: уже набранное сохранено."
    ),
    "{place}: several workers died over {what}": "{place}: несколько исполнителей погибли, и вот на чём: {what}",
    "setting {face}": "набор {face}",
    "setting {face} and {many} more": "набор {face} и ещё {many}",
    "Look at their logs; squadpress build --workers 1 shows whether it is the cards' fault.": (
        "Посмотрите их журналы; squadpress build --workers 1 покажет, не в картах ли дело."
    ),
}
"""English form -> Russian form."""
