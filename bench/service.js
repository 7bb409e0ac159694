// Measures the service: its endpoints next to bare Express handlers that make the same queries on the same store (bench/bare), in
// turns, with 32 connections: of one caller, and of 32 callers with a shop each. Without `--short` also the time to its first response.
// Usage: npm run bench [-- --short] [-- --check]. It takes about 12 minutes and writes RESULTS.md. `--short` takes two, and only
// prints. With `--check` it fails when the ratio of 32 callers is below half of the floor of the endpoint (targets.json).
import { setTimeout as pause } from 'node:timers/promises';
import { ObjectId } from 'mongodb';
import { startBare } from './bare/start.js';
import { demoCaller, shopCaller } from './service/callers.js';
import { compare } from './service/compare.js';
import { circumstances, table, writeResults } from './service/report.js';
import { requestsFor } from './service/requests.js';
import { measureStart } from './service/start.js';
import floors from './targets.json' with { type: 'json' };
import { withService } from './with-service.js';

const [isShort, isCheck] = ['--short', '--check'].map((option) => process.argv.includes(option));
const [ROUND_MS, ROUNDS] = isShort ? [300, 3] : [1_500, 5];
const CLIENTS = 32;
/** More than any round has, on machines of today. */
const PER_ROUND = ROUND_MS;
/** How many shops are opened at once: a divisor of CLIENTS, and few enough for the hashing of passwords. */
const AT_ONCE = 4;
/** The part of a floor below which `--check` fails: rounds of 0.3 s on a busy machine scatter by a third. */
const CHECKED_SHARE = 0.5;
/** How often `--check` measures an endpoint that seems too slow: other work on the machine is no fault of the service. */
const ATTEMPTS = 3;
const POLL_MS = 100;
const ENCRYPTION_KEY = 'be'.repeat(32);
const SECRETS = { JWT_SECRET: 'a secret of the benchmark that is long enough for HS256', ENCRYPTION_KEY };

/** Waits until the statistics of a shop are folded: a comparison is slower before. */
async function folded(database, shopId) {
  const ofShop = { shopId: new ObjectId(shopId) };
  for (;;) {
    const state = await database.collection('stats_states').findOne(ofShop);
    const pending = await database.collection('stats_ledger').countDocuments({ ...ofShop, pending: true });
    if (state?.phase === 'ready' && pending === 0) return;
    await pause(POLL_MS);
  }
}

/** The callers of both modes. */
async function openCallers(service) {
  const demo = await demoCaller(service, CLIENTS);
  const many = [];
  while (many.length < CLIENTS) {
    const numbers = Array.from({ length: AT_ONCE }, (_, index) => many.length + index);
    many.push(...(await Promise.all(numbers.map((number) => shopCaller(service, number)))));
  }
  await folded(service.database, demo.shopId);
  return { one: [demo], many };
}

const HEAD = [
  ...['Endpoint', 'One caller: bare, per second', 'service', 'ratio'],
  ...['32 callers: bare, per second', 'service', 'ratio', 'floor'],
];
const cells = ({ bareRate, rate, ratio }) => [bareRate.toFixed(0), rate.toFixed(0), ratio.toFixed(2)];
const row = (name, one, many) => [name, ...cells(one), ...cells(many), floors[name] ?? ''];

/** @returns the endpoints that are too slow, each as a sentence, and a table */
async function measureEndpoints(service, callers) {
  const { api, database, databaseUri } = service;
  const shops = [...callers.one, ...callers.many];
  const signing = Object.fromEntries(shops.map(({ shopId, webhook }) => [shopId, webhook.signingSecret]));
  const env = { ...SECRETS, MONGODB_URI: databaseUri, SIGNING_SECRETS: JSON.stringify(signing) };
  const bare = await startBare('server.js', env);
  const sides = { bare: `${bare.url}/api/v2`, service: api };
  const setting = { sides, database, roundMs: ROUND_MS, rounds: ROUNDS, clients: CLIENTS };
  const tooSlow = [];
  const measureMany = async (request) => {
    const least = (floors[request.name] ?? 0) * CHECKED_SHARE;
    for (let attempt = 1; ; attempt++) {
      const result = await compare(setting, request, callers.many);
      if (!isCheck || result.ratio >= least) return result;
      const sentence = `${request.name}: ${result.ratio.toFixed(2)} is below ${least}`;
      console.error(sentence);
      if (attempt < ATTEMPTS) continue;
      tooSlow.push(sentence);
      return result;
    }
  };
  try {
    const rows = [];
    const ofOrders = { database, encryptionKey: Buffer.from(ENCRYPTION_KEY, 'hex'), perRound: PER_ROUND };
    for (const request of requestsFor(ofOrders)) {
      await request.setUp?.(service, callers);
      rows.push(row(request.name, await compare(setting, request, callers.one), await measureMany(request)));
      console.error(rows.at(-1).join(' | '));
    }
    return { tooSlow, endpoints: table(HEAD, rows) };
  } finally {
    bare.stop();
  }
}

const introduction = circumstances();
const start = isShort ? [] : [await measureStart()];
await withService(
  async (service) => {
    const { tooSlow, endpoints } = await measureEndpoints(service, await openCallers(service));
    const parts = [introduction, endpoints, ...start];
    console.log(parts.join('\n\n'));
    if (!isShort) await writeResults(parts);
    if (tooSlow.length > 0) {
      console.error(`too slow: ${tooSlow.join('; ')}`);
      process.exitCode = 1;
    }
  },
  // Emails are dropped: the bare handlers send none either.
  { ...SECRETS, DEMO: 'true', SMTP_URL: 'none' },
);
