import { shared } from '../../jest.shared.js';

// The limits in Redis: run by `npm run long -- redis`, not by `npm run test:all`, because they need a redis-server.
export default {
  ...shared,
  rootDir: '../..',
  roots: ['<rootDir>/test/redis'],
  testMatch: ['**/*.redis-spec.ts'],
  testEnvironment: '<rootDir>/test/setup/environment.js',
  globalSetup: '<rootDir>/test/setup/global-setup.js',
  globalTeardown: '<rootDir>/test/setup/global-teardown.js',
  testTimeout: 300_000,
};
