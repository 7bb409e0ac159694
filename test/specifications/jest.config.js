import base from '../../jest.config.js';

// The driver specification tests: run by `npm run test:specifications`, not by `npm test`; they bring their own store.
const { globalSetup, globalTeardown, ...rest } = base;
void [globalSetup, globalTeardown];

export default {
  ...rest,
  rootDir: '../..',
  roots: ['<rootDir>/test/specifications'],
  testMatch: ['**/*.suite.ts'],
  maxWorkers: 1,
  testTimeout: 30_000,
};
