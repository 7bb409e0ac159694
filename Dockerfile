FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages/embedded-mongodb/package.json packages/embedded-mongodb/
COPY packages/client/package.json packages/client/
COPY packages/console/package.json packages/console/
COPY packages/agent/package.json packages/agent/
RUN npm ci --ignore-scripts
COPY tsconfig.base.json tsconfig.build.json nest-cli.json .swcrc ./
COPY packages ./packages
COPY src ./src
# The console is built with the font, the tokens and pictures of the pages.
COPY templates ./templates
COPY scripts/build.js ./scripts/
# The commit of these sources, because there is no git here: docker build --build-arg SOURCE_COMMIT=$(git rev-parse HEAD).
ARG SOURCE_COMMIT
RUN npm run build && npm prune --omit=dev --ignore-scripts

FROM node:24-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/packages ./packages
COPY --from=build /app/dist ./dist
COPY templates ./templates
# The guides of the documentation page.
COPY llms.txt CHANGELOG.md ./
COPY docs ./docs
COPY examples/storefront/README.md examples/storefront/
COPY ops/docker/shop ops/backup/shop-backup /usr/local/bin/
# The service writes only to the first folder: emails without SMTP_URL, and the embedded store if it is chosen. The second is for backups.
RUN mkdir /data /backups && chown node:node /data /backups
ENV DATA_DIR=/data
VOLUME /data
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 3000) + '/api/v2/health/ready').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/app/main.js"]
