import { withoutSandbox } from '../../jest.shared.js';

export default { ...withoutSandbox, displayName: 'client', roots: ['<rootDir>/src'] };
