"""Texts of other encodings than UTF-8, declared or guessed."""

import pytest
from document_folders import texts, write

GERMAN = "Die größte Straße führt über die Brücke."
FRENCH = "Les élèves étaient très fatigués après l’école."
OEUVRE = "L'œuvre du cœur coûte 15 €, l'été."
# Of Windows, where each sign is what it is.
WITH_SIGNS = [
    "Don´t mix “quotes” – naïve café, it´s 5 €.",
    "Add 1½cups of flour and ½tsp of salt to the purée; sauté gently.",
    "name¦größe¦ort\nAnna¦über¦Köln",
    "El niño ´pequeño´ comió en el café de la mañana.",
    " ".join(["Año;Población\n2020;5000\n2021;6000"] * 5),
]
# Where hardly a letter tells the encoding.
NEARLY_ASCII = [
    f"Please send the contract to Dr. {name} before Friday."
    for name in ("Müller", "François", "Zürich", "Núñez", "São", "Jürgen")
]
POLISH = "Zażółć gęślą jaźń. Dziękuję, że mnie pan o to pyta."
ACCENTS = "Le café est fermé à Noël, l'été déjà terminé. Où êtes-vous allé ?"
HUNGARIAN = "A tűző nyári napon a hűvös erdők őrzik a csendet, és az őszi eső után szép a kert."
RUSSIAN = "Привет, как дела? Это простой текст на русском языке."


@pytest.mark.parametrize(
    ("name", "content", "text"),
    [
        ("a.txt", "\ufeffÜber".encode(), "Über"),
        ("a.txt", "Über".encode("utf-16"), "Über"),
        ("a.txt", b"two\r\nlines\rmore", "two\nlines\nmore"),
        ("a.txt", GERMAN.encode("latin-1"), GERMAN),
        ("a.txt", FRENCH.encode("cp1252"), FRENCH),
        ("a.txt", ACCENTS.encode("cp1252"), ACCENTS),
        (
            "a.txt",
            "L'œuvre du cœur coûte 15 €, l'été.".encode("iso8859_15"),
            "L'œuvre du cœur coûte 15 €, l'été.",
        ),
        (
            "a.txt",
            "½ Liter für Köche, 3 m² und 5 ± 1".encode("cp1252"),
            "½ Liter für Köche, 3 m² und 5 ± 1",
        ),
        ("a.txt", GERMAN.encode("cp850"), GERMAN),
        ("a.txt", b"English. " * 10_000 + OEUVRE.encode("iso8859_15"), OEUVRE),
        *(("a.txt", text.encode("cp1252"), text) for text in WITH_SIGNS),
        *(("a.txt", text.encode("cp1252"), text) for text in NEARLY_ASCII),
        ("a.txt", POLISH.encode("cp1250"), POLISH),
        ("a.txt", HUNGARIAN.encode("cp1250"), HUNGARIAN),
        ("a.txt", RUSSIAN.encode("cp1251"), RUSSIAN),
        ("a.txt", b"English. " * 10_000 + FRENCH.encode("cp1252"), FRENCH),
        ("a.html", b'<meta charset="koi8-r">' + RUSSIAN.encode("koi8-r"), RUSSIAN),
        ("a.html", b'<meta charset="utf-8">' + GERMAN.encode("latin-1"), GERMAN),
        ("a.html", b'<meta charset="punycode">' + GERMAN.encode("latin-1"), GERMAN),
        ("a.html", b'<meta charset="iso-8859-1">' + FRENCH.encode(), FRENCH),
        ("a.html", b'<meta charset="iso-8859-1">' + FRENCH.encode("cp1252"), FRENCH),
    ],
)
def test_encodings(tmp_path, name, content, text):
    write(tmp_path, {name: content})
    *_, last = texts(tmp_path).values()
    assert last.removeprefix("English. " * last.count("English. ")) == text
