import { Blocked, codeName, fail, StoreError } from '../errors.js';
import { compileProjection } from '../query/transforms.js';
import { type Collection } from '../storage/catalogue.js';
import { type Writer } from '../storage/records.js';
import { count, toNumber } from '../values/numbers.js';
import { type Doc, doc, isDoc, isNumber, type Maybe, reply, noFields, shown } from '../values/types.js';
import { ensureCollection } from './collections.js';
import { checkFields, eachOf, type Fields, isArray } from './arguments.js';
import { type Reply, type Operation } from './operation.js';
import { execute, insertDocument, type Memory, type Outcome, type Statement } from './statements.js';

const insertsPerCommit = 500;
const maxBatch = 100_000;

/** The error of one statement, as an entry of `writeErrors`. */
function writeError(index: number, error: StoreError): Doc {
  return doc({ index, code: error.code, codeName: codeName(error.code), errmsg: error.message, ...error.details });
}

/** Inside a transaction these end the command, and with it the transaction; elsewhere they belong to their statement. */
const endsCommand = (operation: Operation, error: StoreError): boolean =>
  [50, 14031, ...(operation.transaction ? [112, 251] : [])].includes(error.code);

/** The number of a statement within its retryable write. */
function statementNumber(operation: Operation, index: number): number {
  const [numbers, base] = [operation.body.get('stmtIds'), operation.body.get('stmtId')];
  const given: Maybe = Array.isArray(numbers) ? numbers[index] : base;
  if (!isNumber(given)) return index;
  return Array.isArray(numbers) ? toNumber(given) : toNumber(given) + index;
}

/** The stored result of the statement, when the command repeats a retryable write. */
export const remembered = (operation: Operation, statement: number): Doc | undefined =>
  operation.retryable ? operation.session?.result(statement) : undefined;

/** Stores the result of a statement of a retryable write, in the commit that executes it. */
export function remember(operation: Operation, writer: Writer, statement: number, result: Doc): void {
  if (!operation.retryable || !operation.session) return;
  operation.session.remember(statement, result);
  operation.session.save(writer);
}

const memoryOf = (operation: Operation, number: number, resultOf: (outcome: Outcome) => Doc): Memory => ({
  isKnown: () => remembered(operation, number) !== undefined,
  record: (outcome, writer) => remember(operation, writer, number, resultOf(outcome)),
});

/** Runs statements one by one; the first error ends an ordered command. Inside a transaction an error ends the transaction. */
async function eachStatement(
  operation: Operation,
  total: number,
  run: (index: number) => Promise<number>,
): Promise<Doc[]> {
  if (total === 0 || total > maxBatch)
    fail(16, `Write batch sizes must be between 1 and ${maxBatch}. Got ${total} operations.`);
  const errors: Doc[] = [];
  const ordered = operation.flag('ordered', true);
  for (let index = 0; index < total;) {
    try {
      index = await run(index);
    } catch (error) {
      if (!(error instanceof StoreError) || endsCommand(operation, error)) throw error;
      const at = typeof error.details['index'] === 'number' ? error.details['index'] : index;
      errors.push(writeError(at, error));
      if (ordered || operation.transaction) break;
      index = at + 1;
    }
  }
  if (errors.length > 0 && operation.transaction) operation.session?.end();
  return errors;
}

/** `insert` (manual: reference/command/insert). */
export async function insert(operation: Operation): Promise<Reply> {
  const namespace = operation.namespace();
  const all = eachOf(operation.required('documents', isArray), isDoc, 'insert.documents');
  const collection = await ensureCollection(operation, namespace);
  let inserted = 0;
  const retried: number[] = [];
  const errors = await eachStatement(operation, all.length, async (from) => {
    const until = Math.min(all.length, from + insertsPerCommit);
    const { next, failure, done } = await operation.write((writer) =>
      insertSome(operation, writer, collection, all.slice(0, until), from, retried),
    );
    inserted += done;
    if (failure) throw new StoreError(failure.code, failure.message, { ...failure.details, index: next });
    return next;
  });
  return reply({
    n: count(inserted),
    ...(errors.length > 0 ? { writeErrors: errors } : {}),
    ...(retried.length > 0 ? { retriedStmtIds: retried } : {}),
  });
}

/** Inserts as many as go into one commit; stops at an error, or before a document that must wait for a transaction. */
function insertSome(
  operation: Operation,
  writer: Writer,
  collection: Collection,
  all: readonly Doc[],
  from: number,
  retried: number[],
): { next: number; failure?: StoreError; done: number } {
  let [next, done] = [from, 0];
  const fresh: number[] = [];
  const settle = (failure?: StoreError): { next: number; failure?: StoreError; done: number } => {
    for (const statement of fresh) operation.session?.remember(statement, doc({ n: 1 }));
    if (fresh.length > 0) operation.session?.save(writer);
    return failure ? { next, failure, done } : { next, done };
  };
  for (const document of all.slice(from)) {
    const statement = statementNumber(operation, next);
    try {
      if (remembered(operation, statement)) retried.push(statement);
      else {
        insertDocument(operation, writer, collection, document);
        if (operation.retryable) fresh.push(statement);
      }
      done++;
      next++;
    } catch (error) {
      if (error instanceof Blocked && done > 0) return settle();
      if (error instanceof StoreError && !endsCommand(operation, error)) return settle(error);
      throw error;
    }
  }
  return settle();
}

/** The options of a statement that have the same names in every command. */
function optionsOf(source: Doc): Pick<Statement, 'arrayFilters' | 'sort' | 'hint'> {
  const filters = source.get('arrayFilters');
  return {
    arrayFilters: isArray(filters) ? eachOf(filters, isDoc, 'arrayFilters') : undefined,
    sort: source.get('sort') ?? undefined,
    hint: source.get('hint'),
  };
}

/** The fields of a statement in the array of `update` or `delete`. */
const statementFields: Readonly<Record<'updates' | 'deletes', Fields>> = {
  updates: {
    q: 'object',
    u: 'any',
    c: 'object',
    multi: 'boolean',
    upsert: 'boolean',
    arrayFilters: 'array',
    collation: 'collation',
    hint: 'hint',
    sort: 'object',
  },
  deletes: { q: 'object', limit: 'any', collation: 'collation', hint: 'hint' },
};

/** Reads a statement from the array of `update` or `delete`. */
function statementOf(source: Doc, kind: 'updates' | 'deletes'): Statement {
  checkFields(source, statementFields[kind], kind);
  for (const name of ['q', kind === 'updates' ? 'u' : 'limit'])
    if (source.get(name) == null) fail(40414, `BSON field '${kind}.${name}' is missing but a required field`);
  const [q, update, limit, vars] = ['q', 'u', 'limit', 'c'].map((name) => source.get(name));
  if (kind === 'deletes' && (!isNumber(limit) || ![0, 1].includes(toNumber(limit))))
    fail(9, `The limit field in delete objects must be 0 or 1. Got ${shown(limit)}`);
  const multi = kind === 'updates' ? source.get('multi') === true : isNumber(limit) && toNumber(limit) === 0;
  if (multi && isDoc(source.get('sort'))) fail(9, 'Cannot specify sort with multi=true');
  return {
    filter: isDoc(q) ? q : noFields(),
    update,
    multi,
    upsert: source.get('upsert') === true,
    ...optionsOf(source),
    vars: isDoc(vars) ? vars : undefined,
  };
}

/** Runs the statements of `update` or `delete` one by one, and calls `use` with each result. */
function eachChange(
  operation: Operation,
  kind: 'updates' | 'deletes',
  use: (result: Doc, index: number) => void,
): Promise<Doc[]> {
  const namespace = operation.namespace();
  const all = eachOf(operation.required(kind, isArray), isDoc, `${operation.name}.${kind}`);
  return eachStatement(operation, all.length, async (index) => {
    const statement = statementOf(all[index] ?? noFields(), kind);
    use(await updateOnce(operation, namespace, statement, statementNumber(operation, index)), index);
    return index + 1;
  });
}

/** `update` (manual: reference/command/update). */
export async function update(operation: Operation): Promise<Reply> {
  const totals = { n: 0, nModified: 0 };
  const upserted: Doc[] = [];
  const errors = await eachChange(operation, 'updates', (result, index) => {
    totals.n += Number(result.get('n'));
    totals.nModified += Number(result.get('nModified'));
    const id = result.get('upserted');
    if (id !== undefined) upserted.push(doc({ index, _id: id }));
  });
  return reply({
    n: count(totals.n),
    ...(upserted.length > 0 ? { upserted } : {}),
    nModified: count(totals.nModified),
    ...(errors.length > 0 ? { writeErrors: errors } : {}),
  });
}

/** Executes one statement, or returns the stored result when it was executed before. */
async function updateOnce(operation: Operation, namespace: string, statement: Statement, number: number): Promise<Doc> {
  const known = remembered(operation, number);
  if (known) return known;
  const result = ({ matched, modified, upserted }: Outcome): Doc =>
    doc({
      n: matched + (upserted === undefined ? 0 : 1),
      nModified: statement.update === undefined ? 0 : modified,
      upserted,
    });
  const memory = memoryOf(operation, number, result);
  const outcome = await execute(operation, namespace, statement, memory);
  return remembered(operation, number) ?? result(outcome);
}

/** `delete` (manual: reference/command/delete). */
export async function remove(operation: Operation): Promise<Reply> {
  let removed = 0;
  const errors = await eachChange(operation, 'deletes', (result) => (removed += Number(result.get('n'))));
  return reply({ n: count(removed), ...(errors.length > 0 ? { writeErrors: errors } : {}) });
}

/** `findAndModify` (manual: reference/command/findAndModify). */
export async function findAndModify(operation: Operation): Promise<Reply> {
  const namespace = operation.namespace();
  const { body } = operation;
  const [removing, wantsNew, upsert] = [operation.flag('remove'), operation.flag('new'), operation.flag('upsert')];
  const [filter, fields, change] = [
    operation.optional('query', isDoc) ?? noFields(),
    operation.optional('fields', isDoc),
    body.get('update') ?? undefined,
  ];
  if (removing === (change !== undefined))
    fail(
      9,
      removing ? 'Cannot specify both an update and remove=true' : 'Either an update or remove=true must be specified',
    );
  if (removing && (wantsNew || upsert))
    fail(
      9,
      `Cannot specify both ${upsert ? 'upsert' : 'new'}=true and remove=true${upsert ? '' : "; 'remove' always returns the deleted document"}`,
    );
  if (removing && body.has('arrayFilters')) fail(9, 'Cannot specify arrayFilters and remove=true');
  const project = fields && fields.size > 0 ? compileProjection(fields, operation.env) : (document: Doc) => document;
  const returned: Statement['returned'] = (before, after) => {
    const document = wantsNew ? after : before?.document;
    return document ? project(document) : null;
  };
  const number = statementNumber(operation, 0);
  const resultOf = ({ matched, upserted, value }: Outcome): Doc => {
    const n = matched + (upserted === undefined ? 0 : 1);
    const last = removing ? doc({ n }) : doc({ n, updatedExisting: matched > 0, upserted });
    return doc({ lastErrorObject: last, value: value ?? null });
  };
  const known = remembered(operation, number);
  if (known) return new Map(known); // a copy, because more fields are added to a reply
  const statement = { ...optionsOf(body), filter, update: change, multi: false, upsert, returned };
  const outcome = await execute(operation, namespace, statement, memoryOf(operation, number, resultOf));
  return new Map(remembered(operation, number) ?? resultOf(outcome));
}
