import re
from dataclasses import replace
from itertools import chain, pairwise

import numpy as np
import pytest
from words import Words

from grapher_jax.corpus import Object, Query
from grapher_jax.corpus.beir import write_beir
from grapher_jax.errors import InputError
from grapher_jax.learn.examples import prepare
from grapher_jax.learn.join_paths import path_questions
from grapher_jax.systems.networks import find_network
from grapher_jax.training.candidates import GraphSettings
from grapher_jax.training.config import SetConfig, TrainConfig
from grapher_jax.training.data import Data

# Tables with their columns and what they reference. One joins students and courses.
COLLEGE = {
    "tblStudent": ("student_id, first_name, age, schoolId", ["tblSchool"]),
    "tblCourse": ("course_id, title, credits", []),
    "tblStudentCourses": ("student_id, course_id", ["tblStudent", "tblCourse"]),
    "tblSchool": ("school_id, city, founding_year", []),
}
SHOP = {"orders": ("order_id, store_id, price", ["stores"]), "stores": ("store_id, city", [])}


def tables(db, schema):
    return [
        Object(
            f"{db}.{name}",
            f"{name}: {columns}",
            metadata={
                "db": db,
                "table": name,
                **({"foreign_keys": [f"{db}.{to}" for to in keys]} if keys else {}),
            },
        )
        for name, (columns, keys) in schema.items()
    ]


def test_questions_name_the_tables_of_a_path_but_not_the_one_that_only_joins():
    made = path_questions(tables("college", COLLEGE), 1000)
    assert {len(ids) for ids in made.values()} == {1, 2, 3, 4}
    assert not any("student course" in text for text, ids in made.items() if len(ids) > 2)
    joined = [text for text, ids in made.items() if len(ids) == 3]
    assert len(joined) > 2
    for text in joined:
        assert any(word in text for word in ("student", "first name", "age"))
        assert any(word in text for word in ("course", "title", "credits"))
    # Keys join all tables of a question.
    keys = {frozenset((f"college.{a}", f"college.{b}")) for a in COLLEGE for b in COLLEGE[a][1]}
    for ids in made.values():
        piece = {ids[0]}
        for _ in ids:
            piece |= {one for one in ids if any(frozenset((one, own)) in keys for own in piece)}
        assert piece == {*ids}


def test_one_of_two_tables_that_join_the_same_ones_is_named():
    waiting = {"tblWaitingList": ("student_id, course_id", ["tblStudent", "tblCourse"])}
    made = path_questions(tables("college", COLLEGE | waiting), 1000)
    between = [(text, ids) for text, ids in made.items() if len(ids) == 3]
    joined = [text for text, ids in between if ids[0] == "college.tblWaitingList"]
    assert joined and all("waiting list" in text.casefold() for text in joined)


def test_questions_read_as_words_and_show_no_keys():
    made = path_questions(tables("college", COLLEGE), 1000)
    said = " ".join(made)
    assert "tbl" not in said
    assert "_" not in said
    assert not {"id", "schoolid"} & {word.strip('.,?"') for word in said.casefold().split()}
    assert {"founding year", "first name"} <= {" ".join(pair) for pair in pairwise(said.split())}
    assert all(text[0].isupper() and text[-1] in ".?" for text in made)


def test_the_ending_of_a_word_marks_no_key():
    shop = {
        "bids": ("amount_paid, highest_bid, grid, customerid, uuid, guid", ["customers"]),
        "customers": ("kids, customerkey", []),
    }
    said = " ".join(path_questions(tables("x", shop), 1000)).casefold()
    assert all(word in said for word in ("amount paid", "highest bid", "grid", "kids"))
    assert not any(key in said for key in ("customerid", "customerkey", "uuid", "guid"))


def test_databases_have_as_many_questions_but_for_small_ones_and_the_seed_decides():
    objects = [*tables("college", COLLEGE), *tables("shop", SHOP)]
    made = path_questions(objects, 10)
    assert path_questions(objects, 10) == made
    assert path_questions(objects, 10, seed=1) != made
    databases = [ids[0].partition(".")[0] for ids in made.values()]
    assert databases == ["college", "shop"] * 5
    every = path_questions(objects, 1000)
    databases = [ids[0].partition(".")[0] for ids in every.values()]
    assert databases.count("shop") <= 3 * 3 < databases.count("college") <= 3 * 7
    assert path_questions([*objects[:1], Object("a", "a passage")], 10) == {}


def test_a_table_in_the_middle_is_not_asked_for_where_a_key_goes_past_it():
    shop = {
        "orders": ("price, tax amount", ["customers", "addresses"]),
        "addresses": ("city, street", ["customers"]),
        "customers": ("first name", []),
    }
    made = [
        ids
        for seed in range(9)
        for ids in path_questions(tables("x", shop), 99, seed=seed).values()
    ]
    assert {*map(len, made)} == {1, 2}


def test_a_prefix_is_left_out_where_what_is_left_names_one_table():
    modules = {
        f"{module}_{name}": ("age, title", [])
        for module, own in (("auth", "role"), ("mail", "label"), ("shop", "cart"))
        for name in ("group", "user", own)
    }
    modules["mail_group"] = ("age, title", ["auth_role", "auth_user"])
    said = " ".join(path_questions(tables("x", modules), 99))
    assert re.search(r"(?<!auth )role", said)
    assert re.search("auth user", said)
    assert not re.search("(?<!auth )(?<!mail )(?<!shop )(user|group)", said)


def test_what_has_no_letter_in_its_name_is_not_asked_for():
    odd = {" ": ("age", []), "--": ("age", []), "stores": ("_, city", []), "名前": ("値段", [])}
    odd["orders"] = ("price, tax amount", [*odd])
    for seed in range(9):
        made = path_questions(tables("x", odd), 99, seed=seed)
        assert {one for ids in made.values() for one in ids} <= {"x.orders", "x.stores", "x.名前"}
        assert not [text for text in made if "_" in text]


@pytest.fixture
def folder(tmp_path):
    objects = [item for n in range(6) for item in tables(f"college{n}", COLLEGE)]
    objects += tables("shop", SHOP)
    queries = [Query(f"q{n}", "first names and titles") for n in range(6)]
    judged = {f"q{n}": {f"college{n}.tblStudent": 1, f"college{n}.tblCourse": 1} for n in range(6)}
    judged = {"train": judged, "dev": {"q0": {"shop.orders": 1}}}
    write_beir(tmp_path / "set", objects, queries, judged)
    return tmp_path / "set"


@pytest.fixture
def examples(tmp_path):
    def examples(config):
        network = find_network("gat")
        cache = tmp_path / "cache"
        return prepare(config, network, GraphSettings(neighbors=4), cache, embedder=Words())

    return examples


def test_examples_are_about_databases_of_the_split(folder, examples):
    chosen = SetConfig(source=str(folder), paths=30)
    found = examples(chosen)
    assert found.name == "set:train+paths"
    assert found.ids == [f"paths {number}" for number in range(30)]
    assert {*chain(*found.groups)} == {f"college{n}" for n in range(6)}
    assert found.counts.max() > 2
    assert {*chain(*examples(replace(chosen, split="dev")).groups)} == {"shop"}
    # Declared keys make the questions also where the graph has none.
    hidden = examples(replace(chosen, keys="none"))
    np.testing.assert_array_equal(hidden.counts, found.counts)
    np.testing.assert_array_equal(hidden.questions, found.questions)
    assert (hidden.graphs["degrees"].sum(), hidden.name) == (0, "set:train+paths+keys-none")
    assert found.graphs["degrees"].sum() > 0


def test_what_one_set_holds_out_is_not_learned_by_made_questions(folder, examples):
    judged = SetConfig(source=f"{folder}/../{folder.name}", held_out=0.5)
    made = SetConfig(source=str(folder), paths=30)
    data = Data.collect(TrainConfig(sets=(judged, made)), examples)
    databases = [
        {*chain(*(pool.examples.groups[question] for question in pool.questions))}
        for pool in (*data.learned, *data.watched)
    ]
    asked, built, watched = databases
    assert asked == built == {f"college{n}" for n in range(6)} - watched
    assert len(watched) == 3
    # The made questions about the watched databases count as held out.
    assert data.summary[1]["held_out"] == 15
    # Made questions alone can be held out too.
    alone = Data.collect(TrainConfig(sets=(replace(made, held_out=0.5),)), examples)
    assert alone.watched[0].name == "set:train+paths (held out)"


def test_what_makes_no_questions_is_told(folder, examples, tmp_path):
    with pytest.raises(InputError, match="paths: -1 must be at least 0"):
        SetConfig(source="x", paths=-1)
    with pytest.raises(InputError, match="paths: 5, and cloze: 3: a set has one, so give two sets"):
        SetConfig(source="x", cloze=3, paths=5)
    write_beir(tmp_path / "bare", tables("shop", {"stores": SHOP["stores"]}), [], {})
    (tmp_path / "bare" / "queries.jsonl").unlink()
    with pytest.raises(InputError, match=r"bare: no table declares a foreign key .*`foreign_keys`"):
        examples(SetConfig(source=str(tmp_path / "bare"), paths=5))
    assert "paths" not in TrainConfig(sets=(SetConfig(source="x"),)).to_json()["sets"][0]
