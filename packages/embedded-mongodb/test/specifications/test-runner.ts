import { isDeepStrictEqual } from 'node:util';
import { type Db, type MongoClient, MongoServerError } from 'mongodb';
import { type Entities } from './entities.js';
import { waitForEvent } from './events.js';
import { type Fields, fieldsOf, list, Mismatch, only, RunnerError, text } from './format.js';

/** The driver's names of the states of a transaction. */
const states: Readonly<Record<string, readonly string[]>> = {
  none: ['NO_TRANSACTION'],
  starting: ['STARTING_TRANSACTION'],
  in_progress: ['TRANSACTION_IN_PROGRESS'],
  committed: ['TRANSACTION_COMMITTED', 'TRANSACTION_COMMITTED_EMPTY'],
  aborted: ['TRANSACTION_ABORTED'],
};

const stateOf = (session: unknown): string =>
  (session as { readonly transaction: { readonly state: string } }).transaction.state;

async function hasCollection(database: Db, name: unknown): Promise<boolean> {
  const all = await database.listCollections({}, { nameOnly: true }).toArray();
  return all.some((one) => one.name === name);
}

async function hasIndex(database: Db, collection: unknown, name: unknown): Promise<boolean> {
  try {
    return (await database.collection(text(collection)).indexes()).some((one) => one.name === name);
  } catch (error) {
    if (error instanceof MongoServerError && error.code === 26) return false; // there is no such collection
    throw error;
  }
}

function lastLsids(entities: Entities, client: unknown): unknown[] {
  const last = entities.client(text(client)).started.slice(-2);
  if (last.length < 2) throw new Mismatch('there were not two commands');
  return last.map((event) => fieldsOf(event['command'])['lsid']);
}

type Check = (given: Fields, entities: Entities, internal: MongoClient) => boolean | Promise<boolean>;
const databaseOf = (given: Fields, internal: MongoClient): Db => internal.db(text(given['databaseName']));
/** The assertions: the names of their arguments, and the checks. */
const assertions: Readonly<Record<string, readonly [names: readonly string[], check: Check] | undefined>> = {
  assertSessionTransactionState: [
    ['session', 'state'],
    (given, entities) => {
      const wanted = states[text(given['state'])];
      if (!wanted) throw new RunnerError(`the runner does not know the state ${text(given['state'])}`);
      return wanted.includes(stateOf(entities.session(given['session'])));
    },
  ],
  assertSessionDirty: [['session'], (given, entities) => entities.session(given['session']).serverSession.isDirty],
  assertSessionNotDirty: [['session'], (given, entities) => !entities.session(given['session']).serverSession.isDirty],
  assertSameLsidOnLastTwoCommands: [
    ['client'],
    (given, entities) => {
      const [a, b] = lastLsids(entities, given['client']);
      return a !== undefined && isDeepStrictEqual(a, b);
    },
  ],
  assertDifferentLsidOnLastTwoCommands: [
    ['client'],
    (given, entities) => {
      const [a, b] = lastLsids(entities, given['client']);
      return a !== undefined && b !== undefined && !isDeepStrictEqual(a, b);
    },
  ],
  assertCollectionExists: [
    ['databaseName', 'collectionName'],
    (given, _entities, internal) => hasCollection(databaseOf(given, internal), given['collectionName']),
  ],
  assertCollectionNotExists: [
    ['databaseName', 'collectionName'],
    async (given, _entities, internal) => !(await hasCollection(databaseOf(given, internal), given['collectionName'])),
  ],
  assertIndexExists: [
    ['databaseName', 'collectionName', 'indexName'],
    (given, _entities, internal) => hasIndex(databaseOf(given, internal), given['collectionName'], given['indexName']),
  ],
  assertIndexNotExists: [
    ['databaseName', 'collectionName', 'indexName'],
    async (given, _entities, internal) =>
      !(await hasIndex(databaseOf(given, internal), given['collectionName'], given['indexName'])),
  ],
  assertNumberConnectionsCheckedOut: [
    ['client', 'connections'],
    (given, entities) => entities.client(text(given['client'])).checkedOut === given['connections'],
  ],
};

/** Executes an operation of the object `testRunner`: what the runner itself does or checks. */
export async function runnerOperation(
  name: string,
  source: unknown,
  entities: Entities,
  internal: MongoClient,
): Promise<void> {
  const given = fieldsOf(source);
  const assertion = assertions[name];
  if (assertion) {
    const [names, check] = assertion;
    only(given, names, `the arguments of ${name}`);
    if (!(await check(given, entities, internal))) throw new Mismatch(`${name} ${JSON.stringify(given)} is not true`);
  } else if (name === 'failPoint') {
    only(given, ['client', 'failPoint'], 'the arguments of failPoint');
    const { client } = entities.client(text(given['client']));
    await client.db('admin').command(fieldsOf(given['failPoint']));
  } else if (name === 'createEntities') {
    only(given, ['entities'], 'the arguments of createEntities');
    for (const description of list(given['entities'])) entities.create(description);
  } else if (name === 'waitForEvent') await waitForEvent(given, entities);
  else throw new RunnerError(`the runner does not know its operation ${name}`);
}
