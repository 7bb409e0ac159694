import { drain } from './reads.js';
import { fail } from '../errors.js';
import { split, fieldPath } from '../values/paths.js';
import { type Doc, doc, isDoc, type Maybe, type Value, shown, noFields } from '../values/types.js';
import { type Collection } from '../storage/catalogue.js';
import { ensureCollection } from './collections.js';
import { refuseUnknown } from './arguments.js';
import { type Operation } from './operation.js';
import { execute, insertDocument } from './statements.js';

type Input = Iterator<Doc | undefined>;

const target = (operation: Operation, into: Maybe): string => {
  if (typeof into === 'string') return `${operation.database}.${into}`;
  const [database, name] = isDoc(into) ? [into.get('db'), into.get('coll')] : [];
  return typeof name === 'string'
    ? `${typeof database === 'string' ? database : operation.database}.${name}`
    : fail(51178, 'the output stage names no collection');
};

/** Writes an aggregation's results by its last stage: `$out` or `$merge` (manual: reference/operator/aggregation/merge). */
export async function writeOutput(operation: Operation, stage: Doc, input: Input): Promise<void> {
  if (operation.transaction) fail(263, 'Operation not permitted in transaction :: caused by :: output stages');
  const out = stage.get('$out');
  if (out !== undefined) return replaceCollection(operation, target(operation, isDoc(out) ? out : out), input);
  const merge = stage.get('$merge');
  const spec = isDoc(merge) ? merge : doc({ into: merge ?? null });
  refuseUnknown(spec, ['into', 'on', 'whenMatched', 'whenNotMatched'], '$merge');
  const on = spec.get('on') ?? '_id';
  const keys = (Array.isArray(on) ? on : [on]).map(String);
  const [matched, unmatched] = [spec.get('whenMatched') ?? 'merge', spec.get('whenNotMatched') ?? 'insert'];
  const namespace = target(operation, spec.get('into'));
  await ensureCollection(operation, namespace);
  for (const document of await collect(operation, input)) {
    await mergeOne(operation, namespace, document, keys, matched, unmatched);
  }
}

async function collect(operation: Operation, input: Input): Promise<Doc[]> {
  const documents: Doc[] = [];
  await drain(operation, input, (document) => {
    if (isDoc(document)) documents.push(document);
  });
  return documents;
}

async function replaceCollection(operation: Operation, namespace: string, input: Input): Promise<void> {
  const documents = await collect(operation, input);
  const collection: Collection = await ensureCollection(operation, namespace);
  await execute(operation, namespace, { filter: noFields(), update: undefined, multi: true, upsert: false });
  for (const document of documents)
    await operation.write((writer) => insertDocument(operation, writer, collection, document));
}

async function mergeOne(
  operation: Operation,
  namespace: string,
  document: Doc,
  keys: string[],
  matched: Value,
  unmatched: Value,
): Promise<void> {
  const filter: Doc = new Map(keys.map((key): [string, Value] => [key, fieldPath(document, split(key)) ?? null]));
  const upsert = unmatched === 'insert';
  if (!upsert && unmatched !== 'discard' && unmatched !== 'fail')
    fail(238, `whenNotMatched: ${shown(unmatched)} is not supported`);
  let update: Value;
  if (matched === 'merge')
    update = new Map([['$set', new Map([...document].filter(([name]) => name !== '_id' || upsert))]]);
  else if (matched === 'replace') update = document;
  else if (matched === 'keepExisting' || matched === 'fail') update = new Map([['$setOnInsert', document]]);
  else if (Array.isArray(matched)) update = matched;
  else update = fail(51181, `Enumeration value ${shown(matched)} for field 'whenMatched' is not a valid value.`);
  if (matched === 'fail' && upsert) {
    const collection = await ensureCollection(operation, namespace);
    await operation.write((writer) => insertDocument(operation, writer, collection, document));
    return;
  }
  const { matched: found } = await execute(operation, namespace, { filter, update, multi: false, upsert });
  if (found === 0 && unmatched === 'fail')
    fail(
      13113,
      '$merge could not find a matching document in the target collection for at least one document in the source collection',
    );
}
