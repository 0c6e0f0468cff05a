import time
import unicodedata

import pytest

from grapher_jax.errors import InputError
from grapher_jax.text import (
    PLAIN,
    READING,
    Reading,
    normalise,
    parts,
    readable,
    spoken,
    tokenize,
    without_thoughts,
)


def test_tokens_are_runs_of_letters_and_digits():
    assert tokenize("Order_ID: customer-name, Größe 2XL") == [
        "order",
        "id",
        "customer",
        "name",
        "grösse",
        "2xl",
    ]


def test_tokens_fold_compatible_forms_and_case():
    assert tokenize("ﬁne Ⅷ STRASSE") == tokenize("fine viii straße")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("हिन्दी में दस्तावेज़", ["हिन्दी", "में", "दस्तावेज़"]),
        ("ভাষা শেখা", ["ভাষা", "শেখা"]),
        ("தமிழ் மொழி।", ["தமிழ்", "மொழி"]),
        ("كِتَابٌ كتاب كتـــاب", ["كتاب"] * 3),
        ("שָׁלוֹם שלום־רב", ["שלום", "שלום", "רב"]),
        ("İstanbul ISTANBUL istanbul", ["istanbul"] * 3),
        ("می\u200cخواهم क्\u200dया", ["میخواهم", "क्या"]),
        ("การตั้ง", ["กา", "าร", "รต", "ตั", "ั้", "้ง"]),
        ("ខ្មែរ", ["ខ្", "្ម", "មែ", "ែរ"]),
    ],
)
def test_signs_on_letters_are_part_of_the_word(text, words):
    wanted = [unicodedata.normalize("NFKC", word) for word in words]
    assert READING.tokens(text) == wanted


def test_words_of_a_million_signs_are_read_at_once():
    assert len(READING.tokens("ि" * 1_000_000)) == 0
    assert len(READING.tokens("कि" * 500_000)) == 1


def test_entity_names_fold_case_width_and_white_space():
    assert normalise("  New\u00a0York\tCity ") == normalise("new york city") == "new york city"
    assert normalise("ＡＢＣ") == "abc"
    assert normalise("İZMİR") == "izmir"


def test_identifiers_read_as_words():
    assert readable("dept_name: first_name") == "dept name: first name"


@pytest.mark.parametrize(
    ("word", "words"),
    [
        ("customerId", ["customer", "Id"]),
        ("CustomerID2", ["Customer", "ID", "2"]),
        ("HTTPServer", ["HTTP", "Server"]),
        ("address2line", ["address", "2", "line"]),
        ("GrößeÜbergabe", ["Größe", "Übergabe"]),
        ("customer", ["customer"]),
        ("Customer", ["Customer"]),
        ("SQL", ["SQL"]),
        ("2024", ["2024"]),
        ("x", ["x"]),
    ],
)
def test_an_identifier_is_its_words(word, words):
    assert parts(word) == words
    assert "".join(parts(word)) == word


def test_digits_can_stay_with_their_letters():
    assert parts("address2line", digits=False) == ["address2line"]
    assert parts("HTTPServer2", digits=False) == ["HTTP", "Server2"]


def test_words_of_identifiers_are_read_once_beside_the_whole_that_still_matches():
    read = Reading(split=True)
    assert read.tokens("Which customerId?") == ["which", "customerid", "customer", "id"]
    assert read.tokens("first_name") == tokenize("first_name") == ["first", "name"]
    assert read.tokens("month1 month2 MONTH") == ["month1", "month2", "month", "1", "2"]
    assert read.words("customerId2 first_name") == "customer Id2 first name"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("東京都知事2024年", ["東京", "京都", "都知", "知事", "2024", "年"]),
        ("한국어 문서", ["한국", "국어", "문서"]),
        ("カタカナとabc", ["カタ", "タカ", "カナ", "ナと", "abc"]),
        ("海", ["海"]),
        ("𠮷野家", ["𠮷野", "野家"]),
    ],
)
def test_characters_without_spaces_are_pairs_of_neighbours(text, words):
    assert Reading().tokens(text) == words
    assert PLAIN.tokens(text) == tokenize(text)


@pytest.mark.parametrize("name", ["german", "de", "German"])
def test_a_language_leaves_out_stop_words_and_compares_stems(name):
    read = Reading(language=name)
    assert read.tokens("Die Häuser der Kunden") == read.tokens("das Haus dem Kunden") != []
    # They are all that there is.
    assert read.tokens("der die das") != []


def test_a_language_without_a_list_of_stop_words_has_stems():
    assert Reading(language="finnish").tokens("talossa") == ["talo"]


def test_an_unknown_language_is_told_with_the_known_ones():
    for name in ("klingon", "français"):
        with pytest.raises(InputError, match=f"language: '{name}' is unknown; use arabic, armen"):
            Reading(language=name)


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Who signed it?", "Who signed it? user"),
        ("to WHOM was it sent, and whose is it", "to WHOM was it sent, and whose is it user"),
        ("the whole of it", "the whole of it"),
        ("Which regions has the WHO?", "Which regions has the WHO?"),
        ("Which orders are open?", "Which orders are open?"),
    ],
)
def test_a_question_about_people_asks_for_users(question, asked):
    assert Reading(people=True).asked(question) == asked
    assert Reading().asked(question) == question


@pytest.mark.parametrize(
    ("pieces", "said"),
    [
        (["4", " 2"], "4 2"),
        (["<", "think", ">a", "b</th", "ink>", "\n", " 4"], "4"),
        ([" <think>a</think><think>b</think>\nx ", "y"], "x y"),
        (["<think>a"], ""),
        (["<th"], "<th"),
        (["<b>4</b> <think>"], "<b>4</b> <think>"),
        (["\n", " 4"], "\n 4"),
        ([], ""),
    ],
)
def test_a_reply_begins_after_its_thoughts(pieces, said):
    assert "".join(without_thoughts(pieces)) == said
    assert spoken("".join(pieces)) == said


def test_long_thoughts_take_no_longer_than_their_pieces():
    started = time.process_time()
    assert [*without_thoughts(["<think>", *["a word "] * 200_000, "</think>", "4"])] == ["4"]
    assert time.process_time() - started < 5
