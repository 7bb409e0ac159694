import { shared } from '../../jest.shared.js';

// A real nginx in front of the service: run by `npm run long -- nginx`, not by `npm test`, because it needs nginx and openssl.
export default {
  ...shared,
  rootDir: '../..',
  roots: ['<rootDir>/test/operations'],
  testMatch: ['**/*.nginx-spec.ts'],
  testEnvironment: '<rootDir>/test/setup/environment.js',
  globalSetup: '<rootDir>/test/setup/global-setup.js',
  globalTeardown: '<rootDir>/test/setup/global-teardown.js',
  testTimeout: 300_000,
};
