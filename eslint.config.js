import { readdirSync } from 'node:fs';
import eslint from '@eslint/js';
import prettier from 'eslint-config-prettier';
import globals from 'globals';
import tseslint from 'typescript-eslint';

/** Rooms that belong to everybody; all others are features, whose repositories and schemas are their own. */
const ground = ['common', 'config', 'database', 'mail', 'openapi'];
const features = readdirSync(new URL('src', import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !ground.includes(entry.name))
  .map(({ name }) => name);

const mongooseOutsideData = {
  group: ['mongoose', '@nestjs/mongoose'],
  allowTypeImports: true,
  message: 'Only repositories, schemas, feature modules and src/database use mongoose at run time.',
};
const insideTheStore = {
  group: ['**/database/embedded/*', '!**/database/embedded/index.js'],
  message: 'The embedded store has one entry: database/embedded/index.js.',
};
const otherFeaturesData = {
  group: features.flatMap((name) => [
    `../${name}/*.repository.js`,
    `../${name}/*.schema.js`,
    `../../${name}/*.repository.js`,
    `../../${name}/*.schema.js`,
  ]),
  message: "A feature uses another feature's service, never its repository or schema.",
};
const noFeatures = (root) => ({
  group: features.map((name) => `${root}${name}/**`),
  message: 'common, config, database and mail import no feature.',
});
/** The store's rooms, each of which may use those before it and none after it. */
const storeRooms = ['values', 'query', 'storage', 'planner', 'changes', 'transactions', 'commands', 'protocol'];
const laterRooms = (room) => ({
  group: [
    ...storeRooms.slice(storeRooms.indexOf(room) + 1).map((later) => `../${later}/*`),
    ...(['commands', 'protocol'].includes(room) ? [] : ['../engine.js']),
    '../server.js',
    '../housekeeping.js',
  ],
  message: `The rooms of the embedded store use one another in one direction: ${storeRooms.join(' < ')}.`,
});
const restrict = (...patterns) => ({ 'no-restricted-imports': ['error', { patterns }] });

export default tseslint.config(
  { ignores: ['dist/', 'data/', 'coverage/', 'node_modules/'] },
  eslint.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // Overflows its own stack on recursive types (typescript-eslint 8.73).
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      // Our DTOs are classes for their decorators; those that are spread have no methods to lose.
      '@typescript-eslint/no-misused-spread': 'off',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'error',
    },
  },
  { files: ['**/*.js', '**/*.mjs'], languageOptions: { globals: globals.node } },
  {
    files: ['src/**/*.ts'],
    ignores: ['**/*.spec.ts'],
    rules: {
      'max-lines': ['error', { max: 300 }],
      'max-lines-per-function': ['error', { max: 60, skipComments: true, skipBlankLines: true }],
      'max-params': ['error', { max: 7 }],
      ...restrict(mongooseOutsideData, insideTheStore, otherFeaturesData),
    },
  },
  { files: ['src/**/*.controller.ts'], rules: { 'max-lines': ['error', { max: 150 }] } },
  {
    files: ['src/*/*.repository.ts', 'src/*/*.schema.ts', 'src/*/*.module.ts', 'src/app.module.ts'],
    rules: restrict(insideTheStore, otherFeaturesData),
  },
  {
    files: ['src/common/*.ts', 'src/config/*.ts', 'src/mail/*.ts'],
    rules: restrict(mongooseOutsideData, insideTheStore, noFeatures('../')),
  },
  { files: ['src/common/*/*.ts'], rules: restrict(mongooseOutsideData, insideTheStore, noFeatures('../../')) },
  { files: ['src/database/*.ts'], rules: restrict(insideTheStore, noFeatures('../')) },
  { files: ['src/database/embedded/**/*.ts'], rules: restrict(noFeatures('../../'), noFeatures('../../../')) },
  ...storeRooms.map((room) => ({
    files: [`src/database/embedded/${room}/*.ts`],
    ignores: ['**/*.spec.ts'],
    rules: restrict(noFeatures('../../../'), laterRooms(room)),
  })),
  {
    files: ['src/**/*.ts'],
    ignores: ['src/config/**', '**/*.spec.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Only src/config reads the environment.' },
      ],
    },
  },
  {
    files: ['**/*.spec.ts', 'test/**/*.ts', 'bench/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  {
    // `jsonWebTokenOptions` is the only place where passport-jwt takes a clock tolerance.
    files: ['src/auth/jwt.strategy.ts'],
    rules: { '@typescript-eslint/no-deprecated': 'off' },
  },
  prettier,
);
