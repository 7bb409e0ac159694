import { type ClientSession, MongoClient } from 'mongodb';
import { Entities } from './entities.js';
import { checkError } from './errors.js';
import { checkEvents } from './events.js';
import { type Fields, fieldsOf, isFields, list, Mismatch, NotInDriver, only, RunnerError, text } from './format.js';
import { match } from './matching.js';
import { execute } from './operations.js';
import { resultOf } from './results.js';
import { runnerOperation } from './test-runner.js';

/** One test of a file. */
export interface Case {
  readonly file: Fields;
  readonly test: Fields;
}

const fileFields = ['description', 'schemaVersion', 'runOnRequirements', 'createEntities', 'initialData', 'tests'];
const testFields = ['description', 'runOnRequirements', 'skipReason', 'operations', 'expectEvents', 'outcome'];
const operationFields = ['name', 'object', 'arguments', 'expectResult', 'expectError', 'saveResultAsEntity'];

/** What a test is executed with. */
interface Running {
  readonly entities: Entities;
  /** The runner's own client. */
  readonly internal: MongoClient;
  /** Whether the operations are those of a transaction's callback, so that its errors must reach `withTransaction`. */
  readonly inCallback: boolean;
}

/** Runs one test against the server; throws where it differs from what the file says. */
export async function runCase(uri: string, { file, test }: Case): Promise<void> {
  only(file, [...fileFields, '_yamlAnchors'], 'the file'); // the anchors are only for the authors of the files
  only(test, testFields, 'the test');
  if (!text(file['schemaVersion']).startsWith('1.')) throw new RunnerError('the format is not version 1');
  const internal = new MongoClient(uri, { retryWrites: false });
  const session = internal.startSession({ causalConsistency: false });
  const entities = new Entities(uri, () => session.clusterTime);
  try {
    await internal.db('admin').command({ killAllSessions: [] }, { session });
    await prepare(internal, session, file);
    for (const description of list(file['createEntities'])) entities.create(description);
    const running = { entities, internal, inCallback: false };
    for (const operation of list(test['operations'])) await step(operation, running);
    for (const expected of list(test['expectEvents'])) checkEvents(expected, entities);
    for (const outcome of list(test['outcome'])) await checkOutcome(outcome, running);
  } finally {
    for (const name of ['failCommand', 'onPrimaryTransactionalWrite'])
      await internal.db('admin').command({ configureFailPoint: name, mode: 'off' });
    await entities.close();
    await session.endSession();
    await internal.close();
  }
}

/** Fills the collections of a file; the session learns the cluster time of that. */
async function prepare(internal: MongoClient, session: ClientSession, file: Fields): Promise<void> {
  for (const entity of list(file['createEntities'])) {
    const name = isFields(entity['database']) ? text(entity['database']['databaseName']) : 'admin';
    if (!['admin', 'local', 'config'].includes(name)) await internal.db(name).dropDatabase({ session });
  }
  for (const data of list(file['initialData'])) {
    only(data, ['databaseName', 'collectionName', 'documents', 'createOptions'], 'the initial data');
    const name = text(data['collectionName']);
    const database = internal.db(text(data['databaseName']), { writeConcern: { w: 'majority' } });
    const [documents, options] = [list(data['documents']), fieldsOf(data['createOptions'])];
    await database.dropCollection(name, { session });
    if (documents.length === 0 || data['createOptions'] !== undefined)
      await database.createCollection(name, { ...options, session });
    if (documents.length > 0) await database.collection(name).insertMany(documents, { session });
  }
}

async function checkOutcome(outcome: Fields, { internal, entities }: Running): Promise<void> {
  only(outcome, ['databaseName', 'collectionName', 'documents'], 'the outcome');
  const collection = internal.db(text(outcome['databaseName'])).collection(text(outcome['collectionName']));
  const found = await collection.find().sort({ _id: 1 }).toArray();
  match(outcome['documents'], found, entities.lookup, false);
}

async function step(operation: Fields, running: Running): Promise<void> {
  only(operation, [...operationFields, 'ignoreResultAndError'], 'the operation');
  const { entities, internal, inCallback } = running;
  const [object, name, ignored] = [
    text(operation['object']),
    text(operation['name']),
    operation['ignoreResultAndError'],
  ];
  const nested = async (operations: unknown): Promise<void> => {
    for (const inner of list(operations)) await step(inner, { ...running, inCallback: true });
  };
  if (object === 'testRunner') {
    only(operation, ['name', 'object', 'arguments'], `the operation ${name}`);
    return runnerOperation(name, operation['arguments'], entities, internal);
  }
  let result: unknown;
  try {
    result = resultOf(await execute(object, name, operation['arguments'], entities, nested));
  } catch (error) {
    if (error instanceof RunnerError || error instanceof NotInDriver || error instanceof Mismatch) throw error;
    if (ignored !== true) {
      if (operation['expectError'] === undefined) throw error;
      checkError(fieldsOf(operation['expectError']), error, entities);
    }
    if (inCallback) throw error;
    return;
  }
  if (operation['expectError'] !== undefined)
    throw new Mismatch(`${name} was expected to fail: ${JSON.stringify(operation['expectError'])}`);
  if (operation['saveResultAsEntity'] !== undefined) entities.save(text(operation['saveResultAsEntity']), result);
  if ('expectResult' in operation && ignored !== true)
    match(operation['expectResult'], result, entities.lookup, name !== 'distinct');
}
