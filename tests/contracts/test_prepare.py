"""Benchmark sets made from small files in the formats of their sources."""

import hashlib
import json
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[2] / "bench"))

import prepare
from released_files import digest, hotpot_row, write

from grapher_jax.corpus import read_judgements, read_objects, read_queries, splits

SCHEMA = {
    "db_id": "shop",
    "table_names_original": ["orders", "customers"],
    "table_names": ["orders", "buyers"],
    "column_names_original": [[-1, "*"], [0, "ID"], [0, "cust"], [1, "id"], [1, "First_Name"]],
    "column_names": [[-1, "*"], [0, "id"], [0, "customer id"], [1, "id"], [1, "first name"]],
    "foreign_keys": [[2, 3], [3, 3]],
}
NESTED = "SELECT 1 FROM orders WHERE cust IN (SELECT id FROM Customers)"
# A sentence of a dozen words, the first two of which are its number.
TWELVE = "Sentence {} has twelve words, which all belong to the same text."


@pytest.fixture
def made(tmp_path):
    """Make a set from files in a folder: objects and questions by id, and all judgements."""

    def make(name, files, *options):
        folder = tmp_path / "release"
        written = [write(folder / path, value) for path, value in files.items()]
        recorded = {Path(one).name for one in prepare.describe(name)["files"]}
        demanded = [
            option
            for path in written
            if path.name in recorded
            for option in ("--sha256", f"{path.name}={digest(path)}")
        ]
        out = tmp_path / "made"
        arguments = [name, "--out", str(out), "--from", str(folder), *demanded, *options]
        assert prepare.main(arguments) == 0
        objects = {item.id: item for item in read_objects(out)}
        queries = {query.id: query for query in read_queries(out)}
        known = {"objects": objects, "queries": queries}
        return objects, queries, {s: read_judgements(out, s, **known) for s in splits(out)}

    return make


def spider_row(question, query, *units):
    tables = [["table_unit", unit] if isinstance(unit, int) else ["sql", {}] for unit in units]
    return {
        "db_id": "shop",
        "question": question,
        "query": query,
        "sql": {"from": {"table_units": tables, "conds": []}},
    }


def test_spider_judges_by_the_outer_from_and_by_all_that_the_sql_reads(made):
    files = {
        "tables.json": [SCHEMA],
        "dev.json": [
            spider_row("Which were bought?", NESTED, 0),
            spider_row("How many?", "SELECT 1 FROM (SELECT id FROM orders)", "sub-query"),
        ],
        "train_spider.json": [spider_row("Who?", "SELECT id FROM customers", 1)],
        "train_others.json": [spider_row("What?", "SELECT id FROM orders", 0)],
    }
    objects, queries, judged = made("spider", files)
    assert [item.text for item in objects.values()] == [
        "orders: ID, cust (customer id)",
        "customers (buyers): id, First_Name",
    ]
    assert objects["shop.orders"].metadata == {
        "foreign_keys": ["shop.customers"],
        "db": "shop",
        "table": "orders",
    }
    assert objects["shop.customers"].metadata == {"db": "shop", "table": "customers"}
    assert judged["dev"] == {"spider-dev-00000": {"shop.orders": 1}}
    assert judged["dev-sql"] == {"spider-dev-00000": {"shop.orders": 1, "shop.customers": 1}}
    assert judged["train"]["spider-train-00001"] == {"shop.orders": 1}
    assert queries["spider-train-00001"].metadata["source"] == "train_others"
    assert queries["spider-dev-00000"].metadata == {"db": "shop", "sql": NESTED}


def test_bird_judges_by_names_that_occur_in_the_sql(made):
    row = {"db_id": "shop", "question": "Which?", "evidence": "a hint"}
    files = {
        "train_tables.json": [SCHEMA],
        "train.json": [
            row | {"SQL": "SELECT cust AS customers FROM ORDERS"},
            row | {"SQL": "SELECT 1 FROM views", "evidence": ""},
        ],
    }
    objects, queries, judged = made("bird", files)
    assert objects["shop.customers"].text == "customers: id, First_Name"
    assert judged == {
        "train": {"bird-train-00000": {"shop.orders": 1, "shop.customers": 1}},
        "train-sql": {"bird-train-00000": {"shop.orders": 1}},
    }
    assert queries["bird-train-00000"].metadata["evidence"] == "a hint"


def test_beaver_joins_the_warehouse_by_its_join_keys(made):
    def table(name, **more):
        columns = ["ID", "KEY"]
        return {
            "db_id": "dw",
            "table_name_original": name,
            "column_names_original": columns,
        } | more

    files = {
        "dev_tables.json": {"dw#sep#A": table("A"), "dw#sep#B": table("B", foreign_key=[])},
        "dw_join_keys.json": [["A.KEY", "B.ID"], ["B.ID", "A.KEY"], ["A.ID", "A.KEY"]],
        "dev_dw.json": [
            {
                "question": "Which?",
                "db_id": "dw",
                "sql": "…",
                "gold_tables": ["dw#sep#a", "dw#sep#B"],
            }
        ],
        "dev_nw.json": [],
    }
    objects, _, judged = made("beaver", files)
    assert objects["dw.A"].metadata["foreign_keys"] == ["dw.B"]
    assert "foreign_keys" not in objects["dw.B"].metadata
    assert judged == {"dev": {"beaver-dw-000": {"dw.A": 1, "dw.B": 1}}}


def test_hotpotqa_judges_by_supporting_facts_and_draws_a_sample(made):
    rows = [hotpot_row(n, "AT&amp;T", f"Film {n} (1990 film)", "Other") for n in range(9)]
    files = {"hotpot_dev_distractor_v1.json": rows}
    objects, queries, judged = made("hotpotqa", files, "--sample", "4", "--seed", "1")
    assert len(queries) == len(judged["dev"]) == 4
    by_title = {item.title: item for item in objects.values()}
    assert by_title["AT&T"].text == "AT&T is one. It is old."
    assert len(objects) == 2 + 4
    for query, grades in judged["dev"].items():
        film = by_title[f"Film {query[-1]} (1990 film)"]
        assert grades == {by_title["AT&T"].id: 1, film.id: 1}
        assert not film.metadata
    again = made("hotpotqa", files, "--sample", "4", "--seed", "3")[1]
    assert again.keys() != queries.keys()
    assert len(made("hotpotqa", files, "--sample", "0")[1]) == 9


def test_two_wiki_multihop_qa_comes_from_its_archive(made):
    row = hotpot_row(1, "A", "B", "C") | {"context": [["A", ["One.", "Two."]], ["B", ["Three."]]]}
    archive = {"data/dev.json": json.dumps([row]), "__MACOSX/data/._dev.json": "x"}
    objects, _, judged = made("2wikimultihopqa", {"data_ids_april7.zip": archive})
    assert [item.text for item in objects.values()] == ["One. Two.", "Three."]
    assert judged == {"dev": {"2wiki-q1": {"2wiki-000000": 1, "2wiki-000001": 1}}}


def test_musique_keeps_paragraphs_of_one_title_apart(made):
    paragraphs = [
        {"title": "Rome", "paragraph_text": "It is a\u00a0city.", "is_supporting": True},
        {"title": "Rome", "paragraph_text": "It is a city. ", "is_supporting": False},
        {"title": "Rome", "paragraph_text": "It is old.", "is_supporting": False},
    ]
    row = {"id": "2hop__1_2", "question": "Where?", "answer": "there", "paragraphs": paragraphs}
    objects, queries, judged = made("musique", {"data/musique_ans_v1.0_dev.jsonl": [row]})
    assert [item.text for item in objects.values()] == ["It is a city.", "It is old."]
    assert judged == {"dev": {"musique-2hop__1_2": {"musique-000000": 1}}}
    assert queries["musique-2hop__1_2"].metadata == {"answer": "there", "hops": 2}


def beir_archive(folder):
    documents = [("d0", "Rome"), ("d1", "Rome"), ("d2", "Oslo"), ("d3", "Rome")]
    lines = [{"_id": name, "title": title, "text": f"text {name}"} for name, title in documents]
    questions = [{"_id": "q1", "text": "Which?"}, {"_id": "q2", "text": "Who?"}]
    return {
        f"{folder}corpus.jsonl": "\n".join(map(json.dumps, lines)),
        f"{folder}queries.jsonl": "\n".join(map(json.dumps, questions)),
        f"{folder}qrels/test.tsv": "query-id\tcorpus-id\tscore\nq1\td1\t1\n",
    }


def test_natural_questions_keep_whole_documents_with_a_relevant_chunk(made):
    objects, queries, judged = made("nq", {"nq.zip": beir_archive("nq/")})
    assert {name: item.metadata for name, item in objects.items()} == {
        name: {"document_id": "Rome", "chunk_id": at} for at, name in enumerate(("d0", "d1", "d3"))
    }
    assert list(queries) == ["q1"]
    assert judged == {"test": {"q1": {"d1": 1}}}


def test_one_of_several_sets_of_beir_in_an_archive(made):
    archive = beir_archive("cqadupstack/android/") | {"cqadupstack/unix/corpus.jsonl": "{}"}
    objects, _, judged = made("beir:cqadupstack/android", {"cqadupstack.zip": archive})
    assert list(objects) == ["d0", "d1", "d2", "d3"]
    assert judged == {"test": {"q1": {"d1": 1}}}


def test_qmsum_packs_turns_and_judges_by_words(made):
    # With the speaker's a turn has 50 words, so that two of five fit into a chunk.
    turns = [{"speaker": "A", "content": f"turn {n} " + "word " * 47} for n in range(5)]
    record = {
        "meeting_transcripts": turns,
        "specific_query_list": [
            {"query": "What was said? ", "answer": "…", "relevant_text_span": [["1", "2"]]}
        ],
    }
    unasked = record | {"specific_query_list": []}
    archive = {
        "QMSum-1/data/ALL/val/M1.json": json.dumps(record),
        "QMSum-1/data/ALL/train/M2.json": json.dumps(unasked),
        "QMSum-1/data/ALL/test/M3.json": json.dumps(record),
    }
    objects, queries, judged = made("qmsum", {"QMSum.zip": archive}, "--split", "val")
    assert [name for name in objects if "M1" in name] == [f"qmsum-M1-000{n}" for n in range(3)]
    assert "qmsum-M3-0000" in objects
    assert judged == {"val": {"qmsum-M1-q00": {"qmsum-M1-0000": 1, "qmsum-M1-0001": 1}}}
    asked = queries["qmsum-M1-q00"]
    assert (asked.text, asked.metadata) == ("What was said?", {"filter": {"document_id": "M1"}})


def excerpts(*spans):
    rows = [{"content": "", "start_index": start, "end_index": end} for start, end in spans]
    references = json.dumps(rows).replace('"', '""')
    return f'question,references,corpus_id\nWhich?,"{references}",finance\n'


def test_chunkeval_judges_by_excerpts(made):
    sentences = [TWELVE.format(number) for number in range(12)]
    text = " ".join(sentences) + "\n" + " ".join(sentences)
    place = text.index(sentences[11])
    files = {
        "corpora/finance.md": text,
        "corpora/pubmed.md": "Other.",
        "questions_df.csv": excerpts((place, place + len(sentences[11]))),
    }
    objects, _, judged = made("chunkeval", files)
    finance = [item for item in objects.values() if item.metadata["document_id"] == "finance"]
    assert [len(item.text.split()) for item in finance] == [120, 120, 48]
    assert finance[0].text == " ".join(sentences[:10])
    assert judged == {"test": {"chunkeval-q000": {"chunkeval-finance-0001": 1}}}


def test_chunkeval_judges_equal_chunks_alike(made):
    text = " ".join(TWELVE.format(number) for number in range(10))
    files = {"corpora/finance.md": f"{text}\n{text}", "questions_df.csv": excerpts((0, 600))}
    _, _, judged = made("chunkeval", files)
    relevant = {"chunkeval-finance-0000": 1, "chunkeval-finance-0001": 1}
    assert judged == {"test": {"chunkeval-q000": relevant}}


def test_covidqa_moves_answers_to_their_place_and_leaves_out_articles_without_licence(made):
    sentences = [TWELVE.format(number) for number in range(15)]
    text = "A title of it\n\nLicense:cc-by\n\n" + " ".join(sentences)
    answer = {"text": sentences[12], "answer_start": text.index(sentences[12]) + 3}
    rows = [{"id": 7, "question": "Which? ", "answers": [answer]}]
    paragraphs = [
        {"document_id": 1, "context": text, "qas": rows},
        {"document_id": 2, "context": "Another\n\n" + sentences[0], "qas": rows},
    ]
    files = {"200423_covidQA.json": {"data": [{"paragraphs": paragraphs}]}}
    objects, queries, judged = made("covidqa", files)
    assert [item.id for item in objects.values()] == ["covidqa-1-0000", "covidqa-1-0001"]
    assert objects["covidqa-1-0000"].title == "A title of it"
    assert objects["covidqa-1-0000"].text.startswith("\nLicense:cc-by\n\nSentence 0")
    assert judged == {"test": {"covidqa-q7": {"covidqa-1-0001": 1}}}
    assert queries["covidqa-q7"].text == "Which?"


def test_squad_has_the_paragraphs_of_its_first_articles(made):
    rows = [{"id": "a", "question": " Who? ", "answers": [{"text": "B", "answer_start": 0}]}]
    paragraphs = [{"context": "A one.", "qas": []}, {"context": "B two. ", "qas": rows}]
    data = [{"title": f"The_{number}", "paragraphs": paragraphs} for number in range(12)]
    for article in data[1:]:
        article["paragraphs"] = paragraphs[:1]
    objects, queries, judged = made("squad", {"train-v1.1.json": {"data": data}})
    assert len(objects) == 12
    assert objects["squad-The_0-0001"].title == "The 0"
    assert objects["squad-The_0-0001"].text == "B two."
    assert objects["squad-The_0-0001"].metadata == {"document_id": "The_0", "chunk_id": 1}
    assert queries["squad-qa"].text == "Who?"
    assert judged == {"train": {"squad-qa": {"squad-The_0-0001": 1}}}


def test_a_sentence_without_end_is_cut_between_words():
    from benchmark_sets.chunks import AFTER_LINES, sentences

    text = "letters " * 200 + "x" * 1500
    pieces = [text[start:end] for start, end, _ in sentences(text, AFTER_LINES)]
    assert [len(piece) for piece in pieces] == [999, 599, 1000, 500]
    assert pieces[0].endswith("letters")
    assert "".join(pieces).replace(" ", "") == text.replace(" ", "")


def test_a_demanded_file_must_be_read(made, tmp_path, capsys):
    write(tmp_path / "release" / "tables.json", [SCHEMA])
    write(tmp_path / "release" / "dev.json", [])
    out = ["--out", str(tmp_path / "made"), "--from", str(tmp_path / "release"), "--split", "dev"]
    assert prepare.main(["spider", *out, "--sha256", f"other.json={'0' * 64}"]) == 1
    assert "other.json was not read; what was: dev.json, tables.json" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["spidr"], "set: no 'spidr'; beir:NAME, or one of spider, "),
        (
            ["hotpotqa", "--split", "tset"],
            "--split: hotpotqa has no 'tset'; it has ['dev', 'train']",
        ),
        (["beaver", "--sample", "3"], "--sample: beaver is made whole; leave this out"),
        (["beaver"], "has no dev_tables.json, unpacked or in a .zip; add it"),
        (["spider", "--split", "dev"], "not in the format of spider (KeyError 'db_id')"),
        (["hotpotqa", "--sample", "-1"], "--sample: -1 is below 0; give a number of questions"),
    ],
)
def test_a_line_says_what_is_wrong(arguments, told, tmp_path, capsys):
    write(tmp_path / "tables.json", [{}])
    options = ["--out", str(tmp_path / "made"), "--from", str(tmp_path)]
    assert prepare.main([*arguments, *options]) == 1
    assert told in capsys.readouterr().err.splitlines()[-1]


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (lambda data: data[:-30], "/scifact.zip: no .zip (File is not a zip file); fetch it again"),
        (lambda data: data.replace(b"x" * 9, b"y" * 9, 1), "(BadZipFile Bad CRC-32 for file "),
    ],
)
def test_a_damaged_archive_is_one_line(damage, told, tmp_path, capsys):
    archive = write(tmp_path / "scifact.zip", {"qrels/test.tsv": "x" * 9})
    archive.write_bytes(damage(archive.read_bytes()))
    options = ["--out", str(tmp_path / "made"), "--from", str(tmp_path)]
    given = ["--sha256", f"scifact.zip={digest(archive)}"]
    assert prepare.main(["beir:scifact", *options, *given]) == 1
    assert told in capsys.readouterr().err.splitlines()[-1]


def test_rows_of_another_kind_are_one_line(tmp_path, capsys):
    record = {"meeting_transcripts": [{"speaker": "A", "content": None}]}
    for split in ("test", "train", "val"):
        write(tmp_path / "ALL" / split / f"{split}.json", record)
    assert prepare.main(["qmsum", "--out", str(tmp_path / "made"), "--from", str(tmp_path)]) == 1
    assert "not in the format of qmsum (" in capsys.readouterr().err.splitlines()[-1]


def test_a_digest_has_64_digits(capsys):
    with pytest.raises(SystemExit):
        prepare.main(["spider", "--out", "made", "--sha256", "dev.json=12"])
    assert "'dev.json=12' is no FILE=DIGEST" in capsys.readouterr().err


def test_every_set_has_a_source_and_what_makes_it():
    assert set(prepare.SETS) == set(prepare.MAKE)
    for name, described in prepare.SETS.items():
        assert described["splits"], name
        assert described["licence"], name
        for source in described["files"].values():
            kind, _, digits = source.get("digest", "sha256:" + "0" * 64).partition(":")
            assert len(bytes.fromhex(digits)) == hashlib.new(kind).digest_size, name


def test_a_made_set_is_evaluated(made, grapher, tmp_path):
    files = {
        "tables.json": [SCHEMA],
        "dev.json": [spider_row("Which customers bought?", NESTED, 0)],
    }
    made("spider", files, "--split", "dev")
    ranked = ("--ranker", "base", "--ranker", "gcs", "--json")
    status, shown, told = grapher("evaluate", tmp_path / "made", "--split", "dev-sql", *ranked)
    assert status == 0, told
    assert json.loads(shown)["multi_queries"] == 1
