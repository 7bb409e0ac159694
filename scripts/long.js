// `npm run long -- NAME [ARGUMENTS]`: tests and measurements that take minutes or more. Without a name: the list of them.
// A variable of the environment wins over the one in the list.
import { spawnSync } from 'node:child_process';

const HOUR_MS = 3_600_000;

const jest = (projects, ...paths) => {
  const options = ['--selectProjects', ...projects.split(' '), '--testTimeout', String(HOUR_MS)];
  return ['npx', 'jest', ...options, '--', ...paths];
};
const inStore = (script) => ['npm', 'run', '--silent', script, '-w', 'packages/embedded-mongodb', '--'];

/** Name -> a sentence, the command, and the variables that make it long. */
const RUNS = {
  processes: [
    'starts, stops and backups of whole processes, and the lines of README.md and docs/your-own-shop.md',
    jest('processes'),
  ],
  failures: [
    'whole processes while the clock jumps, the database is away or slow, the disk is full, or the encryption key changes',
    jest('failures'),
  ],
  kills: [
    'short forms of the runs with "kill" in their name: 3 kills during payments, 120 checkouts, 15 orders',
    jest('kills'),
  ],
  games: [
    'paid orders reach players of Minecraft and of Luanti, whose server is killed, and the console of OpenArena; need Maven, both games of Debian and, once, a network',
    jest('kills', 'test/process/luanti', 'test/process/minecraft', 'test/process/openarena'),
  ],
  'kill-deliveries': [
    'kills two plugin clients and the service 100 times during 1,000 orders with refunds',
    jest('kills', 'test/process/plugin-client'),
    { KILLED_ORDERS: '1000' },
  ],
  'kill-agent': [
    'kills the agent, a game server and the service 125 times during 1,000 orders, and counts the items in the inventory',
    jest('processes', 'test/process/agent'),
    { KILLED_ORDERS: '1000' },
  ],
  'kill-payments': [
    'kills the service 300 times while two providers send 600 payments with refunds and disputes',
    jest('kills', 'test/process/payments'),
    { PAYMENT_KILLS: '300' },
  ],
  'kill-checkouts': [
    'kills the service about 12 times while 2,000 checkouts with an Idempotency-Key are repeated',
    jest('kills', 'test/process/checkout'),
    { CHECKOUT_KEYS: '2000' },
  ],
  'kill-outbox': [
    'kills the service and the mail server 200 times while emails are sent',
    jest('kills', 'test/process/outbox'),
    { OUTBOX_KILLS: '200' },
  ],
  'kill-webhooks': [
    'kills the service 200 times while a slow receiver of webhooks fails at random',
    jest('kills', 'test/webhooks'),
    { WEBHOOK_KILLS: '200' },
  ],
  'kill-stats': [
    'kills the process that folds the statistics 100 times',
    jest('kills', 'test/stats'),
    { STATS_KILLS: '100' },
  ],
  races: [
    'the races with many more requests, 1,000 random baskets and 1,000 random lives of orders',
    jest(
      'e2e processes',
      ...['test/orders/order-model', 'test/checkout/quote', 'test/deliveries/expiry', 'test/deliveries/take-back'],
      ...['test/nickname-changes/nickname-changes', 'test/process/rush', 'test/team/races'],
    ),
    { LONG_RUN: 'true' },
  ],
  lists: [
    'a page of 100 orders reads as many with 200,000 as with 300, with each filter; the other lists with 20,000 records more',
    jest('core e2e', 'test/orders/order-search-cost', 'test/contract/query-plans'),
    { ADDED_ORDERS: '200000', PAGE_LIMIT: '100', ADDED_RECORDS: '20000', NODE_OPTIONS: '--max-old-space-size=4096' },
  ],
  'stats-random': [
    '10,000 random questions to the statistics equal a recount',
    jest('e2e', 'test/stats/rollups'),
    { STATS_QUESTIONS: '10000' },
  ],
  attack: [
    'attacks a real process over HTTP: held connections, stops under load, hostile requests',
    ['node', 'test/attack/run.js'],
  ],
  'mixed-load': [
    'an hour of mixed load, or the seconds given, with 500 slow sockets and 10,000 idle connections',
    ['node', 'test/mixed-load/run.js'],
  ],
  fuzz: [
    'schemathesis sends 100 requests to each operation; needs Python 3.10 and, once, a network',
    ['node', 'test/fuzz/run.js'],
  ],
  'generated-clients': [
    'clients that four generators make for TypeScript, Python, Java and Go use a real process; need Python, Go and, once, a network',
    ['node', 'test/clients/run.js'],
  ],
  'openapi-lint': [
    'Redocly and Spectral check the OpenAPI document; need, once, a network',
    ['node', 'test/openapi/lint.js'],
  ],
  pages: [
    'emails, and the pages behind their links, in headless Chromium with axe-core',
    ['node', 'test/pages/run.js'],
  ],
  console: ['an owner uses the console in headless Chromium, with axe-core', ['node', 'test/console/run.js']],
  storefront: ['a buyer uses examples/storefront in headless Chromium', ['node', 'test/storefront/run.js']],
  redis: [
    'two processes share their rate limits on a Redis that is stopped, slow and silent; needs redis-server',
    ['npx', 'jest', '--config', 'test/redis/jest.config.js', '--'],
  ],
  proxies: [
    'a real nginx and a real Caddy with the files of ops/ in front of two processes; needs nginx, openssl and caddy',
    ['npx', 'jest', '--config', 'test/operations/jest.config.js', '--'],
  ],
  'mongo-tools': [
    'the real mongodump and mongorestore read and write what backup and restore do; needs both in the PATH',
    ['node', 'test/mongo-tools/run.js'],
  ],
  mutation: [
    'mutation tests of some folders or files; without a path, of everything in scope',
    ['node', 'test/mutation/run.js'],
  ],
  'node-versions': [
    'the service and the unit specs on Node 24 and 26, or on the versions given',
    ['node', 'scripts/test-node-versions.js'],
  ],
  'store-crash': [
    'kills the embedded store 20 times, or as often as given, and looks for losses',
    inStore('test:crash'),
  ],
  'store-power-loss': [
    'starts the embedded store from 100 images of its file, or as many as given, as a power loss leaves it; needs strace',
    inStore('test:power-loss'),
  ],
  'store-full-disk': [
    'fills the disk of the embedded store under load 6 times, or as often as given; needs the right to mount',
    inStore('test:full-disk'),
  ],
  'full-disk': [
    'fills the disk of the service 100 times during checkouts and webhooks; needs the right to mount',
    jest('failures', 'test/process/full-disk'),
    { LONG_RUN: 'true' },
  ],
  'store-queries': [
    '100,000 random queries of the embedded store find with an index of any kind what a scan finds',
    jest('embedded-mongodb', 'packages/embedded-mongodb/src/planner/equivalence'),
    { QUERY_RUNS: '17000' },
  ],
  'store-differential': [
    'random operations on the embedded store and on the server TEST_MONGODB_URI',
    inStore('test:differential'),
  ],
  'store-specifications': [
    "MongoDB's public tests for drivers, from the folder given, against the embedded store",
    inStore('test:specifications'),
  ],
  'store-bench': ['measures the embedded store', inStore('bench')],
};

function run([command, ...parameters], env = {}) {
  const { status } = spawnSync(command, parameters, { stdio: 'inherit', env: { ...env, ...process.env } });
  return status ?? 1;
}

const [name, ...parameters] = process.argv.slice(2);
if (name !== undefined && Object.hasOwn(RUNS, name)) {
  const [, command, variables] = RUNS[name];
  process.exitCode = run(['npm', 'run', '--silent', 'build']) || run([...command, ...parameters], variables);
} else {
  const lines = Object.entries(RUNS).map(([known, [sentence]]) => `  ${known.padEnd(22)}${sentence}`);
  console.log(['Usage: npm run long -- NAME [ARGUMENTS]', '', ...lines].join('\n'));
  process.exitCode = name === undefined ? 0 : 2;
}
