"""Text of unknown origin, made safe for a terminal."""


def printable(text: str) -> str:
    """The text with control characters escaped, so that a terminal does not execute them."""
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode()
        for character in text
    )
