import { Binary, Timestamp } from 'bson';
import { fail } from '../errors.js';
import { maxDocumentBytes } from '../values/bson.js';
import { double } from '../values/numbers.js';
import { fieldAt } from '../values/paths.js';
import { type Doc, doc, isDoc, type Maybe, reply } from '../values/types.js';
import { isArray } from './arguments.js';
import { type Reply, type Operation } from './operation.js';
import { sessionMinutes } from '../transactions/sessions.js';

/** The server version that is announced: its commands, operators and codes are those of this version's manual. */
export const version = '8.0.0';
/** One below that of 8.0.0: from 25 on drivers offer the command `bulkWrite`, which this store does not have. */
const wireVersion = 24;

/** The one set that this store is the only member of. */
export const setName = 'embedded';

/** `hello` and its old names: a writable primary of a replica set, so that drivers offer sessions and transactions. */
export function hello(operation: Operation): Reply {
  const { server, client, body, name } = operation;
  const application = fieldAt(body, ['client', 'application', 'name']);
  if (typeof application === 'string') client.appName = application;
  return reply({
    ...(name === 'hello' ? { isWritablePrimary: true } : { ismaster: true, helloOk: true }),
    secondary: false,
    setName,
    setVersion: 1,
    hosts: [server.address],
    primary: server.address,
    me: server.address,
    maxBsonObjectSize: maxDocumentBytes,
    maxMessageSizeBytes: 48_000_000,
    maxWriteBatchSize: 100_000,
    localTime: new Date(),
    logicalSessionTimeoutMinutes: sessionMinutes,
    connectionId: client.id,
    minWireVersion: 0,
    maxWireVersion: wireVersion,
    readOnly: false,
  });
}

/** `ping`, for health checks: it fails while the store can write nothing because its files were taken from it. */
export function ping({ server }: Operation): Reply {
  server.engine.disk.requireOwn();
  return reply({});
}

/** `buildInfo`. */
export const buildInfo = (): Reply =>
  reply({
    version,
    gitVersion: 'embedded',
    modules: ['shop-platform-embedded-store'],
    versionArray: version.split('.').map(Number).concat(0),
    javascriptEngine: 'none',
    bits: 64,
    debug: false,
    maxBsonObjectSize: maxDocumentBytes,
    storageEngines: ['lmdb'],
  });

/** `serverStatus`, with the few figures that this store has. */
export const serverStatus = ({ server }: Operation): Reply =>
  reply({
    host: server.address,
    version,
    process: 'embedded',
    pid: BigInt(process.pid),
    uptime: double(Math.floor(process.uptime())),
    localTime: new Date(),
    storageEngine: reply({ name: 'lmdb', supportsCommittedReads: true }),
    metrics: reply({ cursor: reply({ open: reply({ total: BigInt(server.cursors.size) }) }) }),
  });

/** `getParameter`, of the parameters that drivers' tests request. */
export function getParameter({ server, body }: Operation): Reply {
  const known = {
    enableTestCommands: server.failPoints !== undefined,
    featureCompatibilityVersion: reply({ version: '8.0' }),
    authenticationMechanisms: [],
  };
  const all = body.get('getParameter') === '*';
  const found = Object.entries(known).filter(([name]) => all || body.has(name));
  return found.length > 0 ? reply(Object.fromEntries(found)) : fail(72, 'no option found to get');
}

/** `connectionStatus`: there are no users. */
export const connectionStatus = (): Reply =>
  reply({ authInfo: reply({ authenticatedUsers: [], authenticatedUserRoles: [], authenticatedUserPrivileges: [] }) });

/** `configureFailPoint`, where the server has fail points; else it is an unknown command, as in a production server. */
export function configureFailPoint({ server, body }: Operation): Reply {
  if (!server.failPoints) fail(59, "no such command: 'configureFailPoint'");
  return server.failPoints.configure(body.get('configureFailPoint'), body.get('mode'), body.get('data'));
}

/** The ids of sessions that the command's first argument has. */
export const sessionIds = (operation: Operation): Uint8Array[] =>
  operation
    .required(operation.name, isArray)
    .map((entry) => idOf(entry) ?? fail(2, `${operation.name} needs session ids`));

/** The bytes of a session's id (`lsid`). */
export function idOf(lsid: Maybe): Uint8Array | undefined {
  const id = isDoc(lsid) ? lsid.get('id') : undefined;
  return id instanceof Binary ? id.buffer.subarray(0, id.position) : undefined;
}

/** `endSessions`. */
export async function endSessions(operation: Operation): Promise<Reply> {
  await operation.engine.sessions.finish(sessionIds(operation));
  return reply({});
}

/** The signature that a server without authentication sends. Drivers reject a cluster time that has none. */
const unsigned = doc({ hash: new Binary(Buffer.alloc(20)), keyId: 0n });

/** The times in every reply: the newest point in time of this one server. */
export const timesOf = (operation: Operation): { operationTime: Timestamp; $clusterTime: Doc } => {
  const operationTime = new Timestamp(operation.engine.tick());
  return { operationTime, $clusterTime: doc({ clusterTime: operationTime, signature: unsigned }) };
};
