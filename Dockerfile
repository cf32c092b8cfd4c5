# One target per app: docker build --target group-node -t shardnode/group-node .
# (docker compose build makes all of them.) Which base, and what was tried: docs/compose.md.

# The exact version that the tests run with. To pin the bytes too, add the digest that your registry shows:
#   --build-arg NODE_IMAGE=node:26.12.1-bookworm-slim@sha256:...
ARG NODE_IMAGE=node:26.12.1-bookworm-slim

# Everything that builds: all dependencies, the compiler, the sources. Nothing of it is in an image but what is collected.
FROM ${NODE_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
COPY apps/compiler-command/package.json apps/compiler-command/
COPY apps/explorer/package.json apps/explorer/
COPY apps/gateway/package.json apps/gateway/
COPY apps/group-node/package.json apps/group-node/
COPY apps/localnet/package.json apps/localnet/
COPY apps/operator/package.json apps/operator/
COPY apps/simulator/package.json apps/simulator/
COPY apps/wallet-service/package.json apps/wallet-service/
COPY libs/core/package.json libs/core/
COPY libs/http/package.json libs/http/
COPY libs/messages/package.json libs/messages/
COPY libs/protocol/package.json libs/protocol/
COPY libs/compiler/package.json libs/compiler/
COPY libs/testing/package.json libs/testing/
# Behind a registry of your own: --secret id=npmrc,src=$HOME/.npmrc and, for its certificate, --secret id=certificates,src=FILE.
# Secrets are there during this step only. No scripts of packages run: what is native ships built.
RUN --mount=type=cache,target=/root/.npm \
    --mount=type=secret,id=npmrc,target=/root/.npmrc \
    --mount=type=secret,id=certificates \
    if [ -f /run/secrets/certificates ]; then export NODE_EXTRA_CA_CERTS=/run/secrets/certificates npm_config_cafile=/run/secrets/certificates; fi; \
    npm ci --ignore-scripts
COPY tsconfig.base.json ./
COPY apps apps
COPY libs libs
COPY docker docker
COPY tools/prisma-clients.mjs tools/
# Shown by the gateway.
COPY docs docs
RUN node tools/prisma-clients.mjs explorer group-node wallet-service \
 && node node_modules/typescript-7/bin/tsc --build apps/group-node/tsconfig.lib.json apps/gateway/tsconfig.lib.json apps/wallet-service/tsconfig.lib.json apps/explorer/tsconfig.lib.json apps/operator/tsconfig.lib.json \
 && node_modules/.bin/vite build apps/explorer/web \
 && for app in group-node gateway wallet-service explorer operator; do node docker/collect.mjs $app /collected/$app || exit 1; done

# Of the base an app runs with Node, the libraries that Node is linked to, and a user; no shell, no package manager, no npm.
FROM ${NODE_IMAGE} AS system
RUN mkdir -p /system/usr/local/bin /system/etc /system/run/credentials /system/tmp \
 && cp "$(command -v node)" /system/usr/local/bin/node \
 && for library in $(ldd /system/usr/local/bin/node | grep -o '/[^ ]*'); do cp --parents --dereference "$library" /system || exit 1; done \
 && echo 'shardnode:x:10001:10001::/app:/sbin/nologin' > /system/etc/passwd \
 && echo 'shardnode:x:10001:' > /system/etc/group \
 && echo 'hosts: files dns' > /system/etc/nsswitch.conf \
 && for name in postgres nats redis group-node-0 group-node-1 group-node-2 group-node-3 wallet-service explorer gateway; do \
      mkdir -p -m 0700 "/handed-out/$name"; done \
 && chmod 1777 /system/tmp && chmod 0700 /system/run/credentials && chown 10001:10001 /system/run/credentials

# What the apps have in common. The user is a number, so that a cluster can see that it is not root; it owns no file of the
# program. Node is process 1 and gets the signals itself. SIGTERM: no new requests, what is in flight is finished, everything
# is closed, within 15 s. NODE_OPTIONS: libs/core/src/process/engine-options.ts.
FROM scratch AS runtime
COPY --from=system /system /
ENV PATH=/usr/local/bin NODE_ENV=production NODE_OPTIONS=--max-semi-space-size=32
WORKDIR /app
USER 10001:10001
STOPSIGNAL SIGTERM

FROM runtime AS group-node
COPY --from=build /build/docker/health.mjs docker/
COPY --from=build /collected/group-node ./
ENV HEALTH_HOST=0.0.0.0 HEALTH_PORT=12980
EXPOSE 12980
# Tables are brought up to date, and memory is made anew from a long chain: as long as k8s/base/group-node.yaml gives it.
HEALTHCHECK --interval=5s --timeout=5s --start-period=600s --retries=6 CMD ["node", "docker/health.mjs"]
ENTRYPOINT ["node", "apps/group-node/dist/main.js"]

FROM runtime AS wallet-service
COPY --from=build /build/docker/health.mjs docker/
COPY --from=build /collected/wallet-service ./
ENV HEALTH_HOST=0.0.0.0 HEALTH_PORT=12984
EXPOSE 12984
HEALTHCHECK --interval=5s --timeout=5s --start-period=60s --retries=6 CMD ["node", "docker/health.mjs"]
ENTRYPOINT ["node", "apps/wallet-service/dist/main.js"]

FROM runtime AS explorer
COPY --from=build /build/docker/health.mjs docker/
COPY --from=build /collected/explorer ./
ENV EXPLORER_HOST=0.0.0.0 EXPLORER_PORT=19091
EXPOSE 19091
HEALTHCHECK --interval=5s --timeout=5s --start-period=60s --retries=6 CMD ["node", "docker/health.mjs"]
ENTRYPOINT ["node", "apps/explorer/dist/main.js"]

FROM runtime AS gateway
COPY --from=build /build/docker/health.mjs docker/
COPY --from=build /collected/gateway ./
ENV HOST=0.0.0.0 PORT=12973 WS_PORT=11973
EXPOSE 12973 11973
HEALTHCHECK --interval=5s --timeout=5s --start-period=60s --retries=6 CMD ["node", "docker/health.mjs"]
ENTRYPOINT ["node", "apps/gateway/dist/main.js"]

# Commands that end, and so no health check: docker run --rm shardnode/operator --help
FROM runtime AS operator
COPY --from=system --chown=10001:10001 /handed-out /run/handed-out
COPY --from=build /build/docker/credentials.mjs /build/docker/metrics.mjs /build/docker/health.mjs docker/
COPY --from=build /collected/operator ./
ENTRYPOINT ["node", "apps/operator/dist/main.js"]
