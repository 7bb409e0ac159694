// `npm run test:specifications -- PATH`: runs the driver specification tests in PATH (default ../shared/mongodb-specifications).
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const [path, ...rest] = process.argv.slice(2);
const config = fileURLToPath(new URL('./jest.config.js', import.meta.url));
const jest = fileURLToPath(new URL('../../../../node_modules/jest/bin/jest.js', import.meta.url));
const { status } = spawnSync(
  process.execPath,
  ['--experimental-vm-modules', '--no-warnings', jest, '--config', config, ...rest],
  { stdio: 'inherit', env: { ...process.env, ...(path ? { SPECIFICATIONS: path } : {}) } },
);
process.exitCode = status ?? 1;
