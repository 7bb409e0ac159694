import { BSONRegExp } from 'bson';
import { Blocked, fail } from '../errors.js';
import { compileFilter, isOperators } from '../query/matcher.js';
import { unlimited } from '../query/work.js';
import { IndexBuild } from '../storage/build.js';
import { type Collection } from '../storage/catalogue.js';
import { type Index, makeIndex } from '../storage/indexes.js';
import { type Writer } from '../storage/records.js';
import { same } from '../values/compare.js';
import { toNumber } from '../values/numbers.js';
import { split } from '../values/paths.js';
import { type Doc, doc, isDoc, isNumber, type Maybe, reply, shown, truthy, typeName } from '../values/types.js';
import { described, ensureCollection } from './collections.js';
import { checkValue, eachOf, type Fields, isArray, isString } from './arguments.js';
import { type Reply, type Operation } from './operation.js';

/** The fields of an index description. */
const indexFields: Fields = {
  key: 'object',
  name: 'string',
  unique: 'flag',
  sparse: 'flag',
  partialFilterExpression: 'object',
  expireAfterSeconds: 'any',
  background: 'flag',
  v: 'number',
  ns: 'any',
  hidden: 'boolean',
  collation: 'collation',
};
const idIndexFields = ['key', 'name', 'v', 'ns', 'collation'];
/** The types of indexes that MongoDB has besides the ordinary one. */
const indexTypes = ['text', '2d', '2dsphere', 'hashed', 'wildcard'];
const partialOperators = ['$eq', '$gt', '$gte', '$lt', '$lte', '$type', '$in'];

/** Checks the filter of a partial index (manual: core/index-partial). Error 67 for what MongoDB rejects there. */
function checkPartial(filter: Doc): void {
  for (const [name, operand] of filter) {
    if (['$and', '$or'].includes(name)) {
      for (const part of Array.isArray(operand) ? operand : []) if (isDoc(part)) checkPartial(part);
    } else if (name.startsWith('$') || operand instanceof BSONRegExp) notInPartial(name);
    else if (isOperators(operand)) {
      for (const [operator, argument] of operand)
        if (!partialOperators.includes(operator) && !(operator === '$exists' && truthy(argument)))
          notInPartial(`${name}: ${operator}`);
    }
  }
}

const notInPartial = (what: string): never => fail(67, `unsupported expression in partial index: ${what}`);

/** A flag of an index. */
const indexFlag = (given: Doc, option: string): true | undefined => (truthy(given.get(option)) ? true : undefined);

/** Whether MongoDB treats the key as that of the index on `_id`. */
const isIdKey = (key: Maybe): key is Doc => {
  const way = isDoc(key) && key.size === 1 ? key.get('_id') : undefined;
  return isNumber(way) && Math.abs(Math.trunc(toNumber(way))) === 1;
};

/** The description without the fields that no index has. */
const knownFields = (given: Doc): Doc => new Map([...given].filter(([name]) => Object.hasOwn(indexFields, name)));

/** Checks the fields of an index description: 197 for one that no index has, or that the index on `_id` cannot have; 14 and others for wrong values. */
function checkIndexFields(given: Doc): void {
  for (const [name, value] of given) {
    const kind = Object.hasOwn(indexFields, name) ? indexFields[name] : undefined;
    if (!kind) fail(197, `The field '${name}' is not valid for an index specification.`);
    if (isIdKey(given.get('key')) && !idIndexFields.includes(name))
      fail(197, `The field '${name}' is not valid for an _id index specification.`);
    checkValue(kind, value, `createIndexes.indexes.${name}`);
  }
  const [v, collation, hidden] = [given.get('v'), given.get('collation'), given.get('hidden')];
  if (isNumber(v) && toNumber(v) !== 2)
    fail(toNumber(v) === 1 ? 238 : 67, `an index of version ${toNumber(v)} is not supported by the embedded store`);
  if (isDoc(collation) && collation.size === 0) fail(2, "The field 'collation' cannot be an empty object.");
  if (hidden === true) fail(238, 'hidden indexes are not supported by the embedded store');
}

/** Checks the key of an index: 67 for what MongoDB rejects, 238 for the types of indexes that the store does not have. */
function checkKey(key: Doc): void {
  if (key.size === 0) fail(67, 'Index keys cannot be empty.');
  for (const [path, way] of key) {
    const parts = split(path);
    if (parts.at(-1) === '$**') fail(238, 'wildcard indexes are not supported by the embedded store');
    if (parts.includes('')) fail(67, 'Index keys cannot contain an empty field.');
    if (parts.some((part, at) => part.startsWith('$') && !(at > 0 && ['$db', '$id', '$ref'].includes(part))))
      fail(67, "Index key contains an illegal field name: field name starts with '$'.");
    if (isString(way) && indexTypes.includes(way))
      fail(238, `index type '${way}' is not supported by the embedded store`);
    if (isString(way)) fail(67, `Unknown index plugin '${way}'`);
    if (!isNumber(way) || toNumber(way) === 0 || Number.isNaN(toNumber(way)))
      fail(
        67,
        `Values in v:2 index key pattern cannot be of type ${typeName(way)}. Only numbers > 0, numbers < 0, and strings are allowed.`,
      );
  }
  if (isIdKey(key) && !same(key.get('_id'), 1))
    fail(2, "The field 'key' for an _id index must be {_id: 1}, but got {_id: -1}");
}

/** Checks the name of an index: 67 and 2 as MongoDB. */
function checkIndexName(name: string, key: Doc): void {
  if (name === '' || name.includes('\0')) fail(67, 'index name cannot be empty or contain NUL bytes');
  if (name === '*') fail(2, "The index name '*' is not valid.");
  if (name === '_id_' && !isIdKey(key))
    fail(2, "The index name '_id_' is reserved for the _id index, which must have key pattern {_id: 1}");
}

/** The stored description of an index, from an entry of `createIndexes`. */
function describe(given: Doc): Doc {
  checkIndexFields(given);
  const [key, name, filter, expire] = ['key', 'name', 'partialFilterExpression', 'expireAfterSeconds'].map((field) =>
    given.get(field),
  );
  if (!isDoc(key)) return fail(9, "The 'key' field is a required property of an index specification");
  checkKey(key);
  if (!isString(name)) return fail(9, "The 'name' field is a required property of an index specification");
  checkIndexName(name, key);
  if (isDoc(filter)) {
    checkPartial(filter);
    compileFilter(filter, { now: new Date(0), vars: new Map(), work: unlimited() });
    if (indexFlag(given, 'sparse')) fail(67, 'cannot mix "partialFilterExpression" and "sparse" options');
  }
  if (expire !== undefined && (!isNumber(expire) || toNumber(expire) < 0 || toNumber(expire) > 2147483647))
    fail(67, 'TTL index expireAfterSeconds must be a number between 0 and 2147483647');
  if (expire !== undefined && key.size > 1)
    fail(67, 'TTL indexes are single-field indexes, compound indexes do not support TTL.');
  return doc({
    v: 2,
    key,
    name,
    unique: indexFlag(given, 'unique'),
    sparse: indexFlag(given, 'sparse'),
    partialFilterExpression: filter,
    expireAfterSeconds: expire,
  });
}

/** The index that exists already. Error 85 or 86 when the name or the key is that of another index. */
function existing(indexes: readonly Index[], spec: Doc): Index | undefined {
  const options = (source: Doc): Doc =>
    new Map([...source].filter(([name]) => name !== 'v' && name !== 'name' && name !== 'background').sort());
  const byName = indexes.find(({ name }) => name === spec.get('name'));
  const byKey = indexes.find(
    (index) =>
      same(index.spec.get('key'), spec.get('key')) &&
      same(index.spec.get('partialFilterExpression'), spec.get('partialFilterExpression')),
  );
  if (byKey?.name === '_id_' && !byName) return byKey;
  if (byName && byName !== byKey)
    fail(
      86,
      `An existing index has the same name as the requested index. When index names are not specified, they are auto generated and can cause conflicts. Please refer to our documentation. Requested index: ${byName.name}`,
    );
  if (byKey && !byName) fail(85, `Index already exists with a different name: ${byKey.name}`);
  if (byName && byName.name !== '_id_' && !same(options(byName.spec), options(spec)))
    fail(
      85,
      `An equivalent index already exists with the same name but different options. Requested index: ${byName.name}`,
    );
  return byName;
}

/** The descriptions whose indexes do not exist. Two descriptions of one command that are in conflict are error 68, 85 or 86. */
function missingOf(collection: Collection, specs: readonly Doc[]): Doc[] {
  const missing = specs.filter((spec) => !existing(collection.indexes, spec));
  const made: Index[] = [];
  for (const spec of missing) {
    if (existing(made, spec)) fail(68, `Identical index already exists: ${shown(spec.get('name'))}`);
    made.push(makeIndex(0, spec));
  }
  return missing;
}

/**
 * `createIndexes`: creates the missing ones, all or none (manual: reference/command/createIndexes). On a collection that has
 * documents it works in batches, between which other commands run. No query uses an index before it is complete.
 */
export async function createIndexes(operation: Operation): Promise<Reply> {
  const namespace = operation.namespace();
  const given = eachOf(operation.required('indexes', isArray), isDoc, 'createIndexes.indexes');
  const specs = (operation.flag('ignoreUnknownIndexOptions') ? given.map(knownFields) : given).map(describe);
  if (specs.length === 0) fail(2, 'Must specify at least one index to create');
  const quorum = operation.body.get('commitQuorum') ?? 1;
  const met = isNumber(quorum) ? toNumber(quorum) <= 1 : quorum === 'majority' || quorum === 'votingMembers';
  if (!met) fail(278, `Commit quorum cannot be satisfied by the one member: ${shown(quorum)}`);
  const isNew = !operation.collection(namespace);
  const collection = await ensureCollection(operation, namespace);
  let count = collection.indexes.length;
  if (missingOf(collection, specs).length > 0) {
    if (operation.transaction && !operation.transaction.hasCreated(namespace))
      fail(263, `Cannot create new indexes on existing collection ${namespace} in a multi-document transaction.`);
    count = await build(operation, collection, specs);
  }
  return reply({
    numIndexesBefore: count,
    numIndexesAfter: collection.indexes.length,
    createdCollectionAutomatically: isNew,
    note: count === collection.indexes.length ? 'all indexes already exist' : undefined,
  });
}

/** Waits for commands that change the indexes of the collection, and for transactions that have changed its documents. */
function claimIndexes({ engine, transaction }: Operation, writer: Writer, collection: Collection): void {
  writer.check(collection);
  if (!transaction) engine.live.claimAll(collection);
  if (collection.build) throw new Blocked(collection.build.ended);
}

/** Creates the missing indexes. Returns how many there were before. */
async function build(operation: Operation, collection: Collection, specs: readonly Doc[]): Promise<number> {
  const { catalogue, live } = operation.engine;
  let running: IndexBuild | undefined;
  let count = 0;
  const step = (writer: Writer): boolean => {
    if (!running) {
      claimIndexes(operation, writer, collection);
      count = collection.indexes.length;
      const missing = missingOf(collection, specs);
      if (missing.length === 0) return true;
      const made = missing.map((spec) => makeIndex(catalogue.newId(), spec));
      if (!operation.transaction)
        catalogue.retire(
          live,
          made.map(({ id }) => id),
        ); // until it is finished
      running = collection.build = new IndexBuild(collection, made);
    }
    writer.check(collection);
    if (!running.step(writer)) return false;
    running.finish(writer);
    writer.describe(collection);
    return true;
  };
  try {
    while (!(await operation.write(step))) await operation.pause();
  } finally {
    running?.close();
  }
  return count;
}

/** `dropIndexes`: by name, by key, or all but `_id_` (`*`). */
export async function dropIndexes(operation: Operation): Promise<Reply> {
  const namespace = operation.namespace();
  const collection = operation.collection(namespace) ?? fail(26, `ns not found ${namespace}`);
  const wanted = wantedIndexes(operation);
  const count = await operation.write((writer) => {
    claimIndexes(operation, writer, collection);
    const all = collection.indexes;
    const gone = wanted === '*' ? all.filter(({ name }) => name !== '_id_') : wanted.map((one) => named(all, one));
    collection.indexes = all.filter((index) => !gone.includes(index));
    operation.engine.catalogue.retire(
      writer,
      gone.map(({ id }) => id),
    );
    writer.describe(collection);
    return all.length;
  });
  return reply({ nIndexesWas: count });
}

/** What `dropIndexes` removes: all (`*`), or names and keys. 14 for another type. */
function wantedIndexes(operation: Operation): '*' | (string | Doc)[] {
  const wanted = operation.body.get('index');
  if (wanted === '*') return wanted;
  if (isString(wanted) || isDoc(wanted)) return [wanted];
  if (wanted == null) fail(40414, "BSON field 'dropIndexes.index' is missing but a required field");
  return isArray(wanted)
    ? eachOf(wanted, isString, 'dropIndexes.index')
    : fail(14, `BSON field 'dropIndexes.index' is the wrong type '${typeName(wanted)}'`);
}

function named(indexes: readonly Index[], one: string | Doc): Index {
  const found = indexes.find((index) =>
    typeof one === 'string' ? index.name === one : same(index.spec.get('key'), one),
  );
  if (!found)
    return fail(
      27,
      typeof one === 'string' ? `index not found with name [${one}]` : `can't find index with key: ${shown(one)}`,
    );
  return found.name === '_id_' ? fail(72, 'cannot drop _id index') : found;
}

/** `listIndexes`; 26 when there is no such collection. */
export function listIndexes(operation: Operation): Promise<Reply> {
  const namespace = operation.namespace();
  const collection = operation.collection(namespace) ?? fail(26, `ns does not exist: ${namespace}`);
  return described(
    operation,
    namespace,
    collection.indexes.map(({ spec }) => spec),
  );
}
