import { setTimeout as sleep } from 'node:timers/promises';
import { type Db, MongoClient, MongoError, MongoServerError } from 'mongodb';
import { asSpecified } from './deviations.js';
import { type ClientEntity, Entities, type Observed, Unsupported } from './entities.js';
import { type Fields, isFields, match, Mismatch, text } from './matching.js';
import { execute, resultOf } from './operations.js';

/** One test of a file. */
export interface Case {
  readonly file: Fields;
  readonly test: Fields;
}

const list = (value: unknown): Fields[] => (Array.isArray(value) ? (value as Fields[]) : []);
const versionOf = (text: unknown): number[] => String(text).split('.').map(Number);
function atLeast(a: number[], b: number[]): boolean {
  for (let i = 0; i < 3; i++) if ((a[i] ?? 0) !== (b[i] ?? 0)) return (a[i] ?? 0) > (b[i] ?? 0);
  return true;
}

/** Whether a single-node replica set of that version, without authentication, is what the requirements admit. */
export function admitted(requirements: unknown, version: string): boolean {
  const all = list(requirements);
  if (all.length === 0) return true;
  return all.some((one) => {
    if (one['minServerVersion'] !== undefined && !atLeast(versionOf(version), versionOf(one['minServerVersion'])))
      return false;
    if (one['maxServerVersion'] !== undefined && !atLeast(versionOf(one['maxServerVersion']), versionOf(version)))
      return false;
    const topologies = one['topologies'];
    if (Array.isArray(topologies) && !topologies.includes('replicaset')) return false;
    return (
      one['auth'] !== true && one['csfle'] !== true && one['csfle'] === undefined && one['serverless'] !== 'require'
    );
  });
}

/** Runs one test against the server; throws where it differs from what the file says. */
export async function runCase(uri: string, { file, test }: Case): Promise<void> {
  const internal = new MongoClient(uri, { retryWrites: false });
  const entities = new Entities(uri);
  try {
    await internal
      .db('admin')
      .command({ killAllSessions: [] })
      .catch(() => undefined);
    await prepare(internal, file);
    for (const description of list(file['createEntities'])) entities.create(description);
    for (const operation of list(test['operations'])) await step(operation, entities, internal);
    for (const expected of list(test['expectEvents'])) checkEvents(expected, entities);
    for (const outcome of list(test['outcome'])) {
      const found = await internal
        .db(String(outcome['databaseName']))
        .collection(String(outcome['collectionName']))
        .find()
        .sort({ _id: 1 })
        .toArray();
      match(outcome['documents'], found, entities.lookup, false);
    }
  } finally {
    for (const name of ['failCommand', 'onPrimaryTransactionalWrite']) {
      await internal
        .db('admin')
        .command({ configureFailPoint: name, mode: 'off' })
        .catch(() => undefined);
    }
    await entities.close();
    await internal.close();
  }
}

async function prepare(internal: MongoClient, file: Fields): Promise<void> {
  for (const entity of list(file['createEntities'])) {
    const name = isFields(entity['database']) ? String(entity['database']['databaseName']) : 'admin';
    if (!['admin', 'local', 'config'].includes(name)) await internal.db(name).dropDatabase();
  }
  for (const { databaseName, collectionName, documents, createOptions } of list(file['initialData'])) {
    const database = internal.db(String(databaseName), { writeConcern: { w: 'majority' } });
    await database.dropCollection(String(collectionName)).catch(() => undefined);
    if (list(documents).length === 0 || createOptions)
      await database.createCollection(String(collectionName), createOptions as never);
    if (list(documents).length > 0) await database.collection(String(collectionName)).insertMany(list(documents));
  }
}

async function step(operation: Fields, entities: Entities, internal: MongoClient): Promise<void> {
  const [object, name] = [String(operation['object']), String(operation['name'])];
  const nested = async (operations: unknown): Promise<void> => {
    await inCallback(async () => {
      for (const inner of list(operations)) await step(inner, entities, internal);
    });
  };
  if (object === 'testRunner') return runnerOperation(name, operation['arguments'] as Fields, entities, internal);
  let result: unknown;
  try {
    result = resultOf(await execute(object, name, operation['arguments'], entities, nested));
  } catch (error) {
    if (error instanceof Unsupported || error instanceof Mismatch) throw error;
    if (operation['ignoreResultAndError'] === true) {
      if (nestedIn(error)) throw error;
      return;
    }
    if (!isFields(operation['expectError'])) throw error;
    checkError(operation['expectError'], error, entities);
    if (nestedIn(error)) throw error;
    return;
  }
  if (operation['expectError'])
    throw new Mismatch(`${name} was expected to fail: ${JSON.stringify(operation['expectError'])}`);
  if (typeof operation['saveResultAsEntity'] === 'string') entities.others.set(operation['saveResultAsEntity'], result);
  if ('expectResult' in operation && operation['ignoreResultAndError'] !== true)
    match(operation['expectResult'], result, entities.lookup, name !== 'distinct');
}

// An error that a transaction's callback expects must still reach withTransaction, which decides what to do with it.
let depth = 0;
const inCallback = async (run: () => Promise<void>): Promise<void> => {
  depth++;
  try {
    await run();
  } finally {
    depth--;
  }
};
const nestedIn = (error: unknown): boolean => depth > 0 && error instanceof Error;

const codeOf = (error: unknown): unknown => (error instanceof MongoError ? error.code : undefined);

function checkError(expected: Fields, error: unknown, entities: Entities): void {
  const fail = (what: string): never => {
    throw new Mismatch(`expected an error with ${what}, got ${String(error)} (code ${String(codeOf(error))})`);
  };
  const cause = error instanceof Error && error.cause instanceof MongoServerError ? error.cause : error;
  if (expected['isClientError'] === true && error instanceof MongoServerError && !error.name.includes('Network'))
    fail('isClientError');
  if (
    expected['isClientError'] === false &&
    !(cause instanceof MongoServerError) &&
    !isFields((error as Fields)['writeErrors'])
  ) {
    if (!('writeConcernErrors' in (error as object))) fail('isClientError: false');
  }
  if (
    typeof expected['errorContains'] === 'string' &&
    !(error instanceof Error && error.message.toLowerCase().includes(expected['errorContains'].toLowerCase()))
  )
    fail(`"${expected['errorContains']}"`);
  if (expected['errorCode'] !== undefined && codeOf(cause) !== expected['errorCode'])
    fail(`code ${text(expected['errorCode'])}`);
  if (expected['errorCodeName'] !== undefined && (cause as Fields)['codeName'] !== expected['errorCodeName'])
    fail(`code name ${text(expected['errorCodeName'])}`);
  const has = (label: string): boolean =>
    [error, cause].some((one) => one instanceof MongoError && one.hasErrorLabel(label));
  for (const label of list(expected['errorLabelsContain'])) if (!has(text(label))) fail(`label ${text(label)}`);
  for (const label of list(expected['errorLabelsOmit'])) if (has(text(label))) fail(`no label ${text(label)}`);
  const fields = error as Fields;
  if ('errorResponse' in expected)
    match(expected['errorResponse'], (cause as Fields)['errorResponse'], entities.lookup);
  if ('expectResult' in expected)
    match(expected['expectResult'], resultOf(fields['result'] ?? fields['partialResult'] ?? {}), entities.lookup);
  if ('writeErrors' in expected) {
    const errors = resultOf(fields['writeErrors']) as Fields;
    const wanted = Object.entries(expected['writeErrors'] as Fields);
    if (Object.keys(errors).length !== wanted.length) fail(`${wanted.length} write errors`);
    for (const [index, one] of wanted) match(one, errors[index], entities.lookup);
  }
  if ('writeConcernErrors' in expected)
    match(expected['writeConcernErrors'], fields['writeConcernErrors'], entities.lookup);
}

async function runnerOperation(name: string, given: Fields, entities: Entities, internal: MongoClient): Promise<void> {
  const database = (): Db => internal.db(String(given['databaseName']));
  const assert = (holds: boolean): void => {
    if (!holds) throw new Mismatch(`${name} ${JSON.stringify(given)} does not hold`);
  };
  const client = (): ClientEntity => entities.client(String(given['client']));
  const names = async (): Promise<string[]> =>
    (await database().listCollections({}, { nameOnly: true }).toArray()).map((one) => one.name);
  const indexes = async (): Promise<string[]> =>
    (
      await database()
        .collection(String(given['collectionName']))
        .indexes()
        .catch(() => [])
    ).map((one) => String(one.name));
  switch (name) {
    case 'failPoint':
      await client()
        .client.db('admin')
        .command(given['failPoint'] as Fields);
      return;
    case 'createEntities':
      for (const description of list(given['entities'])) entities.create(description);
      return;
    case 'assertSessionTransactionState': {
      assert(
        (entities.session(given['session']) as unknown as { transaction: { state: string } }).transaction.state
          .replace('TRANSACTION_', '')
          .replace('NO_TRANSACTION', 'none')
          .toLowerCase()
          .startsWith(String(given['state']).slice(0, 4)),
      );
      return;
    }
    case 'assertSessionDirty':
    case 'assertSessionNotDirty': {
      assert(entities.session(given['session']).serverSession.isDirty === (name === 'assertSessionDirty'));
      return;
    }
    case 'assertSameLsidOnLastTwoCommands':
    case 'assertDifferentLsidOnLastTwoCommands': {
      const [a, b] = client()
        .started.slice(-2)
        .map((event) => JSON.stringify((event['command'] as Fields)['lsid']));
      assert((a === b) === (name === 'assertSameLsidOnLastTwoCommands'));
      return;
    }
    case 'assertCollectionExists': {
      assert((await names()).includes(String(given['collectionName'])));
      return;
    }
    case 'assertCollectionNotExists': {
      assert(!(await names()).includes(String(given['collectionName'])));
      return;
    }
    case 'assertIndexExists': {
      assert((await indexes()).includes(String(given['indexName'])));
      return;
    }
    case 'assertIndexNotExists': {
      assert(!(await indexes()).includes(String(given['indexName'])));
      return;
    }
    case 'assertNumberConnectionsCheckedOut': {
      assert(client().checkedOut === given['connections']);
      return;
    }
    case 'waitForEvent':
      return waitForEvent(client(), given, entities);
    default:
      throw new Unsupported(`testRunner ${name}`);
  }
}

async function waitForEvent(entity: ClientEntity, { event, count }: Fields, entities: Entities): Promise<void> {
  const [name = ''] = Object.keys(event as Fields);
  const fields = (event as Fields)[name];
  const matches = (one: Observed): boolean => {
    try {
      matchEvent(name, fields as Fields, one, entities, 'event');
      return true;
    } catch (error) {
      if (error instanceof Mismatch) return false;
      throw error;
    }
  };
  const until = Date.now() + 10_000;
  while (entity.events.filter(matches).length < Number(count)) {
    if (Date.now() > until) throw new Mismatch(`${name} did not come ${String(count)} times`);
    await sleep(25);
  }
}

function matchEvent(
  name: string,
  expected: Fields,
  actual: Observed | undefined,
  entities: Entities,
  at: string,
): void {
  if (actual?.name !== name) throw new Mismatch(`${at}: expected ${name}, got ${String(actual?.name)}`);
  const { serviceId, serverConnectionId } = actual.event;
  for (const [field, value] of Object.entries(expected)) {
    if (field === 'hasServiceId') match(value, serviceId !== undefined && serviceId !== null, entities.lookup);
    else if (field === 'hasServerConnectionId') match(value, Number(serverConnectionId) > 0, entities.lookup);
    else {
      const told = field === 'command' ? asSpecified(actual.event[field], value) : actual.event[field];
      match(value, told, entities.lookup, true, `${at} ${name}.${field}`);
    }
  }
}

const kindOf = ({ name }: Observed): string =>
  name.startsWith('command') ? 'command' : /^(server|topology)/.test(name) ? 'sdam' : 'cmap';

function checkEvents(expected: Fields, entities: Entities): void {
  const entity = entities.client(String(expected['client']));
  const kind = expected['eventType'] ?? 'command';
  const wanted = list(expected['events']);
  const ofKind = entity.events.filter((one) => kindOf(one) === kind);
  const seen = expected['ignoreExtraEvents'] === true ? ofKind.slice(0, wanted.length) : ofKind;
  if (seen.length !== wanted.length) {
    throw new Mismatch(
      `expected ${wanted.length} ${text(kind)} events, got ${seen.length}: ${seen.map(({ event, name }) => `${name} ${String(event['commandName'])}`).join(', ')}`,
    );
  }
  for (const [index, one] of wanted.entries()) {
    const [name = ''] = Object.keys(one);
    matchEvent(name, one[name] as Fields, seen[index], entities, `event ${index}`);
  }
}
