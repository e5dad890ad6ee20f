"""What may be typed as a prompt, and the one line that answers everything else."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_by_hand.errors import InputError
from attention_by_hand.tokens import MAX_TOKENS, TOKENS, parse_token, parse_tokens, show_tokens

token_ids = st.lists(st.integers(0, 13), min_size=1, max_size=16)
SPACES = st.text(" \t\n\u3000", max_size=3)


@given(token_ids)
def test_what_is_shown_reads_back(ids):
    assert parse_tokens(show_tokens(ids)) == ids


@given(token_ids, st.data())
def test_spaces_do_not_matter(ids, data):
    text = data.draw(SPACES) + "".join(TOKENS[i] + data.draw(SPACES) for i in ids)
    assert parse_tokens(text) == ids


@pytest.mark.parametrize("times", ["×", "x", "X", "*", "\uff0a", "\uff58", "\uff38"])
@pytest.mark.parametrize("equals", ["=", "\uff1d"])
def test_other_spellings(times, equals):
    assert parse_tokens(f"7{times}8{equals}") == [7, 10, 8, 11]


def test_full_width_digits():
    assert parse_tokens("\uff10\uff11\uff12\uff13\uff14\uff15\uff16\uff17\uff18\uff19") == list(range(10))


@given(st.text())
def test_any_text_gives_tokens_or_one_clear_line(text):
    try:
        ids = parse_tokens(text)
    except InputError as error:
        line = str(error)
        assert "\n" not in line
        assert line.isprintable(), f"{line!r} would not print as it stands"
        assert "accepted" in line
    else:
        assert 1 <= len(ids) <= 16
        assert all(0 <= i < 14 for i in ids)


@given(st.lists(st.sampled_from("0123456789x= "), max_size=12), st.characters())
def test_a_strange_character_is_named_with_its_position(before, strange):
    text = "".join(before) + strange
    if (
        strange.isspace()
        or strange in "0123456789xX*×=\uff1d✕✖⨯\uff0a\uff58\uff38"
        or "\uff10" <= strange <= "\uff19"
    ):
        return
    with pytest.raises(InputError) as caught:
        parse_tokens(text + "777")
    assert f"character {len(text)} " in str(caught.value)
    assert repr(strange) in str(caught.value)


@pytest.mark.parametrize("text", ["", " ", "\u3000\t"])
def test_nothing_typed(text):
    with pytest.raises(InputError, match=r"prompt is empty.*1 to 16"):
        parse_tokens(text)


def test_sixteen_fit_and_seventeen_do_not():
    assert parse_tokens("7" * 16) == [7] * 16 == [7] * MAX_TOKENS
    with pytest.raises(InputError, match=r"17 tokens.*1 to 16"):
        parse_tokens("7" * 17)


@pytest.mark.parametrize("index", range(14))
def test_one_token_reads_back(index):
    assert parse_token(TOKENS[index]) == index
    assert parse_token(f" {TOKENS[index]} ") == index


def test_one_token_in_other_spellings():
    assert [parse_token(text) for text in ("x", "*", "\uff1d", "\uff15", "end", "Pad")] == [
        10,
        10,
        11,
        5,
        12,
        13,
    ]


@given(st.text())
def test_anything_else_as_one_token_gets_one_line(text):
    try:
        index = parse_token(text)
    except InputError as error:
        line = str(error)
        assert re.fullmatch(r".* is not a token; accepted: 0 1 .* END PAD", line)
        assert line.isprintable()
    else:
        assert 0 <= index < 14
