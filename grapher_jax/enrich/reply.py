"""Reads the JSON of a language model's reply."""

import re

from grapher_jax.files import Json, parse_json

_FENCED = re.compile(r"```(?:json)?\s*\n(.*)\n\s*```", re.DOTALL | re.IGNORECASE)


def json_reply(reply: str, what: str) -> Json:
    """The JSON of a model's reply, alone or inside one fence, with `json` or nothing behind it.

    Args:
        reply: the reply of the model.
        what: the JSON that it was asked for, in messages.

    Raises:
        ValueError: for anything else.
    """
    text = reply.strip()
    fenced = _FENCED.fullmatch(text)
    try:
        return parse_json(fenced[1] if fenced else text)
    except ValueError as error:
        raise ValueError(f"it is not one whole JSON {what} ({error})") from None
