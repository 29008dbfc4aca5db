# Trawl in a container. The full image has a browser, OCR, media tools and the models; `--target slim` leaves them out.
# Building and running it: docs/operate/deploying.md
ARG NODE_IMAGE=docker.io/library/node:24-bookworm-slim

FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY scripts scripts
COPY data/system-packages.json data/
# The system programs are installed below; the Node that npm brings is in the image already.
RUN TRAWL_BROWSER=off TRAWL_OCR=off TRAWL_FFMPEG=off node scripts/setup.mjs && rm -rf node_modules/node-linux-* node_modules/.bin/node

FROM packages AS console
COPY src src
COPY web web
RUN node scripts/console/build.ts

FROM packages AS modules
# Only the console is built with it.
RUN rm -rf node_modules/esbuild node_modules/@esbuild

FROM ${NODE_IMAGE} AS models
WORKDIR /app
COPY scripts scripts
COPY data/system-packages.json data/
COPY models models
RUN node scripts/models.mjs

FROM ${NODE_IMAGE} AS slim
RUN apt-get update \
  && apt-get install -y --no-install-recommends bubblewrap ca-certificates tini \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --uid 10001 --no-create-home --home-dir /tmp --shell /usr/sbin/nologin trawl \
  && install -d -o trawl -g trawl -m 0700 /data \
  && ln -s /app/bin/trawl.mjs /usr/local/bin/trawl
ENV NODE_ENV=production \
    TRAWL_HOST=0.0.0.0 \
    TRAWL_PORT=3002 \
    TRAWL_DATA_DIR=/data \
    TRAWL_INSTALL_MODELS=off
WORKDIR /app
COPY --from=modules /app/node_modules node_modules
COPY package.json LICENSE THIRD-PARTY-NOTICES.txt ./
COPY bin bin
COPY data data
COPY docs docs
COPY web/cli-auth web/cli-auth
COPY web/live-view web/live-view
COPY --from=console /app/web/console/built web/console/built
COPY src src
# Compiled modules are cached in the image, because nothing can be written when it runs.
RUN TRAWL_DATA_DIR=/tmp/warm-up trawl parse web/cli-auth/page.html > /dev/null \
  && rm -rf /tmp/warm-up \
  && chmod -R a+rX node_modules/.cache
USER trawl
VOLUME /data
EXPOSE 3002
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.TRAWL_PORT}/v0/health/readiness`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# tini takes in the processes that Chromium leaves behind, and passes signals on.
ENTRYPOINT ["tini", "--", "trawl"]
CMD ["serve"]

FROM slim AS full
USER root
RUN apt-get update \
  && apt-get install -y --no-install-recommends \
    chromium-headless-shell fonts-liberation fonts-dejavu-core \
    tesseract-ocr tesseract-ocr-eng tesseract-ocr-osd ffmpeg \
  && rm -rf /var/lib/apt/lists/*
COPY --from=models /app/models models
USER trawl
