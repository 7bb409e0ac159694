import { withoutSandbox } from '../../jest.shared.js';

export default {
  ...withoutSandbox,
  displayName: 'embedded-mongodb',
  // Processes, not threads: specs measure memory, and unmount file systems while others start processes.
  runner: ['jest-light-runner', { runtime: 'child_process' }],
  roots: ['<rootDir>/src', '<rootDir>/test'],
};
