import { type mongo } from 'mongoose';
import { type Report } from './progress.js';
import { MARK_COLLECTION, requireFinished } from './unfinished-transfer.js';
import { TransferError } from './transfer-error.js';

/** An index as `listIndexes` describes it and `createIndexes` takes it. */
export interface IndexSpecification {
  readonly key: Readonly<Record<string, unknown>>;
  readonly name: string;
  readonly expireAfterSeconds?: number;
  /** How the server stores it. */
  readonly storageEngine?: unknown;
  /** Of old servers: the name of the database and the collection. */
  readonly ns?: string;
}

/** A collection without its documents. */
export interface CollectionInfo {
  readonly name: string;
  readonly options: mongo.Document;
  readonly indexes: readonly IndexSpecification[];
}

/** The collections of a database, sorted by name, without views, those of the server itself and the mark of an incomplete database. */
export async function readCollections(database: mongo.Db): Promise<CollectionInfo[]> {
  const all = await database.listCollections({}, { nameOnly: false }).toArray();
  const own = all.filter(
    ({ name, type }) => type === 'collection' && !name.startsWith('system.') && name !== MARK_COLLECTION,
  );
  const infos: CollectionInfo[] = [];
  for (const { name, options = {} } of own) {
    const indexes = (await database.collection(name).listIndexes().toArray()) as IndexSpecification[];
    infos.push({ name, options, indexes });
  }
  return infos.sort((one, other) => (one.name < other.name ? -1 : 1));
}

/**
 * The collections of a database that is read.
 * @throws TransferError when it is empty, ConfigurationError when it is incomplete
 */
export async function readSource(database: mongo.Db): Promise<CollectionInfo[]> {
  await requireFinished(database);
  const collections = await readCollections(database);
  if (collections.length > 0) return collections;
  throw new TransferError('The database is empty: check MONGODB_URI and DATA_DIR of this environment.');
}

/** Whether the database removes documents of the collection by itself when their time is over. */
export function expires({ indexes }: CollectionInfo): boolean {
  return indexes.some(({ expireAfterSeconds }) => expireAfterSeconds !== undefined);
}

/**
 * Creates the indexes of a collection, which has its documents already, as the source describes them, without what belongs to its server.
 * Every collection has the index of `_id`.
 */
export async function createIndexes(
  database: mongo.Db,
  { name, indexes }: CollectionInfo,
  report: Report,
): Promise<void> {
  const specifications = indexes
    .filter((index) => index.name !== '_id_')
    .map(({ storageEngine: _storage, ns: _namespace, ...specification }) => specification);
  if (specifications.length === 0) return;
  report(`${name}: creating its indexes (${specifications.length})`);
  await database.command({ createIndexes: name, indexes: specifications });
}
