// `npm run long -- mongo-tools`: the real mongodump and mongorestore of the PATH read and write what `backup` and `restore` do, on the
// server TEST_MONGODB_URI or, without it, on an embedded store. Where they are not installed, the run is left out with a message.
import { spawnSync } from 'node:child_process';

const missing = ['mongodump', 'mongorestore'].filter((tool) => spawnSync(tool, ['--version']).status !== 0);
if (missing.length > 0) {
  const page = 'https://www.mongodb.com/docs/database-tools/installation/';
  console.log(
    `Left out: mongo-tools, because the PATH has no ${missing.join(' and no ')}. ${page} says how to install them.`,
  );
} else {
  const jest = ['jest', '--config', 'test/mongo-tools/jest.config.js', ...process.argv.slice(2)];
  const env = { ...process.env, NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --experimental-vm-modules` };
  process.exitCode = spawnSync('npx', jest, { stdio: 'inherit', env }).status ?? 1;
}
