import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { startEmbeddedStore } from '@shop-platform/embedded-mongodb';
import { databaseGate } from '../payments/database-gate.js';
import { byName, type Content, contentOf, everyType } from '../support/database-content.js';
import { eventually } from '../support/eventually.js';
import { inDatabase } from '../support/in-database.js';
import { ServiceProcess } from '../support/service-process.js';
import { type CommandResult, runShopCommand, startShopCommand } from '../support/shop-command.js';
import { testDatabaseUri } from '../support/test-database.js';

/** Several batches. */
const MANY = 5500;
const FUTURE = new Date('2099-01-01T00:00:00.000Z');

let folder: string;
const databaseUri = testDatabaseUri();

const environment = (dataDir: string, mongodbUri: string): Record<string, string> => ({
  NODE_ENV: 'test',
  DATA_DIR: dataDir,
  MONGODB_URI: mongodbUri,
});
async function copy(dataDir: string, from: string, to: string, ...options: string[]): Promise<CommandResult> {
  await mkdir(dataDir, { recursive: true });
  return runShopCommand(['copy', '--to', to, ...options], environment(dataDir, from));
}

async function contentOfStore(dataDir: string): Promise<Content> {
  const store = await startEmbeddedStore({ path: join(dataDir, 'store') });
  const content = await contentOf(store.uri);
  await store.close();
  return content;
}

/** Fills the store of a folder with every type that it has, a large collection, and documents that expire. */
async function fill(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  const store = await startEmbeddedStore({ path: join(dataDir, 'store') });
  const client = await MongoClient.connect(store.uri);
  const db = client.db();
  await db.collection('a_types').insertMany(everyType());
  await db.collection('a_types').createIndexes([{ key: { 'nested.a': 1, int: -1 }, unique: true, sparse: true }]);
  const lines = Array.from({ length: MANY }, (_, number) => ({ number, text: 'x'.repeat(200) }));
  await db.collection('b_many').insertMany(lines);
  await db
    .collection('b_many')
    .createIndexes([{ key: { number: 1 }, partialFilterExpression: { number: { $gt: 10 } } }]);
  await db.collection('a_expiring').insertMany(Array.from({ length: 50 }, () => ({ expiresAt: FUTURE })));
  await db.collection('a_expiring').createIndexes([{ key: { expiresAt: 1 }, expireAfterSeconds: 0 }]);
  await db.createCollection('d_empty');
  await client.close();
  await store.close();
}

/** Removes a document as a TTL index does. */
async function expireOne(dataDir: string): Promise<void> {
  const store = await startEmbeddedStore({ path: join(dataDir, 'store') });
  const client = await MongoClient.connect(store.uri);
  await client.db().collection('a_expiring').deleteOne();
  await client.close();
  await store.close();
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shop-platform-copy-'));
  await fill(join(folder, 'source'));
});
afterAll(async () => {
  await inDatabase({ databaseUri }, (db) => db.dropDatabase());
  await rm(folder, { recursive: true, force: true });
});

describe('A copy of the embedded store to a server', () => {
  const source = (): string => join(folder, 'source');

  it('that was killed half way is not used by a service, and continues when it runs again', async () => {
    // Each command takes so long that the copy cannot end before it is killed.
    const gate = await databaseGate(databaseUri, { delayMs: 100 });
    const killed = startShopCommand(['copy', '--to', gate.uri], environment(source(), 'embedded'));
    let progress = '';
    killed.stderr?.on('data', (chunk: Buffer) => (progress += chunk.toString()));
    const client = await MongoClient.connect(databaseUri);
    const many = client.db().collection('b_many');
    await eventually(
      async () => (await many.countDocuments()) > 0,
      () => progress,
    );
    const exit = once(killed, 'exit');
    killed.kill('SIGKILL');
    expect(await exit).toEqual([null, 'SIGKILL']);
    await gate.close();
    const present = await many.countDocuments();
    expect(present).toBeLessThan(MANY);
    // Shows afterwards that the collection was not made anew.
    await many.createIndexes([{ key: { by: 1 }, name: 'by_hand' }]);

    await expireOne(source());

    const service = ServiceProcess.start(source(), { MONGODB_URI: databaseUri, DEMO: 'false' });
    expect(await service.exitCode()).toBe(1);
    expect(service.output).toContain(
      'The database is incomplete, because `copy` is running or was ended: run it again',
    );

    const fromInput = ['copy', '--to', '-'];
    expect(await runShopCommand(fromInput, environment(source(), 'embedded'), `${databaseUri}\n`)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Everything was copied, and both databases are equal\./),
    });
    await client.close();
    const { b_many: copied, ...others } = await contentOf(databaseUri);
    const { b_many: original, ...expected } = await contentOfStore(source());
    expect(others).toEqual(expected);
    const byHand = { v: 2, key: [['by', 1]], name: 'by_hand' };
    expect(copied).toEqual({ ...original, indexes: [...(original?.indexes ?? []), byHand].sort(byName) });
  });

  it('is equal to the source when it was copied back', async () => {
    const back = join(folder, 'back');
    const refused = await copy(back, databaseUri, 'embedded');
    expect(refused).toEqual({
      ...{ code: 1, stdout: '' },
      stderr:
        'Stop every process of the service, and confirm it with --stopped: what it writes meanwhile would be lost.\n',
    });
    const { code, stderr } = await copy(back, databaseUri, 'embedded', '--stopped');
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('Comparing both databases\n') });
    expect(stderr).toContain(`b_many in the source: ${MANY} documents\nb_many in the target: ${MANY} documents\n`);
    expect(await contentOfStore(back)).toEqual(await contentOf(databaseUri));
  });

  it('is refused when the target has something else', async () => {
    const result = await copy(source(), 'embedded', databaseUri);
    expect(result).toEqual({
      ...{ code: 1, stdout: '' },
      stderr: 'The target is not empty, and no copy that was interrupted: remove it, or name another one.\n',
    });
  });

  it('is refused while a service runs on the source, and when both are one database', async () => {
    const store = await startEmbeddedStore({ path: join(source(), 'store') });
    const inUse = await copy(source(), 'embedded', testDatabaseUri());
    await store.close();
    expect(inUse).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^DATA_DIR: .* is in use by process /),
    });
    expect(await copy(source(), 'embedded', 'embedded')).toMatchObject({
      code: 1,
      stderr: '--to is the database that MONGODB_URI names already.\n',
    });
  });

  it('names --to when its database cannot be reached, without its password', async () => {
    const { code, stderr } = await copy(source(), 'embedded', 'mongodb://u:hunter2@127.0.0.1:1/?replicaSet=rs');
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^--to: .*127\.0\.0\.1:1/) });
    expect(stderr).not.toContain('hunter2');
  });
});
