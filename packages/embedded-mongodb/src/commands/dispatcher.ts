import { Double } from 'bson';
import { codeName, fail, StoreError } from '../errors.js';
import { toNumber } from '../values/numbers.js';
import { type Doc, doc, type Encodable, isDoc, isNumber, reply, shown } from '../values/types.js';
import { idOf, timesOf } from './basics.js';
import { type Fault } from './failpoints.js';
import { refuseCollation, isString } from './arguments.js';
import { type Answer, type Client, Operation, type Server } from './operation.js';
import { type Command, commands } from './table.js';

/** The result of a command: an answer, or `'close'` when the connection must be cut without one. */
export type Verdict = Answer | 'close';

/** The fields that every command may have (MongoDB: src/mongo/idl/generic_argument.idl). */
const generic = [
  '$db',
  'lsid',
  'txnNumber',
  'autocommit',
  'startTransaction',
  'stmtId',
  'stmtIds',
  '$clusterTime',
  '$readPreference',
  'readConcern',
  'writeConcern',
  'maxTimeMS',
  'comment',
  'apiVersion',
  'apiStrict',
  'apiDeprecationErrors',
  'let',
  'collation',
  'rawData',
  '$client',
  'topologyVersion',
  'maxAwaitTimeMS',
];

/** Codes after which a driver repeats a retryable write (driver specification: retryable writes). */
const retryableCodes = [6, 7, 89, 91, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436];

/** Codes after which a client may repeat its whole transaction: lock timeout, conflict, missing snapshot or transaction, prepared. */
const transientCodes = [24, 112, 246, 251, 267];

/** Executes a command of a client: finds it in the table, checks its arguments, joins its transaction, and turns errors into answers. */
export async function dispatch(server: Server, client: Client, body: Doc): Promise<Verdict> {
  const [name = ''] = body.keys();
  const database = body.get('$db');
  const command = commands[name];
  let operation: Operation | undefined;
  let fault: Fault | undefined;
  try {
    operation = new Operation(server, client, name, body, typeof database === 'string' ? database : 'admin');
    fault = server.failPoints.hit(name, client.appName, namespaceOf(operation));
    if (fault && fault.blockMs > 0) await new Promise((resolve) => setTimeout(resolve, fault?.blockMs));
    if (fault?.closeConnection) return 'close';
    if (!command) return failed(operation, new StoreError(59, `no such command: '${name}'`));
    if (fault?.errorCode !== undefined)
      throw new StoreError(fault.errorCode, `Failing command via 'failCommand' failpoint`);
    const cut =
      command.retryable && body.has('txnNumber') && !body.has('autocommit') ? server.failPoints.hitWrite() : undefined;
    if (cut?.code && !cut.close) throw new StoreError(cut.code, 'Failing retryable write via failpoint');
    if (cut?.code) return 'close';
    const answer = await run(operation, command);
    if (cut?.close) return 'close';
    if (fault?.writeConcernError) answer.set('writeConcernError', fault.writeConcernError);
    if (fault?.writeConcernError && fault.errorLabels) answer.set('errorLabels', [...fault.errorLabels]);
    else if (fault?.writeConcernError) labelWriteConcernError(operation, answer, fault.writeConcernError);
    return finished(operation, answer);
  } catch (error) {
    const known =
      error instanceof StoreError
        ? error
        : new StoreError(1, error instanceof Error ? `${error.name}: ${error.message}` : 'unknown error');
    if (!operation) return errorAnswer(known);
    return failed(operation, known, fault);
  }
}

/** The answer for an error that happened before the operation was made. It has no cluster time and no labels. */
export const errorAnswer = (error: StoreError): Answer =>
  reply({ ok: new Double(0), errmsg: error.message, code: error.code, codeName: codeName(error.code) });

const namespaceOf = ({ body, name, database }: Operation): string | undefined => {
  const collection = body.get(name);
  return typeof collection === 'string' ? `${database}.${collection}` : undefined;
};

const optionsOf = new Map<string, ReadonlySet<string>>();

/** Rejects an argument that the command does not have: 40415. */
function refuseOptions(body: Doc, name: string, { options }: Command): void {
  if (!options) return;
  const all = optionsOf.get(name) ?? new Set([name, ...generic, ...options]);
  optionsOf.set(name, all);
  for (const option of body.keys())
    if (!all.has(option)) fail(40415, `BSON field '${name}.${option}' is an unknown field.`);
}

async function run(operation: Operation, command: Command): Promise<Answer> {
  const { body } = operation;
  refuseOptions(body, operation.name, command);
  refuseCollation(body.get('collation'));
  checkConcerns(operation, command);
  if (command.sessions !== false) joinSession(operation, command);
  return await command.run(operation, (inner, name) => {
    const known = commands[name] ?? fail(59, `Explain failed due to unknown command: ${name}`);
    refuseOptions(inner, name, known);
    return new Operation(operation.server, operation.client, name, inner, operation.database);
  });
}

/** Joins the command's session: starts or continues its transaction, or makes it a retryable write. */
function joinSession(operation: Operation, command: Command): void {
  const { body, engine } = operation;
  const id = idOf(body.get('lsid'));
  const [number, autocommit, starts] = [body.get('txnNumber'), body.get('autocommit'), body.get('startTransaction')];
  if (!id) {
    if (number !== undefined) fail(72, 'Transaction number requires a session ID to also be specified');
    return;
  }
  const session = engine.sessions.get(id);
  operation.session = session;
  if (number === undefined) {
    if (autocommit !== undefined) fail(72, "'autocommit' field requires a transaction number to also be specified");
    return;
  }
  const txnNumber = isNumber(number) ? BigInt(toNumber(number)) : fail(14, "BSON field 'txnNumber' is the wrong type");
  if (autocommit !== undefined) {
    if (autocommit !== false) fail(72, 'Specifying autocommit=true is not allowed.');
    if (command.endsTransaction) return;
    if (!command.inTransaction) fail(263, `Cannot run '${operation.name}' in a multi-document transaction.`);
    if (starts === true) engine.sessions.start(session, txnNumber);
    operation.transaction = engine.sessions.open(session, txnNumber);
    return;
  }
  if (!command.retryable)
    fail(
      50768,
      `txnNumber may only be provided for multi-document transactions and retryable write commands. autocommit:false was not provided, and ${operation.name} is not a retryable write command.`,
    );
  session.advance(txnNumber);
  operation.retryable = true;
}

/** Checks the read and write concern. One durable member meets every valid concern, except a snapshot outside of a transaction. */
function checkConcerns({ body }: Operation, { writeConcern }: Command): void {
  const [read, write] = [body.get('readConcern'), body.get('writeConcern')];
  if (write !== undefined && !writeConcern) fail(72, 'Command does not support writeConcern');
  const level = isDoc(read) ? read.get('level') : undefined;
  if (
    level !== undefined &&
    !['local', 'majority', 'available', 'linearizable', 'snapshot'].includes(isString(level) ? level : '')
  ) {
    fail(9, `Enumeration value '${shown(level)}' for field 'readConcern.level' is not a valid value.`);
  }
  if (level === 'snapshot' && body.get('autocommit') !== false)
    fail(238, "readConcern level 'snapshot' outside of a transaction is not supported by the embedded store");
  const w = isDoc(write) ? write.get('w') : undefined;
  if (isNumber(w) && (toNumber(w) < 0 || toNumber(w) > 50))
    fail(9, 'w has to be a non-negative number and not greater than 50');
}

/** The write concern error when the client asks for more members than the one that there is. */
function unsatisfied({ body }: Operation): Doc | undefined {
  const write = body.get('writeConcern');
  const w = isDoc(write) ? write.get('w') : undefined;
  if (isNumber(w) && toNumber(w) > 1)
    return doc({ code: 100, codeName: 'UnsatisfiableWriteConcern', errmsg: 'Not enough data-bearing nodes' });
  if (typeof w === 'string' && w !== 'majority')
    return doc({
      code: 79,
      codeName: 'UnknownReplWriteConcern',
      errmsg: `No write concern mode named '${w}' found in replica set configuration`,
    });
  return undefined;
}

function finished(operation: Operation, answer: Answer): Answer {
  const concern = answer.has('writeConcernError') ? undefined : unsatisfied(operation);
  if (concern) answer.set('writeConcernError', concern);
  answer.set('ok', new Double(1));
  for (const [name, value] of Object.entries(timesOf(operation))) answer.set(name, value);
  return answer;
}

const isRetryableWrite = ({ retryable, name }: Operation): boolean =>
  retryable || name === 'commitTransaction' || name === 'abortTransaction';

function labelWriteConcernError(operation: Operation, answer: Answer, error: Doc): void {
  const code = error.get('code');
  if (isRetryableWrite(operation) && typeof code === 'number' && retryableCodes.includes(code))
    answer.set('errorLabels', ['RetryableWriteError']);
}

function failed(operation: Operation, error: StoreError, fault?: Fault): Answer {
  const labels = new Set<string>(fault?.errorLabels ?? error.labels);
  const { name, transaction, session, body } = operation;
  if (!fault?.errorLabels) {
    const inTransaction = transaction !== undefined || body.get('autocommit') === false;
    const ends = name === 'commitTransaction' || name === 'abortTransaction';
    const transient = transientCodes.includes(error.code) || (!ends && retryableCodes.includes(error.code));
    if (inTransaction && transient) labels.add('TransientTransactionError');
    if (isRetryableWrite(operation) && retryableCodes.includes(error.code)) labels.add('RetryableWriteError');
  }
  if (transaction && session?.transaction === transaction) session.end();
  const answer: Record<string, Encodable> = {
    ok: new Double(0),
    errmsg: error.message,
    code: error.code,
    codeName: codeName(error.code),
    ...error.details,
  };
  if (labels.size > 0) answer['errorLabels'] = [...labels];
  return reply({ ...answer, ...timesOf(operation) });
}
