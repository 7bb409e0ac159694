import { describe, expect, it } from '@jest/globals';
import { checkPlatformDomain, checkProxy, checkPublicUrl, type Resolve } from './address-checks.js';
import { clockFinding, indexFinding, keyFinding, schemaFinding, serverFinding } from './database-checks.js';
import { reasonOf } from './finding.js';
import { checkDisk, checkVersions, isAtLeast, spaceFinding } from './machine-checks.js';

const PRODUCTION = {
  environment: 'production',
  publicUrl: 'https://api.example.com',
  platformDomain: 'shops.example.com',
  trustProxy: 1,
} as const;
const DEVELOPMENT = { ...PRODUCTION, environment: 'development', publicUrl: null, trustProxy: false } as const;
const leadsTo =
  (...addresses: string[]): Resolve =>
  () =>
    Promise.resolve(addresses);
const notFound: Resolve = (name) => Promise.reject(new Error(`getaddrinfo ENOTFOUND ${name}`));

describe('The check of PUBLIC_URL', () => {
  it.each([
    [leadsTo('93.184.216.34'), 'ok', 'api.example.com leads to 93.184.216.34'],
    [leadsTo('10.0.0.4'), 'warning', /10\.0\.0\.4, which is not on the internet/],
    [notFound, 'failed', /api\.example\.com is not found \(.*ENOTFOUND.*\): add an A or AAAA record/],
  ])('resolves it like any program of the machine: %#', async (resolve, state, message) => {
    const { state: found, message: text } = await checkPublicUrl(PRODUCTION, resolve);
    expect(found).toBe(state);
    expect(text).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
  });

  it('resolves an IPv6 address without its brackets, and nothing when the variable is not set', async () => {
    const names: string[] = [];
    const resolve: Resolve = (name) => Promise.resolve([names.push(name) > 0 ? name : '']);
    const publicUrl = 'https://[2606:4700::1111]';
    expect(await checkPublicUrl({ ...PRODUCTION, publicUrl }, resolve)).toMatchObject({ state: 'ok' });
    expect(await checkPublicUrl(DEVELOPMENT, resolve)).toMatchObject({ state: 'ok' });
    expect(names).toEqual(['2606:4700::1111']);
  });
});

it('checks the wildcard of PLATFORM_DOMAIN', async () => {
  const names: string[] = [];
  const found: Resolve = (name) => {
    names.push(name);
    return Promise.resolve(['93.184.216.34']);
  };
  expect(await checkPlatformDomain(PRODUCTION, found)).toMatchObject({ state: 'ok' });
  expect(names).toEqual([expect.stringMatching(/^[a-z-]{41,63}\.shops\.example\.com$/)]);
  expect(await checkPlatformDomain(PRODUCTION, notFound)).toMatchObject({
    state: 'warning',
    message: expect.stringMatching(/^\*\.shops\.example\.com is not found .*wildcard/),
  });
});

it.each([
  [PRODUCTION, 'ok', 'TRUST_PROXY=1'],
  [{ ...PRODUCTION, trustProxy: false } as const, 'failed', 'Set TRUST_PROXY=1'],
  [{ ...PRODUCTION, trustProxy: 0 }, 'failed', 'Set TRUST_PROXY=1'],
  [{ ...PRODUCTION, publicUrl: 'http://api.example.com' }, 'failed', 'not https'],
  [DEVELOPMENT, 'ok', 'not checked'],
])('checks that TLS and TRUST_PROXY fit together: %#', (config, state, message) => {
  expect(checkProxy(config)).toMatchObject({ state, message: expect.stringContaining(message) });
});

describe('The checks of the database', () => {
  it.each([
    [{ version: '8.0.4', isReplicaSet: true }, 'ok'],
    [{ version: '10.0.0', isReplicaSet: true }, 'ok'],
    [{ version: '7.0.12', isReplicaSet: true }, 'warning'],
    [{ version: '8.0.4', isReplicaSet: false }, 'failed'],
  ])('judge the server %j', (facts, state) => {
    expect(serverFinding({ ...facts, isEmbedded: false }).state).toBe(state);
  });

  it('name the embedded store as such, and not as MongoDB', () => {
    const { state, message } = serverFinding({ version: '8.0.4', isReplicaSet: true, isEmbedded: true });
    expect([state, message]).toEqual([
      'ok',
      'the embedded store, which works like MongoDB 8.0.4, for one process of the service',
    ]);
  });

  it.each([
    [0, 'ok'],
    [1_999, 'ok'],
    [-2_000, 'warning'],
    [29_999, 'warning'],
    [-30_000, 'failed'],
  ])('judge a clock of the database that is %d ms ahead', (ms, state) => {
    expect(clockFinding(ms).state).toBe(state);
  });

  it('say what to run for an older schema, and warn about a newer one', () => {
    const newer = { _id: 9, name: 'newer', phase: 'expand', appliedAt: new Date() } as const;
    const migration = { id: 1, name: 'change', phase: 'expand', run: () => Promise.resolve() } as const;
    expect(schemaFinding({ pending: [], unknown: [] }).state).toBe('ok');
    expect(schemaFinding({ pending: [], unknown: [newer] }).state).toBe('warning');
    expect(schemaFinding({ pending: [migration], unknown: [] })).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('npm run shop -- migrate'),
    });
  });

  it('name missing indexes, superfluous ones, and what no key decrypts', () => {
    expect(indexFinding({ missing: [], superfluous: [] }).state).toBe('ok');
    expect(indexFinding({ missing: ['orders.a_1'], superfluous: ['orders.b_1'] })).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('orders.a_1'),
    });
    expect(indexFinding({ missing: [], superfluous: ['orders.b_1'] })).toMatchObject({
      state: 'warning',
      message: expect.stringContaining('orders.b_1'),
    });
    expect(keyFinding(null, []).state).toBe('ok');
    expect(keyFinding(null, ['second factors', 'webhooks'])).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('second factors, webhooks'),
    });
    // A missing key refuses a start, also when no record that needs it is among the oldest.
    expect(keyFinding('ENCRYPTION_KEY has the id 01234567', [])).toEqual({
      ...{ check: 'encryption key', state: 'failed', message: 'ENCRYPTION_KEY has the id 01234567' },
    });
  });
});

describe('The checks of the machine', () => {
  it.each([
    ['20.19.0', '20.19', true],
    ['20.20.1', '20.19', true],
    ['24.0.0', '20.19', true],
    ['20.9.0', '20.19', false],
    ['18.99.0', '20.19', false],
  ])('compare the version %s with %s', (version, required, expected) => {
    expect(isAtLeast(version, required)).toBe(expected);
  });

  it.each([
    ['20.20.0', '2026-04-30', 'ok', 'maintained until 2026-04-30'],
    ['20.20.0', '2026-05-01', 'warning', 'without security fixes since 2026-04-30: install Node 24'],
    ['24.22.3', '2026-05-01', 'ok', 'maintained until 2028-04-30'],
    ['99.0.0', '2026-05-01', 'ok', 'Node 99.0.0'],
  ])('say until when Node %s is maintained on %s', async (node, day, state, end) => {
    const found = await checkVersions(node, new Date(`${day}T12:00:00Z`));
    expect(found).toMatchObject({ state, message: expect.stringMatching(new RegExp(`${end}$`)) });
  });

  it('reject a Node that is too old', async () => {
    expect(await checkVersions('18.20.0')).toMatchObject({
      state: 'failed',
      message: expect.stringMatching(/Node 18\.20\.0: install Node \d+\.\d+ or newer$/),
    });
  });

  it.each([
    [1_024, 'ok'],
    [1_023, 'warning'],
    [100, 'warning'],
    [99, 'failed'],
  ])('judge %d MiB of free space', (mib, state) => {
    expect(spaceFinding('/data', mib * 2 ** 20, true).state).toBe(state);
  });

  it('say whether the database is on the disk', () => {
    expect(spaceFinding('/data', 2 ** 40, true).message).toMatch(/MiB are free for \/data \(with the database\)$/);
    expect(spaceFinding('/data', 2 ** 40, false).message).toMatch(/without the database: check the disk of MongoDB/);
  });

  it('find the space for a folder that does not exist yet, and reject one that cannot be made', async () => {
    const check = (dataDir: string) => checkDisk({ dataDir, mongodbUri: 'embedded' });
    expect((await check(`${import.meta.dirname}/not/made/yet`)).message).toContain('MiB are free');
    expect(await check(`${import.meta.filename}/data`)).toMatchObject({ state: 'failed' });
  });
});

it('writes the reason of an error in one line', () => {
  expect(reasonOf(new Error('These are wrong:\n  PORT is\n'))).toBe('These are wrong: PORT is ');
  expect(reasonOf(Object.assign(new Error(), { code: 'ECONNREFUSED' }))).toBe('ECONNREFUSED');
});
