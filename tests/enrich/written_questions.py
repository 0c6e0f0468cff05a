"""Documents in chunks, and what a language model of the tests asks about them."""

import json

from grapher_jax.corpus import Object

CHUNKS = [
    "The mill was built in 1820.",
    "In 1840 it burnt down.",
    "Who owned it then?",
    "It has been a museum since 1990.",
]


def document(name, count=4):
    texts = [f"{CHUNKS[place % 4]} ({name}, {place})" for place in range(count)]
    return [
        Object(f"{name}#{place}", text, name, {"document_id": name, "chunk_id": place})
        for place, text in enumerate(texts)
    ]


OBJECTS = [
    *document("long", 6),
    Object("alone", "Nobody's chunk."),
    *document("short", 1),
    *document("mill"),
]


def question(text="What became of it?", kind="multi-hop", level=4, chunks=(1, 3)):
    return {"question": text, "kind": kind, "level": level, "chunks": list(chunks)}


def shown(body):
    """The chunks of a request."""
    return [json.loads(line) for line in body["messages"][1]["content"].split("\n")]


def willing(body):
    """One question of every kind that can be asked."""
    chunks = shown(body)
    title, last = chunks[0]["title"], chunks[-1]["chunk"]
    asked = [question(f"In {title}, what first?", "structural", 4, [1])]
    asked.append(question(f"In {title}, why?", "contextual", 3, [last]))
    if last >= 3:
        asked.append(question(f"In {title}, how come?", "multi-hop", 5, [last, 1]))
    return json.dumps(asked)


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def wanted(endpoint):
    """What the last request asks for."""
    return endpoint.requests[-1]["messages"][0]["content"].splitlines()[-1]
