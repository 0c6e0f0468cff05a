#!/usr/bin/env bash
# What a wheel is made of, with the extra `search`, as CycloneDX: .ci/sbom.sh WHEEL OUT
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
wheel=$(realpath "$1")
uv=$(command -v uv || echo "$root/.venv/bin/uv")
environment=$(mktemp -d)
trap 'rm -rf "$environment"' EXIT
"$uv" venv --quiet --clear "$environment"
"$uv" pip install --quiet --python "$environment" --constraint "$root/constraints.txt" "grapher-jax[search] @ file://$wheel"
"$uv" tool run --quiet --from cyclonedx-bom==7.5.0 cyclonedx-py environment "$environment/bin/python" \
  --pyproject "$root/pyproject.toml" --mc-type library --output-reproducible --of JSON --output-file "$2"
