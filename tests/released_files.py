"""Files as the sources of benchmark sets release them."""

import hashlib
import json
import zipfile


def write(path, value):
    """A file of JSON, of lines of JSON if it ends so, or of text; members of an archive."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w") as archive:
            for name, content in value.items():
                archive.writestr(name, content)
    elif path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in value), encoding="utf-8")
    else:
        text = value if isinstance(value, str) else json.dumps(value)
        path.write_text(text, encoding="utf-8")
    return path


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def hotpot_row(number, *titles):
    return {
        "_id": f"q{number}",
        "question": f"Question {number}?",
        "answer": "yes",
        "type": "bridge",
        "supporting_facts": [[titles[0], 0], [titles[1], 0], [titles[1], 1]],
        "context": [[title, [f"{title} is one.", " It is old."]] for title in titles],
    }
