import { withoutSandbox } from '../../jest.shared.js';

export default {
  ...withoutSandbox,
  displayName: 'embedded-mongodb',
  roots: ['<rootDir>/src', '<rootDir>/test'],
};
