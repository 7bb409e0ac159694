import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';
import { restrict, shared } from '../../eslint.shared.js';

export default tseslint.config(
  { ignores: ['dist/', 'src/generated/'] },
  ...shared,
  {
    files: ['src/**/*.ts'],
    ignores: ['**/*.spec.ts'],
    rules: restrict({ regex: '^(?!\\./)', message: 'The client runs in browsers, and has no dependencies.' }),
  },
  prettier,
);
