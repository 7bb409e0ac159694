import { toNumber } from '../values/numbers.js';
import { type Doc, isNumber, reply } from '../values/types.js';
import { fail } from '../errors.js';
import {
  buildInfo,
  configureFailPoint,
  connectionStatus,
  endSessions,
  getParameter,
  hello,
  serverStatus,
} from './basics.js';
import { collectionOptions, create, drop, dropDatabase, listCollections } from './collections.js';
import { createIndexes, dropIndexes, listIndexes } from './indexing.js';
import { type Answer, type Operation } from './operation.js';
import { aggregate } from './aggregate.js';
import { explain } from './explain.js';
import { count, distinct, find, getMore, killCursors } from './reads.js';
import { collStats, dbStats, listDatabases } from './statistics.js';
import { findAndModify, insert, remove, update } from './writes.js';

/** One command of the wire protocol. */
export interface Command {
  /** Its own arguments; every other one is rejected. `undefined` allows all (drivers add fields to the handshake). */
  readonly options?: readonly string[];
  readonly inTransaction?: boolean;
  readonly retryable?: boolean;
  /** Whether a write concern is allowed. Error 72 for all others. */
  readonly writeConcern?: boolean;
  readonly endsTransaction?: boolean;
  /** `false` for commands that ignore the session they are sent with. */
  readonly sessions?: boolean;
  readonly run: (operation: Operation, make: (body: Doc, name: string) => Operation) => Answer | Promise<Answer>;
}

function killAllSessions({ engine }: Operation): Answer {
  engine.sessions.close();
  return reply({});
}

const empty = (): Answer => reply({});

function transactionNumber({ body, database, session }: Operation): bigint {
  if (database !== 'admin')
    fail(13, 'commitTransaction and abortTransaction may only be run against the admin database.');
  const number = body.get('txnNumber');
  return isNumber(number) && session
    ? BigInt(toNumber(number))
    : fail(125, 'a transaction ends only within a session and with its number');
}

async function commitTransaction(operation: Operation): Promise<Answer> {
  const number = transactionNumber(operation);
  if (operation.session) await operation.engine.sessions.commit(operation.session, number);
  return empty();
}

function abortTransaction(operation: Operation): Answer {
  const number = transactionNumber(operation);
  if (operation.session) {
    operation.engine.sessions.open(operation.session, number);
    operation.session.end();
  }
  return empty();
}

const handshake: Command = { sessions: false, run: hello };
const writeOptions = ['ordered', 'bypassDocumentValidation', 'bypassEmptyTsReplacement'];
const modify: Command = {
  writeConcern: true,
  inTransaction: true,
  retryable: true,
  options: [
    'query',
    'sort',
    'remove',
    'update',
    'new',
    'fields',
    'upsert',
    'bypassDocumentValidation',
    'arrayFilters',
    'hint',
  ],
  run: findAndModify,
};

/** All commands. Every other one is rejected with error 59. */
export const commands: Readonly<Record<string, Command | undefined>> = {
  hello: handshake,
  isMaster: handshake,
  ismaster: handshake,
  ping: { options: [], run: empty },
  buildInfo: { options: [], run: buildInfo },
  buildinfo: { options: [], run: buildInfo },
  serverStatus: { sessions: false, run: serverStatus },
  getParameter: { sessions: false, run: getParameter },
  connectionStatus: { options: ['showPrivileges'], run: connectionStatus },
  configureFailPoint: { sessions: false, run: configureFailPoint },
  listDatabases: { options: ['filter', 'nameOnly', 'authorizedDatabases'], run: listDatabases },
  listCollections: { options: ['filter', 'nameOnly', 'authorizedCollections', 'cursor'], run: listCollections },
  create: { writeConcern: true, inTransaction: true, options: collectionOptions, run: create },
  drop: { writeConcern: true, options: [], run: drop },
  dropDatabase: { writeConcern: true, options: [], run: dropDatabase },
  collStats: { options: ['scale'], run: collStats },
  dbStats: { options: ['scale', 'freeStorage'], run: dbStats },
  createIndexes: {
    writeConcern: true,
    inTransaction: true,
    options: ['indexes', 'commitQuorum', 'ignoreUnknownIndexOptions'],
    run: createIndexes,
  },
  listIndexes: { options: ['cursor', 'includeBuildUUIDs'], run: listIndexes },
  dropIndexes: { writeConcern: true, options: ['index'], run: dropIndexes },
  insert: {
    writeConcern: true,
    inTransaction: true,
    retryable: true,
    options: ['documents', ...writeOptions],
    run: insert,
  },
  update: {
    writeConcern: true,
    inTransaction: true,
    retryable: true,
    options: ['updates', ...writeOptions],
    run: update,
  },
  delete: {
    writeConcern: true,
    inTransaction: true,
    retryable: true,
    options: ['deletes', ...writeOptions],
    run: remove,
  },
  findAndModify: modify,
  findandmodify: modify,
  find: {
    inTransaction: true,
    options: [
      'filter',
      'projection',
      'sort',
      'hint',
      'skip',
      'limit',
      'batchSize',
      'singleBatch',
      'max',
      'min',
      'returnKey',
      'showRecordId',
      'tailable',
      'awaitData',
      'oplogReplay',
      'noCursorTimeout',
      'allowPartialResults',
      'allowDiskUse',
    ],
    run: find,
  },
  getMore: { inTransaction: true, options: ['collection', 'batchSize'], run: getMore },
  killCursors: { inTransaction: true, options: ['cursors'], run: killCursors },
  aggregate: {
    writeConcern: true,
    inTransaction: true,
    options: ['pipeline', 'explain', 'allowDiskUse', 'cursor', 'bypassDocumentValidation', 'hint'],
    run: aggregate,
  },
  count: { options: ['query', 'limit', 'skip', 'hint', 'fields'], run: count },
  distinct: { inTransaction: true, options: ['key', 'query', 'hint'], run: distinct },
  explain: { options: ['verbosity'], run: explain },
  endSessions: { sessions: false, run: endSessions },
  commitTransaction: { writeConcern: true, endsTransaction: true, options: ['recoveryToken'], run: commitTransaction },
  abortTransaction: { writeConcern: true, endsTransaction: true, options: ['recoveryToken'], run: abortTransaction },
  killAllSessions: { sessions: false, run: killAllSessions },
};
