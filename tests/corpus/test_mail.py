"""E-mails, which answer each other."""

import mailbox
from email.message import EmailMessage
from functools import partial
from time import process_time

import pytest
from document_folders import chunks

from grapher_jax.errors import GrapherWarning

ALE, BOB = "Alé Berg <ale@shop.example>", "Bob Stone <bob@shop.example>"


def mail(name, subject, text, *, answers=(), to=BOB, page="", attached=""):
    one = EmailMessage()
    one["From"], one["To"], one["Subject"] = ALE, to, subject
    one["Date"] = "Mon, 02 Nov 2026 09:30:00 +0000"
    one["Message-ID"] = f"<{name}@mail.example>"
    if answers:
        one["References"] = " ".join(f"<{before}@mail.example>" for before in answers)
    if text:
        one.set_content(text)
    if page:
        one.add_alternative(page, subtype="html")
    if attached:
        one.add_attachment(b"%PDF", maintype="application", subtype="pdf", filename=attached)
    return one


# The second answers the first, the third the second.
ROOF = mail("a1", "Roof of plant Süd", "The roof leaks.\n")
OFFER = mail(
    "b2",
    "Re: Roof of plant Süd",
    "",
    answers=["a1"],
    page="<p>An <b>offer</b> &amp; more",
    attached="Offer é.pdf",
)
SIGNED = mail("c3", "Fwd: it", "Signed.\n", answers=["a1", "b2"], page="<p>Another text", to=ALE)  # fmt: skip
HEAD = f"From: {ALE}\nTo: {BOB}\nDate: Mon, 02 Nov 2026 09:30:00 +0000\n"


@pytest.fixture
def read(tmp_path):
    """Reads files that are written into a folder: the chunks by their ids."""
    return partial(chunks, tmp_path)


def links(found):
    return {name: item.metadata["links"] for name, item in found.items()}


def test_an_email_is_linked_to_the_one_that_it_answers(read):
    found = read({"1.eml": SIGNED.as_bytes(), "2.EML": OFFER.as_bytes(), "3.eml": ROOF.as_bytes()})
    assert [item.title for item in found.values()] == [
        "Fwd: it",
        "Re: Roof of plant Süd",
        "Roof of plant Süd",
    ]
    assert found["3.eml#0"].text == f"{HEAD}\nThe roof leaks."
    assert found["2.EML#0"].text == f"{HEAD}Attachments: Offer é.pdf\n\nAn offer & more"
    assert found["1.eml#0"].text.endswith("Signed.")  # and not the page, which says the same
    assert links(found) == {"1.eml#0": ["2.EML#0"], "2.EML#0": ["3.eml#0"], "3.eml#0": []}


def test_messages_of_a_mailbox_are_records(read, tmp_path):
    box = mailbox.mbox(tmp_path / "roof.mbox")
    escaped = mail(
        "d4", "Days", "From Monday 10:00 to Friday in 2026\nall is closed.", answers=["c3"]
    )
    for one in (SIGNED, OFFER, ROOF, OFFER, escaped):
        box.add(one)
    box.close()
    found = read({})
    assert found["roof.mbox#2#0"].title == "Roof of plant Süd"
    assert found["roof.mbox#2#0"].text == (
        f"Subject: Roof of plant Süd\nMessage-ID: <a1@mail.example>\n{HEAD}\nThe roof leaks."
    )
    assert found["roof.mbox#4#0"].text.endswith(
        "\n\nFrom Monday 10:00 to Friday in 2026\nall is closed."
    )
    # The other copy of the offer answers too, and has no name of its own.
    assert links(found) == {
        "roof.mbox#0#0": ["roof.mbox#1#0"],
        "roof.mbox#1#0": ["roof.mbox#2#0"],
        "roof.mbox#2#0": [],
        "roof.mbox#3#0": ["roof.mbox#2#0"],
        "roof.mbox#4#0": ["roof.mbox#0#0"],
    }


@pytest.mark.parametrize(
    ("sent", "title", "text"),
    [
        (b"Subject: =?iso-8859-1?q?Gr=FC=DFe?=\n\nHi", "Grüße", "Hi"),
        (b"Subject: =?none?q?x?=\nSubject: two\n\nHi", "=?none?q?x?=", "Hi"),
        ("Subject: Grüße\nFrom: Zoë\n\nCiao è".encode(), "Grüße", "From: Zoë\n\nCiao è"),
        (b"Subject: =?utf-8?b?w7w=?=\n =?utf-8?b?w7w=?=\n\nHi", "üü", "Hi"),
        (b"Content-Type: text/plain; charset=iso-8859-1\n\nna\xefve", "one", "naïve"),
        (b"Content-Type: text/plain; charset=none\n\nna\xefve idea", "one", "naïve idea"),
        (b"Content-Type: text/plain; charset=iso-2022-jp\n\n\x1b$B$3$s\x1b(B", "one", "こん"),
        (b"Content-Type: text/html\nContent-Transfer-Encoding: base64\n\nPGI+aGk8L2I+", "one", "hi"),
        (b"Content-Type: multipart/mixed; boundary=q\n\n--q\n\nOne\n--q\n\nTwo", "one", "One\n\nTwo"),
        (b"no header at all\n\nhello", "one", "no header at all\n\nhello"),
    ],
)  # fmt: skip
def test_damaged_and_foreign_messages_are_read_as_far_as_they_go(read, sent, title, text):
    (found,) = read({"one.eml": sent}).values()
    assert (found.title, found.text) == (title, text)


BROKEN = b"Content-Type: multipart/mixed; boundary=q\n\n--q\n\n\0\n"


def test_what_is_no_mail_is_left_out_and_told(read):
    files = {"a.md": b"Hello", "b.mbox": b"Hello", "c.eml": BROKEN, "d.eml": b""}
    told = r"1 without a line 'From ' .* 1 binary .* 1 without text"
    with pytest.warns(GrapherWarning, match=told):
        assert [*read(files)] == ["a.md#0"]


def test_a_damaged_message_leaves_the_others_of_its_mailbox(read):
    box = b"From a Mon Nov  2 09:30:00 2026\n\nHi\n\nFrom b Mon Nov  2 09:31:00 2026\n" + BROKEN
    with pytest.warns(GrapherWarning, match=r"b.mbox: 1 of its messages left out, binary"):
        assert [*read({"b.mbox": box})] == ["b.mbox#0#0"]


def test_reading_takes_linear_time(read):
    began = process_time()
    words = b"From a 09:30:00 2026\n" + b"From 10:10 " * 33_333 + b"\n" + b">>>From \n" * 33_333
    names = b"Message-ID: " + b"<" * 933_333 + b"\nReferences: " + b"=?utf-8?q?" * 33_333
    read({"a.mbox": words, "b.eml": names + b"\n\nHi"})
    assert process_time() - began < 10
