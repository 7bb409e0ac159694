import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';
import { restrict, shared } from '../../eslint.shared.js';

export default tseslint.config(
  { ignores: ['dist/'] },
  ...shared,
  {
    files: ['src/**/*.ts'],
    rules: restrict({ group: ['../../../*'], message: 'The agent knows the shop only by its API.' }),
  },
  prettier,
);
