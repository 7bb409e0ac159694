import { spawnSync } from 'node:child_process';
import { shared } from './jest.shared.js';

// Jest runs ES modules only with this flag of Node. Whoever calls Jest without it (npx, an editor) gets it here.
const FLAG = '--experimental-vm-modules';
if (![...process.execArgv, process.env.NODE_OPTIONS ?? ''].some((option) => option.includes(FLAG))) {
  const { status } = spawnSync(process.execPath, [FLAG, ...process.argv.slice(1)], { stdio: 'inherit' });
  process.exit(status ?? 1);
}

// A time zone that is never an hour away from UTC, so that code and specs that use the zone of the machine fail everywhere, also on
// a machine in UTC.
process.env.TZ ??= 'Pacific/Chatham';

// Over HTTP against the built service, on one store that global-setup starts (or the server that TEST_MONGODB_URI names); each
// spec file has a database of its own.
const overHttp = {
  ...shared,
  roots: ['<rootDir>/src', '<rootDir>/test'],
  testEnvironment: '<rootDir>/test/setup/environment.js',
  globalSetup: '<rootDir>/test/setup/global-setup.js',
  globalTeardown: '<rootDir>/test/setup/global-teardown.js',
};

export default {
  projects: [
    // Pure rules and services: they need no store and no build.
    { ...shared, displayName: 'unit', roots: ['<rootDir>/src', '<rootDir>/test'] },
    { ...overHttp, displayName: 'e2e', testMatch: ['**/*.e2e-spec.ts'] },
    // Starts, stops and rotations of whole processes. Each start takes seconds, too long for `npm test`.
    { ...overHttp, displayName: 'processes', testMatch: ['**/*.process-spec.ts'] },
    // Processes that are killed at random moments, until what they did is complete. Too long for `npm test`.
    { ...overHttp, displayName: 'kills', testMatch: ['**/*.kill-spec.ts'] },
    '<rootDir>/packages/embedded-mongodb',
  ],
  // Ends a test that hangs. No verdict depends on the speed of the machine.
  testTimeout: 300_000,
  // More than the two cores of the CI: the end-to-end specs wait for processes and sockets much of the time.
  maxWorkers: 4,
  // The modules of ended spec files stay in memory. Of a worker with 2 GB, garbage collection takes much of the time.
  workerIdleMemoryLimit: '1GB',
};
