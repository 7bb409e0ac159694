import { keyId } from '../../lib/crypto/encryption-keys.js';
import { KeyRotationService, type RotationResult } from '../key-rotation/key-rotation.service.js';
import { StoredKeysService } from '../key-rotation/stored-keys.service.js';
import { operatorConfig, withApp, withDatabase, withPartsOn } from './operator.js';
import { print, printProgress } from './output.js';
import { CommandError } from './problems.js';

/**
 * Encrypts everything in the configured database with `ENCRYPTION_KEY`. It reads what `ENCRYPTION_KEY_PREVIOUS` encrypted.
 * docs/handbook/encryption-key.md has the steps.
 * @throws CommandError when something cannot be decrypted
 */
export function rotateEncryptionKey(): Promise<void> {
  return withApp(async (app, { encryptionKey, previousEncryptionKey: previous }) => {
    print(`ENCRYPTION_KEY has the id ${keyId(encryptionKey)}.`);
    print(
      previous === null
        ? 'ENCRYPTION_KEY_PREVIOUS is not set.'
        : `ENCRYPTION_KEY_PREVIOUS has the id ${keyId(previous)}.`,
    );
    const results: RotationResult[] = [];
    await app.get(KeyRotationService, { strict: false }).rotate((result) => {
      results.push(result);
      const { kind, reencrypted, current, unreadable } = result;
      print(
        `${kind}: ${reencrypted} encrypted again, ${current} already current, ${unreadable.length} cannot be decrypted`,
      );
      for (const id of unreadable) print(`  cannot be decrypted: ${id}`);
    }, printProgress);
    if (results.some(({ unreadable }) => unreadable.length > 0)) {
      throw new CommandError(
        'Not complete: no configured key decrypts these records. They were not changed. accept-encryption-key gives them up.',
      );
    }
    if (results.some(({ reencrypted }) => reencrypted > 0)) {
      print(
        'Run it again: until it encrypts nothing more, a process that still has the old key may have written something.',
      );
      return;
    }
    const others = await app.get(StoredKeysService, { strict: false }).acceptCurrent();
    print(
      others.length === 0
        ? 'Done: nothing needs ENCRYPTION_KEY_PREVIOUS any more.'
        : `A running process still encrypts with the key ${others.join(' or ')}. Restart it with ENCRYPTION_KEY, and run this again.`,
    );
  });
}

/**
 * Lets the service start with `ENCRYPTION_KEY` although other keys have encrypted a part of the data, because they are lost. It works
 * with parts of a service that has not started, because with this key it does not.
 * @throws CommandError while a process encrypts with another key, which is not lost then
 */
export function acceptEncryptionKey(): Promise<void> {
  const config = operatorConfig();
  return withDatabase(config, (databaseUri) =>
    withPartsOn(databaseUri, config, async (app) => {
      const others = await app.get(StoredKeysService, { strict: false }).acceptCurrent();
      if (others.length > 0) throw new CommandError(inUse(others, keyId(config.encryptionKey)));
      print(`The service starts with ENCRYPTION_KEY (id ${keyId(config.encryptionKey)}) from now on.`);
      print('docs/handbook/encryption-key.md lists what has to be set up again.');
    }),
  );
}

function inUse(keyIds: readonly string[], given: string): string {
  return (
    `A running process of the service encrypts with the key ${keyIds.join(' and another one with the key ')}, so this key is not lost, and ` +
    `ENCRYPTION_KEY (id ${given}) may be mistyped: set the same key. To give it up nevertheless, stop every process first. ` +
    'A process that was killed counts as running for a minute.'
  );
}
