"""The language of texts, told by their most frequent words."""

import pytest

from grapher_jax.corpus.spoken import spoken_in

TEXTS = {
    "german": "Der Preis ist nicht auf der Rechnung, und die Lieferung kommt mit einem anderen Wagen.",
    "french": "Le prix est dans la facture et les livraisons sont pour vous, pas pour une autre ville.",
    "russian": "Цена в счёте, а доставка не для вас, и это не из города, как по карте.",
    "": "The price is on the invoice, and the delivery comes with another car for you.",
}


@pytest.mark.parametrize("language", TEXTS)
def test_a_language_is_told_by_its_most_frequent_words(language):
    assert spoken_in([TEXTS[language]] * 3000) == language


def test_where_there_is_no_language_none_is_told():
    for texts in ([], [""], ["orders: id, customer_id"], ["安装 Debian"], ["12 34 56"]):
        assert spoken_in(texts) == ""


def test_a_few_foreign_words_are_no_language():
    english = TEXTS[""] * 10
    assert spoken_in([f"{english} Das ist nicht der Titel."]) == ""


def test_one_word_of_two_languages_tells_none():
    assert spoken_in(["There Ada met Kurt in Boston, and they wrote a letter about algebra."]) == ""


def test_index_tells_the_language_of_documents(tmp_path, grapher):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "a.txt").write_text(TEXTS["german"])
    _, _, told = grapher("index", "a", "--out", "i")
    assert "many texts look German: --language german would compare stems" in told
    _, _, told = grapher("index", "a", "--out", "j", "--language", "german")
    assert "look German" not in told
