import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';
import { restrict, shared } from '../../eslint.shared.js';

export default tseslint.config(
  { ignores: ['dist/', 'generated/'] },
  ...shared,
  {
    files: ['src/**/*.ts'],
    ignores: ['**/*.spec.ts'],
    rules: restrict({
      regex: '^(?!\\./|\\.\\./generated/)',
      message: 'The client runs in browsers, and has no dependencies.',
    }),
  },
  prettier,
);
