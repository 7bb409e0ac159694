import { shared } from '../../jest.shared.js';

// Run by `npm run long -- mongo-tools`, not by `npm run test:all`, because it needs mongodump and mongorestore.
export default {
  ...shared,
  rootDir: '../..',
  roots: ['<rootDir>/test/mongo-tools'],
  testMatch: ['**/*.tools-spec.ts'],
  testEnvironment: '<rootDir>/test/setup/environment.js',
  globalSetup: '<rootDir>/test/setup/global-setup.js',
  globalTeardown: '<rootDir>/test/setup/global-teardown.js',
  testTimeout: 300_000,
};
