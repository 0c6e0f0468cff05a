"""What the object of a table tells of it."""


def joins(item):
    return [
        (one["columns"], one["references"], one["referenced_columns"])
        for one in item.metadata.get("joins", ())
    ]


def names(item):
    return [column["name"] for column in item.metadata["columns"]]


def columns(item):
    """The columns of a table with their types."""
    return [(column["name"], column["type"]) for column in item.metadata["columns"]]
