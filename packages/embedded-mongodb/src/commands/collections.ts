import { fail } from '../errors.js';
import { compileFilter } from '../query/matcher.js';
import { type Collection } from '../storage/catalogue.js';
import { catalogueKey } from '../storage/keys.js';
import { type Doc, doc, isDoc, noFields, reply } from '../values/types.js';
import { type Fields } from './arguments.js';
import { type Reply, type Operation } from './operation.js';
import { batchSize } from './reads.js';

/** Returns the collection, and creates it when it does not exist, as every write does. */
export async function ensureCollection(operation: Operation, namespace: string): Promise<Collection> {
  const { catalogue } = operation.engine;
  const { transaction } = operation;
  const known = operation.collection(namespace);
  if (known) return known;
  checkName(namespace, operation.database);
  if (transaction) {
    const made = catalogue.make(namespace);
    transaction.create(made);
    return made;
  }
  return operation.write((writer) => {
    const existing = catalogue.get(namespace);
    if (existing) return existing;
    writer.claim([catalogueKey(namespace)]); // a transaction may be about to create it
    const made = catalogue.make(namespace);
    catalogue.save(writer, made);
    catalogue.adopt(made);
    return made;
  });
}

/** 73 for what cannot be the name of a new collection. */
function checkName(namespace: string, database: string): void {
  if (namespace.startsWith(`${database}.system.`)) fail(73, `Invalid system namespace: ${namespace}`);
  if (Buffer.byteLength(namespace) > 255) fail(73, `Fully qualified namespace is too long: ${namespace}`);
}

/** The options that MongoDB has for a collection. None is supported that would make it another one than a plain collection. */
export const collectionOptions: Fields = {
  capped: 'notOffered',
  autoIndexId: 'notOffered',
  idIndex: 'idIndex',
  size: 'notOffered',
  max: 'notOffered',
  storageEngine: 'notOffered',
  validator: 'notOffered',
  validationLevel: 'notOffered',
  validationAction: 'notOffered',
  indexOptionDefaults: 'notOffered',
  viewOn: 'notOffered',
  pipeline: 'notOffered',
  timeseries: 'notOffered',
  expireAfterSeconds: 'notOffered',
  clusteredIndex: 'notOffered',
  changeStreamPreAndPostImages: 'notOffered',
  encryptedFields: 'notOffered',
  collation: 'collation',
};

/**
 * `create` (manual: reference/command/create). All collections have the same options, so a second `create` succeeds; only
 * in a transaction it is error 48, as in MongoDB. Options are rejected
 * (238), unless they are `false`, 0 or the default.
 */
export async function create(operation: Operation): Promise<Reply> {
  const namespace = operation.namespace();
  if (operation.transaction && operation.collection(namespace)) fail(48, `Collection ${namespace} already exists.`);
  await ensureCollection(operation, namespace);
  return reply({});
}

/** `drop`. */
export async function drop(operation: Operation): Promise<Reply> {
  const namespace = operation.namespace();
  const dropped = await operation.write(() => dropNow(operation, namespace));
  return dropped ? reply({ ns: namespace, nIndexesWas: dropped.indexes.length }) : reply({ ns: namespace });
}

function dropNow({ engine }: Operation, namespace: string): Collection | undefined {
  const collection = engine.catalogue.get(namespace);
  if (!collection) return undefined;
  engine.live.claimAll(collection);
  engine.catalogue.drop(engine.live, collection);
  return collection;
}

/** `dropDatabase`. */
export async function dropDatabase(operation: Operation): Promise<Reply> {
  for (const { namespace } of operation.engine.catalogue.list(operation.database))
    await operation.write(() => dropNow(operation, namespace));
  return reply({ dropped: operation.database });
}

/** Opens a cursor over descriptions. Without a batch size the first batch has all of them. */
export function described(operation: Operation, namespace: string, documents: readonly Doc[]): Promise<Reply> {
  const options = operation.optional('cursor', isDoc);
  return operation.server.cursors.open(operation, namespace, documents[Symbol.iterator](), {
    batchSize: (options && batchSize(options)) ?? Number.POSITIVE_INFINITY,
  });
}

/** `listCollections`. */
export function listCollections(operation: Operation): Promise<Reply> {
  const filter = operation.optional('filter', isDoc) ?? noFields();
  const matches = compileFilter(filter, operation.env);
  const names = operation.flag('nameOnly');
  const all = operation.engine.catalogue.list(operation.database).map(({ namespace, options, uuid, indexes }) => {
    const full = doc({
      name: namespace.slice(operation.database.length + 1),
      type: 'collection',
      options,
      info: doc({ readOnly: false, uuid }),
      idIndex: indexes[0]?.spec,
    });
    return names ? new Map([...full].slice(0, 2)) : full;
  });
  return described(operation, `${operation.database}.$cmd.listCollections`, all.filter(matches));
}
