from pathlib import Path

import pytest

from builder.errors import InputUnreadable
from builder.packs.exchange import read_json


def test_a_value_is_read(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_text('{"a": [1, "é"], "b": {"a": null}}', "utf-8")
    assert read_json(file, "none") == {"a": [1, "é"], "b": {"a": None}}


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"{", "is not JSON"),
        (b"\xff", "is not JSON"),
        (b"[" * 100_000, "is not JSON"),
        (b'{"a": "\\ud800"}', "is not JSON"),
        (b'{"a": {"b": 1, "b": 2}}', "is not JSON"),
        (b'"' + b"a" * 40 + b'"', "larger than "),
        (None, "No such file"),
    ],
)
def test_what_is_no_json_file_is_refused_with_its_fix(
    tmp_path: Path, data: bytes | None, said: str
) -> None:
    file = tmp_path / "a.json"
    if data is not None:
        file.write_bytes(data)
    with pytest.raises(InputUnreadable, match=said) as refused:
        read_json(file, "Name another.", 40 if b"aaa" in (data or b"") else 1_000_000)
    assert refused.value.remedy == "Name another."
    assert str(file) in refused.value.message
