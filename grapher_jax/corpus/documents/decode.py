"""Decodes bytes of any encoding to text, without embedded pictures."""

import codecs
import re

from grapher_jax.corpus.documents.extract import UnreadableError
from grapher_jax.errors import require

# The legacy encodings of browsers (Encoding Standard) and of DOS in the west, by Python's names,
# except Apple's, which cannot be distinguished from the others in a short text.
_LEGACY = (
    *(f"cp125{n}" for n in range(9)),
    *(f"iso8859_{n}" for n in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)),
    *("big5", "big5hkscs", "cp850", "cp866", "cp874", "cp932", "cp949"),
    *("euc_jp", "euc_kr", "gb18030"),
    *("koi8_r", "koi8_u", "shift_jis"),
)
_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",  # has the same beginning as UTF-16's
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_CHARSET = re.compile(rb"<meta[^>]{1,200}?charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_SQL_CHARSET = re.compile(
    rb"\bSET\s+(?:NAMES|client_encoding\s*=)\s*'?([\w-]{1,40})", re.IGNORECASE
)
# Encodings that differ in letters, which are signs within words in the first: `c½ur` is `cœur`.
_ALMOST = {"cp1252": "iso8859_15", "cp1250": "iso8859_2", "cp850": "cp1252"}
_SIGNS_IN_WORDS = re.compile(r"(?<=[^\W\d_])[±¶¼½¾](?=[^\W\d_])|(?<=['’])½(?=[^\W\d_])")
# In text with hardly a letter beyond ASCII, such as English with a name, nothing tells encodings
# apart, and the usual one is right if its letters are few in a row, and no sign is where none is.
_HARDLY, _FEW = 0.015, 3
_ODD = re.compile(
    r"(?<=[^\W\d_])[\x80-\x9f\ufffd‚ƒ„†‡ˆ‰‹›•˜¡-§©-¬®-¶¸-¿×÷](?=[^\W\d_])|[^\W\d_][‚„¿]"
    r"|[^\W\d_\x00-\x7f]{3}|[\x80-\x9f\ufffdŠšŽž]|\b[Èè]\w"
    # As letters of DOS and characters of Big5 would be.
    r"|(?<=[^\W\d_])[“”](?=[^\W\d_])|(?<!\w)™\w|(?<!\w)€[^\W\d_]{3}|\bœ\d|\d ?ø|(?<=[a-z])Œ"
    r"|[¤¥][^\W\d]|¤[¤¥ý]"
)
# What no text has that is decoded rightly.
_NO_TEXT = re.compile("[\x80-\x9f\ufffd]")
_NOT_ASCII = re.compile(rb"[\x80-\xff]")
_NOT_ASCII_TEXT = re.compile(r"[^\x00-\x7f]")
_SAMPLE = 2**16
# Some accents of French read as Baltic letters, with a little less chaos than their own.
_BALTIC, _CLOSE = {"cp1257", "iso8859_4", "iso8859_10", "iso8859_13"}, 0.1
# A picture embedded in a page is no text, and longer than the whole text.
_DATA_URI = re.compile(
    r"\bdata:[\w.+-]{1,99}/[\w.+-]{1,99}(?:;[\w=.+-]{1,99}){0,9},[\w+/=%.:;@&~*$,?!'-]{99,}"
)


def decode(data: bytes, declared: str = "") -> str:
    """Decodes UTF-8, or another Unicode by its byte order mark; else as declared; else guessed."""
    marked = next((name for mark, name in _BYTE_ORDER_MARKS.items() if data.startswith(mark)), "")
    if not marked and b"\0" in data:
        raise UnreadableError("binary")
    try:
        text = data.decode(marked or "utf-8")
    except UnicodeDecodeError as error:
        encoding = "" if marked else declared or _guess(data)
        if not encoding:
            raise UnreadableError("of unknown encoding") from error
        text = data.decode(encoding, "replace")
    return _DATA_URI.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def html_charset(data: bytes) -> str:
    """The charset that HTML declares in the place defined by the standard; empty if unknown."""
    found = _CHARSET.search(data[:1024])
    return _known(found[1]) if found else ""


def sql_charset(data: bytes) -> str:
    """The charset that a dump of MySQL or PostgreSQL declares, as WIN1252; empty if unknown."""
    found = _SQL_CHARSET.search(data)
    return _known(re.sub(b"^win(?=[0-9])", b"cp", found[1].lower())) if found else ""


def _known(charset: bytes) -> str:
    """Python's name of a legacy charset; empty for others."""
    try:
        name = codecs.lookup(charset.decode()).name.replace("-", "_")
    except (LookupError, UnicodeError):
        return ""
    name = "cp1252" if name in ("iso8859_1", "ascii") else name  # browsers read both as cp1252
    return name if name in _LEGACY else ""


def _guess(data: bytes) -> str:
    first = _NOT_ASCII.search(data)
    start = max(0, first.start() - 1000) if first else 0
    sample = data[start : start + _SAMPLE]
    if _is_usual(sample.decode("cp1252", "replace")):
        return "cp1252"
    matches = require("charset_normalizer").from_bytes(sample, cp_isolation=list(_LEGACY))
    best = matches.best()
    if best is None:
        return ""
    close = _CLOSE if best.encoding in _BALTIC else 0.0
    alike = {
        name
        for match in matches
        if match.coherence >= best.coherence and match.chaos <= best.chaos + close
        for name in match.could_be_from_charset
    }
    # Of encodings that fit equally, the library returns the first by name; this one is the usual.
    usual = "cp1252" if "cp1252" in alike else best.encoding
    return _with_fewer_signs(sample, usual, _ALMOST.get(usual, usual))


def _is_usual(text: str) -> bool:
    """Whether a text decoded as cp1252 has hardly a letter beyond ASCII, and none in odd places."""
    further = len(_NOT_ASCII_TEXT.findall(text))
    return further <= max(_FEW, _HARDLY * (len(text) - further)) and not _ODD.search(text)


def _with_fewer_signs(sample: bytes, usual: str, other: str) -> str:
    """The encoding by which fewer signs stand within words."""
    texts = [sample.decode(name, "replace") for name in (usual, other)]
    usual_signs, other_signs = (len(_SIGNS_IN_WORDS.findall(text)) for text in texts)
    return other if other_signs < usual_signs and not _NO_TEXT.search(texts[1]) else usual
