import { fail } from '../errors.js';
import { toNumber } from '../values/numbers.js';
import { isNumber, reply } from '../values/types.js';
import { isString } from './arguments.js';
import { sessionIds } from './basics.js';
import { type Answer, type Operation } from './operation.js';

/** `currentOp` (manual: reference/command/currentOp), without a filter: what is running, except itself. */
export function currentOp(operation: Operation): Answer {
  mustBeAdmin(operation);
  const others = operation.server.running.list().filter(([, other]) => other !== operation);
  const inprog = others.map(([id, { client, name, database, body, startedAt }]) => {
    const collection = body.get(name);
    return reply({
      type: 'op',
      opid: id,
      active: true,
      client: client.appName,
      connectionId: client.id,
      secs_running: BigInt(Math.floor((Date.now() - startedAt) / 1000)),
      op: 'command',
      ns: `${database}.${isString(collection) ? collection : '$cmd'}`,
      command: body,
    });
  });
  return reply({ inprog });
}

/** `killOp` (manual: reference/command/killOp). As in MongoDB a number of no operation is no error. */
export function killOp(operation: Operation): Answer {
  mustBeAdmin(operation);
  operation.server.running.kill(toNumber(operation.required('op', isNumber)));
  return reply({ info: 'attempting to kill op' });
}

/** `killSessions` (manual: reference/command/killSessions), of the sessions that it names: their commands, cursors and transactions. */
export async function killSessions(operation: Operation): Promise<Answer> {
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
