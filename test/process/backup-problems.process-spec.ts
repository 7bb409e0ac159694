import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, cp, mkdir, mkdtemp, readdir, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { serialize } from 'bson';
import { MongoClient } from 'mongodb';
import { type EmbeddedStore, startEmbeddedStore } from '@shop-platform/embedded-mongodb';
import { StoreServer } from '../../packages/embedded-mongodb/src/server.js';
import { CommandFailPoints } from '../../packages/embedded-mongodb/test/support/fail-points.js';
import { databaseGate } from '../payments/database-gate.js';
import { aSellingShop } from '../payments/senders.js';
import { anOrder } from '../support/actors.js';
import { type CommandResult, runShopCommandIn, startShopCommand } from '../support/shop-command.js';
import { SECRETS, startTestApp } from '../support/test-app.js';

let folder: string;
let store: EmbeddedStore;
const dump = (): string => join(folder, 'dump');

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shop-platform-backup-'));
  store = await startEmbeddedStore({ path: join(folder, 'source', 'store') });
  const app = await startTestApp({ databaseUri: store.uri });
  const { shopId, orderRequest } = await aSellingShop(app.api);
  await anOrder(app.api, shopId, orderRequest);
  await app.close();
  expect(await runShopCommandIn(join(folder, 'source'), ['backup', dump()])).toMatchObject({ code: 0 });
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

describe('A backup that cannot be made or restored', () => {
  const lineOf = ({ stderr }: CommandResult): string | undefined => stderr.trimEnd().split('\n').at(-1);

  it('is not written over a directory that exists', async () => {
    const again = await runShopCommandIn(join(folder, 'source'), ['backup', dump()]);
    expect([again.code, lineOf(again)]).toEqual([1, `${dump()} exists already: choose a new name.`]);
    const empty = await runShopCommandIn(join(folder, 'empty'), ['backup', join(folder, 'none')]);
    expect([empty.code, lineOf(empty)]).toEqual([
      1,
      'The database is empty: check MONGODB_URI and DATA_DIR of this environment.',
    ]);
    expect((await readdir(folder)).filter((name) => name.startsWith('none'))).toEqual([]);
  });

  it('fails when it takes longer than a transaction may last: it says what to do, and leaves nothing', async () => {
    const gate = await databaseGate(store.uri);
    const slow = join(folder, 'slow');
    await mkdir(slow);
    const env = { NODE_ENV: 'test', DATA_DIR: slow, MONGODB_URI: gate.uri, ...SECRETS };
    const command = startShopCommand(['backup', join(slow, 'dump')], env);
    const lines: string[] = [];
    command.stderr?.on('data', (chunk: Buffer) => {
      // It has read the first collection. Each of the others takes four seconds, and there are more than 15.
      gate.delay(2_000);
      lines.push(...chunk.toString().trimEnd().split('\n'));
    });
    const [code] = (await once(command, 'close')) as [number];
    await gate.close();
    expect([code, lines.at(-1)]).toEqual([
      1,
      'The backup took longer than a transaction of the database may last (a minute), and was deleted: with MongoDB use mongodump --oplog, with the embedded store stop the service and copy DATA_DIR. docs/handbook/backup-and-restore.md has the commands.',
    ]);
    expect(await readdir(slow)).toEqual([]);
  });

  it('says what to do when the database ends the transaction', async () => {
    const failing = await StoreServer.start({ path: join(folder, 'failing'), port: 0 }, new CommandFailPoints());
    const client = await MongoClient.connect(failing.uri);
    await client.db().collection('orders').insertOne({});
    const data = { failCommands: ['find'], namespace: 'test.orders', errorCode: 112 };
    const labels = { errorLabels: ['TransientTransactionError'] };
    await client
      .db('admin')
      .command({ configureFailPoint: 'failCommand', mode: 'alwaysOn', data: { ...data, ...labels } });
    const target = join(folder, 'ended', 'dump');
    const ended = await runShopCommandIn(join(folder, 'ended'), ['backup', target], {
      ...SECRETS,
      MONGODB_URI: failing.uri,
    });
    await client.close();
    await failing.close();
    expect([ended.code, lineOf(ended)]).toEqual([
      1,
      expect.stringMatching(
        /^The database ended the transaction of the backup \(.+\), as it does when its cache is full or another member becomes the primary\. The backup was deleted: run the command again\. If that fails too, with MongoDB use mongodump --oplog/,
      ),
    ]);
    expect(await readdir(join(folder, 'ended'))).toEqual([]);
  });

  it('is checked without a database', async () => {
    const nowhere = { ...SECRETS, MONGODB_URI: 'mongodb://127.0.0.1:1/none?replicaSet=rs' };
    const { code, stdout } = await runShopCommandIn(join(folder, 'nowhere'), ['restore', '--check', dump()], nowhere);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(
        /^The backup is complete: \d+ collections\. It was made at 20\S+Z\. It needs the encryption key [0-9a-f]{8}\.\n$/,
      ),
    });
  });

  it('ignores names that begin with a dot, and rejects what is not a regular file instead of waiting for it', async () => {
    const copied = join(folder, 'copied');
    await cp(dump(), copied, { recursive: true });
    for (const name of [
      '._backup.json',
      '._test',
      'test/._orders.bson',
      'test/._orders.metadata.json',
      'test/._a.bson.gz',
    ]) {
      await writeFile(join(copied, name), Buffer.from([0, 5, 22, 7, 0]));
    }
    await mkdir(join(copied, '.fseventsd'));
    const check = (): Promise<CommandResult> =>
      runShopCommandIn(join(folder, 'nowhere'), ['restore', '--check', copied]);
    expect(await check()).toMatchObject({ code: 0, stdout: expect.stringContaining('The backup is complete') });
    for (const name of ['orders.bson', 'orders.metadata.json', '../backup.json']) {
      const file = join(copied, 'test', name);
      await rename(file, `${file}.kept`);
      await promisify(execFile)('mkfifo', [file]);
      const result = await check();
      expect([result.code, lineOf(result)]).toEqual([1, `${file} is not a regular file: copy the backup again.`]);
      await rename(`${file}.kept`, file);
    }
  });

  it('is not restored into a database that has something', async () => {
    const restore = (): Promise<CommandResult> => runShopCommandIn(join(folder, 'restored'), ['restore', dump()]);
    expect(await restore()).toMatchObject({ code: 0 });
    const result = await restore();
    expect([result.code, lineOf(result)]).toEqual([
      1,
      expect.stringMatching(
        /^The database is not empty \(\d+ collections\): use another DATA_DIR, or another database/,
      ),
    ]);
  });

  it('is not restored by an older version than the one that made it', async () => {
    const newer = join(folder, 'newer');
    await cp(dump(), newer, { recursive: true });
    // As mongodump makes it.
    await rm(join(newer, 'backup.json'));
    const record = { _id: 9000, name: 'without-the-old-fields', phase: 'contract', appliedAt: new Date() };
    await appendFile(join(newer, 'test', 'migrations.bson'), serialize(record));
    const result = await runShopCommandIn(join(folder, 'target'), ['restore', newer]);
    expect([result.code, lineOf(result)]).toEqual([
      1,
      'A newer version made the backup (migration 9000, without-the-old-fields): restore it with that version.',
    ]);
  });

  it('is not restored when a part of it is missing', async () => {
    const target = join(folder, 'target');
    await rename(dump(), `${dump()}.part`);
    const missing = await runShopCommandIn(target, ['restore', dump()]);
    expect([missing.code, lineOf(missing)]).toEqual([
      1,
      expect.stringMatching(/it is not complete, only .*dump\.part is there/),
    ]);
    await rename(`${dump()}.part`, dump());
    await truncate(join(dump(), 'test', 'orders.bson'), 100);
    for (const command of [['restore'], ['restore', '--check']]) {
      const truncated = await runShopCommandIn(target, [...command, dump()]);
      expect([truncated.code, lineOf(truncated)]).toEqual([1, expect.stringMatching(/orders\.bson is incomplete/)]);
    }
  });
});
