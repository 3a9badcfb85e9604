import copy
import json
import pickle
from pathlib import Path

import pytest

from builder.messages import Message, from_json, join_messages, to_json, translate


def test_a_message_is_its_english_text_and_can_be_said_otherwise() -> None:
    message = Message("{key} is missing", key="cost")
    assert message == "cost is missing"
    assert json.dumps(message) == '"cost is missing"'
    assert translate(message, "ru") == "не хватает cost"
    assert translate(message, "ru-RU") == "не хватает cost"
    assert translate(message, "en") == translate(message, "tlh") == "cost is missing"


def test_what_fills_a_gap_is_said_in_the_same_language_only_if_it_is_a_message() -> (
    None
):
    form = "{name} is {value}, but must be {wanted}"
    message = Message(
        form, name="cost", value="a text", wanted=Message("a whole number")
    )
    assert translate(message, "ru") == "cost — a text, а нужно: целое число"


def test_only_messages_are_translated_and_an_unknown_one_stays_english() -> None:
    assert translate(Message("the file is empty"), "ru") == "файл пуст"
    assert translate("the file is empty", "ru") == "the file is empty"
    assert (
        translate(Message("{many} phrases of nobody", many=3), "ru")
        == "3 phrases of nobody"
    )


def test_braces_of_the_values_are_left_alone() -> None:
    assert (
        translate(Message("{value} is not a tag", value="{ke:x}"), "ru")
        == "тега {ke:x} нет"
    )
    assert Message("{key:id} and no gap") == "{key:id} and no gap"


def test_texts_are_joined_by_words_of_the_language() -> None:
    message = join_messages(
        (Message("a text"), Message("a number"), Message("a list")), "{first} or {rest}"
    )
    assert message == "a text or a number or a list"
    assert translate(message, "ru") == "текст или число или список"
    assert join_messages(()) == ""


def test_measures_have_the_signs_of_the_language_and_values_of_files_those_of_the_file() -> (
    None
):
    message = Message("{width:g} × {height:g} mm", width=63.5, height=88)
    assert (message, translate(message, "ru")) == ("63.5 × 88 mm", "63,5 × 88 мм")
    assert translate(Message("at least {bound}", bound=0.5), "ru") == "не меньше 0.5"


def test_what_was_kept_as_json_can_be_said_otherwise_too() -> None:
    message = Message(
        "{name} is {value:g}, but must be {wanted}",
        name=Path("a"),
        value=0.5,
        wanted=Message("a text"),
    )
    same = from_json(json.loads(json.dumps(to_json(message))))
    assert isinstance(same, Message)
    wanted = same.values["wanted"]
    assert isinstance(wanted, Message)
    assert (same, same.msgid, wanted.msgid) == (
        message,
        message.msgid,
        "a text",
    )
    assert from_json(to_json("a phrase of nobody")) == "a phrase of nobody"
    with pytest.raises((KeyError, TypeError)):
        from_json(["a text"])


def test_a_message_of_a_message_is_that() -> None:
    message = Message("{key} is missing", key="cost")
    assert Message(message) is message


def test_copies_can_be_said_otherwise_too() -> None:
    message = Message("{key} is missing", key="cost")
    for same in (copy.deepcopy(message), pickle.loads(pickle.dumps(message))):
        assert (same, translate(same, "ru")) == ("cost is missing", "не хватает cost")


@pytest.mark.parametrize(
    "value",
    [
        5,
        {"msgid": "{}", "plural": "", "context": "", "values": {"name": 1}},
        {
            "msgid": "{count} card",
            "plural": "{count} cards",
            "context": "",
            "values": {"many": 2},
        },
    ],
    ids=["no map", "another gap", "no count"],
)
def test_json_that_is_no_message_is_reported_by_its_type(value: object) -> None:
    with pytest.raises(TypeError):
        from_json(value)
