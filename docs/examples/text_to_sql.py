"""Text-to-SQL: python text_to_sql.py shop.index shop.db MODEL "Which products were returned?"."""

import re
import sqlite3
import sys
import time
from contextlib import closing
from pathlib import Path

import openai

import grapher_jax as gj

ROWS, SECONDS, BYTES = 100, 5.0, 10_000
READING = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION}
READING |= {sqlite3.SQLITE_RECURSIVE}


def write_sql(index: gj.Index, question: str, model: str, client: openai.OpenAI) -> str:
    tables = index.tables(question, budget=4000).ddl()
    text = f"{tables}\n-- Write one SELECT for SQLite, and nothing else, that answers: {question}"
    asked = [{"role": "user", "content": text}]
    reply = client.chat.completions.create(model=model, messages=asked, temperature=0)
    said = reply.choices[0].message.content or ""
    fenced = re.search(r"```(?:\w+\n)?(.*?)```", said, re.DOTALL)
    return (fenced[1] if fenced else said).strip()


def run_sql(path: str, sql: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(f"{Path(path).absolute().as_uri()}?mode=ro", uri=True)) as data:
        data.set_authorizer(lambda action, *_: int(action not in READING))  # 1 refuses
        data.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, BYTES)
        until = time.monotonic() + SECONDS
        data.set_progress_handler(lambda: time.monotonic() > until, 100)
        return data.execute(sql).fetchmany(ROWS)


if __name__ == "__main__":
    sql = write_sql(gj.Index.load(sys.argv[1]), sys.argv[4], sys.argv[3], openai.OpenAI())
    print(sql, *run_sql(sys.argv[2], sql), sep="\n")
