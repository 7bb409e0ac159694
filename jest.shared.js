import { readFileSync } from 'node:fs';

/** The build has the same options (`.swcrc`), so the specs run what the service runs. */
const swc = JSON.parse(readFileSync(new URL('.swcrc', import.meta.url), 'utf8'));

/** What every Jest project of this repository has in common: TypeScript as ES modules, compiled by swc. */
export const shared = {
  testEnvironment: 'node',
  testMatch: ['**/*.spec.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '^.+\\.ts$': ['@swc/jest', { ...swc, sourceMaps: 'inline' }] },
};
