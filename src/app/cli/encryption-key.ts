import { keyId } from '../../platform/crypto/encryption-keys.js';
import { KeyRotationService, type RotationResult } from '../key-rotation/key-rotation.service.js';
import { withApp } from './operator.js';
import { print } from './output.js';
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
    });
    if (results.some(({ unreadable }) => unreadable.length > 0)) {
      throw new CommandError('Not complete: no configured key decrypts these records. They were not changed.');
    }
    print('Done.');
  });
}
