import { loadAppConfig, readProcessEnvironment } from '../../platform/config/app-config.js';
import { keyIds } from '../../platform/crypto/encryption-keys.js';
import { openDatabase } from '../../platform/database/open-database.js';
import { checkDump, readDump } from '../../platform/database/transfer/dump-directory.js';
import { restoreDatabase } from '../../platform/database/transfer/restore-database.js';
import { withClient } from '../../platform/database/transfer/with-client.js';
import { print, printProgress } from './output.js';

export interface RestoreOptions {
  /** Whether the backup is only checked. Then the database is not opened. */
  readonly check: boolean;
}

/**
 * Fills an empty database from a directory that `backup` or mongodump made. When it is killed, it can run again.
 * @throws TransferError when the database is not empty, or the directory is not complete
 */
export async function restore(directory: string, { check }: RestoreOptions): Promise<void> {
  const dump = await readDump(directory);
  await checkDump(dump, printProgress);
  if (check) {
    const age = dump.manifest === null ? '' : ` It is of ${dump.manifest.createdAt}.`;
    print(`The backup is complete: ${dump.collections.length} collections.${age}`);
    return;
  }
  const config = loadAppConfig(readProcessEnvironment());
  await withClient(await openDatabase(config.mongodbUri, config.dataDir), 'MONGODB_URI', (client) =>
    restoreDatabase(client.db(), dump, printProgress),
  );
  print(`Restored ${dump.collections.length} collections.`);
  const needed = dump.manifest?.encryptionKeys;
  const missing = needed?.filter((id) => !keyIds(config).includes(id));
  if (missing?.length === 0) {
    print(
      'The encryption keys of the backup are set. With another JWT_SECRET than before, everybody has to log in again.',
    );
    return;
  }
  const key = missing === undefined ? 'ENCRYPTION_KEY' : `the encryption key ${missing.join(' and the key ')}`;
  print(`Before you start the service, set ${key} and JWT_SECRET of the service whose backup this is.`);
  print('When they were not set there, copy its DATA_DIR/secrets.json.');
}
