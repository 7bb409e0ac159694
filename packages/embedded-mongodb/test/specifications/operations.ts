import { once } from 'node:events';
import {
  type AbstractCursor,
  ChangeStream,
  type ClientSession,
  type Collection,
  type Db,
  FindCursor,
  type GridFSBucket,
  MongoBulkWriteError,
  type MongoClient,
} from 'mongodb';
import { type Entities, optionsOf, Unsupported } from './entities.js';
import { type Fields, isFields, text } from './matching.js';

type Arguments = Fields & { options: Fields };
type Run<T> = (target: T, given: Arguments, entities: Entities) => unknown;

/** The arguments, with the session's id replaced by the session, and everything that is not positional as options. */
function argumentsOf(source: unknown, entities: Entities): Arguments {
  const given = isFields(source) ? { ...source } : {};
  const options = optionsOf(given);
  if ('session' in given) options['session'] = given['session'] = entities.session(given['session']);
  return { ...given, options };
}

const without = (options: Fields, ...names: string[]): never =>
  Object.fromEntries(Object.entries(options).filter(([name]) => !names.includes(name))) as never;
const returning = ({ options }: Arguments): Fields => {
  const { returnDocument, ...rest } = options;
  return returnDocument === undefined ? rest : { ...rest, returnDocument: text(returnDocument).toLowerCase() };
};

const model = (source: unknown): never => {
  const [kind = ''] = Object.keys(source as Fields);
  return { [kind]: (source as Fields)[kind] } as never;
};

const collectionOperations: Readonly<Record<string, Run<Collection>>> = {
  aggregate: (target, { pipeline, options }) =>
    target.aggregate(pipeline as never, without(options, 'pipeline')).toArray(),
  bulkWrite: (target, { requests, options }) =>
    target.bulkWrite((requests as unknown[]).map(model), without(options, 'requests')),
  // `count` is deprecated, but the format has tests of it.
  count: (target, { filter, options }) =>
    (target as unknown as { count: Collection['countDocuments'] }).count(filter as never, without(options, 'filter')),
  countDocuments: (target, { filter, options }) => target.countDocuments(filter as never, without(options, 'filter')),
  createIndex: (target, { keys, options }) =>
    target.createIndexes([{ key: keys as never, ...(without(options, 'keys', 'session') as Fields) }], options),
  createFindCursor: async (target, { filter, options }) => {
    const cursor = target.find(filter as never, without(options, 'filter'));
    await cursor.hasNext(); // the format wants the command sent when the cursor is made
    return cursor;
  },
  createChangeStream: async (target, { pipeline, options }) =>
    opened(target.watch(pipeline as never, without(options, 'pipeline'))),
  deleteMany: (target, { filter, options }) => target.deleteMany(filter as never, without(options, 'filter')),
  deleteOne: (target, { filter, options }) => target.deleteOne(filter as never, without(options, 'filter')),
  distinct: (target, { fieldName, filter, options }) =>
    target.distinct(String(fieldName), filter as never, without(options, 'fieldName', 'filter')),
  dropIndex: (target, { name, options }) => target.dropIndex(String(name), without(options, 'name')),
  estimatedDocumentCount: (target, { options }) => target.estimatedDocumentCount(options),
  find: (target, { filter, options }) => target.find(filter as never, without(options, 'filter')).toArray(),
  findOne: (target, { filter, options }) => target.findOne(filter as never, without(options, 'filter')),
  findOneAndDelete: (target, given) =>
    target.findOneAndDelete(given['filter'] as never, without(given.options, 'filter')),
  findOneAndReplace: (target, given) =>
    target.findOneAndReplace(
      given['filter'] as never,
      given['replacement'] as never,
      without(returning(given), 'filter', 'replacement'),
    ),
  findOneAndUpdate: (target, given) =>
    target.findOneAndUpdate(
      given['filter'] as never,
      given['update'] as never,
      without(returning(given), 'filter', 'update'),
    ),
  insertMany: (target, { documents, options }) =>
    target.insertMany(
      (documents as Fields[]).map((document) => ({ ...document })),
      without(options, 'documents'),
    ),
  insertOne: (target, { document, options }) =>
    target.insertOne({ ...(document as Fields) }, without(options, 'document')),
  listIndexes: (target, { options }) => target.listIndexes(options).toArray(),
  listIndexNames: async (target, { options }) =>
    (await target.listIndexes(options).toArray()).map(({ name }) => name as unknown),
  replaceOne: (target, { filter, replacement, options }) =>
    target.replaceOne(filter as never, replacement as never, without(options, 'filter', 'replacement')),
  updateMany: (target, { filter, update, options }) =>
    target.updateMany(filter as never, update as never, without(options, 'filter', 'update')),
  updateOne: (target, { filter, update, options }) =>
    target.updateOne(filter as never, update as never, without(options, 'filter', 'update')),
};

const databaseOperations: Readonly<Record<string, Run<Db>>> = {
  aggregate: (target, { pipeline, options }) =>
    target.aggregate(pipeline as never, without(options, 'pipeline')).toArray(),
  createChangeStream: async (target, { pipeline, options }) =>
    opened(target.watch(pipeline as never, without(options, 'pipeline'))),
  createCollection: (target, { collection, options }) =>
    target.createCollection(String(collection), without(options, 'collection')),
  createCommandCursor: (target, given) =>
    target.runCursorCommand(given['command'] as never, without(given.options, 'command', 'commandName')),
  dropCollection: (target, { collection, options }) =>
    target.dropCollection(String(collection), without(options, 'collection')),
  listCollections: (target, { filter, options }) =>
    target.listCollections(filter as never, without(options, 'filter')).toArray(),
  // Some drivers have collection objects as results; the command is the same.
  listCollectionObjects: (target, { filter, options }) =>
    target.listCollections(filter as never, without(options, 'filter')).toArray(),
  listCollectionNames: async (target, { filter, options }) =>
    (
      await target
        .listCollections(filter as never, { ...(without(options, 'filter') as Fields), nameOnly: true })
        .toArray()
    ).map(({ name }) => name),
  runCommand: (target, { command, options }) =>
    target.command(command as never, without(options, 'command', 'commandName')),
  runCursorCommand: (target, given) =>
    target.runCursorCommand(given['command'] as never, without(given.options, 'command', 'commandName')).toArray(),
};

const clientOperations: Readonly<Record<string, Run<MongoClient>>> = {
  close: (target) => target.close(),
  clientBulkWrite: async (target, { models, options }) => {
    const list = (models as Fields[]).map((entry) => {
      const [name = ''] = Object.keys(entry);
      return { name, ...(entry[name] as Fields) };
    });
    return target.bulkWrite(list as never, without(options, 'models'));
  },
  createChangeStream: async (target, { pipeline, options }) =>
    opened(target.watch(pipeline as never, without(options, 'pipeline'))),
  listDatabases: async (target, { options }) => (await target.db('admin').admin().listDatabases(options)).databases,
  listDatabaseObjects: async (target, { options }) =>
    (await target.db('admin').admin().listDatabases(options)).databases,
  listDatabaseNames: async (target, { options }) =>
    (
      await target
        .db('admin')
        .admin()
        .listDatabases({ ...options, nameOnly: true })
    ).databases.map(({ name }) => name),
};

/** The driver's own door for this runner: the stream is made, and nothing is read of it yet. */
async function opened(stream: ChangeStream): Promise<ChangeStream> {
  await (stream as unknown as { cursor: { cursorInit(): Promise<void> } }).cursor.cursorInit();
  return stream;
}

const cursorOperations: Readonly<Record<string, Run<AbstractCursor | ChangeStream>>> = {
  close: (target) => target.close(),
  iterateOnce: (target) => target.tryNext(),
  iterateUntilDocumentOrError: (target) => target.next(),
};

/** Executes an operation on an entity; {@link Unsupported} when this driver has no such operation. */
export async function execute(
  object: string,
  name: string,
  source: unknown,
  entities: Entities,
  nested: (operations: unknown) => Promise<void>,
): Promise<unknown> {
  const given = argumentsOf(source, entities);
  const session = entities.sessions.get(object);
  if (session) return sessionOperation(session, name, given, nested);
  const bucket = entities.buckets.get(object);
  if (bucket) return bucketOperation(bucket, name, given);
  const [table, target] = [
    [collectionOperations, entities.collections.get(object)],
    [databaseOperations, entities.databases.get(object)],
    [clientOperations, entities.clients.get(object)?.client],
    [cursorOperations, entities.others.get(object)],
  ].find(([, found]) => found !== undefined) as [Readonly<Record<string, Run<unknown>>>, unknown];
  const run = table[name];
  if (!run) throw new Unsupported(`operation ${name}`);
  return await run(target, given, entities);
}

async function bucketOperation(bucket: GridFSBucket, name: string, given: Arguments): Promise<unknown> {
  const read = async (stream: NodeJS.ReadableStream): Promise<Buffer> => {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  };
  if (name === 'download') return read(bucket.openDownloadStream(given['id'] as never));
  if (name === 'downloadByName') return read(bucket.openDownloadStreamByName(String(given['filename'])));
  if (name === 'delete') return bucket.delete(given['id'] as never);
  if (name !== 'upload') throw new Unsupported(`GridFS ${name}`);
  const stream = bucket.openUploadStream(String(given['filename']), without(given.options, 'filename', 'source'));
  stream.end(Buffer.from(String((given['source'] as Fields)['$$hexBytes']), 'hex'));
  await once(stream, 'finish');
  return stream.id;
}

async function sessionOperation(
  session: ClientSession,
  name: string,
  given: Arguments,
  nested: (operations: unknown) => Promise<void>,
): Promise<unknown> {
  switch (name) {
    case 'startTransaction':
      session.startTransaction(given.options);
      return undefined;
    case 'commitTransaction':
      return session.commitTransaction(given.options);
    case 'abortTransaction':
      return session.abortTransaction(given.options);
    case 'endSession':
      return session.endSession();
    case 'getSnapshotTime':
      return (session as unknown as Fields)['snapshotTime'];
    case 'withTransaction':
      return session.withTransaction(() => nested(given['callback']), without(given.options, 'callback'));
    default:
      throw new Unsupported(`session ${name}`);
  }
}

/** What the operation answered, in the words of the format. */
export function resultOf(result: unknown): unknown {
  if (result instanceof FindCursor || result instanceof ChangeStream) return result;
  if (result instanceof MongoBulkWriteError) return resultOf(result.result);
  if (result instanceof Map)
    return Object.fromEntries(
      [...(result as Map<unknown, unknown>)].map(([key, value]) => [String(key), resultOf(value)]),
    );
  if (
    typeof result === 'object' &&
    result !== null &&
    'insertedCount' in result &&
    'upsertedIds' in result &&
    !('insertResults' in result)
  ) {
    const names = [
      'insertedCount',
      'insertedIds',
      'matchedCount',
      'modifiedCount',
      'deletedCount',
      'upsertedCount',
      'upsertedIds',
    ] as const;
    return Object.fromEntries(names.map((name) => [name, (result as unknown as Fields)[name]]));
  }
  if (typeof result === 'object' && result !== null && 'insertResults' in result) {
    return Object.fromEntries(
      Object.entries(result).map(([name, value]) => [name, value instanceof Map ? resultOf(value) : value]),
    );
  }
  if (typeof result === 'object' && result !== null && 'didUpsert' in result)
    return { ...result, didUpsert: undefined };
  return result;
}
