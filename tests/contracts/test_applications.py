"""The schemas and questions of `bench/applications` are what its README says."""

import json
import sqlite3
import sys
from pathlib import Path

import pytest

sys.path += [str(Path(__file__).parents[2] / folder) for folder in ("docs/tools", "bench")]


from application_corpora import FOR_CHOOSING, FOR_LEARNING, FOR_REPORTING
from applications_page import APPLICATIONS, RANKERS, TITLES, Application, page

# Superset and Kiwi TCMS have no more.
FEWEST, MOST = {"superset": 54, "kiwitcms": 58}, 400
EACH = (*FOR_CHOOSING, *FOR_REPORTING, *FOR_LEARNING)
# The applications join these by a number without a key, or with the kind of object beside it.
UNDECLARED = {
    ("dag_run_note", "ab_user"),
    ("dag_favorite", "ab_user"),
    ("asset_event", "asset"),
    ("slices", "tables"),
    ("tagged_object", "dashboards"),
    ("extras_contactassociation", "dcim_location"),
    ("extras_taggeditem", "dcim_device"),
    ("bookmarks_bookmark", "content_contentnode"),
    ("job_parameter", "job_to_output_dataset"),
    ("quotas", "quotausages"),
}


@pytest.fixture(params=EACH)
def application(request):
    """Its name, and the tables that each of its tables refers to."""
    database = sqlite3.connect(":memory:")
    database.executescript((APPLICATIONS / request.param / "schema.sql").read_text())
    names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE sql > ''")]
    joined = {
        name: {key[2] for key in database.execute(f'PRAGMA foreign_key_list("{name}")')}
        for name in names
    }
    database.close()
    return request.param, joined


def read_questions(name):
    lines = (APPLICATIONS / name / "questions.jsonl").read_text().splitlines()
    return [(line["question"], line["relevant"]) for line in map(json.loads, lines)]


def test_what_is_learned_from_is_neither_chosen_by_nor_reported():
    assert {path.name for path in APPLICATIONS.iterdir() if path.is_dir()} == set(EACH)
    assert len(EACH) == len(set(EACH)) == 14
    assert {*FOR_CHOOSING, *FOR_REPORTING} == set(TITLES)


def test_its_tables_load_and_their_keys_lead_somewhere(application):
    name, joined = application
    assert FEWEST.get(name, 60) <= len(joined) <= MOST
    assert set().union(*joined.values()) <= set(joined)
    assert not any(table.startswith("sqlite_") for table in joined)
    readme = (APPLICATIONS / "README.md").read_text()
    (row,) = [line for line in readme.splitlines() if f"| `{name}` |" in line]
    assert f"| {len(joined)} |" in row


def test_its_questions_ask_for_tables_that_join(application):
    name, joined = application
    questions = read_questions(name)
    assert len(questions) == len(dict(questions)) == (40 if name in FOR_LEARNING else 20)
    assert sum(len(relevant) == 1 for _, relevant in questions) == len(questions) / 4
    for question, relevant in questions:
        wanted = set(relevant)
        assert len(relevant) == len(wanted) <= 5
        assert wanted <= set(joined)
        reached = {relevant[0]}
        for _ in wanted:
            reached |= {
                table for table in wanted for other in reached if _join(joined, table, other)
            }
        assert reached == wanted, question


def _join(joined, table, other):
    """Whether one refers to the other, both to a third, or by a key that is not declared."""
    declared = other in joined[table] or table in joined[other] or joined[table] & joined[other]
    return declared or {(table, other), (other, table)} & UNDECLARED


def test_a_question_names_no_table_of_several_words(application):
    name, joined = application
    for question, _ in read_questions(name):
        assert not {word.strip("?,.") for word in question.split() if "_" in word} & set(joined)


def test_the_page_has_means_over_each_part():
    def found(share):
        return Application(60, 70, 15, 5, dict.fromkeys(RANKERS, (share, 50, 25)))

    shares = dict(zip(TITLES, (10, 20, 30, 40, 50, 60), strict=True))
    written = page({name: found(share) for name, share in shares.items()})
    assert "| mean of the 2 | base | **15.0** | **50.0** | **25.0** |" in written
    assert "| mean of the 4 | base | **45.0** | **50.0** | **25.0** |" in written
    assert "by 7 points" in written
