import { shared } from '../../../../jest.shared.js';

// The driver specification tests: run by `npm run long -- store-specifications`, not by `npm test`.
export default {
  ...shared,
  rootDir: '../..',
  roots: ['<rootDir>/test/specifications'],
  testMatch: ['**/*.suite.ts'],
  maxWorkers: 1,
  testTimeout: 30_000,
};
