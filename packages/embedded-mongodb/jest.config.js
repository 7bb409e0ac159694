import { shared } from '../../jest.shared.js';

export default {
  ...shared,
  displayName: 'embedded-mongodb',
  roots: ['<rootDir>/src', '<rootDir>/test'],
  testTimeout: 300_000, // a busy machine needs its time
};
