import itertools
import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grapher_jax.errors import InputError
from grapher_jax.runs import trec

floats = st.floats(width=32, allow_nan=False)
few = st.sampled_from([0.0, -0.0, 0.5, np.float32(0.1), 1e-45, -1e-45, 3.4028234663852886e38])


def written(query, ranked, tag):
    """What a run says of a ranking, line by line."""
    last, lines = np.float32(np.inf), []
    for rank, (identity, score) in enumerate(ranked, start=1):
        last = min(np.float32(score), np.nextafter(last, np.float32(-np.inf)))
        lines.append(f"{trec.encode(query)} Q0 {trec.encode(identity)} {rank} {last:.9g} {tag}\n")
    return "".join(lines)


@given(st.lists(st.lists(floats | few, min_size=4, max_size=4), min_size=1, max_size=3))
def test_lines_are_those_of_one_result_at_a_time(scores):
    scores = -np.sort(-np.array(scores, np.float32), axis=1)
    names = ["a b", "ü%20", "c/d", "NA", "\u2028"]
    rows = np.array([[3, 1, 0, 4], [2, 0, -1, -1], [4, -1, -1, -1]], np.int32)[: len(scores)]
    queries = ["q 1", "q%2", "ü"][: len(scores)]
    lines = trec.ranking_lines(queries, trec.encoded(names), rows, scores, "my tag")
    expected = "".join(
        written(
            query,
            [(names[row], s) for row, s in zip(found, own, strict=True) if row >= 0],
            "my%20tag",
        )
        for query, found, own in zip(queries, rows, scores, strict=True)
    )
    assert lines.decode() == expected


def test_no_results_are_no_lines():
    rows, scores = np.full((2, 3), -1, np.int32), np.full((2, 3), -np.inf, np.float32)
    assert trec.ranking_lines(["a", "b"], trec.encoded(["x"]), rows, scores, "t") == b""


def test_scores_strictly_decrease_in_float32():
    given_scores = np.array([[0.5, 0.5, 0.5 - 1e-12, 0.0, -0.0, -1.0, -1.0]])
    scores = trec.strictly_decreasing(given_scores)[0]
    assert scores[0] == 0.5
    assert all(after < before for before, after in itertools.pairwise(scores))
    lowest = trec.strictly_decreasing(np.full((1, 3), -np.finfo(np.float32).max))[0]
    assert lowest.tolist()[1:] == [-np.inf, -np.inf]


def test_plain_lines_are_read_as_careful_ones(tmp_path):
    text = 'q%201 Q0 NA 1 0.5 x\nq%201 Q0 a,"b 2 +.25 x\nq2 Q0 NA 1 -1e-3 x\n'.replace(
        "+.25", ".25"
    )
    fast = trec.parse_lines(text.encode())
    slow = trec.parse_carefully(tmp_path, [(1, text.encode())])
    for lines in (fast, slow):
        assert [lines.query_names[n] for n in lines.queries] == ["q 1", "q 1", "q2"]
        assert [lines.object_names[n] for n in lines.objects] == ["NA", 'a,"b', "NA"]
        assert lines.scores.tolist() == [0.5, 0.25, -0.001]


@pytest.mark.parametrize(
    "text",
    [
        "q\tQ0\ta\t1\t2\tx\n",
        "q Q0 ä 1 2 x\n",
        "q Q0  a 1 2 x\n",
        "q Q0 a 1 2 x\r\n",
        " \nq Q0 a 1 2 x\n",
        " q Q0 a 1 2 x\n",
        "q Q0  a 1 2 x\n",
    ],
)
def test_other_lines_are_left_to_careful_reading(tmp_path, text):
    assert trec.parse_lines(text.encode()) is None
    assert trec.parse_carefully(tmp_path, [(1, text.encode())]).scores.tolist() == [2]


@pytest.mark.parametrize(
    "line", ["q Q0  1 0.5 x", "q  a 1 0.5 x", " Q0 a 1 0.5 x", "q Q0 a 1 0.5 "]
)
def test_a_line_that_lacks_a_field_is_named_however_wide_its_gaps(line):
    text = f"{line}\n".encode()
    assert trec.parse_lines(text) is None
    with pytest.raises(InputError, match=":7: 5 fields; a run has six"):
        trec.parse_carefully(Path("base"), [(7, text)])


@pytest.mark.parametrize("score", ["nan", "inf", "1e300", "high"])
def test_scores_that_are_none_are_no_plain_lines(tmp_path, score):
    line = f"q Q0 a 1 {score} x\n".encode()
    assert trec.parse_lines(line) is None
    with pytest.raises(InputError, match=f":7: score must be a finite number, not '{score}'"):
        trec.parse_carefully(Path("base"), [(7, line)])


def test_what_is_no_text_is_named_by_its_line():
    with pytest.raises(InputError, match=r"base:8: not UTF-8 text"):
        trec.parse_carefully(Path("base"), [(7, b"q Q0 a 1 2 x\nq Q0 \xff 2 1 x\n")])


@given(st.integers(0, 2**32 - 1))
def test_every_score_is_read_back(bits):
    (score,) = struct.unpack("f", struct.pack("I", bits))
    if np.isfinite(score):
        lines = trec.ranking_lines(
            ["q"],
            trec.encoded(["a"]),
            np.zeros((1, 1), np.int32),
            np.array([[score]], np.float32),
            "t",
        )
        read = trec.parse_lines(lines)
        assert np.float32(read.scores[0]).tobytes() == np.float32(score).tobytes()
