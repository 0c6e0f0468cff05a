from grapher_jax.text import normalise, readable, tokenize


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
