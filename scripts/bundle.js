// Puts the compiled service (`dist/main.js`) and most of its libraries into a few files in `dist/bundle`. It starts in two
// thirds of the time, because Node opens fewer files. Does nothing when the bundle is newer than all of that.
import { existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const ROOT = join(import.meta.dirname, '..');
const FOLDER = join(ROOT, 'dist', 'bundle');
const MAIN = join(FOLDER, 'main.js');

/** What stays in `node_modules`. */
const EXTERNAL = [
  // They have binaries, or files of their own that they look for.
  ...['@node-rs/argon2', '@shop-platform/embedded-mongodb', 'swagger-ui-dist'],
  // `src/database/closed-sockets.ts` changes a file of the driver, so there must be one driver.
  ...['mongodb', 'mongoose'],
  // Nest loads them by name while it runs, and they load a `validator` that would otherwise be there twice.
  ...['class-transformer', 'class-validator', 'validator'],
  // Loaded only when they are used.
  ...['ioredis', 'stripe'],
  // Parts of Nest that are not installed. It asks for them when they are used.
  ...['@fastify/static', '@nestjs/microservices', '@nestjs/websockets'],
];

/** What an ES module does not have, for the CommonJS libraries in the bundle. */
const REQUIRE = `import { createRequire as requireFrom } from 'node:module';const require = requireFrom(import.meta.url);`;

const changedAt = (path) => statSync(path).mtimeMs;
const sources = [join(ROOT, 'dist', '.tsbuildinfo'), join(ROOT, 'package-lock.json'), import.meta.filename];

if (!existsSync(MAIN) || sources.some((path) => changedAt(path) > changedAt(MAIN))) {
  rmSync(FOLDER, { recursive: true, force: true });
  await build({
    entryPoints: [join(ROOT, 'dist', 'main.js')],
    outdir: FOLDER,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: EXTERNAL,
    banner: { js: REQUIRE },
    // Node keeps the text in memory as long as the process runs. Names stay, and lines stay short, for traces without source maps.
    // Not `keepNames`: it names each function again whenever the code makes it, which is a seventh of the time of a small request.
    // So the name of a class that refers to itself begins with `_` (logger.ts).
    minifySyntax: true,
    minifyWhitespace: true,
    lineLimit: 120,
    legalComments: 'external',
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'warning',
  });
}
