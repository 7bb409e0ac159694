// Runs the compiled application in a process of its own, as `main.ts` does. It sends its parent what a client cannot see: the
// address, and the database commands and password hashes that requests need. When an application is closed, the process waits
// for the next one to start. Started by app-processes.ts.
import { setImmediate } from 'node:timers/promises';
import { getConnectionToken } from '@nestjs/mongoose';
import { serialize } from 'bson';
import { MongoServerError } from 'mongodb';
import { createApp } from '../../dist/app/app.setup.js';
import { createLogger } from '../../dist/infrastructure/logging/logger.js';
import { loadAppConfig } from '../../dist/infrastructure/config/app-config.js';
import { OutboxHandlers } from '../../dist/events/outbox/outbox-handlers.js';
import { OutboxSenderService } from '../../dist/events/outbox/outbox-sender.service.js';
import { WindowStorage } from '../../dist/http/throttling/window-storage.js';
import { PasswordHasher } from '../../dist/accounts/users/password-hasher.js';
import { watchRules } from './command-rules.js';

const BACKGROUND = new Set(['hello', 'isMaster', 'ping', 'endSessions', 'killCursors']);

/** How many passwords were hashed or compared. */
let hashes = 0;
for (const method of ['hash', 'verify']) {
  const original = PasswordHasher.prototype[method];
  PasswordHasher.prototype[method] = function (...parameters) {
    hashes++;
    return original.apply(this, parameters);
  };
}

const started = Date.now();
const increment = WindowStorage.prototype.increment;
/** Counts all requests in one moment: otherwise the speed of the machine decides how many fall into one window of a limit. */
WindowStorage.prototype.increment = function (...parameters) {
  const { now } = Date;
  Date.now = () => started;
  try {
    return increment.apply(this, parameters);
  } finally {
    Date.now = now;
  }
};

/** Whether each handler of the outbox that only writes runs twice: in a transaction that is undone, and in the one that follows. */
let repeatsHandlers = false;
/** The topics whose handlers can run twice, and what ran twice: a topic, and of events their type too. */
const [repeatable, repeated] = [new Set(), new Set()];
const { register } = OutboxHandlers.prototype;
OutboxHandlers.prototype.register = function (topic, handler) {
  if (!repeatsHandlers || !('apply' in handler)) return register.call(this, topic, handler);
  const undone = new Set();
  const apply = async (items, transaction) => {
    await handler.apply(items, transaction);
    const messages = items.map(({ id }) => id).join();
    for (const { payload } of items) repeated.add([topic, payload.type ?? []].flat().join(' '));
    if (undone.has(messages)) return;
    undone.add(messages);
    throw new MongoServerError({ message: 'undone by the test', errorLabels: ['TransientTransactionError'] });
  };
  repeatable.add(topic);
  return register.call(this, topic, Object.assign(Object.create(handler), { apply }));
};

let app;
let connection;
/** What broke the rules for database commands. */
let violations;
let commands = [];
let isWatched = false;
/** Running updates: request id -> collection. */
const updates = new Map();
/** Collection -> how many of its documents were changed. */
const modified = new Map();

/** The transactions that record the last use of a credential: a session with a transaction number. */
const lastUses = new Set();
const LAST_USE_FIELDS = { members: 'lastActiveAt', api_keys: 'lastUsedAt' };

/**
 * Whether a command is part of recording the last use of a credential. That happens beside the requests, at most once a minute for
 * each credential, so only the speed of the machine decides among which commands it appears.
 */
function isLastUse(commandName, command) {
  const transaction = `${command.lsid?.id.toString('hex')} ${command.txnNumber}`;
  const [change] = commandName === 'update' ? command.updates : [];
  const fields = Object.keys(change?.u.$set ?? {});
  if (fields.length === 1 && fields[0] === LAST_USE_FIELDS[command.update]) lastUses.add(transaction);
  return lastUses.has(transaction);
}

function watch(client) {
  client.on('commandStarted', ({ commandName, command, requestId }) => {
    if (!BACKGROUND.has(commandName))
      commands.push({ commandName, command, recordsUse: isLastUse(commandName, command) });
    if (commandName === 'update') updates.set(requestId, command.update);
  });
  client.on('commandFailed', ({ requestId }) => updates.delete(requestId));
  client.on('commandSucceeded', ({ requestId, reply }) => {
    const collection = updates.get(requestId);
    if (collection === undefined) return;
    updates.delete(requestId);
    modified.set(collection, (modified.get(collection) ?? 0) + reply.nModified);
  });
}

/** Lanes of the outbox that wait until the sender may read them. */
let held = [];
const sender = () => app.get(OutboxSenderService, { strict: false });

function requireWatched() {
  if (!isWatched) throw new Error('start the application with watchCommands');
}

function taken() {
  requireWatched();
  const seen = commands;
  commands = [];
  return seen;
}

/** Everything that was written so far has reached the parent when this line has. */
const written = (text) => new Promise((resolve) => process.stdout.write(text, resolve));

const handlers = {
  start: async ({ env, config, databaseUri, watchCommands = false, repeatHandlers = false }) => {
    repeatsHandlers = repeatHandlers;
    repeatable.clear();
    repeated.clear();
    [hashes, commands] = [0, []];
    updates.clear();
    modified.clear();
    app = await createApp(
      { config: { ...loadAppConfig(env), ...config }, databaseUri, monitorCommands: true },
      createLogger('trace'),
    );
    await app.listen(0, '127.0.0.1');
    connection = app.get(getConnectionToken());
    violations = watchRules(connection);
    isWatched = watchCommands;
    if (isWatched) watch(connection.getClient());
    return app.getHttpServer().address().port;
  },
  /** Until `release`, what the outbox gets is sent later: only the speed decides among which commands its sender's appear. */
  hold: async () => {
    await sender().idle();
    sender().wake = (lane) => held.push(lane);
  },
  release: () => {
    delete sender().wake;
    for (const lane of held.splice(0)) sender().wake(lane);
  },
  /** Waits until nothing is left to send of what was added to the outbox. */
  idle: () => sender().idle(),
  /** Names such as `find orders` and `commitTransaction`. */
  commands: () =>
    taken()
      .filter(({ recordsUse }) => !recordsUse)
      .map(({ commandName, command }) => {
        const subject = command[commandName];
        return typeof subject === 'string' ? `${commandName} ${subject}` : commandName;
      }),
  commandBodies: () => taken().map(({ command }) => Buffer.from(serialize(command)).toString('base64')),
  hashes: () => hashes,
  repetitions: () => ({ repeatable: [...repeatable].sort(), repeated: [...repeated].sort() }),
  modified: async ({ collection }) => {
    requireWatched();
    while (updates.size > 0) await setImmediate();
    return modified.get(collection) ?? 0;
  },
  close: async ({ dropDatabase, lastLine }) => {
    if (dropDatabase) await connection.dropDatabase();
    app.getHttpServer().closeAllConnections();
    await app.close();
    await written(`${lastLine}\n`);
    if (violations.size > 0) throw new Error([...violations].join('\n'));
  },
};

process.on('message', async ({ id, question, details }) => {
  try {
    process.send({ id, result: await handlers[question](details) });
  } catch (error) {
    process.send({ id, error: String(error?.stack ?? error) });
  }
});
// Ends when the parent has ended.
process.on('disconnect', () => process.exit(0));
