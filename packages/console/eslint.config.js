import prettier from 'eslint-config-prettier';
import globals from 'globals';
import tseslint from 'typescript-eslint';
import { restrict, shared } from '../../eslint.shared.js';

const mantine = {
  group: ['@mantine/*'],
  message: 'Only src/ui and app/look.tsx use Mantine: everything else uses the parts of src/ui.',
};

export default tseslint.config(
  { ignores: ['dist/'] },
  ...shared,
  {
    files: ['src/**/*.{ts,tsx}'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      globals: globals.browser,
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      // Texts from buyers and plugins are never HTML.
      'no-restricted-syntax': [
        'error',
        { selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']", message: 'Text is never HTML.' },
      ],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'error',
      'max-lines': ['error', { max: 400 }],
    },
  },
  { files: ['src/{api,app,lang,pages}/**/*.{ts,tsx}'], ignores: ['src/app/look.tsx'], rules: restrict(mantine) },
  { files: ['*.js'], rules: { 'no-console': 'off' } },
  prettier,
);
