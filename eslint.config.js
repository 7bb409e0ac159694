import { readdirSync } from 'node:fs';
import prettier from 'eslint-config-prettier';
import globals from 'globals';
import tseslint from 'typescript-eslint';
import { restrict, shared } from './eslint.shared.js';

/** Folders that every feature may import. All others are features. */
const groundFolders = ['common', 'config', 'database', 'openapi'];
const features = readdirSync(new URL('src', import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !groundFolders.includes(entry.name))
  .map(({ name }) => name);

const mongooseOutsideData = {
  group: ['mongoose', '@nestjs/mongoose'],
  allowTypeImports: true,
  message: 'Only repositories, schemas, feature modules and src/database use mongoose at run time.',
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
  message: 'common, config and database import no feature.',
});
/** One way to do each recurring thing: docs/adding-a-feature.md. */
const oneWay = [
  {
    selector: "Identifier[optional=true][typeAnnotation.typeAnnotation.typeName.name='Transaction']",
    message:
      'A forgotten transaction leaves the transaction silently: make the parameter required (`Transaction | null`).',
  },
  {
    selector: "NewExpression[callee.name='AppError'] > Literal[value='validation_failed']",
    message: 'Use requireValid(problems) of common/errors.',
  },
  {
    selector:
      "IfStatement[test.operator='==='][test.right.value=null] NewExpression[callee.name='AppError'] > Literal[value=/_not_found$/]",
    message: 'Use orNotFound(found, code) of common/errors.',
  },
  {
    selector: 'VariableDeclarator[id.name=/^(SECOND|MINUTE|HOUR|DAY)_MS$/]',
    message: 'Import durations from common/time/durations.ts.',
  },
  {
    selector: 'Literal[raw=/\\{24\\}/]',
    message: 'Use isObjectId or OBJECT_ID_PATTERN of common/validation/object-id.ts.',
  },
  {
    selector: 'Decorator > CallExpression[callee.name=/^(Skip)?Throttle$/]',
    message: 'Name the limits of a route with @RateLimit(...).',
  },
  {
    selector: "CallExpression[callee.property.name='save'][callee.object.name='record']",
    message: 'Insert with Model.insertOne(...).',
  },
];

/**
 * A write outside of a transaction waits for a transaction that changes the same document, and holds a connection of the pool
 * while it waits. Enough of them leave that transaction without a connection, and nothing goes on. A write in a transaction
 * does not wait: it fails and runs again.
 */
const outsideTransaction =
  "MethodDefinition:not([key.name='insertIfAbsent']):not(:has(FunctionExpression > Identifier[name='transaction']))";
const message = 'A method that changes or deletes documents takes a transaction.';
const writeInTransaction = [
  {
    selector: `${outsideTransaction} CallExpression[callee.property.name=/^(update|delete|replace|findOneAnd|bulkWrite)/][callee.object.type='MemberExpression']`,
    message,
  },
];

export default tseslint.config(
  { ignores: ['dist/', 'data/', 'coverage/', 'reports/', 'node_modules/', 'packages/*/dist/'] },
  ...shared,
  // What runs in a browser, or sends functions into one.
  {
    files: ['examples/storefront/*.js', 'test/storefront/*.js', 'test/pages/*.js'],
    languageOptions: { globals: globals.browser },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['**/*.spec.ts'],
    rules: {
      ...restrict(mongooseOutsideData, otherFeaturesData),
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: [
      '**/*.spec.ts',
      'src/common/time/durations.ts',
      'src/common/validation/object-id.ts',
      'src/common/errors/*.ts',
    ],
    rules: { 'no-restricted-syntax': ['error', ...oneWay] },
  },
  {
    files: ['src/*/*.repository.ts'],
    // No transaction writes these records.
    ignores: ['src/idempotency/*.ts', 'src/outbox/outbox-lanes.repository.ts'],
    rules: { 'no-restricted-syntax': ['error', ...oneWay, ...writeInTransaction] },
  },
  { files: ['src/**/*.controller.ts'], rules: { 'max-lines': ['error', { max: 150 }] } },
  {
    files: ['src/*/*.repository.ts', 'src/*/*.schema.ts', 'src/*/*.module.ts', 'src/app.module.ts'],
    rules: restrict(otherFeaturesData),
  },
  {
    files: ['src/common/*.ts', 'src/config/*.ts'],
    rules: restrict(mongooseOutsideData, noFeatures('../')),
  },
  { files: ['src/common/*/*.ts'], rules: restrict(mongooseOutsideData, noFeatures('../../')) },
  { files: ['src/database/*.ts'], rules: restrict(noFeatures('../')) },
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
    // `jsonWebTokenOptions` is the only place where passport-jwt takes a clock tolerance.
    files: ['src/auth/jwt.strategy.ts'],
    rules: { '@typescript-eslint/no-deprecated': 'off' },
  },
  prettier,
);
