import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { shared, withoutSandbox } from './jest.shared.js';
import { CORE_SPECS } from './test/setup/core-specs.js';

// Jest runs ES modules only with this flag of Node. Whoever calls Jest without it (npx, an editor) gets it here.
const FLAG = '--experimental-vm-modules';
if (![...process.execArgv, process.env.NODE_OPTIONS ?? ''].some((option) => option.includes(FLAG))) {
  const { status } = spawnSync(process.execPath, [FLAG, ...process.argv.slice(1)], { stdio: 'inherit' });
  process.exit(status ?? 1);
}

// A time zone that is never an hour away from UTC, so that code and specs that use the zone of the machine fail everywhere, also on
// a machine in UTC.
process.env.TZ ??= 'Pacific/Chatham';

const ROOTS = ['<rootDir>/src', '<rootDir>/test'];

/** One store for all spec files, which global-setup starts, or the server that TEST_MONGODB_URI names. Each file has a database of its own. */
const onStore = {
  globalSetup: '<rootDir>/test/setup/global-setup.js',
  globalTeardown: '<rootDir>/test/setup/global-teardown.js',
};

/** Over HTTP against the built service. */
const overHttp = {
  ...shared,
  ...onStore,
  roots: ROOTS,
  testEnvironment: '<rootDir>/test/setup/environment.js',
};

const REPOSITORY_SPECS = ['**/*.repository.e2e-spec.ts', '**/*.repositories.e2e-spec.ts'];
const CORE = CORE_SPECS.map((file) => `**/${file}`);
const missing = CORE_SPECS.filter((file) => !existsSync(new URL(file, import.meta.url)));
if (missing.length > 0) throw new Error(`test/setup/core-specs.js names no spec file with ${missing.join(', ')}`);
const not = (patterns) => patterns.map((pattern) => `!${pattern}`);

export default {
  projects: [
    // Pure rules and services: they need no store and no build.
    { ...withoutSandbox, displayName: 'unit', roots: [...ROOTS, '<rootDir>/packages/console/src'] },
    // The sources of the repositories on a real store.
    { ...withoutSandbox, ...onStore, displayName: 'repositories', roots: ROOTS, testMatch: REPOSITORY_SPECS },
    // What `npm test` runs over HTTP, and then the others.
    { ...overHttp, displayName: 'core', testMatch: CORE },
    { ...overHttp, displayName: 'e2e', testMatch: ['**/*.e2e-spec.ts', ...not(REPOSITORY_SPECS), ...not(CORE)] },
    // Starts, stops and rotations of whole processes. Each start takes seconds, too long for `npm run test:all`.
    { ...overHttp, displayName: 'processes', testMatch: ['**/*.process-spec.ts'] },
    // What goes wrong around whole processes: clock, database, disk and key. `.ci/full` runs them.
    { ...overHttp, displayName: 'failures', testMatch: ['**/*.failure-spec.ts'] },
    // Processes that are killed at random moments, until what they did is complete. Too long for `npm run test:all`.
    { ...overHttp, displayName: 'kills', testMatch: ['**/*.kill-spec.ts'] },
    '<rootDir>/packages/embedded-mongodb',
    '<rootDir>/packages/client',
    '<rootDir>/packages/agent',
  ],
  // Ends a test that hangs. No verdict depends on the speed of the machine.
  testTimeout: 300_000,
  // More than the two cores of the CI: the end-to-end specs wait for processes and sockets much of the time.
  maxWorkers: 4,
  // The modules of ended spec files stay in memory. Of a worker with 2 GB, garbage collection takes much of the time.
  workerIdleMemoryLimit: '1GB',
};
