import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { markFinished, markUnfinished } from '../../src/infrastructure/database/transfer/unfinished-transfer.js';
import { aProtectedPerson } from '../auth/second-factors.js';
import { freePort } from '../support/free-port.js';
import { type Records, recordsOf } from '../support/records.js';
import { ServiceProcess } from '../support/service-process.js';
import { type CommandResult, operatorEnvironment, runShopCommand } from '../support/shop-command.js';
import { type SmtpServer, startSmtpServer } from '../support/smtp-server.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const CHECKS = [
  'versions',
  'configuration',
  'database',
  'clock',
  'schema',
  'indexes',
  'encryption key',
  'mail account',
];
const OTHERS = ['proxy', 'disk', 'PUBLIC_URL', 'PLATFORM_DOMAIN', 'mail', 'redis'];

interface Line {
  readonly check: string;
  readonly state: string;
  readonly message: string;
}

function linesOf({ stdout }: CommandResult): Line[] {
  return JSON.parse(stdout) as Line[];
}
function lineOf(result: CommandResult, name: string): Line | undefined {
  return linesOf(result).find(({ check }) => check === name);
}

describe('The doctor of a service that runs', () => {
  let app: TestApp;
  let records: Records;
  let smtp: SmtpServer;
  const run = (env: Record<string, string> = {}, ...args: string[]): Promise<CommandResult> =>
    runShopCommand(['doctor', ...args], operatorEnvironment(app, env));

  beforeAll(async () => {
    app = await startTestApp();
    records = await recordsOf(app);
    smtp = await startSmtpServer();
    await aProtectedPerson(app);
  });
  afterAll(async () => {
    await records.close();
    await smtp.close();
    await app.close();
  });

  it('checks everything in a fixed order, and ends with 0 when nothing failed', async () => {
    const result = await run({ SMTP_URL: smtp.url }, '--json');
    expect({ code: result.code, stderr: result.stderr }).toEqual({ code: 0, stderr: '' });
    expect(linesOf(result).map(({ check }) => check)).toEqual([...CHECKS, ...OTHERS]);
    expect(linesOf(result).filter(({ state }) => state === 'failed')).toEqual([]);
    expect(lineOf(result, 'mail')).toMatchObject({ state: 'ok', message: expect.stringContaining('accepts emails') });
    expect(lineOf(result, 'encryption key')).toMatchObject({ state: 'ok' });
    expect(lineOf(result, 'disk')?.message).toContain('without the database: check the disk of MongoDB on its server');
    const people = await run({ SMTP_URL: smtp.url });
    expect(people.stdout).toMatch(
      /^(ok {5}|warning) {2}versions: Shop Platform \d+\.\d+\.\d+, commit ([0-9a-f]{40}(-dirty)?|unknown), Node \d+/,
    );
    expect(people.stdout.trimEnd().split('\n')).toHaveLength(CHECKS.length + OTHERS.length);
  });

  it('names each fault and what to do, ends with 1, and changes nothing', async () => {
    const [servers, port] = [records.db.collection('game_servers'), await freePort()];
    await servers.dropIndex('announced_1_seenAt_1');
    await records.db.collection('migrations').deleteMany({});
    const [refusedAt, forgetAt] = [new Date(), new Date(Date.now() + 3_600_000)];
    const domains = ['1', '2', '3'].map((domainHash) => ({ domainHash, acceptedAt: null, refusedAt, forgetAt }));
    await records.db.collection('mail_domains').insertMany(domains);
    const wrong = {
      SMTP_URL: `smtp://user:hunter2@127.0.0.1:${port}`,
      REDIS_URL: `redis://:hunter2@127.0.0.1:${port}`,
      PUBLIC_URL: 'https://api.shop-platform.invalid',
      ENCRYPTION_KEY: '5a'.repeat(32),
    };
    const result = await run(wrong, '--json');
    expect({ code: result.code, stderr: result.stderr }).toEqual({ code: 1, stderr: '7 checks failed.\n' });
    const failures = linesOf(result).filter(({ state }) => state === 'failed');
    expect(failures.map(({ check, message }) => [check, message])).toEqual([
      ['schema', expect.stringContaining('run `npm run shop -- migrate`')],
      ['indexes', expect.stringContaining('game_servers.announced_1_seenAt_1')],
      ['encryption key', expect.stringMatching(/^ENCRYPTION_KEY has the id [0-9a-f]+, but the stored data/)],
      ['mail account', expect.stringContaining('refuses all emails of the service')],
      ['PUBLIC_URL', expect.stringContaining('add an A or AAAA record')],
      ['mail', expect.stringMatching(/127\.0\.0\.1:\d+: .*ECONNREFUSED.*SMTP_URL/)],
      ['redis', expect.stringMatching(/127\.0\.0\.1:\d+: .*ECONNREFUSED.*REDIS_URL/)],
    ]);
    expect(result.stdout).not.toContain('hunter2');
    await records.db.collection('mail_domains').deleteMany({});
    expect(await servers.indexExists('announced_1_seenAt_1')).toBe(false);
    expect(await records.db.collection('migrations').countDocuments()).toBe(0);
  });

  it('says that a restore has not ended, and `migrate` is refused before any migration', async () => {
    await records.db.collection('migrations').deleteMany({});
    await markUnfinished(records.db, 'restore');
    const incomplete = 'The database is incomplete, because `restore` is running or was ended: run it again';
    const result = await run({}, '--json');
    expect({ code: result.code, stderr: result.stderr }).toEqual({ code: 1, stderr: 'One check failed.\n' });
    expect(lineOf(result, 'schema')).toEqual({ check: 'schema', state: 'failed', message: incomplete });
    const names = ['versions', 'configuration', 'database', 'clock', 'schema', ...OTHERS];
    expect(linesOf(result).map(({ check }) => check)).toEqual(names);
    const migration = await runShopCommand(['migrate'], operatorEnvironment(app));
    expect(migration).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(incomplete) });
    expect(await records.db.collection('migrations').countDocuments()).toBe(0);
    await markFinished(records.db);
  });

  it('says when the database cannot be reached, and checks the rest', async () => {
    const result = await run({ MONGODB_URI: 'mongodb://u:hunter2@127.0.0.1:1/?replicaSet=rs' }, '--json');
    expect(result).toMatchObject({ code: 1, stderr: 'One check failed.\n' });
    expect(lineOf(result, 'database')).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('127.0.0.1:1'),
    });
    expect(linesOf(result).map(({ check }) => check)).toEqual(['versions', 'configuration', 'database', ...OTHERS]);
    expect(result.stdout).not.toContain('hunter2');
  });

  it('names each variable that cannot be read', async () => {
    const result = await run({ PORT: 'x', SMTP_URL: 'x' }, '--json');
    expect(result).toMatchObject({ code: 1, stderr: 'One check failed.\n' });
    expect(lineOf(result, 'configuration')?.message).toMatch(/PORT must be .*SMTP_URL must be /);
  });
});

it('examines the embedded store before the first start and while the service runs', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'shop-platform-doctor-'));
  const environment = { DEMO: 'false', DATA_DIR: dataDir, TIME_LIMIT_FACTOR: '30' };
  const run = (): Promise<CommandResult> => runShopCommand(['doctor', '--json'], environment);
  const before = await run();
  expect(before).toMatchObject({ code: 0, stderr: '' });
  expect(lineOf(before, 'disk')?.message).toContain('with the database');
  expect(lineOf(before, 'schema')?.message).toContain('the first start of the service prepares it');
  const service = ServiceProcess.start(dataDir, environment);
  await service.url();
  const during = await run();
  expect(during).toMatchObject({ code: 0, stderr: '' });
  expect(lineOf(during, 'schema')?.message).toContain('has the schema of this version');
  expect(await service.stop()).toBe(0);
  await rm(dataDir, { recursive: true, force: true });
});
