import { once } from 'node:events';
import {
  type AbstractCursor,
  type ChangeStream,
  type ClientSession,
  type Db,
  type GridFSBucket,
  type MongoClient,
} from 'mongodb';
import { collectionOperations } from './collection-operations.js';
import { type Entities, optionsOf } from './entities.js';
import { type Fields, fieldsOf, list, only, RunnerError, soleField, text } from './format.js';
import { common, cursor, define, opened, type Operations, watching, without } from './operation.js';

/** A cursor of any command. `batchSize`, `maxTimeMS` and `comment` are those of its `getMore` (format: runCursorCommand). */
function commandCursor(target: Db, given: Fields, options: never): AbstractCursor {
  const made = target.runCursorCommand(fieldsOf(given['command']), options);
  const { batchSize, maxTimeMS, comment } = given;
  if (batchSize !== undefined) made.setBatchSize(Number(batchSize));
  if (maxTimeMS !== undefined) made.setMaxTimeMS(Number(maxTimeMS));
  if (comment !== undefined) made.setComment(comment);
  return made;
}
const commandCursorArguments = ['command', 'commandName', 'batchSize', 'maxTimeMS', 'comment'];
const commandOptions = ['session', 'readPreference', 'timeoutMS'];
const listing = [...common, 'batchSize', 'authorizedCollections', 'nameOnly'];

const databaseOperations: Operations<Db> = {
  aggregate: define(['pipeline'], [...cursor, 'bypassDocumentValidation', 'writeConcern'], (target, given, options) =>
    target.aggregate(list(given['pipeline']), options).toArray(),
  ),
  createChangeStream: define(['pipeline'], watching, (target, given, options) =>
    opened(target.watch(list(given['pipeline']), options)),
  ),
  createCollection: define(
    ['collection'],
    [...common, 'writeConcern', 'capped', 'size', 'max', 'viewOn', 'pipeline', 'validator', 'timeseries', 'collation'],
    (target, given, options) => target.createCollection(text(given['collection']), options),
  ),
  createCommandCursor: define(commandCursorArguments, commandOptions, (target, given, options) =>
    opened(commandCursor(target, given, options)),
  ),
  dropCollection: define(['collection'], [...common, 'writeConcern'], (target, given, options) =>
    target.dropCollection(text(given['collection']), options),
  ),
  listCollections: define(['filter'], listing, (target, given, options) =>
    target.listCollections(fieldsOf(given['filter']), options).toArray(),
  ),
  // Some drivers return objects of collections; the command is the same.
  listCollectionObjects: define(['filter'], listing, (target, given, options) =>
    target.listCollections(fieldsOf(given['filter']), options).toArray(),
  ),
  listCollectionNames: define(['filter'], listing, async (target, given, options) =>
    (await target.listCollections(fieldsOf(given['filter']), { ...fieldsOf(options), nameOnly: true }).toArray()).map(
      ({ name }) => name,
    ),
  ),
  // The driver has no method for `collMod`.
  modifyCollection: define(['collection', 'validator'], common, (target, { collection, validator }, options) =>
    target.command({ collMod: collection, validator }, options),
  ),
  runCommand: define(['command', 'commandName'], commandOptions, (target, given, options) =>
    target.command(fieldsOf(given['command']), options),
  ),
  runCursorCommand: define(commandCursorArguments, commandOptions, (target, given, options) =>
    commandCursor(target, given, options).toArray(),
  ),
};

const databases = async (target: MongoClient, filter: unknown, options: Fields): Promise<Fields[]> => {
  const given = filter === undefined ? options : { ...options, filter };
  return (await target.db('admin').admin().listDatabases(given)).databases;
};

const clientOperations: Operations<MongoClient> = {
  close: define([], [], (target) => target.close()),
  clientBulkWrite: define(
    ['models'],
    [...common, 'writeConcern', 'ordered', 'verboseResults', 'bypassDocumentValidation', 'let'],
    (target, given, options) => {
      const models = list(given['models']).map((model) => {
        const [name, content] = soleField(model);
        return { name, ...content };
      });
      return target.bulkWrite(models as never, options);
    },
  ),
  createChangeStream: define(['pipeline'], watching, (target, given, options) =>
    opened(target.watch(list(given['pipeline']), options)),
  ),
  listDatabases: define(['filter'], common, (target, given, options) => databases(target, given['filter'], options)),
  listDatabaseObjects: define(['filter'], common, (target, given, options) =>
    databases(target, given['filter'], options),
  ),
  listDatabaseNames: define(['filter'], common, async (target, given, options) =>
    (await databases(target, given['filter'], { ...fieldsOf(options), nameOnly: true })).map(({ name }) => name),
  ),
};

const cursorOperations: Operations<AbstractCursor | ChangeStream> = {
  close: define([], ['timeoutMS'], (target) => target.close()),
  iterateOnce: define([], [], (target) => target.tryNext()),
  iterateUntilDocumentOrError: define([], [], (target) => target.next()),
};

/** Runs the operations of a callback, which a session's `withTransaction` is given. */
export type Nested = (operations: unknown) => Promise<void>;

const transacting = ['readConcern', 'writeConcern', 'readPreference', 'maxCommitTimeMS', 'timeoutMS'];
const sessionOperations = (nested: Nested): Operations<ClientSession> => ({
  startTransaction: define([], transacting, (target, _given, options) => target.startTransaction(options)),
  commitTransaction: define([], ['timeoutMS'], (target, _given, options) => target.commitTransaction(options)),
  abortTransaction: define([], ['timeoutMS'], (target, _given, options) => target.abortTransaction(options)),
  endSession: define([], ['timeoutMS'], (target) => target.endSession()),
  getSnapshotTime: define([], [], (target) => (target as unknown as Fields)['snapshotTime']),
  withTransaction: define(['callback'], transacting, (target, given, options) =>
    target.withTransaction(() => nested(given['callback']), options),
  ),
});

async function contentOf(stream: NodeJS.ReadableStream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const bucketOperations: Operations<GridFSBucket> = {
  delete: define(['id'], ['timeoutMS'], (target, given) => target.delete(given['id'] as never)),
  download: define(['id'], ['timeoutMS'], (target, given) =>
    contentOf(target.openDownloadStream(given['id'] as never)),
  ),
  downloadByName: define(['filename'], ['revision', 'timeoutMS'], (target, given, options) =>
    contentOf(target.openDownloadStreamByName(text(given['filename']), options)),
  ),
  upload: define(
    ['filename', 'source'],
    ['chunkSizeBytes', 'metadata', 'timeoutMS'],
    async (target, given, options) => {
      const stream = target.openUploadStream(text(given['filename']), options);
      stream.end(Buffer.from(text(fieldsOf(given['source'])['$$hexBytes']), 'hex'));
      await once(stream, 'finish');
      return stream.id;
    },
  ),
};

async function run<T>(
  table: Operations<T>,
  target: T,
  name: string,
  source: unknown,
  entities: Entities,
): Promise<unknown> {
  const operation = table[name];
  if (!operation) throw new RunnerError(`the runner does not know the operation ${name}`);
  const given = { ...fieldsOf(source) };
  only(given, [...operation.positional, ...operation.options], `the arguments of ${name}`);
  if ('session' in given) given['session'] = entities.session(given['session']);
  return await operation.run(target, given, optionsOf(without(given, operation.positional)) as never);
}

/** Executes an operation on an entity. */
export function execute(
  object: string,
  name: string,
  source: unknown,
  entities: Entities,
  nested: Nested,
): Promise<unknown> {
  const on = <T>(table: Operations<T>, target: T | undefined): Promise<unknown> | undefined =>
    target === undefined ? undefined : run(table, target, name, source, entities);
  return (
    on(collectionOperations, entities.collections.get(object)) ??
    on(databaseOperations, entities.databases.get(object)) ??
    on(clientOperations, entities.clients.get(object)?.client) ??
    on(sessionOperations(nested), entities.sessions.get(object)) ??
    on(bucketOperations, entities.buckets.get(object)) ??
    on(cursorOperations, entities.others.get(object) as AbstractCursor | undefined) ??
    Promise.reject(new RunnerError(`no entity ${object}`))
  );
}
