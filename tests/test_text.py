import pytest

from grapher_jax.text import normalise, parts, readable, tokenize


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


def test_entity_names_fold_case_width_and_white_space():
    assert normalise("  New\u00a0York\tCity ") == normalise("new york city") == "new york city"
    assert normalise("ＡＢＣ") == "abc"


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
    assert tokenize(word, split=True)[: len(words)] == [part.casefold() for part in words]


def test_split_words_are_read_beside_the_whole_that_still_matches():
    assert tokenize("Which customerId?", split=True) == [
        "which",
        "customer",
        "id",
        "customerid",
    ]
    assert tokenize("first_name", split=True) == tokenize("first_name") == ["first", "name"]
    assert readable("customerId2 first_name", split=True) == "customer Id 2 first name"
    assert readable("customerId2 first_name") == "customerId2 first name"
