import { once } from 'node:events';
import {
  type AbstractCursor,
  ChangeStream,
  type ClientSession,
  type Collection,
  type Db,
  type GridFSBucket,
  type MongoClient,
} from 'mongodb';
import { type Entities, optionsOf } from './entities.js';
import { type Fields, fieldsOf, list, NotInDriver, only, RunnerError, soleField, text } from './format.js';

/** An operation: its arguments that are not options, its options, and how the driver executes it. */
interface Operation<T> {
  readonly positional: readonly string[];
  readonly options: readonly string[];
  readonly run: (target: T, given: Fields, options: never) => unknown;
}

type Operations<T> = Readonly<Record<string, Operation<T> | undefined>>;

const define = <T>(
  positional: readonly string[],
  options: readonly string[],
  run: Operation<T>['run'],
): Operation<T> => ({ positional, options, run });

const common = ['session', 'comment', 'maxTimeMS', 'timeoutMS', 'rawData'];
const reading = [...common, 'collation', 'hint', 'let', 'readPreference', 'readConcern'];
const cursor = [...reading, 'batchSize', 'allowDiskUse'];
const finding = [
  ...cursor,
  ...['sort', 'projection', 'limit', 'skip', 'min', 'max', 'returnKey', 'showRecordId', 'noCursorTimeout'],
];
const writing = [...common, 'writeConcern', 'collation', 'hint', 'let', 'bypassDocumentValidation'];
const updating = [...writing, 'upsert', 'arrayFilters', 'sort'];
const modifying = [...updating, 'projection', 'returnDocument'];
const inserting = [...common, 'writeConcern', 'ordered', 'bypassDocumentValidation'];
const creating = [...common, 'writeConcern', 'commitQuorum'];
const watching = [
  ...[...common, 'batchSize', 'collation', 'fullDocument', 'fullDocumentBeforeChange', 'maxAwaitTimeMS'],
  ...['resumeAfter', 'startAfter', 'startAtOperationTime', 'showExpandedEvents'],
];

/** Sends a cursor's command without reading a result, as the format wants it of operations that create one. */
async function opened<T extends AbstractCursor | ChangeStream>(made: T): Promise<T> {
  const inner = made instanceof ChangeStream ? (made as unknown as { cursor: unknown }).cursor : made;
  await (inner as { cursorInit(): Promise<void> }).cursorInit();
  return made;
}

const bulkModel = (model: Fields): never => {
  const [kind, content] = soleField(model);
  return { [kind]: content } as never;
};
const copies = (documents: unknown): Fields[] => list(documents).map((document) => ({ ...document }));
const returning = (options: Fields): never => {
  const { returnDocument, ...rest } = options;
  return (
    returnDocument === undefined ? rest : { ...rest, returnDocument: text(returnDocument).toLowerCase() }
  ) as never;
};
const notInDriver = (name: string): Operation<unknown> =>
  define([], ['map', 'reduce', 'out'], () => {
    throw new NotInDriver(`the driver does not have the operation ${name}`);
  });

const collectionOperations: Operations<Collection> = {
  aggregate: define(['pipeline'], [...cursor, 'bypassDocumentValidation', 'writeConcern'], (target, given, options) =>
    target.aggregate(list(given['pipeline']), options).toArray(),
  ),
  bulkWrite: define(['requests'], [...inserting, 'let'], (target, given, options) =>
    target.bulkWrite(list(given['requests']).map(bulkModel), options),
  ),
  // Deprecated in the driver, but the format has tests of it.
  count: define(['filter'], [...reading, 'limit', 'skip'], (target, given, options) =>
    (target as unknown as { count: Collection['countDocuments'] }).count(fieldsOf(given['filter']), options),
  ),
  countDocuments: define(['filter'], [...reading, 'limit', 'skip'], (target, given, options) =>
    target.countDocuments(fieldsOf(given['filter']), options),
  ),
  createChangeStream: define(['pipeline'], watching, (target, given, options) =>
    opened(target.watch(list(given['pipeline']), options)),
  ),
  createFindCursor: define(['filter'], finding, (target, given, options) =>
    opened(target.find(fieldsOf(given['filter']), options)),
  ),
  createIndex: define(
    ['keys', 'name', 'unique', 'sparse', 'expireAfterSeconds', 'partialFilterExpression'],
    creating,
    (target, { keys, ...given }, options) =>
      target.createIndexes([{ key: keys as never, ...without(given, creating) }], options),
  ),
  deleteMany: define(['filter'], writing, (target, given, options) =>
    target.deleteMany(fieldsOf(given['filter']), options),
  ),
  deleteOne: define(['filter'], writing, (target, given, options) =>
    target.deleteOne(fieldsOf(given['filter']), options),
  ),
  distinct: define(['fieldName', 'filter'], reading, (target, given, options) =>
    target.distinct(text(given['fieldName']), fieldsOf(given['filter']), options),
  ),
  dropIndex: define(['name'], [...common, 'writeConcern'], (target, given, options) =>
    target.dropIndex(text(given['name']), options),
  ),
  estimatedDocumentCount: define([], [...common, 'readConcern'], (target, _given, options) =>
    target.estimatedDocumentCount(options),
  ),
  find: define(['filter'], finding, (target, given, options) =>
    target.find(fieldsOf(given['filter']), options).toArray(),
  ),
  findOne: define(['filter'], finding, (target, given, options) => target.findOne(fieldsOf(given['filter']), options)),
  findOneAndDelete: define(['filter'], [...writing, 'sort', 'projection'], (target, given, options) =>
    target.findOneAndDelete(fieldsOf(given['filter']), options),
  ),
  findOneAndReplace: define(['filter', 'replacement'], modifying, (target, given, options) =>
    target.findOneAndReplace(fieldsOf(given['filter']), fieldsOf(given['replacement']), returning(options)),
  ),
  findOneAndUpdate: define(['filter', 'update'], modifying, (target, given, options) =>
    target.findOneAndUpdate(fieldsOf(given['filter']), given['update'] as Fields, returning(options)),
  ),
  insertMany: define(['documents'], inserting, (target, given, options) =>
    target.insertMany(copies(given['documents']), options),
  ),
  insertOne: define(['document'], inserting, (target, given, options) =>
    target.insertOne({ ...fieldsOf(given['document']) }, options),
  ),
  listIndexes: define([], [...common, 'batchSize'], (target, _given, options) => target.listIndexes(options).toArray()),
  listIndexNames: define([], [...common, 'batchSize'], async (target, _given, options) =>
    (await target.listIndexes(options).toArray()).map(({ name }) => name as unknown),
  ),
  mapReduce: notInDriver('mapReduce'),
  replaceOne: define(['filter', 'replacement'], updating, (target, given, options) =>
    target.replaceOne(fieldsOf(given['filter']), fieldsOf(given['replacement']), options),
  ),
  updateMany: define(['filter', 'update'], updating, (target, given, options) =>
    target.updateMany(fieldsOf(given['filter']), given['update'] as Fields, options),
  ),
  updateOne: define(['filter', 'update'], updating, (target, given, options) =>
    target.updateOne(fieldsOf(given['filter']), given['update'] as Fields, options),
  ),
};

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

const without = (source: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(source).filter(([name]) => !names.includes(name)));

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
