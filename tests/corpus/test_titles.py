import pytest

from grapher_jax.corpus.titles import Titles, read_title


@pytest.mark.parametrize(
    ("title", "read"),
    [
        ("Mercury (planet)", "Mercury"),
        ("New  York", "new york"),
        ("St. Louis (Missouri) (city)", "st louis missouri"),
        ("apple", "apple"),
        ("Straße nach Süden", "strasse nach süden"),
        ("東京", "東 京"),
        ("東", ""),
        ("東京 大阪 (city)", "東 京 | 大 阪"),
        ("東京tower", "東 京 tower"),
        ("word " * 33, ""),
        ("A 東", ""),
        ("(film)", ""),
        ("–", ""),
        ("", ""),
    ],
)
def test_titles_are_read_without_brackets_and_marks(title, read):
    assert read_title(title) == read


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("in new YORK, of all places", {"new york"}),
        ("New York City is in New York", {"new york", "new york city"}),
        ("newyork, New Yorker", set()),
        ("an Apple fell", {"Apple"}),
        ("an apple fell", set()),
        ("大東京都に", {"東 京"}),
        ("東 and 京", set()),
        ("東 京", set()),
        ("NEW\nYORK", {"new york"}),
        ("", set()),
    ],
)
def test_which_titles_a_text_mentions(text, found):
    titles = Titles(map(read_title, ["New York", "New York City", "Apple", "東京"]))
    assert titles.in_text(text) == found
