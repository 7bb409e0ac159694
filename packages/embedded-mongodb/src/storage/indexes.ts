import { fail } from '../errors.js';
import { compileFilter, type Predicate } from '../query/matcher.js';
import { unlimited } from '../query/work.js';
import { indexKeyOf, inverted } from '../values/compare.js';
import { toNumber } from '../values/numbers.js';
import { emptyArray, fieldOf, indexRows, split } from '../values/paths.js';
import { type Doc, doc, isDoc, isNumber, type Maybe, shown, type Value } from '../values/types.js';
import { entriesOf, entryBytes, recordNumber, shortened } from './keys.js';

/** One field of an index. */
export interface IndexField {
  readonly path: string;
  readonly parts: readonly string[];
  readonly way: 1 | -1;
  /** Where some document has an array on this path: bit 0 for its first part, bit 1 for its first two parts, and so on. */
  arrays: number;
}

/** Arrays anywhere on a path. */
export const anyArrays = 0x7fff_ffff;

/** Whether some document has an array on the path of the field, so that it may have several entries. */
export const isMultikey = ({ arrays }: IndexField): boolean => arrays !== 0;

/** An index of a collection. */
export interface Index {
  readonly id: number;
  readonly name: string;
  /** Its description as `listIndexes` returns it. */
  spec: Doc;
  readonly fields: readonly IndexField[];
  readonly unique: boolean;
  readonly sparse: boolean;
  /** A partial index's filter. */
  readonly partial: { readonly filter: Doc; readonly matches: Predicate } | undefined;
  /** A TTL index's age of documents, in seconds. */
  readonly expireAfterSeconds: number | undefined;
  /** Whether an entry was too long and was cut: entries with the same beginning are then not in order. */
  long: boolean;
  /** The fields of a document that its entries depend on; `undefined`: any. */
  readonly dependencies: ReadonlySet<string> | undefined;
  /** The number of the commit that completed it; 0 when it existed before the store was opened. */
  since: number;
}

/** One entry that a document has in an index. */
export interface IndexEntry {
  readonly key: Buffer;
  readonly value: Buffer;
  readonly values: readonly Maybe[];
}

const noVariables = { now: new Date(0), vars: new Map<string, Maybe>(), work: unlimited() };

/** Creates an index from its description; `arrays` as it was stored for each field. */
export function makeIndex(id: number, spec: Doc, arrays: readonly number[] = [], long = false): Index {
  const key = spec.get('key');
  const filter = spec.get('partialFilterExpression');
  const expire = spec.get('expireAfterSeconds');
  const name = spec.get('name');
  const fields = [...(isDoc(key) ? key : [])].map(([path, way], index): IndexField => ({
    path,
    parts: split(path),
    way: isNumber(way) && toNumber(way) < 0 ? -1 : 1,
    arrays: arrays[index] ?? 0,
  }));
  return {
    id,
    name: typeof name === 'string' ? name : '',
    spec,
    fields,
    unique: spec.get('unique') === true || spec.get('name') === '_id_',
    sparse: spec.get('sparse') === true,
    partial: isDoc(filter) ? { filter, matches: compileFilter(filter, noVariables) } : undefined,
    expireAfterSeconds: isNumber(expire) ? toNumber(expire) : undefined,
    long,
    dependencies: dependenciesOf([...fields.map(({ path }) => path), ...(isDoc(filter) ? filter.keys() : [])]),
    since: 0,
  };
}

/** The fields that are the first parts of some names of an index; `undefined` when one is an operator such as `$and`. */
const dependenciesOf = (names: readonly string[]): ReadonlySet<string> | undefined =>
  names.some((name) => name.startsWith('$')) ? undefined : new Set(names.map(fieldOf));

/**
 * Whether a change of only these fields of a document can change its entries in the index. An update compares and writes only
 * the indexes where this is so. A replacement and a pipeline can change every field.
 */
export const dependsOn = ({ dependencies }: Index, fields: ReadonlySet<string>): boolean =>
  dependencies === undefined || [...fields].some((field) => dependencies.has(field));

/**
 * The entries that a document has in an index, by their keys as latin1 strings (manual: core/indexes/index-types/index-multikey):
 * one for each element of an array on the way. Throws 171 for arrays on two independent fields.
 */
export function entriesFor(index: Index, document: Doc, record: number): Map<string, IndexEntry> {
  if (index.partial && !index.partial.matches(document)) return new Map();
  const found = new Map<string, IndexEntry>();
  const suffix = recordNumber(record);
  for (const values of rowsOf(index, document)) {
    if (index.sparse && values.every((value) => value.missing)) continue;
    const parts = [entriesOf(index.id), ...values.map(({ bytes }) => bytes)];
    const whole = Buffer.concat(parts);
    if (whole.length > entryBytes) index.long = true;
    const cut = shortened(whole);
    const key = index.unique ? cut : Buffer.concat([cut, suffix]);
    found.set(key.toString('latin1'), {
      key,
      value: index.unique ? suffix : noValue,
      values: values.map(({ value }) => value),
    });
  }
  return found;
}

const noValue = Buffer.alloc(0);

interface Part {
  readonly bytes: Buffer;
  readonly value: Maybe;
  readonly missing: boolean;
}

function parted(value: Maybe | typeof emptyArray, way: 1 | -1): Part {
  const bytes = indexKeyOf(value);
  return {
    bytes: way === 1 ? bytes : inverted(bytes),
    value: value === emptyArray ? [] : (value ?? null),
    missing: value === undefined,
  };
}

/** The rows of values under which a document has its entries; 171 for arrays on two independent paths. */
function rowsOf({ fields }: Index, document: Doc): Part[][] {
  const rows = indexRows(
    document,
    fields.map(({ parts }) => parts),
    (path, parts) => {
      const field = fields[path];
      if (field) field.arrays |= parts < 31 ? 1 << (parts - 1) : anyArrays;
    },
    (first, second) =>
      fail(171, `cannot index parallel arrays [${fields[second]?.path ?? ''}] [${fields[first]?.path ?? ''}]`),
  );
  return rows.map((row) => row.map((value, at) => parted(value, fields[at]?.way ?? 1)));
}

/** Error 11000 with MongoDB's message, `keyPattern` and `keyValue`. */
export function duplicateKey(namespace: string, index: Index, values: readonly Maybe[]): never {
  const pattern = index.spec.get('key') ?? null;
  const value: Doc = new Map(index.fields.map(({ path }, i): [string, Value] => [path, values[i] ?? null]));
  return fail(
    11000,
    `E11000 duplicate key error collection: ${namespace} index: ${index.name} dup key: ${shown(value)}`,
    { keyPattern: pattern, keyValue: value },
  );
}

/** The index that every collection has. */
export const idIndexSpec = (): Doc => doc({ v: 2, key: doc({ _id: 1 }), name: '_id_' });
