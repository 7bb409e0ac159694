import { withoutSandbox } from '../../jest.shared.js';

export default {
  ...withoutSandbox,
  displayName: 'agent',
  roots: ['<rootDir>/src', '<rootDir>/test'],
};
