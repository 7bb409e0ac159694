// Bundles the agent with its one library to a single file, so that a game server needs nothing but Node.
import { chmodSync } from 'node:fs';
import { build } from 'esbuild';

const outfile = 'dist/agent.mjs';
await build({
  entryPoints: ['src/main.ts'],
  outfile,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  // ws is CommonJS and requires modules of Node; its two native accelerators are optional.
  banner: {
    js: "#!/usr/bin/env node\nimport { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);",
  },
  external: ['bufferutil', 'utf-8-validate'],
  legalComments: 'inline',
  logLevel: 'warning',
});
chmodSync(outfile, 0o755);
