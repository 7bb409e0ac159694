import { shared } from '../../jest.shared.js';

// A real nginx and a real Caddy in front of the service: run by `npm run long -- proxies`, not by `npm run test:all`, because it needs both.
export default {
  ...shared,
  rootDir: '../..',
  roots: ['<rootDir>/test/operations'],
  testMatch: ['**/*.proxy-spec.ts'],
  testEnvironment: '<rootDir>/test/setup/environment.js',
  globalSetup: '<rootDir>/test/setup/global-setup.js',
  globalTeardown: '<rootDir>/test/setup/global-teardown.js',
  testTimeout: 600_000,
};
