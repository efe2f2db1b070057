# syntax=docker/dockerfile:1
# Without Docker, and without a registry of images: docs/how-to/deploy.md, by buildah on a base that debootstrap makes.

FROM python:3.13-slim-bookworm AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
WORKDIR /src
# What changes least comes first: the pinned packages, then the builder, then the project itself.
COPY requirements/build.txt requirements/runtime.txt requirements/
RUN python -m venv /opt/venv && /opt/venv/bin/pip install --require-hashes -r requirements/runtime.txt
RUN python -m venv /opt/build && /opt/build/bin/pip install --require-hashes -r requirements/build.txt
COPY pyproject.toml README.md LICENSE ./
COPY checker checker
COPY core core
COPY service service
COPY migrations migrations
# The image runs one program: neither pip nor the builder goes with it.
RUN /opt/build/bin/pip wheel --no-deps --no-build-isolation --wheel-dir /wheels . \
 && /opt/venv/bin/pip install --no-deps --no-index /wheels/*.whl \
 && /opt/venv/bin/pip uninstall --yes pip

FROM python:3.13-slim-bookworm
COPY --from=build /opt/venv /opt/venv
# The witness file, or a SQLite database, lives here: mount a volume.
RUN useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin posterior \
 && install -d -o posterior -g posterior -m 0700 /var/lib/private-posterior
ENV PATH=/opt/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    POSTERIOR_HOST=0.0.0.0 \
    POSTERIOR_PORT=8000 \
    POSTERIOR_DATABASE_URL=sqlite:////var/lib/private-posterior/private-posterior.db
USER 10001:10001
WORKDIR /var/lib/private-posterior
VOLUME /var/lib/private-posterior
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import os, httpx; httpx.get(f'http://127.0.0.1:{os.environ[\"POSTERIOR_PORT\"]}/livez', timeout=4).raise_for_status()"]
ENTRYPOINT ["private-posterior"]
CMD ["serve"]
