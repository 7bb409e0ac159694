import { createApp } from './app.setup.js';
import { keyId } from '../platform/crypto/encryption-keys.js';
import { createLogger } from '../platform/logging/logger.js';
import { type AppConfig, loadAppConfig, readProcessEnvironment } from '../platform/config/app-config.js';
import { ConfigurationError } from '../platform/config/environment.js';
import { openDatabase } from '../platform/database/open-database.js';
import { KeyRotationService, type RotationResult } from './key-rotation/key-rotation.service.js';

/**
 * `npm run rotate-encryption-key`: encrypts everything in the configured database with `ENCRYPTION_KEY`. It reads what
 * `ENCRYPTION_KEY_PREVIOUS` encrypted. Exits with 1 when something cannot be decrypted. docs/handbook/encryption-key.md has the steps.
 */
async function run(config: AppConfig): Promise<boolean> {
  // Only the owner of the process can read the files that it makes, as in serve.ts.
  process.umask(0o077);
  const database = await openDatabase(config.mongodbUri, config.dataDir);
  // A process of the service that does not listen.
  const app = await createApp({ config, databaseUri: database.uri }, createLogger(config.logLevel));
  const complete = await rotate(app.get(KeyRotationService, { strict: false }), config);
  await app.close();
  await database.close();
  return complete;
}

/** Returns whether everything that is stored is now encrypted with the current key. */
async function rotate(rotation: KeyRotationService, config: AppConfig): Promise<boolean> {
  say(`ENCRYPTION_KEY has the id ${keyId(config.encryptionKey)}.`);
  const { previousEncryptionKey: previous } = config;
  say(
    previous === null
      ? 'ENCRYPTION_KEY_PREVIOUS is not set.'
      : `ENCRYPTION_KEY_PREVIOUS has the id ${keyId(previous)}.`,
  );
  const results: RotationResult[] = [];
  await rotation.rotate((result) => {
    results.push(result);
    const { kind, reencrypted, current, unreadable } = result;
    say(
      `${kind}: ${reencrypted} encrypted again, ${current} already current, ${unreadable.length} cannot be decrypted`,
    );
    for (const id of unreadable) say(`  cannot be decrypted: ${id}`);
  });
  const complete = results.every(({ unreadable }) => unreadable.length === 0);
  say(complete ? 'Done.' : 'Not complete: no configured key decrypts these records. They were not changed.');
  return complete;
}

function say(sentence: string): void {
  process.stdout.write(`${sentence}\n`);
}

try {
  process.exit((await run(loadAppConfig(readProcessEnvironment()))) ? 0 : 1);
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  const trace = error instanceof ConfigurationError || !(error instanceof Error) ? '' : `${error.stack ?? ''}\n`;
  process.stderr.write(`The encryption key was not rotated. ${reason}\n${trace}`);
  process.exit(1);
}
