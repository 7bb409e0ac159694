import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Binary, Long, Timestamp } from 'mongodb';
import { CommandFailPoints } from '../support/fail-points.js';
import { StoreServer } from '../../src/server.js';
import { Entities } from './entities.js';
import { type Fields, Mismatch, RunnerError } from './format.js';
import { match } from './matching.js';
import { failsAsListed, type Listed } from './not-passing.js';
import { admitted } from './requirements.js';
import { runCase } from './runner.js';

let path: string;
let store: StoreServer;

beforeAll(async () => {
  path = await mkdtemp(join(tmpdir(), 'store-'));
  store = await StoreServer.start({ path, port: 0 }, new CommandFailPoints());
});
afterAll(async () => {
  await store.close();
  await rm(path, { recursive: true, force: true });
});

const createEntities = [
  { client: { id: 'client', observeEvents: ['commandStartedEvent'] } },
  { database: { id: 'database', client: 'client', databaseName: 'shop' } },
  { collection: { id: 'collection', database: 'database', collectionName: 'c' } },
  { session: { id: 'session', client: 'client' } },
];
const initialData = [{ databaseName: 'shop', collectionName: 'c', documents: [{ _id: 1 }, { _id: 2 }, { _id: 3 }] }];
const run = (test: Fields, file: Fields = {}): Promise<void> =>
  runCase(store.uri.replace('&directConnection=true', ''), {
    file: { description: 'file', schemaVersion: '1.0', createEntities, initialData, ...file },
    test: { description: 'test', operations: [], ...test },
  });
const operation = (name: string, given: Fields, object = 'collection', more: Fields = {}): Fields => ({
  operations: [{ object, name, arguments: given, ...more }],
});

describe('the runner of the driver specifications does not ignore', () => {
  it.each<[string, Fields, Fields]>([
    ['a field of the file', {}, { nonsense: 1 }],
    ['a version of the format', {}, { schemaVersion: '2.0' }],
    ['a field of the initial data', {}, { initialData: [{ ...initialData[0], nonsense: 1 }] }],
    ['a kind of entity', {}, { createEntities: [{ nonsense: { id: 'n' } }] }],
    ['an option of an entity', {}, { createEntities: [{ client: { id: 'other', nonsense: 1 } }] }],
    ['an event to observe', {}, { createEntities: [{ client: { id: 'other', observeEvents: ['nonsense'] } }] }],
    ['a field of the test', { nonsense: 1 }, {}],
    ['an operation', operation('nonsense', {}), {}],
    ['an operation of its own', operation('nonsense', {}, 'testRunner'), {}],
    ['an object', operation('find', {}, 'nonsense'), {}],
    ['a field of an operation', operation('find', { filter: {} }, 'collection', { nonsense: 1 }), {}],
    ['an argument', operation('find', { filter: {}, nonsense: 1 }), {}],
    ['an argument of its own', operation('failPoint', { client: 'client', nonsense: 1 }, 'testRunner'), {}],
    [
      'an expectation of an error',
      operation('find', { filter: { $x: 1 } }, 'collection', { expectError: { x: 1 } }),
      {},
    ],
    ['a matching operator', operation('find', { filter: {} }, 'collection', { expectResult: { $$x: 1 } }), {}],
    ['a type', operation('find', { filter: {} }, 'collection', { expectResult: { $$type: 'x' } }), {}],
    ['a field of expected events', { expectEvents: [{ client: 'client', events: [], nonsense: 1 }] }, {}],
    [
      'a field of an event',
      {
        ...operation('find', { filter: {} }),
        expectEvents: [{ client: 'client', events: [{ commandStartedEvent: { nonsense: 1 } }] }],
      },
      {},
    ],
    ['a field of the outcome', { outcome: [{ ...initialData[0], nonsense: 1 }] }, {}],
  ])('rejects %s that the runner does not know', async (_, test, file) => {
    await expect(run(test, file)).rejects.toThrow(RunnerError);
  });

  it('rejects a requirement that the runner does not know', () => {
    expect(() => admitted([{ serverParameters: {} }], '8.0.0')).toThrow(RunnerError);
  });
});

describe('a test that is listed as not passing', () => {
  const listed = (expected: Listed['expected']): Listed => ({ file: 'f', title: 't', reason: 'why', expected });
  const failing = (error: Error) => () => Promise.reject(error);
  const server = Object.assign(new Error('Unrecognized stage'), { code: 40324 });

  it('accepts a listed failure with the listed code and message, also of a cause', async () => {
    const entry = listed({ code: 40324, message: '^Unrecognized' });
    await failsAsListed(entry, failing(server));
    await failsAsListed(entry, failing(new Mismatch('expected something else', { cause: server })));
  });

  it('rejects a listed failure that passes or fails for another reason', async () => {
    await expect(failsAsListed(listed({ code: 40324 }), () => Promise.resolve())).rejects.toThrow('the test passes');
    for (const expected of [{ code: 59 }, { code: 40324, message: 'other' }, { message: 'other' }])
      await expect(failsAsListed(listed(expected), failing(server))).rejects.toThrow('for another reason');
  });

  it('rejects a listed failure with an error of the runner itself', async () => {
    const error = new RunnerError('the runner does not know it');
    await expect(failsAsListed(listed({ message: 'runner' }), failing(error))).rejects.toThrow('for another reason');
  });
});

describe('the runner', () => {
  it('gives every session that it starts the cluster time of its own client', async () => {
    const signature = { hash: new Binary(Buffer.alloc(20)), keyId: Long.ZERO };
    const time = { clusterTime: new Timestamp({ t: 5, i: 6 }), signature };
    const client = { client: { id: 'client' } };
    const entities = new Entities(store.uri, () => time);
    entities.create(client);
    entities.create({ session: { id: 'session', client: 'client' } });
    expect(entities.session('session').clusterTime).toEqual(time);
    await entities.close();
    const early = new Entities(store.uri, () => undefined);
    early.create(client);
    expect(() => early.create({ session: { id: 'session', client: 'client' } })).toThrow(RunnerError);
    await early.close();
  });

  it('sends a command cursor’s command when it is created, and gives maxTimeMS only to getMore', async () => {
    const given = { commandName: 'find', command: { find: 'c', batchSize: 2 }, batchSize: 1 };
    await run({
      ...operation('createCommandCursor', { ...given, maxTimeMS: 500 }, 'database', { saveResultAsEntity: 'cursor' }),
      expectEvents: [
        {
          client: 'client',
          events: [{ commandStartedEvent: { command: { find: 'c', maxTimeMS: { $$exists: false } } } }],
        },
      ],
    });
    // A server rejects maxTimeMS of the getMore of an ordinary cursor.
    const whole = operation('runCursorCommand', { ...given, maxTimeMS: 500 }, 'database', {
      expectError: { errorCode: 2, errorContains: 'non-awaitData' },
    });
    await run(whole);
  });

  it('excludes the driver’s insertedIds of a failed bulk from the inserted ones', async () => {
    const requests = [{ deleteOne: { filter: { _id: 1 } } }, { insertOne: { document: { _id: 2 } } }];
    await run(
      operation('bulkWrite', { requests }, 'collection', {
        expectError: { expectResult: { deletedCount: 1, insertedCount: 0, insertedIds: { $$unsetOrMatches: {} } } },
      }),
    );
  });

  it('distinguishes an unset result from an empty one', () => {
    expect(() => match({}, undefined, () => undefined)).toThrow(Mismatch);
    match({ $$unsetOrMatches: { a: 1 } }, undefined, () => undefined);
  });
});
