import { fail, StoreError } from '../errors.js';
import { count, double, toNumber } from '../values/numbers.js';
import { type Doc, doc, isDoc, isNumber, reply, type Value, noFields } from '../values/types.js';
import { ensureCollection } from './collections.js';
import { documents, isArray, refuseCollation, refuseUnknown, isString } from './arguments.js';
import { type Answer, type Operation } from './operation.js';
import { insertDocument, type Statement } from './statements.js';
import { eachStatement, optionsOf, remember, remembered, statementNumber, updateOnce } from './writes.js';

const known = ['filter', 'updateMods', 'multi', 'upsert', 'arrayFilters', 'hint', 'collation', 'sort', 'constants'];

/** `bulkWrite` (manual: reference/command/bulkWrite): statements on several collections in one command. */
export async function bulkWrite(operation: Operation): Promise<Answer> {
  if (operation.database !== 'admin') fail(73, 'bulkWrite may only be run against the admin database.');
  const ops = documents(operation.required('ops', isArray), 'bulkWrite.ops');
  const namespaces = documents(operation.required('nsInfo', isArray), 'bulkWrite.nsInfo').map((info) =>
    ((ns) => (isString(ns) ? ns : ''))(info.get('ns')),
  );
  const totals = { nInserted: 0, nMatched: 0, nModified: 0, nUpserted: 0, nDeleted: 0 };
  const results: Doc[] = [];
  const failures = await eachStatement(operation, ops.length, async (index) => {
    const result = await one(operation, ops[index] ?? noFields(), namespaces, index, totals);
    if (!operation.flag('errorsOnly')) results.push(new Map([['ok', double(1)], ['idx', index], ...result]));
    return index + 1;
  });
  for (const failure of failures) {
    const { index, ...rest } = Object.fromEntries(failure);
    results.push(doc({ ok: double(0), idx: index, ...rest, n: 0 }));
  }
  results.sort((a, b) => Number(a.get('idx')) - Number(b.get('idx')));
  const size = operation.optional('cursor', isDoc)?.get('batchSize');
  const answer = await operation.server.cursors.open(operation, 'admin.$cmd.bulkWrite', results.values(), {
    batchSize: isNumber(size) ? toNumber(size) : undefined,
  });
  const counts = Object.entries(totals).map(([name, value]): [string, Value] => [name, count(value)]);
  return reply({ ...Object.fromEntries(answer), nErrors: failures.length, ...Object.fromEntries(counts) });
}

async function one(
  operation: Operation,
  op: Doc,
  namespaces: readonly string[],
  index: number,
  totals: Record<string, number>,
): Promise<Doc> {
  const [entry] = op;
  const [kind, at] = entry ?? [];
  const namespace =
    namespaces[isNumber(at) ? toNumber(at) : -1] ??
    fail(2, `BulkWrite ops entry ${index} has an invalid nsInfo index.`);
  const number = statementNumber(operation, index);
  const add = (name: string, by: number): void => void (totals[name] = (totals[name] ?? 0) + by);
  if (kind === 'insert') {
    const document = op.get('document');
    await insertOne(
      operation,
      namespace,
      isDoc(document) ? document : fail(40414, "BSON field 'bulkWrite.ops.document' is missing"),
      number,
    );
    add('nInserted', 1);
    return doc({ n: 1 });
  }
  if (kind !== 'update' && kind !== 'delete')
    return fail(40415, `BSON field 'bulkWrite.ops.${String(kind)}' is an unknown field.`);
  const result = await updateOnce(operation, namespace, statementOf(op, kind), number);
  const n = Number(result.get('n'));
  if (kind === 'delete') {
    add('nDeleted', n);
    return doc({ n });
  }
  const id = result.get('upserted');
  add(id === undefined ? 'nMatched' : 'nUpserted', n);
  add('nModified', Number(result.get('nModified')));
  return doc({ n, nModified: result.get('nModified'), upserted: id === undefined ? undefined : doc({ _id: id }) });
}

async function insertOne(operation: Operation, namespace: string, document: Doc, number: number): Promise<void> {
  if (remembered(operation, number)) return;
  const collection = await ensureCollection(operation, namespace);
  await operation.write((writer) => {
    if (remembered(operation, number)) return; // by the same write on a connection that was cut
    insertDocument(operation, writer, collection, document);
    remember(operation, writer, number, doc({ n: 1 }));
  });
}

function statementOf(op: Doc, kind: 'update' | 'delete'): Statement {
  refuseUnknown(op, [kind, ...known], 'bulkWrite.ops');
  refuseCollation(op.get('collation'));
  const [filter, update, constants] = [op.get('filter'), op.get('updateMods'), op.get('constants')];
  if (!isDoc(filter)) throw new StoreError(40414, "BSON field 'bulkWrite.ops.filter' is missing but a required field");
  return {
    filter,
    update:
      kind === 'delete'
        ? undefined
        : (update ?? fail(40414, "BSON field 'bulkWrite.ops.updateMods' is missing but a required field")),
    multi: op.get('multi') === true,
    ...optionsOf(op),
    vars: isDoc(constants) ? constants : undefined,
  };
}
