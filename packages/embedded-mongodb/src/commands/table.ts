import { toNumber } from '../values/numbers.js';
import { type Doc, isNumber, reply } from '../values/types.js';
import { fail } from '../errors.js';
import { type Fields } from './arguments.js';
import {
  buildInfo,
  configureFailPoint,
  connectionStatus,
  endSessions,
  getParameter,
  hello,
  ping,
  serverStatus,
} from './basics.js';
import { collectionOptions, create, drop, dropDatabase, listCollections } from './collections.js';
import { createIndexes, dropIndexes, listIndexes } from './indexing.js';
import { type Reply, type Operation } from './operation.js';
import { aggregate } from './aggregate.js';
import { explain } from './explain.js';
import { count, distinct, find, getMore, killCursors } from './reads.js';
import { currentOp, killOp, killSessions } from './current-operations.js';
import { dbStats, listDatabases } from './statistics.js';
import { findAndModify, insert, remove, update } from './writes.js';

/** One command of the wire protocol. */
export interface Command {
  /** Its own arguments and their types. Every other one is rejected. `undefined` allows all (drivers add fields to the handshake). */
  readonly options?: Fields;
  readonly inTransaction?: boolean;
  readonly retryable?: boolean;
  /** Whether a write concern is allowed. Error 72 for all others. */
  readonly writeConcern?: boolean;
  /** Whether it reads with a read concern other than `local`. Error 72 for all others outside of a transaction. */
  readonly readConcern?: boolean;
  readonly endsTransaction?: boolean;
  /** `false` for commands that ignore the session they are sent with. */
  readonly sessions?: boolean;
  readonly run: (operation: Operation, make: (body: Doc, name: string) => Operation) => Reply | Promise<Reply>;
}

function killAllSessions({ engine }: Operation): Reply {
  engine.sessions.close();
  return reply({});
}

const empty = (): Reply => reply({});

function transactionNumber({ body, database, session }: Operation): bigint {
  if (database !== 'admin')
    fail(13, 'commitTransaction and abortTransaction may only be run against the admin database.');
  const number = body.get('txnNumber');
  return isNumber(number) && session
    ? BigInt(toNumber(number))
    : fail(125, 'a transaction ends only within a session and with its number');
}

async function commitTransaction(operation: Operation): Promise<Reply> {
  const number = transactionNumber(operation);
  if (operation.session) await operation.engine.sessions.commit(operation.session, number);
  return empty();
}

function abortTransaction(operation: Operation): Reply {
  const number = transactionNumber(operation);
  if (operation.session) {
    operation.engine.sessions.open(operation.session, number);
    operation.session.end();
  }
  return empty();
}

const handshake: Command = { sessions: false, run: hello };
const ending = { writeConcern: true, endsTransaction: true, options: { recoveryToken: 'object' } } as const;
const writeOptions: Fields = {
  ordered: 'boolean',
  bypassDocumentValidation: 'flag',
  bypassEmptyTsReplacement: 'boolean',
  stmtId: 'number',
  stmtIds: 'array',
};
const modify: Command = {
  writeConcern: true,
  inTransaction: true,
  retryable: true,
  options: {
    query: 'object',
    sort: 'object',
    remove: 'flag',
    update: 'any',
    new: 'flag',
    fields: 'object',
    upsert: 'flag',
    bypassDocumentValidation: 'flag',
    arrayFilters: 'array',
    hint: 'hint',
    let: 'object',
    collation: 'collation',
    stmtId: 'number',
  },
  run: findAndModify,
};

/** All commands. Every other one is rejected with error 59. */
export const commands: Readonly<Record<string, Command | undefined>> = {
  hello: handshake,
  isMaster: handshake,
  ismaster: handshake,
  ping: { options: {}, run: ping },
  buildInfo: { options: {}, run: buildInfo },
  buildinfo: { options: {}, run: buildInfo },
  serverStatus: { sessions: false, run: serverStatus },
  getParameter: { sessions: false, run: getParameter },
  connectionStatus: { options: { showPrivileges: 'flag' }, run: connectionStatus },
  configureFailPoint: { sessions: false, run: configureFailPoint },
  listDatabases: { options: { filter: 'object', nameOnly: 'flag', authorizedDatabases: 'flag' }, run: listDatabases },
  listCollections: {
    options: { filter: 'object', nameOnly: 'flag', authorizedCollections: 'flag', cursor: 'cursor' },
    run: listCollections,
  },
  create: { writeConcern: true, inTransaction: true, options: collectionOptions, run: create },
  drop: { writeConcern: true, options: {}, run: drop },
  dropDatabase: { writeConcern: true, options: {}, run: dropDatabase },
  dbStats: { options: { scale: 'number', freeStorage: 'notOffered' }, run: dbStats },
  createIndexes: {
    writeConcern: true,
    inTransaction: true,
    options: { indexes: 'array', commitQuorum: 'any', ignoreUnknownIndexOptions: 'flag' },
    run: createIndexes,
  },
  listIndexes: { options: { cursor: 'cursor', includeBuildUUIDs: 'notOffered' }, run: listIndexes },
  dropIndexes: { writeConcern: true, options: { index: 'any' }, run: dropIndexes },
  insert: {
    writeConcern: true,
    inTransaction: true,
    retryable: true,
    options: { documents: 'array', ...writeOptions },
    run: insert,
  },
  update: {
    writeConcern: true,
    inTransaction: true,
    retryable: true,
    options: { updates: 'array', let: 'object', ...writeOptions },
    run: update,
  },
  delete: {
    writeConcern: true,
    inTransaction: true,
    retryable: true,
    options: { deletes: 'array', let: 'object', ...writeOptions },
    run: remove,
  },
  findAndModify: modify,
  findandmodify: modify,
  find: {
    inTransaction: true,
    readConcern: true,
    options: {
      filter: 'object',
      projection: 'object',
      sort: 'object',
      hint: 'hint',
      skip: 'size',
      limit: 'size',
      batchSize: 'size',
      singleBatch: 'boolean',
      max: 'notOffered',
      min: 'notOffered',
      returnKey: 'notOffered',
      showRecordId: 'notOffered',
      tailable: 'notOffered',
      awaitData: 'notOffered',
      oplogReplay: 'any',
      noCursorTimeout: 'boolean',
      allowPartialResults: 'boolean',
      allowDiskUse: 'boolean',
      let: 'object',
      collation: 'collation',
    },
    run: find,
  },
  getMore: { inTransaction: true, options: { collection: 'string', batchSize: 'number' }, run: getMore },
  killCursors: { inTransaction: true, options: { cursors: 'array' }, run: killCursors },
  aggregate: {
    writeConcern: true,
    inTransaction: true,
    readConcern: true,
    options: {
      pipeline: 'array',
      explain: 'boolean',
      allowDiskUse: 'boolean',
      cursor: 'cursor',
      bypassDocumentValidation: 'flag',
      hint: 'hint',
      let: 'object',
      collation: 'collation',
    },
    run: aggregate,
  },
  count: {
    readConcern: true,
    options: { query: 'object', limit: 'any', skip: 'any', hint: 'hint', fields: 'object', collation: 'collation' },
    run: count,
  },
  distinct: {
    inTransaction: true,
    readConcern: true,
    options: { key: 'string', query: 'object', hint: 'hint', collation: 'collation' },
    run: distinct,
  },
  explain: { readConcern: true, options: { verbosity: 'string' }, run: explain },
  endSessions: { sessions: false, run: endSessions },
  commitTransaction: { ...ending, run: commitTransaction },
  abortTransaction: { ...ending, run: abortTransaction },
  killAllSessions: { sessions: false, run: killAllSessions },
  killSessions: { sessions: false, run: killSessions },
  killOp: { options: { op: 'number' }, run: killOp },
  currentOp: { options: {}, run: currentOp },
};
