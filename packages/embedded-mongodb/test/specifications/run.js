// `npm run long -- store-specifications [PATH]`: runs the driver specification tests in PATH. Without PATH these are the tests in the
// folder `shared/mongodb-specifications` next to the repository. Where that does not exist, the command says so and does nothing.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const [given, ...rest] = process.argv.slice(2);
const path = given
  ? resolve(process.env.INIT_CWD ?? '.', given) // npm changes to the folder of the package
  : fileURLToPath(new URL('../../../../../shared/mongodb-specifications', import.meta.url));
if (existsSync(path)) {
  const config = fileURLToPath(new URL('./jest.config.js', import.meta.url));
  const jest = fileURLToPath(new URL('../../../../node_modules/jest/bin/jest.js', import.meta.url));
  const { status } = spawnSync(
    process.execPath,
    ['--experimental-vm-modules', '--no-warnings', jest, '--config', config, ...rest],
    { stdio: 'inherit', env: { ...process.env, SPECIFICATIONS: path } },
  );
  process.exitCode = status ?? 1;
} else {
  process.stderr.write(`driver specification tests: there is no folder ${path}, so they are skipped\n`);
  process.exitCode = given ? 1 : 0;
}
