// Runs the compiled application in a process of its own, as `main.ts` does. It sends its parent what a client cannot see: the
// address, and the database commands and password hashes that requests need. When an application is closed, the process waits
// for the next one to start. Started by app-processes.ts.
import { setImmediate } from 'node:timers/promises';
import { getConnectionToken } from '@nestjs/mongoose';
import { serialize } from 'bson';
import { createApp } from '../../dist/app.setup.js';
import { createLogger } from '../../dist/common/logging/logger.js';
import { loadAppConfig } from '../../dist/config/app-config.js';
import { Transactions } from '../../dist/database/transactions.js';
import { MailService } from '../../dist/mail/mail.service.js';
import { PasswordHasher } from '../../dist/users/password-hasher.js';

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

/** Running transactions. A request does not wait for all of them, for example not for the last use of its key. */
const transactions = new Set();
const runTransaction = Transactions.prototype.run;
Transactions.prototype.run = function (...parameters) {
  const running = runTransaction.apply(this, parameters);
  const ended = Promise.allSettled([running]).then(() => transactions.delete(ended));
  transactions.add(ended);
  return running;
};

let app;
let connection;
let commands = [];
/** Running updates: request id -> collection. */
const updates = new Map();
/** Collection -> how many of its documents were changed. */
const modified = new Map();

function watch(client) {
  client.on('commandStarted', ({ commandName, command, requestId }) => {
    if (!BACKGROUND.has(commandName)) commands.push({ commandName, command });
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

function taken() {
  const seen = commands;
  commands = [];
  return seen;
}

/** Everything that was written so far has reached the parent when this text has. */
const written = (text) => new Promise((resolve) => process.stdout.write(text, resolve));

const answers = {
  start: async ({ env, config, databaseUri }) => {
    [hashes, commands] = [0, []];
    updates.clear();
    modified.clear();
    app = await createApp(
      { config: { ...loadAppConfig(env), ...config }, databaseUri, monitorCommands: true },
      createLogger('trace'),
    );
    await app.listen(0, '127.0.0.1');
    connection = app.get(getConnectionToken());
    watch(connection.getClient());
    return app.getHttpServer().address().port;
  },
  idle: async () => {
    await app.get(MailService).idle();
    await Promise.all(transactions);
  },
  commands: () => taken().map(({ commandName }) => commandName),
  commandBodies: () => taken().map(({ command }) => Buffer.from(serialize(command)).toString('base64')),
  hashes: () => hashes,
  modified: async ({ collection }) => {
    while (updates.size > 0) await setImmediate();
    return modified.get(collection) ?? 0;
  },
  close: async ({ dropDatabase, lastLine }) => {
    if (dropDatabase) await connection.dropDatabase();
    app.getHttpServer().closeAllConnections();
    await app.close();
    await written(`${lastLine}\n`);
  },
};

process.on('message', async ({ id, question, details }) => {
  try {
    process.send({ id, answer: await answers[question](details) });
  } catch (error) {
    process.send({ id, error: String(error?.stack ?? error) });
  }
});
// Ends when the parent has ended.
process.on('disconnect', () => process.exit(0));
