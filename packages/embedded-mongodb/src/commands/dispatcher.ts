import { Double } from 'bson';
import { codeName, fail, StoreError } from '../errors.js';
import { toNumber } from '../values/numbers.js';
import { type Doc, doc, type Encodable, isDoc, isNumber, reply, shown, typeName } from '../values/types.js';
import { idOf, timesOf } from './basics.js';
import { type Fault } from './failpoints.js';
import { checkFields, type Fields, isLong, isString } from './arguments.js';
import { type Client } from './client.js';
import { type Reply, Operation, type Server } from './operation.js';
import { type Command, commands } from './table.js';

/** The result of a command: a reply, or `'close'` when the connection must be closed without one. */
export type Verdict = Reply | 'close';

/** The fields that every command may have (MongoDB: src/mongo/idl/generic_argument.idl). */
const generic: Fields = {
  $db: 'string',
  lsid: 'object',
  txnNumber: 'long',
  autocommit: 'boolean',
  startTransaction: 'boolean',
  $clusterTime: 'object',
  $readPreference: 'object',
  readConcern: 'object',
  writeConcern: 'object',
  maxTimeMS: 'size',
  comment: 'any',
  apiVersion: 'string',
  apiStrict: 'boolean',
  apiDeprecationErrors: 'boolean',
  $client: 'object',
};
const readConcernFields: Fields = {
  level: 'string',
  afterClusterTime: 'any',
  atClusterTime: 'notOffered',
  provenance: 'string',
};
const writeConcernFields: Fields = { w: 'any', j: 'flag', wtimeout: 'number', fsync: 'flag', provenance: 'string' };

/** Commands that are not part of the stable API of MongoDB (manual: reference/stable-api). */
const notInStableApi = ['buildInfo', 'connectionStatus', 'dbStats', 'distinct', 'getParameter', 'serverStatus'];

/** Codes after which a driver repeats a retryable write (driver specification: retryable writes). */
const retryableCodes = [6, 7, 89, 91, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436];

/** Codes after which a client may repeat its whole transaction: lock timeout, conflict, missing snapshot or transaction, prepared. */
const transientCodes = [24, 112, 246, 251, 267];

/** Executes a command of a client: finds it in the table, checks its arguments, joins its transaction, and turns errors into replies. */
export async function dispatch(server: Server, client: Client, body: Doc): Promise<Verdict> {
  const [name = ''] = body.keys();
  const database = body.get('$db');
  const command = commands[name];
  let operation: Operation | undefined;
  let fault: Fault | undefined;
  let end = (): void => undefined;
  try {
    operation = new Operation(server, client, name, body, typeof database === 'string' ? database : 'admin');
    end = server.running.add(operation);
    fault = server.failPoints?.hit(name, client.appName, namespaceOf(operation));
    if (fault && fault.blockMs > 0) await new Promise((resolve) => setTimeout(resolve, fault?.blockMs));
    if (fault?.closeConnection) return 'close';
    if (!command) return failed(operation, new StoreError(59, `no such command: '${name}'`));
    if (fault?.errorCode !== undefined)
      throw new StoreError(fault.errorCode, `Failing command via 'failCommand' failpoint`);
    const cut =
      command.retryable && body.has('txnNumber') && !body.has('autocommit') ? server.failPoints?.hitWrite() : undefined;
    if (cut?.code && !cut.close) throw new StoreError(cut.code, 'Failing retryable write via failpoint');
    if (cut?.code) return 'close';
    const response = await run(operation, command);
    if (cut?.close) return 'close';
    if (fault?.writeConcernError) response.set('writeConcernError', fault.writeConcernError);
    if (fault?.writeConcernError && fault.errorLabels) response.set('errorLabels', [...fault.errorLabels]);
    else if (fault?.writeConcernError) labelWriteConcernError(operation, response, fault.writeConcernError);
    return finished(operation, response);
  } catch (error) {
    const known =
      error instanceof StoreError
        ? error
        : new StoreError(1, error instanceof Error ? `${error.name}: ${error.message}` : 'unknown error');
    if (!operation) return errorReply(known);
    return failed(operation, known, fault);
  } finally {
    end();
  }
}

/** The reply for an error that happened before the operation was created. It has no cluster time and no labels. */
export const errorReply = (error: StoreError): Reply =>
  reply({ ok: new Double(0), errmsg: error.message, code: error.code, codeName: codeName(error.code) });

const namespaceOf = ({ body, name, database }: Operation): string | undefined => {
  const collection = body.get(name);
  return typeof collection === 'string' ? `${database}.${collection}` : undefined;
};

const fieldsOf = new Map<string, Fields>();

/** Rejects arguments that the command does not have (40415) or that have a wrong type (14). */
function checkOptions(body: Doc, name: string, { options }: Command): void {
  if (!options) return;
  const fields = fieldsOf.get(name) ?? { ...generic, ...options, [name]: 'any' };
  fieldsOf.set(name, fields);
  checkFields(body, fields, name);
}

async function run(operation: Operation, command: Command): Promise<Reply> {
  const { body } = operation;
  checkDatabase(operation.database);
  checkOptions(body, operation.name, command);
  if ((body.get('apiVersion') ?? '1') !== '1') fail(322, "API version must be '1'");
  if (body.get('apiStrict') === true && notInStableApi.includes(operation.name))
    fail(323, `Provided apiStrict:true, but the command ${operation.name} is not in API Version 1`);
  checkConcerns(operation, command);
  if (command.sessions !== false) joinSession(operation, command);
  return await command.run(operation, (inner, name) => {
    const known = commands[name] ?? fail(59, `Explain failed due to unknown command: ${name}`);
    checkOptions(inner, name, known);
    return new Operation(operation.server, operation.client, name, inner, operation.database);
  });
}

/** Joins the command's session: starts or continues its transaction, or makes it a retryable write. */
function joinSession(operation: Operation, command: Command): void {
  const { body, engine } = operation;
  const [lsid, number, autocommit, starts] = ['lsid', 'txnNumber', 'autocommit', 'startTransaction'].map((name) =>
    body.get(name),
  );
  if (starts !== undefined && autocommit === undefined)
    fail(72, "'startTransaction' field requires 'autocommit' field to also be specified");
  if (starts === false) fail(72, 'Specifying startTransaction=false is not allowed.');
  if (lsid === undefined) {
    if (number !== undefined) fail(72, 'Transaction number requires a session ID to also be specified');
    return;
  }
  const id = idOf(lsid) ?? fail(14, "BSON field 'lsid.id' is the wrong type, expected type 'binData'");
  const session = engine.sessions.get(id);
  operation.session = session;
  if (number === undefined) {
    if (autocommit !== undefined) fail(72, "'autocommit' field requires a transaction number to also be specified");
    return;
  }
  if (!isLong(number) || number < 0n) return fail(72, 'Transaction number cannot be negative');
  if (autocommit !== undefined) {
    if (autocommit !== false) fail(72, 'Specifying autocommit=true is not allowed.');
    checkTransaction(operation, command);
    session.connection = operation.client.closed;
    if (command.endsTransaction) return;
    if (starts === true) engine.sessions.start(session, number);
    operation.transaction = engine.sessions.open(session, number);
    return;
  }
  if (!command.retryable)
    fail(
      50768,
      `txnNumber may only be provided for multi-document transactions and retryable write commands. autocommit:false was not provided, and ${operation.name} is not a retryable write command.`,
    );
  session.advance(number);
  operation.retryable = true;
}

/** Rejects what a command of a transaction must not have: 263 for a command or a database, 72 for a concern. */
function checkTransaction({ name, body, database }: Operation, command: Command): void {
  if (body.has('readConcern') && body.get('startTransaction') !== true)
    fail(72, 'Only the first command in a transaction may specify a readConcern');
  if (command.endsTransaction) return;
  if (!command.inTransaction) fail(263, `Cannot run '${name}' in a multi-document transaction.`);
  if (['admin', 'config', 'local'].includes(database))
    fail(263, `Cannot run command against the '${database}' database in a transaction.`);
  if (body.has('writeConcern')) fail(72, 'writeConcern is not allowed within a multi-statement transaction');
}

/** 73 for what cannot be the name of a database. */
function checkDatabase(name: string): void {
  if (name === '' || Buffer.byteLength(name) > 63 || /[\0 /\\."$]/.test(name))
    fail(73, `Invalid database name: '${name}'`);
}

const readLevels = ['local', 'majority', 'available', 'linearizable', 'snapshot'];

/** Checks the read and write concern. One durable member fulfils every valid concern, except a snapshot outside of a transaction. */
function checkConcerns({ name, body }: Operation, command: Command): void {
  const [read, write] = [body.get('readConcern'), body.get('writeConcern')];
  if (write !== undefined && !command.writeConcern) fail(72, 'Command does not support writeConcern');
  if (isDoc(read)) checkFields(read, readConcernFields, 'readConcern');
  if (isDoc(write)) checkFields(write, writeConcernFields, 'writeConcern');
  const level = (isDoc(read) ? read.get('level') : undefined) ?? 'local';
  const inTransaction = body.get('autocommit') === false;
  if (!isString(level) || !readLevels.includes(level))
    fail(9, `Enumeration value '${shown(level)}' for field 'readConcern.level' is not a valid value.`);
  if (inTransaction && ['available', 'linearizable'].includes(level))
    fail(
      72,
      "The readConcern level must be either 'local' (default), 'majority' or 'snapshot' in order to run in a transaction",
    );
  if (!inTransaction && level !== 'local' && !command.readConcern)
    fail(72, `Command ${name} does not support { readConcern: { level: "${level}" } }`);
  if (level === 'snapshot' && !inTransaction)
    fail(238, "readConcern level 'snapshot' outside of a transaction is not supported by the embedded store");
  const w = isDoc(write) ? (write.get('w') ?? 1) : 1;
  if (!isNumber(w) && !isString(w)) fail(9, `w has to be a number or a string, but found ${typeName(w)}`);
  if (isNumber(w) && (toNumber(w) < 0 || toNumber(w) > 50))
    fail(9, 'w has to be a non-negative number and not greater than 50');
}

/** The write concern error when the client requests more members than one. */
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

function finished(operation: Operation, response: Reply): Reply {
  const concern = response.has('writeConcernError') ? undefined : unsatisfied(operation);
  if (concern) response.set('writeConcernError', concern);
  response.set('ok', new Double(1));
  for (const [name, value] of Object.entries(timesOf(operation))) response.set(name, value);
  return response;
}

const isRetryableWrite = ({ retryable, name }: Operation): boolean =>
  retryable || name === 'commitTransaction' || name === 'abortTransaction';

function labelWriteConcernError(operation: Operation, response: Reply, error: Doc): void {
  const code = error.get('code');
  if (isRetryableWrite(operation) && typeof code === 'number' && retryableCodes.includes(code))
    response.set('errorLabels', ['RetryableWriteError']);
}

function failed(operation: Operation, error: StoreError, fault?: Fault): Reply {
  const labels = new Set<string>(fault?.errorLabels);
  const { name, transaction, session, body } = operation;
  if (!fault?.errorLabels) {
    const inTransaction = transaction !== undefined || body.get('autocommit') === false;
    const ends = name === 'commitTransaction' || name === 'abortTransaction';
    const transient = transientCodes.includes(error.code) || (!ends && retryableCodes.includes(error.code));
    if (inTransaction && transient) labels.add('TransientTransactionError');
    if (isRetryableWrite(operation) && retryableCodes.includes(error.code)) labels.add('RetryableWriteError');
  }
  if (transaction && session?.transaction === transaction) session.end();
  const response: Record<string, Encodable> = {
    ok: new Double(0),
    errmsg: error.message,
    code: error.code,
    codeName: codeName(error.code),
    ...error.details,
  };
  if (labels.size > 0) response['errorLabels'] = [...labels];
  return reply({ ...response, ...timesOf(operation) });
}
