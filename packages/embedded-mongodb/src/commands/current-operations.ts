import { fail } from '../errors.js';
import { toNumber } from '../values/numbers.js';
import { type Doc, doc, isDoc, isNumber, reply, type Value } from '../values/types.js';
import { checkFields, type Fields, isString } from './arguments.js';
import { sessionIds } from './basics.js';
import { type Reply, type Operation } from './operation.js';

/** The running commands, except the one that requests them. */
function inProgress(operation: Operation): Doc[] {
  const others = operation.server.running.list().filter(([, other]) => other !== operation);
  return others.map(([id, { client, name, database, body, startedAt }]) => {
    const collection = body.get(name);
    return doc({
      type: 'op',
      opid: id,
      active: true,
      client: client.appName,
      connectionId: client.id,
      secs_running: BigInt(Math.floor((performance.now() - startedAt) / 1000)),
      op: 'command',
      ns: `${database}.${isString(collection) ? collection : '$cmd'}`,
      command: body,
    });
  });
}

/** `currentOp` (manual: reference/command/currentOp), without a filter. */
export function currentOp(operation: Operation): Reply {
  mustBeAdmin(operation);
  return reply({ inprog: inProgress(operation) });
}

const stageOptions: Fields = {
  allUsers: 'boolean',
  truncateOps: 'boolean',
  localOps: 'boolean',
  idleConnections: 'notOffered',
  idleCursors: 'notOffered',
  idleSessions: 'notOffered',
  backtrace: 'notOffered',
};

/** The result of the stage `$currentOp` (manual: reference/operator/aggregation/currentOp), which mongosh's `db.currentOp()` uses. */
export function currentOpStage(operation: Operation, spec: Value): Doc[] {
  if (!isDoc(spec)) return fail(9, '$currentOp options must be specified in an object');
  checkFields(spec, stageOptions, '$currentOp');
  if (operation.database !== 'admin' || !isNumber(operation.body.get('aggregate') ?? null))
    fail(73, "$currentOp must be run against the 'admin' database with {aggregate: 1}");
  return inProgress(operation);
}

/** `killOp` (manual: reference/command/killOp). As in MongoDB a number of no operation is no error. */
export function killOp(operation: Operation): Reply {
  mustBeAdmin(operation);
  operation.server.running.kill(toNumber(operation.required('op', isNumber)));
  return reply({ info: 'attempting to kill op' });
}

/** `killSessions` (manual: reference/command/killSessions), of the sessions that it names: their commands, cursors and transactions. */
export async function killSessions(operation: Operation): Promise<Reply> {
  const { engine, running, cursors } = operation.server;
  const ids = sessionIds(operation);
  if (ids.length === 0) fail(2, 'killSessions of all sessions is killAllSessions in the embedded store');
  for (const id of ids) {
    const { key } = engine.sessions.get(id);
    running.killSession(key);
    cursors.killSession(key);
  }
  await engine.sessions.finish(ids);
  return reply({});
}

function mustBeAdmin({ name, database }: Operation): void {
  if (database !== 'admin') fail(13, `${name} may only be run against the admin database.`);
}
