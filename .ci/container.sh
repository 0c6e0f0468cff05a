#!/usr/bin/env bash
# The container of docs/how-to/deploy.md: built from the Dockerfile, run by compose.yaml, and tried as a client and an
# operator would. It needs podman, or root and apt-get to install it; without them it tries nothing, and says so.
#
# Images, containers and volumes are kept in a folder of their own, and are removed with it at the end.
set -euo pipefail
cd "$(dirname "$0")/.."
bin=$PWD/.venv/bin
base=docker.io/library/python:3.11-slim-bookworm

say() { printf '== container: %s (at %d s)\n' "$*" "$SECONDS"; }
fail() { say "FAILED: $*" && exit 1; }

apt_install() {
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return
  # Another apt may hold a lock for minutes.
  for _ in {1..60}; do
    apt-get update -qq && break
    sleep 10
  done
  DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 install -y -qq --no-install-recommends "$@" >/dev/null
}

# Debian 12's crun knows no cgroups of version 1, runc does.
command -v podman >/dev/null || apt_install podman runc || { say "no podman here, nothing was tried" && exit; }

folder=$(mktemp -d)
printf '[storage]\ndriver = "overlay"\ngraphroot = "%s/storage"\nrunroot = "%s/run"\n' "$folder" "$folder" >"$folder/storage.conf"
# By default podman raises these limits, which root may not do everywhere.
printf '[containers]\ndefault_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]\n' >"$folder/containers.conf"
export CONTAINERS_STORAGE_CONF=$folder/storage.conf CONTAINERS_CONF=$folder/containers.conf
# The other format of images has no check of health; without systemd nothing repeats it.
export BUILDAH_FORMAT=docker DISABLE_HC_SYSTEMD=true
export INDEXES=$folder/indexes TOKEN_FILE=$folder/token PORT=${PORT:-8000}

compose() {
  "$bin/uv" tool run --quiet --from podman-compose==1.6.0 podman-compose --project-name grapher-jax-try "$@"
}

cleanup() {
  { compose down --volumes; podman rm --all --force; podman rmi --all --force; } >/dev/null 2>&1 || true
  rm -rf "$folder"
}
trap cleanup EXIT

if ! podman pull --quiet "$base" 2>"$folder/pull.log"; then
  say "no registry gives $base, so Debian's own Python takes its place: $(tail -n 1 "$folder/pull.log")"
  command -v mmdebstrap >/dev/null || apt_install mmdebstrap
  mmdebstrap --quiet --variant=minbase --include=ca-certificates,python3-venv \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' \
    --customize-hook='ln -s python3 "$1/usr/bin/python"' bookworm - | podman import --quiet - "$base"
fi

# Where pip looks for packages on this machine, it looks in the build, too.
"$bin/python" -m pip config list | sed -n "s/^.*\.\(cert\|index-url\|trusted-host\)='\(.*\)'$/\1 = \2/p" |
  sort --unique --field-separator '=' --key 1,1 | sed '1i [global]' >"$folder/pip.conf"
mounts="--volume $folder/pip.conf:/etc/pip.conf:ro"
cert=$(sed -n 's/^cert = //p' "$folder/pip.conf")
[ -z "$cert" ] || mounts+=" --volume $cert:$cert:ro"

compose --podman-build-args="$mounts" build
image=localhost/grapher-jax
size=$(podman image inspect --format '{{.Size}}' "$image")
say "built, $((size / 1000000)) MB"
[ "$size" -lt 1200000000 ] || fail "the image is larger than 1.2 GB"

told=$(timeout 60 podman run --rm "$image" 2>&1) && fail "it starts without a token"
[[ $told == */run/secrets/token* ]] || fail "without a token it says: $told"

programs=/var/cache/grapher-jax/traced
built=$(podman run --rm --entrypoint ls "$image" -R "$programs")

mkdir "$INDEXES"
"$bin/python" -c "import sys, grapher_jax as gj; from grapher_jax.demo import sample_tables
gj.Index.build(sample_tables()).save(sys.argv[1])" "$INDEXES/shop.index"
head -c 32 /dev/urandom | base64 | tr -d '+/=\n' >"$TOKEN_FILE"
# The container's user reads both.
chmod 644 "$TOKEN_FILE" && chmod -R a+rX "$INDEXES"

compose up --detach
name=$(podman ps --all --format '{{.Names}}')
url=http://127.0.0.1:$PORT
timeout 300 bash -c "until curl --silent --fail --output '$folder/health' $url/health; do sleep 0.05; done" ||
  fail "not ready: $(podman logs "$name" 2>&1)"
started=$(podman inspect --format '{{.State.StartedAt.UnixMilli}}' "$name")
say "ready $(($(date +%s%3N) - started)) ms after the start"

status=$(podman exec "$name" cat /proc/1/status)
for line in 'Uid:\s10001\s' 'CapBnd:\s0*$' 'CapEff:\s0*$' 'NoNewPrivs:\s1$'; do
  grep -qP "^$line" <<<"$status" || fail "the process has no '$line': $status"
done
podman exec "$name" grep -qE '^[^ ]+ / [^ ]+ ro,' /proc/1/mounts || fail "its root can be written"
podman healthcheck run "$name" >/dev/null || fail "its check of health fails"

search() {
  curl --silent --max-time 60 --output "$folder/answer" --write-out '%{http_code}' "$@" \
    --json '{"query": "Who works in which department?", "top_n": 3}' "$url/v1/search"
}
[ "$(search)" = 401 ] || fail "it answers without a token"
[ "$(search --oauth2-bearer "$(cat "$TOKEN_FILE")")" = 200 ] || fail "no answer: $(cat "$folder/answer")"
say "answered: $(head -c 100 "$folder/answer")"
# The other programs are read after the service says that it is ready.
read_programs() { curl --silent --oauth2-bearer "$(cat "$TOKEN_FILE")" "$url/metrics" | grep '^grapher_jax_programs '; }
before=
for _ in {1..60}; do
  now=$(read_programs)
  [ "$now" != "$before" ] || break
  before=$now
  sleep 10
done
[ "$(podman exec "$name" ls -R "$programs")" = "$built" ] || fail "the image did not hold the programs of its own sample"
memory=$(podman stats --no-stream --format '{{.MemUsage}}' "$name")

stopping=$(date +%s%3N)
podman stop --time 10 "$name" >/dev/null
say "ended $(($(date +%s%3N) - stopping)) ms after SIGTERM, at $memory of memory"
code=$(podman inspect --format '{{.State.ExitCode}}' "$name")
[ "$code" = 0 ] || fail "it ends with status $code: $(podman logs "$name" 2>&1)"
