import prettier from 'eslint-config-prettier';
import globals from 'globals';
import tseslint from 'typescript-eslint';
// The areas of `src` in their order (docs/architecture.md). Each one may import those before it.
import AREAS from './eslint.areas.json' with { type: 'json' };
import { restrict, shared } from './eslint.shared.js';

const mongooseOutsideData = {
  group: ['mongoose', '@nestjs/mongoose'],
  allowTypeImports: true,
  message: 'Only repositories, schemas, modules and infrastructure/database use mongoose at run time.',
};
/** The folders of `src/orders` share the model of orders: each has its own repository on it. */
const ORDER_SCHEMA = '\\.\\./order/order\\.schema\\.js$';
const dataOfOthers = {
  regex: `^(?!${ORDER_SCHEMA})\\.\\./.*\\.(repository|schema)\\.js$`,
  message: "A feature uses another feature's service, never its repository or schema.",
};
const laterAreas = (area) => ({
  regex: `^(\\.\\./)+(${AREAS.slice(AREAS.indexOf(area) + 1).join('|')})/`,
  message: `${area} imports no later area: docs/architecture.md has their order.`,
});
/** The areas whose code runs without Nest and mongoose. */
const PURE_AREAS = ['lib', 'domain'];
const frameworks = {
  regex: '^(@nestjs/|mongoose($|/))',
  message: 'lib and domain need neither Nest nor mongoose: what does is in infrastructure or http.',
};
const layers = (...names) => ({
  regex: `\\.(${names.join('|')})\\.js$`,
  message: 'Controller -> service -> repository -> schema.',
});
/** What the files of an area may not import. For a file in several entries only the last one counts. */
const imports = (area) => {
  const order = area === AREAS.at(-1) ? [] : [laterAreas(area)];
  if (PURE_AREAS.includes(area)) order.push(frameworks);
  const files = (end) => [`src/${area}/**/*${end}`];
  return [
    { files: files('.ts'), rules: restrict(...order, dataOfOthers, mongooseOutsideData) },
    { files: files('.module.ts'), rules: restrict(...order, dataOfOthers) },
    { files: files('.controller.ts'), rules: restrict(...order, mongooseOutsideData, layers('repository', 'schema')) },
    { files: files('.service.ts'), rules: restrict(...order, dataOfOthers, mongooseOutsideData, layers('controller')) },
    { files: files('.repository.ts'), rules: restrict(...order, dataOfOthers, layers('controller', 'service')) },
    { files: files('.schema.ts'), rules: restrict(...order, layers('controller', 'service', 'repository')) },
    { files: files('.spec.ts'), rules: restrict(...order) },
  ];
};
/** One way to do each recurring thing: docs/adding-a-feature.md. */
const oneWay = [
  {
    selector: "Identifier[optional=true][typeAnnotation.typeAnnotation.typeName.name='Transaction']",
    message:
      'A forgotten transaction leaves the transaction silently: make the parameter required (`Transaction | null`).',
  },
  {
    selector: "NewExpression[callee.name='AppError'] > Literal[value='validation_failed']",
    message: 'Use requireValid(problems) of domain/errors.',
  },
  {
    selector:
      "IfStatement[test.operator='==='][test.right.value=null] NewExpression[callee.name='AppError'] > Literal[value=/_not_found$/]",
    message: 'Use orNotFound(found, code) of domain/errors.',
  },
  {
    selector: 'VariableDeclarator[id.name=/^(SECOND|MINUTE|HOUR|DAY)_MS$/]',
    message: 'Import durations from lib/time/durations.ts.',
  },
  {
    selector: 'Literal[raw=/\\{24\\}/]',
    message: 'Use isObjectId or OBJECT_ID_PATTERN of lib/ids/object-id.ts.',
  },
  {
    selector: 'Decorator > CallExpression[callee.name=/^(Skip)?Throttle$/]',
    message: 'Name the limits of a route with @RateLimit(...).',
  },
  {
    selector: "CallExpression[callee.property.name='save'][callee.object.name='record']",
    message: 'Insert with Model.insertOne(...).',
  },
  {
    selector: "NewExpression[callee.name='Schema']:not(:has(> TSSatisfiesExpression))",
    message: 'Write `new Schema<Item>({ ... } satisfies SchemaFields<Item>)`, so that no field can be forgotten.',
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
    files: [
      'examples/storefront/*.js',
      'templates/assets/*.js',
      'templates/reference/*.js',
      'test/storefront/*.js',
      'test/pages/*.js',
      'test/console/*.js',
    ],
    languageOptions: { globals: globals.browser },
  },
  ...AREAS.flatMap(imports),
  { files: ['src/infrastructure/database/**/*.ts'], rules: restrict(laterAreas('infrastructure')) },
  {
    files: ['src/**/*.ts'],
    ignores: ['**/*.spec.ts', 'src/lib/time/durations.ts', 'src/lib/ids/object-id.ts', 'src/domain/errors/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...oneWay] },
  },
  {
    files: ['src/**/*.repository.ts'],
    // No transaction writes these records.
    ignores: [
      'src/infrastructure/idempotency/*.ts',
      'src/events/outbox/outbox-lanes.repository.ts',
      'src/events/mail/mail-domains.repository.ts',
    ],
    rules: { 'no-restricted-syntax': ['error', ...oneWay, ...writeInTransaction] },
  },
  { files: ['src/**/*.controller.ts'], rules: { 'max-lines': ['error', { max: 150 }] } },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/infrastructure/config/**', '**/*.spec.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Only src/infrastructure/config reads the environment.' },
      ],
    },
  },
  {
    // `jsonWebTokenOptions` is the only place where passport-jwt takes a clock tolerance.
    files: ['src/access/auth/jwt.strategy.ts'],
    rules: { '@typescript-eslint/no-deprecated': 'off' },
  },
  prettier,
);
