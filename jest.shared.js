import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The build has the same options (`.swcrc`), so the specs run what the service runs. */
export const swc = JSON.parse(readFileSync(new URL('.swcrc', import.meta.url), 'utf8'));

/** What the Jest projects of this repository have in common: TypeScript as ES modules, compiled by swc. */
export const shared = {
  testEnvironment: 'node',
  testMatch: ['**/*.spec.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '^.+\\.ts$': ['@swc/jest', { ...swc, sourceMaps: 'inline' }] },
};

/**
 * The same without the sandboxes of Jest: a sandbox loads Nest and mongoose again for each spec file, which takes longer than most
 * specs. A file puts back what all files share (test/setup/spec-globals.js). The runner knows no time limit for a test.
 */
export const withoutSandbox = {
  testEnvironment: 'node',
  testMatch: ['**/*.spec.ts'],
  runner: 'jest-light-runner',
  setupFiles: [fileURLToPath(new URL('test/setup/light-runner.js', import.meta.url))],
};
