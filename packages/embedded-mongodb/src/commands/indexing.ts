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
import { type Doc, doc, isDoc, isNumber, type Maybe, reply, shown, truthy, typeName } from '../values/types.js';
import { answered, ensureCollection } from './collections.js';
import { documents, isArray, refuseCollation } from './arguments.js';
import { type Answer, type Operation } from './operation.js';

const indexOptions = [
  'key',
  'name',
  'unique',
  'sparse',
  'partialFilterExpression',
  'expireAfterSeconds',
  'background',
  'v',
  'ns',
  'hidden',
  'collation',
];
const idIndexOptions = ['key', 'name', 'background', 'v', 'ns', 'collation'];
const partialOperators = ['$eq', '$gt', '$gte', '$lt', '$lte', '$type', '$in'];

/** Checks what a partial index may ask for (manual: core/index-partial); 67 for what MongoDB rejects there. */
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

/** A flag of an index; 14 for what is neither a boolean nor a number. */
function indexFlag(given: Doc, option: string): true | undefined {
  const value = given.get(option) ?? false;
  if (typeof value !== 'boolean' && !isNumber(value))
    fail(14, `The field '${option}' has value ${shown(value)}, which is not convertible to bool`);
  return truthy(value) ? true : undefined;
}

/** 197 for an option that no index has, or that the index on `_id` can't have. */
function checkIndexOptions(given: Doc, key: Maybe): void {
  const isId = isDoc(key) && key.size === 1 && key.has('_id');
  for (const option of given.keys()) {
    if (!indexOptions.includes(option)) fail(197, `The field '${option}' is not valid for an index specification.`);
    if (isId && !idIndexOptions.includes(option))
      fail(197, `The field '${option}' is not valid for an _id index specification.`);
  }
}

/** An index's description as it is kept, from what `createIndexes` was given; 67 and 197 for what can't be an index. */
function describe(given: Doc): Doc {
  checkIndexOptions(given, given.get('key'));
  refuseCollation(given.get('collation'));
  if (given.get('hidden') === true) fail(238, 'hidden indexes are not supported by the embedded store');
  const key = given.get('key');
  if (!isDoc(key) || key.size === 0) return fail(67, 'Index keys cannot be empty.');
  for (const [path, way] of key) {
    if (path === '' || path.startsWith('$') || path.includes('$**'))
      fail(path.includes('$**') ? 238 : 67, `Index key contains an illegal field name: '${path}'`);
    if (typeof way === 'string') fail(238, `index type '${way}' is not supported by the embedded store`);
    if (!isNumber(way) || toNumber(way) === 0 || Number.isNaN(toNumber(way)))
      fail(
        67,
        `Values in v:2 index key pattern cannot be of type ${typeName(way)}. Only numbers > 0, numbers < 0, and strings are allowed.`,
      );
  }
  const [name, filter, expire] = [
    given.get('name'),
    given.get('partialFilterExpression'),
    given.get('expireAfterSeconds'),
  ];
  if (typeof name !== 'string' || name === '')
    fail(9, "The 'name' field is a required property of an index specification");
  if (filter !== undefined && !isDoc(filter))
    fail(14, `The field 'partialFilterExpression' must be an object, but got ${typeName(filter)}`);
  if (filter) {
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

/** The index that is there already; 85 and 86 when one of that name or key is another. */
function existing(collection: Collection, spec: Doc): Index | undefined {
  const options = (source: Doc): Doc =>
    new Map([...source].filter(([name]) => name !== 'v' && name !== 'name' && name !== 'background').sort());
  const byName = collection.indexes.find(({ name }) => name === spec.get('name'));
  const byKey = collection.indexes.find(
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

/**
 * `createIndexes`: makes those that are not there; all or none (manual: reference/command/createIndexes). On a collection that
 * has documents it goes in portions, others have their turn between them, and nobody sees an index before it is whole.
 */
export async function createIndexes(operation: Operation): Promise<Answer> {
  const namespace = operation.namespace();
  const specs = documents(operation.required('indexes', isArray), 'indexes').map(describe);
  if (specs.length === 0) fail(2, 'Must specify at least one index to create');
  const isNew = !operation.collection(namespace);
  const collection = await ensureCollection(operation, namespace);
  let count = collection.indexes.length;
  if (specs.some((spec) => !existing(collection, spec))) {
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

/** Waits for who changes the collection's indexes or, in a transaction, its documents. */
function claimIndexes({ engine, transaction }: Operation, writer: Writer, collection: Collection): void {
  writer.check(collection);
  if (!transaction) engine.live.claimAll(collection);
  if (collection.build) throw new Blocked(collection.build.ended);
}

/** Makes the indexes that are missing; answers how many there were before. */
async function build(operation: Operation, collection: Collection, specs: readonly Doc[]): Promise<number> {
  const { catalogue, live } = operation.engine;
  let running: IndexBuild | undefined;
  let count = 0;
  const step = (writer: Writer): boolean => {
    if (!running) {
      claimIndexes(operation, writer, collection);
      count = collection.indexes.length;
      const missing = specs.filter((spec) => !existing(collection, spec));
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
export async function dropIndexes(operation: Operation): Promise<Answer> {
  const namespace = operation.namespace();
  const collection = operation.collection(namespace) ?? fail(26, `ns not found ${namespace}`);
  const wanted = operation.body.get('index');
  const count = await operation.write((writer) => {
    claimIndexes(operation, writer, collection);
    const all = collection.indexes;
    const gone =
      wanted === '*'
        ? all.filter(({ name }) => name !== '_id_')
        : (Array.isArray(wanted) ? wanted : [wanted]).map((one) => named(all, one));
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

function named(indexes: readonly Index[], one: Maybe): Index {
  const found = indexes.find((index) =>
    typeof one === 'string' ? index.name === one : same(index.spec.get('key'), one),
  );
  if (!found)
    return fail(
      27,
      typeof one === 'string' ? `index not found with name [${one}]` : `can't find index with key: ${typeName(one)}`,
    );
  return found.name === '_id_' ? fail(72, 'cannot drop _id index') : found;
}

/** `listIndexes`; 26 when there is no such collection. */
export function listIndexes(operation: Operation): Answer {
  const namespace = operation.namespace();
  const collection = operation.collection(namespace) ?? fail(26, `ns does not exist: ${namespace}`);
  return answered(
    namespace,
    collection.indexes.map(({ spec }) => spec),
  );
}
