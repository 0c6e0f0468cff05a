"""What is run on one device finds what it has to, and what is wrong is noticed."""

import json

import accelerator
import device_cases
import device_page
import jax
import numpy as np
import pytest

CASES = {
    "kernels": lambda: device_cases.kernel_case("few", few_tables, "gcs"),
    "network": lambda: device_cases.network_case(n=24),
    "training": lambda: device_cases.training_case(n=24),
}


def few_tables(queries):
    return device_cases.tables(np.random.default_rng(0), queries, n=24)


@pytest.mark.nightly
@pytest.mark.parametrize("name", CASES)
def test_a_result_is_compared_with_float64(monkeypatch, name):
    monkeypatch.setattr(device_cases, "DIFFERENT", 2)
    case = CASES[name]()
    arrays = device_cases.repeated(case.make(2), 3)
    results = jax.device_get(jax.jit(case.program)(case.constants, arrays))
    assert case.check(arrays, *results, case.constants) < 1e-3
    first, found = results
    wrong = (np.full(3, np.nan), first[1]) if name == "training" else (first[0], first[1] + 0.1)
    with pytest.raises(AssertionError):
        case.check(arrays, wrong, found, case.constants)


def test_what_does_not_fit_into_memory_runs_in_blocks(monkeypatch):
    few = {"scores": np.ones((2, 1000), np.float32)}
    case = device_cases.Case("sums", few.get, lambda _, a: (a["scores"].sum(), ()), max)
    assert accelerator.fitting(case, (), few, 8)[0] == 8
    monkeypatch.setattr(accelerator, "free_memory", lambda: 24_000)
    assert accelerator.fitting(case, (), few, 8)[0] == 2


@pytest.mark.nightly
def test_the_page_has_every_figure(tmp_path):
    rates = [f"{name} FLOP/s" for name in ("float32", "tf32", "bf16")]
    rates += ["copied bytes/s", "to the device bytes/s"]
    row = {"workload": "gcs", "batch": 8192, "block": 4096, "precision": "bf16", "error": 1e-6}
    row |= {"us": 4.25, "us_with_transfers": 1234.5, "us_least": 0.125, "compile_s": 2.5}
    found = {"device": "H", "jax": "0", "python": "3", "skipped": ["no words"], "load": 0.25}
    found |= {"roofline": dict.fromkeys(rates, 2e12), "rows": [row], "peers": [], "failed": []}
    (tmp_path / "h.json").write_text(json.dumps(found))
    (tmp_path / "latest.json").write_text("[]")
    device_page.write_page(tmp_path, tmp_path / "page.md")
    text = (tmp_path / "page.md").read_text()
    assert "| gcs, bf16 products | 8,192 in blocks of 4,096 | 4.25 | 1,234 | 0.125 | 2.5 |" in text
    assert "Left out: no words" in text
