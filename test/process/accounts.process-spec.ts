import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { acknowledge, aDeliveringShop, aPaidOrder, lease } from '../deliveries/delivery-actors.js';
import { aProtectedPerson } from '../auth/second-factors.js';
import { Visitor } from '../pages/visitor.js';
import { aPerson, aShop, type TestShop, unique } from '../support/actors.js';
import { Client } from '../support/client.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { inDatabase } from '../support/in-database.js';
import { idOf } from '../support/records.js';
import { ServiceProcess } from '../support/service-process.js';
import { type CommandResult, operatorEnvironment, runShopCommand, SHOP_SCRIPT } from '../support/shop-command.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const PASSWORD = 'correct horse battery';

/** Sets a password as the page behind the link of an operator does. */
async function setPassword(api: Client, output: string): Promise<void> {
  const [token] = /shw_[A-Za-z0-9_-]{43}/.exec(output) ?? [];
  expectSuccess(await api.post('/auth/password/reset', { token, newPassword: PASSWORD }));
}

describe('The command line of accounts', () => {
  let app: TestApp;
  let shop: TestShop;
  const run = (...args: string[]): Promise<CommandResult> => runShopCommand(args, operatorEnvironment(app));

  beforeAll(async () => {
    // The service sends the emails that a command has left.
    app = await startTestApp({ config: { sweepIntervalMs: 100 } });
    shop = await aShop(app.api, { displayName: 'Sky Realm' });
  });
  afterAll(() => app.close());

  it('lists the accounts, and the shops with their owners, one on each line', async () => {
    const accounts = await run('accounts');
    expect(accounts).toMatchObject({ code: 0, stderr: '' });
    const [head, ...lines] = accounts.stdout.trimEnd().split('\n');
    expect(head?.split('\t')).toEqual(['id', 'email', 'name', 'created', 'second factor', 'shops']);
    const { userId, email } = shop.owner;
    expect(lines.map((line) => line.split('\t'))).toEqual([
      [userId, email, 'Olivia', expect.stringMatching(/^\d{4}-.*Z$/), 'off', '1'],
    ]);
    const shops = await run('shops');
    expect(shops.stdout.trimEnd().split('\n').slice(1)).toEqual([
      expect.stringMatching(new RegExp(`^${shop.shopId}\t${shop.uniqueName}\tSky Realm\topen\tEUR\t[^\t]+\t${email}$`)),
    ]);
  });

  it('shows control characters of data as escapes, and ends quietly when the reader of a list does', async () => {
    const person = await aPerson(app.api);
    const name = '\u001b[2Jnobody\u009b\nx';
    await inDatabase(app, (db) => db.collection('users').updateOne({ _id: idOf(person.userId) }, { $set: { name } }));
    const { stdout } = await run('accounts');
    expect(stdout).toContain(`${person.userId}\t${person.email}\t\\u001b[2Jnobody\\u009b\\u000ax\t`);
    const piped = ['--norc', '-c', 'set -o pipefail; "$0" "$@" | true', process.execPath, SHOP_SCRIPT, 'accounts'];
    const env = { PATH: process.env['PATH'], ...operatorEnvironment(app) };
    expect(await promisify(execFile)('bash', piped, { cwd: app.dataDir, env })).toEqual({ stdout: '', stderr: '' });
  });

  it('tells the whole story of an order, from its checkout to its delivery and its emails', async () => {
    const delivering = await aDeliveringShop(app.api, { name: 'VIP' });
    const order = await aPaidOrder(app.api, delivering);
    const [leased] = await lease(app.api, delivering);
    if (leased === undefined) throw new Error('Nothing was leased');
    await acknowledge(app.api, delivering, leased, 'delivered', 'Gave \u001b[1mVIP\nDone');
    await app.mailbox.next(order.email, /delivered/i);
    const { code, stdout, stderr } = await eventually(async () => {
      const told = await run('order', order.id);
      return (told.stdout.match(/email \(.*sent at/g) ?? []).length >= 3 && told;
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const at = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`;
    for (const line of [
      `Order #${order.number}, ${order.id}, of .* \\(shop ${delivering.shopId}\\)`,
      '  now completed, payment .*, delivery delivered',
      `  for Steve_42, ${order.email}, on the game server ${delivering.serverId}`,
      '  1 × VIP: .* EUR',
      `${at}  order    created by buyer`,
      `${at}  event    custom msg_.*, payment.succeeded .* EUR of pay_${order.id}, processed`,
      `${at}  delivery purchase of VIP for Steve_42 \\(${leased.deliveryId}\\), delivered`,
      `${at}  delivery attempt 1 of ${leased.deliveryId}, leased by key:${delivering.pluginKeyId} .*`,
      `${at}  delivery attempt 1 of ${leased.deliveryId}: delivered, Gave .*VIP.*Done`,
      `${at}  message  email \\([0-9a-f]{24}\\), sent at ${at}`,
    ]) {
      expect(stdout).toMatch(new RegExp(`^${line}$`, 'm'));
    }
    expect(stdout).not.toContain('\u001b');
    const times = stdout.match(new RegExp(`^${at}`, 'gm')) ?? [];
    expect(times).toEqual(times.toSorted());
    const byNumber = await run('order', `#${order.number}`, '--shop', delivering.shopId);
    expect(byNumber).toMatchObject({ code: 0, stdout });
    for (const [problem, ...wrong] of [
      [/^There is no order/, '0'.repeat(24)],
      [/^There is no order/, order.id, '--shop', (await aDeliveringShop(app.api)).shopId],
      [/^The shop has no order 7\./, '7', '--shop', delivering.shopId],
      [/Name its shop with --shop\./, String(order.number)],
    ] as const) {
      expect(await run('order', ...wrong)).toMatchObject({ code: 1, stderr: expect.stringMatching(problem) });
    }
  });

  it('prints another link for an account that exists, which sets its password', async () => {
    const person = await aPerson(app.api);
    const { code, stdout } = await run('create-owner', person.email.toUpperCase());
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(`${person.email} exists already`) });
    await setPassword(app.api, stdout);
    expectSuccess(await app.api.post('/auth/login', { email: person.email, password: PASSWORD }));
  });

  it('knows the account of an address in another spelling', async () => {
    const name = `steve-${unique()}`;
    const account = { email: `${name}@b\u00fccher.example`, password: PASSWORD, name: 'Steve' };
    expectSuccess(await app.api.post('/auth/register', account));
    const { code, stdout } = await run('create-owner', ` ${name.toUpperCase()}@B\u00dcCHER.example `);
    const sentence = `${name}@xn--bcher-kva.example exists already`;
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(sentence) });
  });

  it('switches off a second factor that is lost, and informs the person by email', async () => {
    const person = await aProtectedPerson(app);
    const { code, stdout } = await run('reset-second-factor', person.email);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/ is off\..*\nThe person gets an email\.\n$/),
    });
    expect(
      expectSuccess(await app.api.post('/auth/login', { email: person.email, password: person.password })),
    ).toHaveProperty('accessToken');
    await app.mailbox.next(person.email, /Two-factor login is off/);
    expect(await run('reset-second-factor', person.email)).toEqual({
      ...{ code: 1, stdout: '' },
      stderr: 'The second factor is not switched on\n',
    });
  });

  it.each([
    [['create-owner', 'nobody'], 'nobody is not an email address.\n'],
    [['create-owner', 'a@example.com', '--name', ' '], '--name must have 1 to 80 characters.\n'],
    [['reset-second-factor', 'nobody@example.com'], 'There is no account with the address nobody@example.com.\n'],
  ])('rejects %j with one sentence', async (args, stderr) => {
    expect(await run(...args)).toEqual({ code: 1, stdout: '', stderr });
  });

  it.each([[['accounts', 'all']], [['unknown']], [['create-owner']], [['shops', '--all']]])(
    'rejects the arguments %j and says where the help is',
    async (args) => {
      const { code, stdout, stderr } = await run(...args);
      expect({ code, stdout, stderr }).toEqual({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/^error: .*\n\n?\(--help/),
      });
    },
  );

  it('says within seconds that the database cannot be reached, and what is wrong in the environment', async () => {
    const environment = operatorEnvironment(app, { MONGODB_URI: 'mongodb://u:hunter2@127.0.0.1:1/?replicaSet=rs' });
    const unreachable = await runShopCommand(['accounts'], environment);
    expect(unreachable).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^MONGODB_URI: [^\n]*127\.0\.0\.1:1[^\n]*\n$/),
    });
    expect(unreachable.stderr).not.toContain('hunter2');
    const wrong = await runShopCommand(['accounts'], operatorEnvironment(app, { PORT: 'x' }));
    expect(wrong.stderr).toBe('These variables are wrong:\n  PORT must be a whole number from 0 to 65535\n');
  });
});

describe('The first account of a service with the embedded store', () => {
  let dataDir: string;
  let service: ServiceProcess;
  const environment = { DEMO: 'false', REGISTRATION: 'closed' };
  const createOwner = (email: string): Promise<CommandResult> =>
    runShopCommand(['create-owner', email], { ...environment, DATA_DIR: dataDir, TIME_LIMIT_FACTOR: '30' });

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'shop-platform-owner-'));
  });
  afterAll(async () => {
    await service.stop('SIGKILL');
    await rm(dataDir, { recursive: true, force: true });
  });

  it('creates an account before the first start and while the service runs, and rejects any other registration', async () => {
    const [first, second] = [`first-${unique()}@example.com`, `second-${unique()}@example.com`];
    const before = await createOwner(first);
    expect(before).toEqual({
      ...{ code: 0, stderr: '' },
      stdout: expect.stringMatching(
        /^The account first-.* was created\.\n.*\nhttp:.*\/pages\/password-resets\/shw_[\w-]{43}\n$/,
      ),
    });
    service = ServiceProcess.start(dataDir, environment);
    const api = new Client(await service.url());
    const during = await createOwner(second);
    expect(during).toMatchObject({ code: 0, stderr: '' });
    const visitor = new Visitor(new URL(await service.url()).origin);
    const welcome = await visitor.go(during.stdout.trimEnd().split('\n').at(-1) ?? '');
    expect(welcome.html).toMatch(/<h1>Welcome<\/h1>[^]*new account at localhost:\d+\.[^]*value="second-/);
    expectError(await api.post('/auth/login', { email: second, password: PASSWORD }), 401, /password is wrong$/);
    for (const [email, { stdout }] of [
      [first, before],
      [second, during],
    ] as const) {
      await setPassword(api, stdout);
      expectSuccess(await api.post('/auth/login', { email, password: PASSWORD }));
    }
    const stranger = await api.post('/auth/register', { email: 'x@example.com', password: PASSWORD, name: 'X' });
    expectError(stranger, 403, 'The operator of this service does not accept new accounts');
  });
});
