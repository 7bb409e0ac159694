// `npm run long -- openapi-lint`: Redocly and Spectral check the OpenAPI document of a real process. Any error and any warning fails the run;
// redocly.yaml and spectral.yaml name the rules that are off, with their reasons. npx downloads both once; where there is no network, the
// run is left out with a message.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startTarget } from '../attack/target.js';

const folder = import.meta.dirname;
const LINTERS = {
  '@redocly/cli@2.77.0': ['redocly', 'lint', '--config', join(folder, 'redocly.yaml'), '--format', 'stylish'],
  '@stoplight/spectral-cli@6.16.3': ['spectral', 'lint', '--ruleset', join(folder, 'spectral.yaml'), '-F', 'warn'],
};
const npx = (name, command) => ['--yes', `--package=${name}`, '--', ...command];

const target = await startTarget();
try {
  const file = join(target.dataDir, 'openapi.json');
  writeFileSync(file, await (await fetch(`${target.url}/openapi.json`)).text());
  for (const [name, command] of Object.entries(LINTERS)) {
    if (spawnSync('npx', npx(name, [command[0], '--version'])).status !== 0) {
      console.log(`Left out: ${name}, because it could not be installed (no network?).`);
      continue;
    }
    const { status } = spawnSync('npx', npx(name, [...command, file]), { stdio: 'inherit' });
    console.log(`${name}: ${status === 0 ? 'no problem' : 'FAILED'}`);
    if (status !== 0) process.exitCode = 1;
  }
} finally {
  await target.dispose();
}
