"""The documentation's pictures of figures are drawn from figures that are stored."""

import json
import sys
from pathlib import Path

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest

sys.path.append(str(Path(__file__).parents[2] / "docs" / "tools"))

import pictures


def test_the_page_of_results_is_read_as_it_is_written():
    reports = {
        (report["dataset"], report["split"]): report
        for report in pictures.read_results(pictures.PAGE.read_text(encoding="utf-8"))
    }
    assert len(reports) == pictures.PAGE.read_text(encoding="utf-8").count(": failures of GAT")
    spider = reports["Spider", "dev"]
    assert spider["multi_queries"] == 378
    names = [found["ranker"] for found in spider["results"]]
    assert names == ["base", "PPR", "GCS", "diffusion", "GAT", "GAT, expanded", "auto"]
    gcs = spider["results"][names.index("GCS")]
    assert gcs["metrics"] == {"PR@10": {"multi": pytest.approx(0.942)}}
    assert gcs["intervals"]["PR@10"]["multi"] == pytest.approx([0.918, 0.963])


def test_a_set_whose_questions_have_one_answer_each_is_read_over_all():
    page = (
        "# Results\n\n## Shop test\n\n**Over all 1,005 questions.** Of 99.0 %, all.\n\n"
        "|  | PR@5 | PR@10 |\n| --- | --- | --- |\n"
        "| base | 1.0 [0.5,\u00a01.5] | 50.0 [40.0,\u00a060.0] |\n"
        "| GCS − base | +1.0 [−1.0,\u00a0+2.0] | +2.0 [−1.0,\u00a0+5.0] |\n"
    )
    (report,) = pictures.read_results(page)
    assert (report["queries"], report["multi_queries"]) == (1005, 0)
    (base,) = report["results"]
    assert base["metrics"]["PR@10"]["all"] == 0.5
    assert base["intervals"]["PR@10"]["all"] == [0.4, 0.6]


def test_ratios_are_of_the_times_that_were_measured():
    records = json.loads(pictures.MEASURED.read_text(encoding="utf-8"))
    found = pictures.ratios(records)
    assert all(len(peers) >= 1 for peers in found.values())
    shown = [one for one in records if one.get("alpha", pictures.ALPHA) == pictures.ALPHA]
    assert len(found) <= len(shown) < len(records)
    for record in shown:
        peers = found.get((record["workload"], record["batch"]), {})
        if record["implementation"] == "grapher-jax" and peers:
            # How many times faster than its fastest peer a run says that ours is.
            assert min(peers.values()) == pytest.approx(record["ratio_to_fastest_peer"])


@pytest.mark.parametrize(
    ("draw", "source", "picture"),
    [
        (pictures.draw_results, pictures.PAGE, pictures.IMAGES / "intervals.png"),
        (pictures.draw_gains, pictures.PAGE, pictures.GAINS),
        (pictures.draw_benchmarks, pictures.MEASURED, pictures.IMAGES / "benchmarks.png"),
    ],
    ids=["intervals", "gains", "benchmarks"],
)
def test_a_picture_is_that_of_what_is_stored(draw, source, picture, tmp_path):
    constraints = (pictures.ROOT / "constraints.txt").read_text(encoding="utf-8")
    if f"\nmatplotlib=={matplotlib.__version__}\n" not in constraints:
        pytest.skip("another matplotlib draws other pixels")
    draw(source, tmp_path / picture.name)
    drawn, kept = plt.imread(tmp_path / picture.name), plt.imread(picture)
    assert np.array_equal(drawn, kept), "run `make docs`"
