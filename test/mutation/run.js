// Mutation testing: changes the code in thousands of small ways, one at a time, and checks that a spec fails.
//   npm run long -- mutation                            everything in scope (scope.js)
//   npm run long -- mutation src/catalogue/discounts    only these folders or files
// It fails when a mutant survives that survivors.js does not list, or when a listed one no longer survives.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedStore } from '@shop-platform/embedded-mongodb';
import { Stryker } from '@stryker-mutator/core';
import { filesInScope } from './scope.js';
import { isGood } from './verdict.js';

const ROOT = join(import.meta.dirname, '..', '..');
process.chdir(ROOT);

const paths = process.argv.slice(2);
const files = filesInScope(paths);
if (files.length === 0) throw new Error(`Nothing to mutate in ${paths.join(' ')}`);

// One store for the specs of the repositories. Each spec file has a database of its own.
const folder = await mkdtemp(join(tmpdir(), 'shop-platform-mutation-'));
const store = await startEmbeddedStore({ path: join(folder, 'store') });
process.env.TEST_MONGODB_URI = store.uri;
// A mutant that a property finds is mostly found by the first cases, and one that survives goes through all of them.
process.env.QUERY_RUNS ??= '100';
process.env.TRANSACTION_RUNS ??= '10';
try {
  const stryker = new Stryker({
    mutate: files,
    plugins: [join(import.meta.dirname, 'spec-runner.js')],
    testRunner: 'specs',
    coverageAnalysis: 'perTest',
    ignorePatterns: ['/*', '!/src', '!/packages', '!/templates', '!/test', '!/package.json', '!/.env.example'],
    concurrency: 2,
    // Node keeps each ES module that it loaded.
    maxTestRunnerReuse: 200,
    dryRunTimeoutMinutes: 30,
    timeoutMS: 60_000,
    tempDirName: 'reports/mutation/sandbox',
    reporters: ['progress-append-only', 'html', 'json'],
    htmlReporter: { fileName: 'reports/mutation/index.html' },
    jsonReporter: { fileName: 'reports/mutation/mutation.json' },
    allowConsoleColors: false,
  });
  process.exitCode = isGood(await stryker.runMutationTest(), files, paths.length === 0) ? 0 : 1;
} finally {
  await store.close();
  await rm(folder, { recursive: true, force: true });
}
