// Runs the compiled application in a process of its own, as `main.ts` does. It sends its parent what a client cannot see: the
// address, and the database commands and password hashes that requests need. Started by test-app.ts.
import { setImmediate } from 'node:timers/promises';
import { getConnectionToken } from '@nestjs/mongoose';
import { serialize } from 'bson';
import { createApp } from '../../dist/app.setup.js';
import { createLogger } from '../../dist/common/logging/logger.js';
import { loadAppConfig } from '../../dist/config/app-config.js';
import { MailService } from '../../dist/mail/mail.service.js';
import { PasswordHasher } from '../../dist/users/password-hasher.js';

const BACKGROUND = new Set(['hello', 'isMaster', 'ping', 'endSessions', 'killCursors']);

const { env, config, databaseUri } = JSON.parse(process.env.TEST_APP_OPTIONS ?? '{}');
const app = await createApp(
  { config: { ...loadAppConfig(env), ...config }, databaseUri, monitorCommands: true },
  createLogger('trace'),
);
await app.listen(0, '127.0.0.1');
const connection = app.get(getConnectionToken());

/** How many passwords were hashed or compared. */
let hashes = 0;
for (const method of ['hash', 'verify']) {
  const original = PasswordHasher.prototype[method];
  PasswordHasher.prototype[method] = function (...parameters) {
    hashes++;
    return original.apply(this, parameters);
  };
}

let commands = [];
/** Running updates: request id -> collection. */
const updates = new Map();
/** Collection -> how many of its documents were changed. */
const modified = new Map();
const client = connection.getClient();
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

function taken() {
  const seen = commands;
  commands = [];
  return seen;
}

const answers = {
  idle: () => app.get(MailService).idle(),
  commands: () => taken().map(({ commandName }) => commandName),
  commandBodies: () => taken().map(({ command }) => Buffer.from(serialize(command)).toString('base64')),
  hashes: () => hashes,
  modified: async ({ collection }) => {
    while (updates.size > 0) await setImmediate();
    return modified.get(collection) ?? 0;
  },
  close: async ({ dropDatabase }) => {
    if (dropDatabase) await connection.dropDatabase();
    app.getHttpServer().closeAllConnections();
    await app.close();
  },
};

process.on('message', async ({ id, question, details }) => {
  process.send({ id, answer: await answers[question](details) });
  if (question === 'close') process.disconnect();
});
// Ends when the parent has ended.
process.on('disconnect', () => process.exit(0));
process.send({ listening: app.getHttpServer().address().port });
